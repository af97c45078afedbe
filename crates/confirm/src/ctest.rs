//! The writer of C tests: a confirmed error as a C file that fails under AddressSanitizer.
//!
//! The file holds the program's own text, so that errors are at the same lines, and gives it the inputs: functions of the
//! environment are defined under their symbols, without a prototype that could contradict the program's.

use heapproof_engine::{Environment, Resolution, Source as SourceFile};
use heapproof_interp::state::{Address, Argument, Content, State};
use heapproof_interp::{InputRecord, Source};
use heapproof_ir::{FloatKind, FuncId, Global, GlobalInit, Program, Target, Ty, mask, sign_extend};
use heapproof_libc::{ModelKind, SizeArg};
use heapproof_verdict::{ErrorClass, Violation};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Why there is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// A source cannot be read again.
    #[error("the text of {0} cannot be read again")]
    NoText(String),
    /// The input does not come as the result of a call.
    #[error("the inputs come through `{0}`, which a test cannot give")]
    Through(String),
    /// A value has no form in C.
    #[error("a parameter of `{0}` has no form in a test")]
    Parameter(String),
}

/// The error that a test reproduces.
pub struct Reproduction<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its files.
    pub sources: &'a [SourceFile],
    /// Options of the compiler with which they were compiled.
    pub compiler: &'a [String],
    /// What it runs in.
    pub environment: &'a Environment,
    /// The choices of the execution.
    pub inputs: &'a [InputRecord],
    /// What it shows.
    pub violation: &'a Violation,
}

/// Names that C files with a test do not use themselves.
const PREFIX: &str = "heapproof_";

