//! Answers of the environment that stay the same, for engines that keep all they know in memory.
//!
//! A *slot* is a flag and a value: the flag is 1 once the value was given. Slots of functions of numbers and of `getenv` are in
//! objects that [`crate::link`] adds to the program; those of functions of a stream are in the stream itself. What a call may
//! change outside of memory says which slots are empty afterwards.

use crate::effect::{Answers, StreamUse};
use crate::kind::{ModelKind, PrintSink, ScanSource};
use crate::{Model, Scalar};
use heapproof_ir::{Callee, GlobalId, GlobalInit, InstKind, Operand, Program, Ty};
use std::collections::BTreeMap;

/// The size of a slot; its value is in the second half.
pub const SLOT: u64 = 16;
/// A function of a number has slots for 0 and the next ones.
const NUMBERS: u64 = 8;

/// What a call may change besides memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// Nothing.
    Nothing,
    /// Streams: what they say about errors and ends is another thing afterwards.
    Streams,
    /// Anything but the variables of the environment.
    Anything,
    /// Anything, the variables of the environment included.
    Everything,
}

impl Outside {
    /// True if a function may answer otherwise after a call that changes this.
    pub fn changes(self, asked: &Model) -> bool {
        let about_stream = asked.slot_in_stream().is_some() || asked.params.first() == Some(&Scalar::Ptr);
        match asked.kind {
            ModelKind::GetEnv => self >= Outside::Everything,
            _ if about_stream => self >= Outside::Streams,
            _ => self >= Outside::Anything,
        }
    }
}

impl Model {
    /// What a call may change besides memory.
    pub fn outside(&self) -> Outside {
        use ModelKind::*;
        if self.effect.answers != Answers::Anew {
            return Outside::Nothing;
        }
        match self.kind {
            SetEnv => Outside::Everything,
            Alloc { .. } | Alloca | PosixMemalign | Realloc { .. } | Free | DupString { .. } => {
                Outside::Nothing
            }
            CopyBytes { .. } | Fill { .. } | CompareBytes | FindByte { .. } => Outside::Nothing,
            StrLen { .. } | StrCopy { .. } | StrCat { .. } | StrCompare { .. } | StrFind { .. } => {
                Outside::Nothing
            }
            StrStr { .. } | StrSpan(_) | StrTok { .. } | StrSep | IsChar(_) | ToLower | ToUpper => {
                Outside::Nothing
            }
            ParseInt { .. } | ParseFloat { .. } | Abs | Math { .. } | DiffTime | Time => Outside::Nothing,
            // It tells about wrong options.
            GetOpt { .. } => Outside::Streams,
            GetEnv | PathPart | Assume | Assert | IsKnown | IsLive => Outside::Nothing,
            Print { sink: PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock, .. } => {
                Outside::Nothing
            }
            Scan { source: ScanSource::Text, .. } => Outside::Nothing,
            Print { .. }
            | Scan { .. }
            | Puts
            | PutString
            | PutChar { .. }
            | WriteItems
            | PrintError
            | GetDelim { .. } => Outside::Streams,
            Effect if self.name.starts_with("getchar") || self.name == "gets" => Outside::Streams,
            Effect if self.name.starts_with("__VERIFIER_") => Outside::Nothing,
            BreakTime { .. } | MakeTime { .. } | TimeText { .. } | LogName => Outside::Nothing,
            ReadEntry | PutBack => Outside::Streams,
            // It closes a descriptor and opens another one.
            Effect if self.name == "freopen" => Outside::Anything,
            Effect if !self.effect.streams.is_empty() => {
                let closes = self.effect.streams.iter().any(|stream| stream.usage == StreamUse::Closes);
                if closes { Outside::Anything } else { Outside::Streams }
            }
            _ => Outside::Anything,
        }
    }

    /// True if the answer to the same question is the same, and the question is at most one number.
    fn has_object(&self) -> bool {
        self.effect.answers == Answers::Steady
            && self.params.len() <= 1
            && !self.params.contains(&Scalar::Ptr)
    }

    /// The standard stream that is used without being an argument.
    pub fn implied_stream(&self) -> Option<&'static str> {
        match self.kind {
            ModelKind::Print { sink: PrintSink::Stdout, .. } | ModelKind::Puts => Some("standard output"),
            ModelKind::PutChar { stream: false } => Some("standard output"),
            ModelKind::PrintError => Some("standard error"),
            ModelKind::Scan { source: ScanSource::Stdin, .. } => Some("standard input"),
            _ if self.name.starts_with("getchar") || self.name == "gets" => Some("standard input"),
            _ => None,
        }
    }

    /// Where in a stream the slot of a function of that stream is.
    pub fn slot_in_stream(&self) -> Option<u64> {
        const FUNCTIONS: [&str; 5] = ["feof", "ferror", "feof_unlocked", "ferror_unlocked", "fileno"];
        FUNCTIONS.iter().position(|name| *name == self.name).map(|at| at as u64 * SLOT)
    }
}

