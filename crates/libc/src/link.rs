//! Puts into a program what the C library defines and the program uses: the standard streams and other objects, tables
//! of characters, and bodies of functions. Every engine then sees them as ordinary parts of the program.

use crate::bodies;
use crate::effect::{Content, LibraryObject, ResultOf};
use crate::kept::LOG_NAME;
use crate::kind::{CharClass, ModelKind};
use crate::special::TOKEN_PLACE;
use crate::{locale, parts};
use heapproof_ir::{
    Block, Body, FuncId, Global, GlobalId, GlobalInit, Operand, Program, Reloc, RelocTarget, Span,
    Terminator, Ty,
};
use std::collections::BTreeSet;

/// The standard streams: the variable of the program, and the name of the stream itself.
pub const STANDARD_STREAMS: [(&str, &str); 3] =
    [("stdin", "standard input"), ("stdout", "standard output"), ("stderr", "standard error")];

/// The size of a `FILE` of glibc.
const STREAM: u64 = 216;

/// Objects that the library defines and programs name: their content at the start as a number.
const VARIABLES: [(&str, u64); 4] = [("optarg", 0), ("optind", 1), ("opterr", 1), ("optopt", b'?' as u64)];

/// Entries of a table of characters: -128 to 255.
const ENTRIES: i32 = 384;

/// Gives the program what it declares and the library defines. Functions that are not `wanted` get no body. The names of
/// the functions that got one are returned; their instructions have no positions.
pub fn link(program: &mut Program, wanted: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut linked = parts::link(program, &wanted);
    linked.extend(bodies::link(program, &wanted));
    for (variable, stream) in STANDARD_STREAMS {
        if let Some(id) = external(program, variable) {
            let stream = add(program, stream, STREAM, GlobalInit::External);
            point(program, id, stream);
        }
    }
    let options = ["getopt", "getopt_long", "getopt_long_only"];
    let parses = options
        .iter()
        .any(|name| program.function(name).is_some_and(|f| program.functions[f].body.is_none()));
    for (name, number) in VARIABLES {
        if parses && program.global(name).is_none() {
            let size = if name == "optarg" { program.target.pointer_bytes() } else { 4 };
            add(program, name, size, GlobalInit::External);
        }
        if let Some(id) = external(program, name) {
            let bytes = number.to_le_bytes()[..program.globals[id].size.min(8) as usize].to_vec();
            program.globals[id].init = GlobalInit::Data { bytes, relocs: Vec::new() };
        }
    }
    let guard = locale::table_guard(program);
    if guard.is_some() {
        locale::guard(program);
    }
    for (name, kind) in LOCATIONS {
        if wanted(name)
            && let Some(id) = program.function(name)
            && program.functions[id].body.is_none()
            && program.functions[id].params.is_empty()
            && program.functions[id].results == [Ty::Ptr]
        {
            let global = kind.object(program);
            give(program, id, global);
            if !matches!(kind, Location::ErrorNumber)
                && let Some((state, other)) = guard
            {
                program.functions[id].body = Some(locale::guarded_table(global, state, other));
            }
            linked.push(name);
        }
    }
    objects(program);
    for (name, size) in crate::answers::objects(program) {
        if program.global(&name).is_none() {
            add(program, &name, size, GlobalInit::Data { bytes: Vec::new(), relocs: Vec::new() });
        }
    }
    linked
}

/// True if the C library defines this symbol, as far as it is known here.
pub fn defines(name: &str) -> bool {
    crate::lookup(name).is_some()
        || bodies::names().any(|known| known == name)
        || parts::has(name)
        || LOCATIONS.iter().any(|(known, _)| *known == name)
        || VARIABLES.iter().any(|(known, _)| *known == name)
        || STANDARD_STREAMS.iter().any(|(known, _)| *known == name)
        || matches!(name, "environ" | "__environ")
}

/// Functions that give the address of an object.
const LOCATIONS: [(&str, Location); 4] = [
    ("__errno_location", Location::ErrorNumber),
    ("__ctype_b_loc", Location::Classes),
    ("__ctype_tolower_loc", Location::Lower),
    ("__ctype_toupper_loc", Location::Upper),
];

#[derive(Clone, Copy)]
enum Location {
    /// `errno`: any number.
    ErrorNumber,
    /// A pointer to entry 0 of a table of bit sets, each an `unsigned short`.
    Classes,
    /// A pointer to entry 0 of a table of `int`.
    Lower,
    /// A pointer to entry 0 of a table of `int`.
    Upper,
}

