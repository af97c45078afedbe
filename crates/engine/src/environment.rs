//! The environment of a program: everything that the answer depends on besides the program itself.

use heapproof_ir::{FuncId, Function, Program, Target};
use heapproof_libc::{Model, ModelKind};
use heapproof_verdict::{Assumption, AssumptionKind, Ledger, NoteKind, Property, PropertySet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a program runs in and what is asked about it.
///
/// It is part of the options of every engine and of the interpreter as a whole, so that none of them can leave out one of its
/// fields. Whoever makes one from the command line names every field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The data model.
    pub target: Target,
    /// The functions to start at, or to look at one by one; none means `main`, or all of a module.
    pub entries: Vec<String>,
    /// The command line of the program, its name first; argc and argv are inputs if there is none.
    pub argv: Option<Vec<Vec<u8>>>,
    /// `malloc` and its relatives may give null; an input decides.
    pub malloc_may_fail: bool,
    /// External functions that give any result and may overwrite what their arguments point to.
    pub havoc: BTreeSet<String>,
    /// External functions that give any result and change no memory.
    pub pure: BTreeSet<String>,
    /// What is asked. A violation of anything else is not the answer.
    pub properties: PropertySet,
    /// Properties that the user accepts without a proof.
    pub presupposed: BTreeSet<Property>,
    /// What of the world outside is given; all else is input.
    pub world: World,
    /// What functions may assume besides what the program says: formulas as the user wrote them, by function.
    pub requires: BTreeMap<String, Vec<String>>,
}

/// The world outside, as far as it is given: executions read this. Proofs that take it for any input hold for it, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The bytes of standard input.
    pub stdin: Option<Arc<[u8]>>,
    /// The files that there are, by name, with their bytes. Without any, nothing is said about files.
    pub files: BTreeMap<Vec<u8>, Arc<[u8]>>,
    /// The environment variables that there are.
    pub variables: Option<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl World {
    /// True if nothing is given.
    pub fn is_empty(&self) -> bool {
        self.stdin.is_none() && self.files.is_empty() && self.variables.is_none()
    }
}

/// What a call of a function does.
#[derive(Clone, Copy, Debug)]
pub enum Resolution {
    /// The code of the program is executed.
    Body,
    /// The user said: any result, and what the arguments point to may be overwritten.
    Havoc,
    /// The user said: any result, and no memory is changed.
    Pure,
    /// The library's model says.
    Model(&'static Model),
    /// Nobody says: the analysis ends there.
    Unknown,
}

impl Environment {
    /// The usual one: `main` with any command line, `malloc` never fails, nothing accepted.
    pub fn usual(target: Target, properties: PropertySet) -> Self {
        Environment {
            target,
            entries: Vec::new(),
            argv: None,
            malloc_may_fail: false,
            havoc: BTreeSet::new(),
            pure: BTreeSet::new(),
            properties,
            presupposed: BTreeSet::new(),
            world: World::default(),
            requires: BTreeMap::new(),
        }
    }

    /// The function at which a whole program starts.
    pub fn entry(&self) -> &str {
        self.entries.first().map_or("main", String::as_str)
    }

    /// True if the user said what an external function of this name does.
    pub fn is_said(&self, name: &str) -> bool {
        self.havoc.contains(name) || self.pure.contains(name)
    }

    /// What a call of a function does. This is the one place that decides: the code of the program comes first, then the
    /// user's word, then the library's model. Only where calls of the error function are the question, its code does
    /// not matter.
    pub fn resolve(&self, function: &Function) -> Resolution {
        if let Some(model) = heapproof_libc::lookup(&function.name)
            && matches!(model.kind, ModelKind::ReachError)
            && self.properties.has(Property::UnreachCall)
        {
            return Resolution::Model(model);
        }
        if function.body.is_some() {
            Resolution::Body
        } else if self.havoc.contains(&function.name) {
            Resolution::Havoc
        } else if self.pure.contains(&function.name) {
            Resolution::Pure
        } else {
            heapproof_libc::lookup(&function.name).map_or(Resolution::Unknown, Resolution::Model)
        }
    }
}

/// What calls of all functions of a program do, looked up once.
#[derive(Clone, Debug)]
pub struct Resolutions(Vec<Resolution>);

impl Resolutions {
    /// For all functions of a program.
    pub fn new(program: &Program, environment: &Environment) -> Self {
        Resolutions(program.functions.values().map(|function| environment.resolve(function)).collect())
    }

    /// What a call of a function does.
    pub fn of(&self, func: FuncId) -> Resolution {
        self.0[func.as_u32() as usize]
    }

    /// Writes down what an analysis rests on that met these calls.
    pub fn note(&self, program: &Program, called: impl IntoIterator<Item = FuncId>, ledger: &mut Ledger) {
        for func in called {
            let name = &program.functions[func].name;
            let accepted = match self.of(func) {
                Resolution::Body => continue,
                Resolution::Model(model) => {
                    ledger.note(NoteKind::Model, model_note(model.name));
                    continue;
                }
                Resolution::Havoc | Resolution::Pure => true,
                Resolution::Unknown => false,
            };
            ledger.assume(Assumption {
                kind: AssumptionKind::ExternalFunction,
                subject: name.clone(),
                location: None,
                accepted,
            });
        }
    }
}

/// How a ledger tells that a model was used.
pub fn model_note(name: &str) -> String {
    format!("the model of `{name}` was used")
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_ir::Span;

    fn function(name: &str, defined: bool) -> Function {
        let mut function = Function {
            name: name.to_owned(),
            params: Vec::new(),
            results: Vec::new(),
            variadic: false,
            internal: false,
            ctype: None,
            span: Span::NONE,
            body: None,
        };
        if defined {
            function.body = Some(heapproof_ir::Body::default());
        }
        function
    }

    #[test]
    fn code_beats_the_user_who_beats_the_model() {
        let mut environment = Environment::usual(Target::Lp64, PropertySet::memsafety());
        assert!(matches!(environment.resolve(&function("memset", false)), Resolution::Model(_)));
        assert!(matches!(environment.resolve(&function("frob", false)), Resolution::Unknown));
        environment.pure.insert("memset".to_owned());
        assert!(matches!(environment.resolve(&function("memset", false)), Resolution::Pure));
        // Havoc allows more than pure.
        environment.havoc.insert("memset".to_owned());
        assert!(matches!(environment.resolve(&function("memset", false)), Resolution::Havoc));
        assert!(matches!(environment.resolve(&function("memset", true)), Resolution::Body));
    }

    #[test]
    fn a_call_of_the_error_function_is_the_error_whatever_its_code() {
        let asked = Environment::usual(Target::Lp64, "unreach-call".parse().unwrap());
        assert!(matches!(asked.resolve(&function("reach_error", true)), Resolution::Model(_)));
        assert!(matches!(asked.resolve(&function("abort", true)), Resolution::Body));
        let other = Environment::usual(Target::Lp64, PropertySet::memsafety());
        assert!(matches!(other.resolve(&function("reach_error", true)), Resolution::Body));
    }
}