/// The objects that hold slots.
#[derive(Clone, Debug, Default)]
pub struct AnswerObjects {
    /// Those of functions of at most one number, by the name of the function.
    pub numbers: BTreeMap<&'static str, GlobalId>,
    /// Those of `getenv`, by the name of the function and of the variable.
    pub variables: BTreeMap<(&'static str, Vec<u8>), GlobalId>,
}

impl AnswerObjects {
    /// The objects that [`crate::link`] gave to a program.
    pub fn of(program: &Program) -> Self {
        let mut found = AnswerObjects::default();
        for function in program.functions.values().filter(|function| function.body.is_none()) {
            let Some(model) = crate::lookup(&function.name).filter(|model| model.has_object()) else {
                continue;
            };
            if let Some(global) = program.global(&object_name(model.name)) {
                found.numbers.insert(model.name, global);
            }
        }
        for (question, _) in asked_twice(program) {
            if let Some(global) = program.global(&variable_name(question.0, &question.1)) {
                found.variables.insert(question, global);
            }
        }
        found
    }

    /// The slot of a function of at most one number.
    pub fn number_slot(&self, model: &Model, number: Option<u128>) -> Option<(GlobalId, u64)> {
        let global = *self.numbers.get(model.name)?;
        let at = if model.params.is_empty() { 0 } else { u64::try_from(number?).ok()? };
        (at < NUMBERS).then_some((global, at * SLOT))
    }
}

fn object_name(function: &str) -> String {
    format!("what {function} answers")
}

fn variable_name(function: &str, variable: &[u8]) -> String {
    format!("what {function} answers for {}", String::from_utf8_lossy(variable))
}

/// The objects that hold slots: names and sizes.
pub(crate) fn objects(program: &Program) -> Vec<(String, u64)> {
    let mut objects = Vec::new();
    for function in program.functions.values().filter(|function| function.body.is_none()) {
        if let Some(model) = crate::lookup(&function.name).filter(|model| model.has_object()) {
            objects.push((object_name(model.name), SLOT * NUMBERS));
        }
    }
    objects.extend(asked_twice(program).keys().map(|(function, name)| (variable_name(function, name), SLOT)));
    objects
}

/// The variables of the environment that are asked for by constant name at more than one place.
fn asked_twice(program: &Program) -> BTreeMap<(&'static str, Vec<u8>), usize> {
    let mut asked = BTreeMap::new();
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            let InstKind::Call { callee: Callee::Direct(func), args, .. } = &inst.kind else { continue };
            let function = &program.functions[*func];
            let model = crate::lookup(&function.name).filter(|model| model.kind == ModelKind::GetEnv);
            if let (Some(model), None, Some(Operand::Global(global))) = (model, &function.body, args.first())
                && let Some(name) = constant_text(program, *global)
            {
                *asked.entry((model.name, name)).or_default() += 1;
            }
        }
    }
    asked.retain(|_, count| *count > 1);
    asked
}

/// The characters of a constant string.
pub fn constant_text(program: &Program, global: GlobalId) -> Option<Vec<u8>> {
    let global = &program.globals[global];
    match &global.init {
        GlobalInit::Data { bytes, relocs } if global.constant && relocs.is_empty() => {
            let end = bytes.iter().position(|byte| *byte == 0);
            let end = end.or((global.size > bytes.len() as u64).then_some(bytes.len()))?;
            Some(bytes[..end].to_vec())
        }
        _ => None,
    }
}

/// True if the program compares addresses with each other, or makes numbers of them: then it matters whether what the library
/// gives twice is at one place.
pub fn compares_addresses(program: &Program) -> bool {
    let compares = |kind: &InstKind| match kind {
        InstKind::Cmp { ty: Ty::Ptr, a, b, .. } => *a != Operand::Null && *b != Operand::Null,
        InstKind::Cast { from: Ty::Ptr, .. } => true,
        _ => false,
    };
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    bodies
        .filter(|body| !crate::has_no_positions(body))
        .any(|body| body.blocks.values().flat_map(|block| &block.insts).any(|inst| compares(&inst.kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_change() {
        let outside = |name: &str| crate::lookup(name).unwrap().outside();
        for name in
            ["strlen", "malloc", "getenv", "ferror", "getpid", "snprintf", "sscanf", "__VERIFIER_nondet_int"]
        {
            assert_eq!(outside(name), Outside::Nothing, "{name}");
        }
        for name in ["printf", "puts", "getchar", "scanf", "fgets", "fflush", "clearerr"] {
            assert_eq!(outside(name), Outside::Streams, "{name}");
        }
        for name in ["fork", "close", "dup2", "open", "fclose", "freopen", "read"] {
            assert!(outside(name) >= Outside::Streams, "{name}");
        }
        for name in ["fork", "close", "dup2", "open", "fclose"] {
            assert_eq!(outside(name), Outside::Anything, "{name}");
        }
        assert_eq!(outside("setenv"), Outside::Everything);
        assert_eq!(outside("freopen"), Outside::Anything);
    }

    #[test]
    fn which_answers_change() {
        let changes = |call: &str, asked: &str| {
            crate::lookup(call).unwrap().outside().changes(crate::lookup(asked).unwrap())
        };
        for asked in ["feof", "ferror", "fileno", "dirfd"] {
            for call in ["getchar", "scanf", "perror", "fflush", "freopen", "printf", "close"] {
                assert!(changes(call, asked), "{call} {asked}");
            }
            assert!(!changes("strlen", asked) && !changes("feof", asked), "{asked}");
        }
        for (call, asked) in
            [("close", "isatty"), ("freopen", "isatty"), ("fork", "getpid"), ("setuid", "getuid")]
        {
            assert!(crate::lookup(call).is_none() || changes(call, asked), "{call} {asked}");
        }
        assert!(!changes("printf", "getpid") && !changes("printf", "isatty"));
        assert!(changes("setenv", "getenv") && !changes("close", "getenv"));
    }
}
