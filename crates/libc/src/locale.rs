//! Programs that may choose another locale than that of C: what depends on it asks first which one there is.
//!
//! `setlocale` is a program (`crates/libc/parts/locale.c`) that keeps a bit for each category that may be another one. Functions
//! that depend on one get a body that looks at the bit and then calls the function as it is in the locale of C.

use crate::kind::{CharClass, CompareCase, ModelKind};
use crate::{answers::constant_text, lookup};
use heapproof_ir::{
    BinOp, Block, Body, Callee, CmpOp, FuncId, Function, GlobalId, Inst, InstKind, Operand, Program, Reg,
    RegInfo, Span, Terminator, Ty,
};

/// The object with the bits.
pub const STATE: &str = "library_locale in the C library";
/// The bit of characters.
const CHARACTERS: u128 = 1;
/// The bit of numbers with a decimal point.
pub const NUMBERS: u128 = 2;
/// What is reached where there is another locale.
pub(crate) const OTHER: &str = "a locale that is not that of C";

/// Functions that choose a locale.
const CHOOSERS: [&str; 3] = ["setlocale", "newlocale", "uselocale"];

/// True if the program may have another locale than that of C.
pub(crate) fn may_change(program: &Program) -> bool {
    CHOOSERS.iter().filter_map(|name| program.function(name)).any(|id| {
        program
            .functions
            .values()
            .filter_map(|function| function.body.as_ref())
            .any(|body| chooses(program, body, id))
    })
}

/// True if a body calls `setlocale` with a name that is not surely that of C, or uses its address.
fn chooses(program: &Program, body: &Body, id: FuncId) -> bool {
    let mut found = false;
    let mut see = |operand: &Operand| found |= *operand == Operand::Func(id);
    for block in body.blocks.values() {
        block.insts.iter().for_each(|inst| inst.kind.for_each_use(&mut see));
        block.term.for_each_use(&mut see);
    }
    found
        || body.blocks.values().flat_map(|block| &block.insts).any(|inst| match &inst.kind {
            InstKind::Call { callee: Callee::Direct(func), args, .. } if *func == id => match args.get(1) {
                Some(Operand::Null) => false,
                Some(Operand::Global(global)) => {
                    constant_text(program, *global).is_none_or(|name| name != b"C" && name != b"POSIX")
                }
                _ => true,
            },
            _ => false,
        })
}

/// The bit on which a function depends, and whether ASCII characters are the same in all locales.
fn depends(name: &str) -> Option<(u128, bool)> {
    match lookup(name)?.kind {
        ModelKind::IsChar(CharClass::Digit | CharClass::XDigit | CharClass::Ascii) => None,
        ModelKind::IsChar(_) => Some((CHARACTERS, true)),
        // The letter i has another upper case in some.
        ModelKind::ToLower | ModelKind::ToUpper => Some((CHARACTERS, false)),
        ModelKind::StrCompare { case: CompareCase::Folded, .. }
        | ModelKind::StrStr { case: CompareCase::Folded } => Some((CHARACTERS, false)),
        ModelKind::ParseFloat { .. } => Some((NUMBERS, false)),
        _ => None,
    }
}

/// Functions of the program that depend on the locale look at it first.
pub(crate) fn guard(program: &mut Program) {
    let Some(state) = program.global(STATE) else { return };
    let other = match program.function(OTHER) {
        Some(id) => id,
        None => program.functions.push(declaration(OTHER, Vec::new(), Vec::new())),
    };
    let declared: Vec<FuncId> =
        program.functions.iter().filter(|(_, f)| f.body.is_none() && !f.variadic).map(|(id, _)| id).collect();
    for id in declared {
        let Some((bit, ascii)) = depends(&program.functions[id].name) else { continue };
        let (name, params, results) = {
            let function = &program.functions[id];
            (function.name.clone(), function.params.clone(), function.results.clone())
        };
        let ascii = ascii && params == [Ty::Int(32)];
        // The function as it is in the locale of C has the same name, and no body.
        let plain = program.functions.push(declaration(&name, params.clone(), results.clone()));
        program.functions[id].body =
            Some(guarded(&params, &results, plain, Asked { state, bit, other, ascii }));
    }
}