/// What a test needs of the library, under names of its own: a program's text may bring its own declarations, or headers of another time.
const HELPERS: &str = "extern void heapproof_exit(int) __asm__(\"exit\");
extern int heapproof_atexit(void (*)(void)) __asm__(\"atexit\");
extern void *heapproof_new(unsigned long) __asm__(\"malloc\");
extern void *heapproof_zeros(unsigned long, unsigned long) __asm__(\"calloc\");
extern void *heapproof_resized(void *, unsigned long) __asm__(\"realloc\");
extern void heapproof_free(void *) __asm__(\"free\");

";

/// Functions of the C library that allocate or release; those of the Linux kernel are defined by means of them.
const ALLOCATORS: [&str; 11] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "cfree",
    "aligned_alloc",
    "memalign",
    "valloc",
    "pvalloc",
    "posix_memalign",
];

/// Functions whose failure is an input.
const FALLIBLE: [&str; 3] = ["malloc", "calloc", "realloc"];

/// LeakSanitizer takes whatever lies on the stack for a pointer, also what functions left there that returned long ago. So that is
/// wiped away before it looks, at the end of the program.
const FORGET: &str =
    "static void __attribute__((noinline, no_sanitize(\"address\"))) heapproof_forget(void) {
    volatile char old[1 << 18];
    for (unsigned long i = 0; i < sizeof old; i++)
        old[i] = 0;
}

static void __attribute__((constructor)) heapproof_start(void) {
    heapproof_atexit(heapproof_forget);
}

";

/// A test that runs the program with its inputs.
pub fn of_inputs(case: &Reproduction<'_>) -> Result<String, Unwritable> {
    let apart = case.is_of_several();
    let mut out = case.header(apart)?;
    // The stack is wiped when `main` has returned, so somebody has to call it.
    let leak = case.violation.class == ErrorClass::Leak;
    let given = case.command_line().or_else(|| leak.then(|| vec![b"test".to_vec()]));
    if apart {
        // They are compiled one by one, beside the test. What is defined for them has the names that they were told.
        out.push_str(&case.undefined());
        if given.is_some() {
            let _ = writeln!(out, "int {PREFIX}main();");
        }
    } else {
        if given.is_some() {
            let _ = writeln!(out, "#define main {PREFIX}main");
        }
        case.text(&mut out)?;
    }
    case.definitions(&mut out)?;
    if let Some(args) = given {
        out.push_str(&start_with(case, &args));
    }
    Ok(out)
}

/// A test whose `main` builds a state and calls a function in it.
pub fn of_state(case: &Reproduction<'_>, func: FuncId, state: &State) -> Result<String, Unwritable> {
    let mut out = case.header(false)?;
    let _ = writeln!(out, "#define main {PREFIX}main");
    case.text(&mut out)?;
    case.definitions(&mut out)?;
    out.push_str("#undef main\n\nint main(void) {\n");
    build(case.program, state, &mut out);
    let function = &case.program.functions[func];
    let mut args = Vec::new();
    for (argument, ty) in state.arguments.iter().zip(&function.params) {
        args.push(match (argument, ty) {
            (Argument::Pointer(address), _) => expression(case.program, *address),
            (Argument::Number(bits), Ty::Int(width)) if *width <= 64 => number(*bits, *width, true),
            _ => return Err(Unwritable::Parameter(function.name.clone())),
        });
    }
    let _ = writeln!(out, "    {}({});\n    return 0;\n}}", function.name, args.join(", "));
    Ok(out)
}

impl Reproduction<'_> {
    fn header(&self, apart: bool) -> Result<String, Unwritable> {
        let violation = self.violation;
        let place = &violation.location;
        let mut out = format!(
            "/* {}: {}\n   at {}:{}\n   Build and run: clang -g -w -fsanitize=address{} THIS.c{} && ./a.out\n",
            violation.class,
            violation.message.replace("*/", "* /"),
            place.file.replace("*/", "* /"),
            place.line,
            self.build_options(apart).replace("*/", "* /"),
            if apart { self.other_files().replace("*/", "* /") } else { String::new() },
        );
        let fill = self.filler();
        if self.inputs.iter().any(|r| r.source == Source::Uninitialised) {
            out.push_str("   It reads uninitialised memory: whether it fails may depend on what is there.\n");
        }
        out.push_str("*/\n");
        out.push_str(HELPERS);
        let _ = writeln!(
            out,
            "const char *__asan_default_options(void) {{\n    return \"detect_leaks=1:detect_stack_use_after_return=1:\
             max_malloc_fill_size=1048576:malloc_fill_byte={fill}\";\n}}\n"
        );
        if violation.class == ErrorClass::Leak {
            out.push_str(FORGET);
        }
        self.failing(&mut out);
        Ok(out)
    }

    /// What the compiler has to be told: the target, and what uninitialised variables hold.
    fn build_options(&self, apart: bool) -> String {
        let target = if self.program.target == Target::Ilp32 { " -m32" } else { "" };
        let chosen = self.inputs.iter().any(|r| r.source == Source::Uninitialised);
        let fill = match (chosen, self.filler()) {
            (false, _) => "",
            (true, 0) => " -ftrivial-auto-var-init=zero",
            (true, _) => " -ftrivial-auto-var-init=pattern",
        };
        let mut options = format!("{target}{fill}");
        for option in self.compiler {
            let _ = write!(options, " {}", quoted(option));
        }
        if apart {
            if self.command_line().is_some() || self.violation.class == ErrorClass::Leak {
                let _ = write!(options, " -Dmain={PREFIX}main");
            }
            if self.has_failing() {
                FALLIBLE.iter().for_each(|name| options.push_str(&format!(" -D{name}={PREFIX}{name}")));
            }
        }
        options
    }

    /// True if the program has several files. They need not fit one unit, so they are compiled beside the test.
    fn is_of_several(&self) -> bool {
        self.sources.len() > 1
    }

    /// The files that are compiled beside the test.
    fn other_files(&self) -> String {
        let path =
            |source: &SourceFile| std::fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone());
        self.sources
            .iter()
            .map(|source| format!(" {}", quoted(&path(source).display().to_string())))
            .collect()
    }

    /// Takes back, in the test itself, what the other files are told by options.
    fn undefined(&self) -> String {
        std::iter::once("main")
            .chain(FALLIBLE)
            .fold(String::new(), |text, name| text + "#undef " + name + "\n")
    }

    /// True if an allocation fails.
    fn has_failing(&self) -> bool {
        let is_failing = |r: &InputRecord| {
            r.source == Source::Environment
                && r.width == 1
                && r.value & 1 == 1
                && r.name.strip_suffix(" fails").is_some_and(|name| FALLIBLE.contains(&name))
        };
        self.inputs.iter().any(is_failing)
    }

    /// The byte that uninitialised memory holds most often.
    fn filler(&self) -> u8 {
        let read = self.inputs.iter().filter(|r| r.source == Source::Uninitialised);
        let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
        for record in read {
            let bytes = usize::from(record.width.div_ceil(8));
            record.value.to_le_bytes().iter().take(bytes).for_each(|b| *counts.entry(*b).or_default() += 1);
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map_or(0xa5, |(byte, _)| byte)
    }

    /// Allocations that fail, in their order.
    fn failing(&self, out: &mut String) {
        let mut turns: Vec<(&str, bool)> = Vec::new();
        for record in self.inputs.iter().filter(|r| r.source == Source::Environment && r.width == 1) {
            if let Some(name) = record.name.strip_suffix(" fails") {
                turns.push((name, record.value & 1 == 1));
            }
        }
        if !turns.iter().any(|(name, fails)| *fails && FALLIBLE.contains(name)) {
            return;
        }
        let flags: Vec<&str> = turns
            .iter()
            .filter(|(name, _)| FALLIBLE.contains(name))
            .map(|(_, fails)| if *fails { "1" } else { "0" })
            .collect();
        // The program's own calls get another name; its prototypes, too.
        let _ = writeln!(
            out,
            "static int {PREFIX}fails(void) {{\n    static const char turns[] = {{{}}};\n    static unsigned long n;\n    \
             return n < sizeof turns && turns[n++];\n}}\n\
             void *{PREFIX}m(unsigned long n) __asm__(\"{PREFIX}malloc\");\n\
             void *{PREFIX}m(unsigned long n) {{ return {PREFIX}fails() ? (void *)0 : {PREFIX}new(n); }}\n\
             void *{PREFIX}c(unsigned long a, unsigned long b) __asm__(\"{PREFIX}calloc\");\n\
             void *{PREFIX}c(unsigned long a, unsigned long b) {{ return {PREFIX}fails() ? (void *)0 : {PREFIX}zeros(a, b); }}\n\
             void *{PREFIX}r(void *p, unsigned long n) __asm__(\"{PREFIX}realloc\");\n\
             void *{PREFIX}r(void *p, unsigned long n) {{ return {PREFIX}fails() ? (void *)0 : {PREFIX}resized(p, n); }}\n\
             #define malloc {PREFIX}malloc\n#define calloc {PREFIX}calloc\n#define realloc {PREFIX}realloc\n",
            flags.join(", ")
        );
    }

    /// The program's own text. Where it includes files beside it, it is included itself.
    fn text(&self, out: &mut String) -> Result<(), Unwritable> {
        for source in self.sources {
            let text = source.text().ok_or_else(|| Unwritable::NoText(source.name.clone()))?;
            let local = text.lines().any(|line| {
                let word = line.trim_start().strip_prefix('#').map(str::trim_start);
                word.is_some_and(|word| word.starts_with("include")) && line.contains('"')
            });
            if local {
                let path = std::fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone());
                let _ = writeln!(out, "#include \"{}\"", path.display());
            } else {
                let name = source.name.replace('\\', "\\\\");
                let _ = writeln!(out, "#line 1 \"{name}\"\n{}", without_positions(text.trim_end()));
            }
        }
        let _ = writeln!(out, "\n#line 1 \"{PREFIX}test.c\"");
        Ok(())
    }

    /// The functions of the environment.
    fn definitions(&self, out: &mut String) -> Result<(), Unwritable> {
        self.objects(out);
        let mut values: BTreeMap<&str, Vec<&InputRecord>> = BTreeMap::new();
        for record in self.inputs.iter().filter(|r| r.source == Source::Call) {
            values.entry(&record.name).or_default().push(record);
        }
        for (index, function) in self.program.functions.values().enumerate() {
            if function.body.is_some() {
                continue;
            }
            let asked = values.remove(function.name.as_str()).unwrap_or_default();
            let own = function.name.starts_with("__VERIFIER_") || function.name == "reach_error";
            let name = format!("{PREFIX}{index}");
            let code = match self.environment.resolve(function) {
                Resolution::Model(model) => match model.kind {
                    ModelKind::Assume if own => "void @(int c) { if (!c) heapproof_exit(0); }".to_owned(),
                    ModelKind::Assert if own => "void @(int c) { if (!c) __builtin_abort(); }".to_owned(),
                    ModelKind::ReachError if own => "void @(void) { __builtin_abort(); }".to_owned(),
                    ModelKind::Effect if own && function.results.is_empty() => "void @(void) { }".to_owned(),
                    kind if !ALLOCATORS.contains(&function.name.as_str()) && allocator(kind).is_some() => {
                        allocator(kind).unwrap_or_default()
                    }
                    _ if asked.is_empty() && !own => continue,
                    _ if !model.effect.writes.is_empty() || model.effect.transfer.is_some() => {
                        return Err(Unwritable::Through(function.name.clone()));
                    }
                    _ => returning(&function.results, &asked),
                },
                Resolution::Havoc | Resolution::Pure => returning(&function.results, &asked),
                // It is never called, but it may have to be there.
                Resolution::Unknown => "__attribute__((weak)) void @(void) { __builtin_trap(); }".to_owned(),
                Resolution::Body => continue,
            };
            // The symbol is the program's, the name is ours: no prototype contradicts another.
            let (head, _) = code.split_once(" {").unwrap_or((&code, ""));
            let _ = writeln!(
                out,
                "{} __asm__(\"{}\");\n{}",
                head.replace('@', &name).trim_end(),
                function.name,
                code.replace('@', &name)
            );
        }
        Ok(())
    }

    /// Objects that nobody defines.
    fn objects(&self, out: &mut String) {
        // The library's own objects have names that C does not know.
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        let missing = |global: &&Global| {
            matches!(global.init, GlobalInit::External) && global.size > 0 && is_name(&global.name)
        };
        for (index, global) in self.program.globals.values().filter(missing).enumerate() {
            let _ = writeln!(
                out,
                "extern char {PREFIX}g{index}[{1}] __asm__(\"{0}\");\n\
                 __attribute__((weak, aligned(16))) char {PREFIX}g{index}[{1}];",
                global.name, global.size
            );
        }
    }

    /// The command line, if the execution depends on it.
    fn command_line(&self) -> Option<Vec<Vec<u8>>> {
        if let Some(given) = &self.environment.argv {
            return Some(given.clone());
        }
        let mut environment = self.inputs.iter().filter(|r| r.source == Source::Environment);
        let count = environment.find(|record| record.name == "argc")?.value;
        let lengths = environment.filter(|r| r.name.starts_with("the length of argv["));
        let mut args: Vec<Vec<u8>> = lengths.map(|r| vec![b'A'; r.value as usize]).collect();
        args.resize(count as usize, Vec::new());
        Some(args)
    }
}

/// A word of a command.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A function that allocates or releases as another one does.
fn allocator(kind: ModelKind) -> Option<String> {
    let code = match kind {
        ModelKind::Free => "void @(void *p) { heapproof_free(p); }",
        ModelKind::Alloc { size: SizeArg::Bytes(0), zeroed: true, .. } => {
            "void *@(unsigned long n) { return heapproof_zeros(n, 1); }"
        }
        ModelKind::Alloc { size: SizeArg::Bytes(0), zeroed: false, .. } => {
            "void *@(unsigned long n) { return heapproof_new(n); }"
        }
        ModelKind::Alloc { size: SizeArg::Product(0, 1), zeroed: true, .. } => {
            "void *@(unsigned long a, unsigned long b) { return heapproof_zeros(a, b); }"
        }
        _ => return None,
    };
    Some(format!("__attribute__((weak)) {code}"))
}

/// A function that gives values one after the other, then zero.
fn returning(results: &[Ty], asked: &[&InputRecord]) -> String {
    let float = match results.first() {
        Some(Ty::Float(kind)) => Some(*kind),
        _ => None,
    };
    let bits: Vec<String> = asked
        .iter()
        .map(|record| match float {
            Some(_) => format!("{:#x}ull", record.value as u64),
            None => number(record.value, record.width.min(64), record.signed),
        })
        .collect();
    let list = if bits.is_empty() { "0".to_owned() } else { bits.join(", ") };
    let count = asked.len();
    let (result, give) = match float {
        Some(FloatKind::F32) => ("float", "float x; __builtin_memcpy(&x, &v[n], sizeof x); n++; return x;"),
        Some(_) => ("double", "double x; __builtin_memcpy(&x, &v[n], sizeof x); n++; return x;"),
        None => ("long long", "return v[n++];"),
    };
    format!(
        "{result} @(void) {{ static const long long v[] = {{{list}}}; static unsigned n; if (n >= {count}) return 0; {give} }}"
    )
}

/// A number as C writes it.
fn number(bits: u128, width: u8, signed: bool) -> String {
    if signed && width > 0 {
        let value = sign_extend(bits & mask(width), width);
        if value == i128::from(i64::MIN) {
            "(-9223372036854775807ll - 1)".to_owned()
        } else {
            format!("{value}ll")
        }
    } else {
        format!("{:#x}ull", bits & mask(width))
    }
}

/// A text without the positions that a preprocessor left in it: errors are told at the lines of the file itself.
fn without_positions(text: &str) -> String {
    let is_position = |line: &str| {
        let words = line.trim_start().strip_prefix('#').map(str::trim_start);
        words.is_some_and(|words| words.starts_with(|c: char| c.is_ascii_digit()))
    };
    let lines = text.lines().map(|line| if is_position(line) { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn bytes_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<Vec<_>>().join("\" \"")
}

/// A `main` that gives the program's own one a command line.
fn start_with(case: &Reproduction<'_>, args: &[Vec<u8>]) -> String {
    let mut out = format!(
        "#undef main\n\nint main(void) {{\n    static char **args;\n    args = {PREFIX}zeros({}, sizeof *args);\n",
        args.len() + 1
    );
    for (index, arg) in args.iter().enumerate() {
        let _ = writeln!(
            out,
            "    args[{index}] = __builtin_memcpy({PREFIX}zeros({0}, 1), \"{1}\", {2});",
            arg.len() + 1,
            bytes_of(arg),
            arg.len()
        );
    }
    let main = case.program.function("main").map(|main| &case.program.functions[main]);
    let given = match main.map_or(2, |main| main.params.len()) {
        0 => String::new(),
        1 => format!("{}", args.len()),
        2 => format!("{}, args", args.len()),
        _ => format!("{}, args, args + {}", args.len(), args.len()),
    };
    let forget = match case.violation.class {
        ErrorClass::Leak => format!("    {PREFIX}forget();\n"),
        _ => String::new(),
    };
    let status = match main.is_some_and(|main| main.results.is_empty()) {
        true => format!("{PREFIX}main({given}), 0"),
        false => format!("{PREFIX}main({given})"),
    };
    let _ = writeln!(out, "    int status = ({status});\n{forget}    return status;\n}}");
    out
}

/// The address as an expression of the test.
fn expression(program: &Program, address: Address) -> String {
    match address {
        Address::Null => "(void *)0".to_owned(),
        Address::Unknown => "(void *)16".to_owned(),
        Address::Object { index, offset } => format!("(void *)({PREFIX}o{index} + ({offset}))"),
        Address::Global { global, offset } => {
            format!("(void *)((char *)&{} + ({offset}))", program.globals[global].name)
        }
        // What was made up has no declaration in the program's text, only the test's own name.
        Address::Function(func) if program.functions[func].name.starts_with(PREFIX) => {
            format!("(void *)&{PREFIX}{}", func.as_u32())
        }
        Address::Function(func) => format!("(void *)&{}", program.functions[func].name),
    }
}

/// Statements that build the objects and globals of a state.
fn build(program: &Program, state: &State, out: &mut String) {
    for (index, block) in state.objects.iter().enumerate() {
        let _ = writeln!(out, "    char *{PREFIX}o{index} = {PREFIX}new({});", block.size);
    }
    let mut put = |place: String, offset: u64, content: &Content| {
        let _ = match content {
            Content::Bytes(bytes) => {
                writeln!(
                    out,
                    "    __builtin_memcpy({place} + {offset}, \"{}\", {});",
                    bytes_of(bytes),
                    bytes.len()
                )
            }
            Content::Pointer(address) => {
                let value = expression(program, *address);
                writeln!(out, "    *(void **)({place} + {offset}) = {value};")
            }
        };
    };
    for (index, block) in state.objects.iter().enumerate() {
        for (offset, content) in &block.content {
            put(format!("{PREFIX}o{index}"), *offset, content);
        }
    }
    for (global, offset, content) in &state.globals {
        put(format!("(char *)&{}", program.globals[*global].name), *offset, content);
    }
}