impl Location {
    fn object(self, program: &mut Program) -> GlobalId {
        let (name, table, entry): (_, _, fn(i32) -> Vec<u8>) = match self {
            Location::ErrorNumber => return add(program, "errno", 4, GlobalInit::External),
            Location::Classes => ("__ctype_b", "the table of character classes", |c| {
                u8::try_from(c).map_or(0, classes).to_le_bytes().to_vec()
            }),
            Location::Lower => {
                ("__ctype_tolower", "the table of lower case", |c| lower(c).to_le_bytes().to_vec())
            }
            Location::Upper => {
                ("__ctype_toupper", "the table of upper case", |c| upper(c).to_le_bytes().to_vec())
            }
        };
        let bytes: Vec<u8> = (0..ENTRIES).flat_map(|index| entry(index - 128)).collect();
        let (size, zero) = (bytes.len() as u64, entry(0).len() as i64 * 128);
        let init = GlobalInit::Data { bytes, relocs: Vec::new() };
        let content = add(program, table, size, init);
        program.globals[content].constant = true;
        let target = RelocTarget::Global(content);
        let relocs = vec![Reloc { offset: 0, target, addend: zero }];
        let word = program.target.pointer_bytes();
        let pointer = add(program, name, word, GlobalInit::Data { bytes: Vec::new(), relocs });
        program.globals[pointer].constant = true;
        pointer
    }
}

/// A body that gives the address of an object.
fn give(program: &mut Program, func: FuncId, global: GlobalId) {
    let mut body = Body::default();
    body.blocks.push(Block {
        insts: Vec::new(),
        term: Terminator::Return(vec![Operand::Global(global)]),
        term_span: Span::NONE,
    });
    program.functions[func].body = Some(body);
}

/// The objects of which there is one and that the models of declared functions give.
fn objects(program: &mut Program) {
    let mut wanted: BTreeSet<&'static str> = BTreeSet::new();
    let mut all: Vec<&'static LibraryObject> = Vec::new();
    for function in program.functions.values().filter(|f| f.body.is_none()) {
        let Some(model) = crate::lookup(&function.name) else { continue };
        let object = match (model.kind, model.effect.result) {
            (ModelKind::StrTok { reentrant: false }, _) => &TOKEN_PLACE,
            (ModelKind::LogName, _) => &LOG_NAME,
            (_, ResultOf::Passing(passing)) => passing.place,
            (_, ResultOf::Object(object) | ResultOf::IntoArgOr(_, object)) if object.single => object,
            _ => continue,
        };
        if wanted.insert(object.name) {
            all.push(object);
        }
    }
    for object in all {
        let size = object.size_on(program.target);
        let init = match object.content {
            Content::Any => GlobalInit::Data { bytes: Vec::new(), relocs: Vec::new() },
            _ => GlobalInit::External,
        };
        add(program, object.name, size, init);
    }
}

/// A variable that the program declares and does not define.
fn external(program: &Program, name: &str) -> Option<GlobalId> {
    let id = program.global(name)?;
    matches!(program.globals[id].init, GlobalInit::External).then_some(id)
}

fn add(program: &mut Program, name: &str, size: u64, init: GlobalInit) -> GlobalId {
    program.globals.push(Global {
        name: name.to_owned(),
        size,
        align: 16,
        constant: false,
        anonymous: false,
        init,
        ctype: None,
        span: Span::NONE,
    })
}

/// The variable points to an object at the start.
fn point(program: &mut Program, variable: GlobalId, to: GlobalId) {
    if program.globals[variable].size < program.target.pointer_bytes() {
        return;
    }
    let relocs = vec![Reloc { offset: 0, target: RelocTarget::Global(to), addend: 0 }];
    program.globals[variable].init = GlobalInit::Data { bytes: Vec::new(), relocs };
}

/// As glibc's table has it: a negative `char` is the character that is meant, and -1 is the end of the input.
fn lower(c: i32) -> i32 {
    if c == -1 { c } else { i32::from((c as u8).to_ascii_lowercase()) }
}

fn upper(c: i32) -> i32 {
    if c == -1 { c } else { i32::from((c as u8).to_ascii_uppercase()) }
}

/// glibc's bits of the classes of a character, on a little endian machine.
fn classes(c: u8) -> u16 {
    use CharClass::*;
    let bits = [
        (Upper, 8),
        (Lower, 9),
        (Alpha, 10),
        (Digit, 11),
        (XDigit, 12),
        (Space, 13),
        (Print, 14),
        (Graph, 15),
        (Blank, 0),
        (Cntrl, 1),
        (Punct, 2),
        (Alnum, 3),
    ];
    bits.into_iter().filter(|(class, _)| class.holds(c)).fold(0, |all, (_, bit)| all | 1 << bit)
}