/// What is asked before a call.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// The object with the bits.
    pub state: GlobalId,
    /// The bit.
    pub bit: u128,
    /// What is called if it is set.
    pub other: FuncId,
    /// It is not asked for ASCII characters.
    pub ascii: bool,
}

fn declaration(name: &str, params: Vec<Ty>, results: Vec<Ty>) -> Function {
    let (ctype, span, body) = (None, Span::NONE, None);
    Function { name: name.to_owned(), params, results, variadic: false, internal: false, ctype, span, body }
}

fn inst(kind: InstKind) -> Inst {
    Inst { kind, span: Span::NONE }
}

fn block(insts: Vec<InstKind>, term: Terminator) -> Block {
    Block { insts: insts.into_iter().map(inst).collect(), term, term_span: Span::NONE }
}

/// Looks at the locale, then calls a function with the same parameters.
fn guarded(params: &[Ty], results: &[Ty], plain: FuncId, asked: Asked) -> Body {
    let mut body = Body::default();
    let mut reg = |ty: Ty| body.regs.push(RegInfo { ty, variable: None });
    let taken: Vec<Reg> = params.iter().map(|ty| reg(*ty)).collect();
    let (bits, bit, set, is_ascii) = (reg(Ty::Int(32)), reg(Ty::Int(32)), reg(Ty::BOOL), reg(Ty::BOOL));
    let given: Vec<Reg> = results.iter().map(|ty| reg(*ty)).collect();
    let int = |bits: u128| Operand::Int { bits, width: 32 };
    let [start, ask, wrong, call] = [0, 1, 2, 3].map(heapproof_ir::BlockId::from_u32);
    let first = if asked.ascii {
        let compare = InstKind::Cmp {
            dst: is_ascii,
            op: CmpOp::Ult,
            ty: Ty::Int(32),
            a: Operand::Reg(taken[0]),
            b: int(128),
        };
        let term = Terminator::Branch { cond: Operand::Reg(is_ascii), then: call, otherwise: ask };
        block(vec![compare], term)
    } else {
        block(Vec::new(), Terminator::Jump(ask))
    };
    debug_assert_eq!(start, Body::ENTRY);
    body.blocks.push(first);
    body.blocks.push(block(
        vec![
            InstKind::Load { dst: bits, ty: Ty::Int(32), ptr: Operand::Global(asked.state) },
            InstKind::Bin { dst: bit, op: BinOp::And, width: 32, a: Operand::Reg(bits), b: int(asked.bit) },
            InstKind::Cmp { dst: set, op: CmpOp::Ne, ty: Ty::Int(32), a: Operand::Reg(bit), b: int(0) },
        ],
        Terminator::Branch { cond: Operand::Reg(set), then: wrong, otherwise: call },
    ));
    let stop = InstKind::Call { results: Vec::new(), callee: Callee::Direct(asked.other), args: Vec::new() };
    body.blocks.push(block(vec![stop], Terminator::Jump(call)));
    let args = taken.iter().map(|reg| Operand::Reg(*reg)).collect();
    let done = InstKind::Call { results: given.clone(), callee: Callee::Direct(plain), args };
    body.blocks.push(block(vec![done], Terminator::Return(given.into_iter().map(Operand::Reg).collect())));
    body.params = taken;
    body
}

/// A body that gives the address of a table of characters, if it is that of C.
pub(crate) fn guarded_table(table: GlobalId, state: GlobalId, other: FuncId) -> Body {
    let mut body = guarded(&[], &[], other, Asked { state, bit: CHARACTERS, other, ascii: false });
    let last = heapproof_ir::BlockId::from_u32(3);
    body.blocks[last] = block(Vec::new(), Terminator::Return(vec![Operand::Global(table)]));
    body
}

/// What is reached where there is another locale, if the program may have one: its bits and the function.
pub(crate) fn table_guard(program: &mut Program) -> Option<(GlobalId, FuncId)> {
    if !may_change(program) {
        return None;
    }
    let state = program.global(STATE)?;
    let other = program.function(OTHER);
    let other = other.unwrap_or_else(|| program.functions.push(declaration(OTHER, Vec::new(), Vec::new())));
    Some((state, other))
}
