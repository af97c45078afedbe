//! Property `bounds`: an index does not leave an array that is a member, or a row of an array of arrays.
//!
//! The accesses themselves are checked against whole objects. So an index into a part of one gets a check of its own: a comparison, and a
//! call that is an error, in front of the computation of the address. Every engine understands both, so a proof covers them.
//!
//! The last member of a structure is left out: programs give it more room than it says. So are members of unions. An address one past the
//! end may be computed, not accessed.

use heapproof_ir::{
    Block, BlockId, Body, CType, Callee, CmpOp, FuncId, Function, Global, GlobalId, GlobalInit, Inst,
    InstKind, Operand, Program, Reg, RegInfo, Span, Terminator, Ty, TypeId, Types, ctype,
};
use heapproof_libc::INDEX_OUT_OF_BOUNDS;
use std::collections::{BTreeMap, BTreeSet};

/// An array inside an object.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Its type.
    array: TypeId,
    /// The member that it is or belongs to; none in a variable.
    member: Option<(TypeId, usize)>,
    /// The bounds are not those of the whole object.
    inner: bool,
}

/// A check to be made.
struct Check {
    block: BlockId,
    at: usize,
    index: Operand,
    /// How many indices are allowed.
    allowed: u64,
    words: String,
    writes: bool,
    span: Span,
}

/// Adds checks to a program; how many.
pub fn instrument(program: &mut Program) -> usize {
    let mut found: BTreeMap<FuncId, Vec<Check>> = BTreeMap::new();
    for (id, function) in program.functions.iter() {
        let Some(body) = function.body.as_ref().filter(|body| !heapproof_libc::has_no_positions(body)) else {
            continue;
        };
        let checks = checks(program, body);
        if !checks.is_empty() {
            found.insert(id, checks);
        }
    }
    let count = found.values().map(Vec::len).sum();
    if count == 0 {
        return 0;
    }
    let word = Ty::Int(program.target.pointer_bits());
    let fails = program.functions.push(Function {
        name: INDEX_OUT_OF_BOUNDS.to_owned(),
        params: vec![Ty::Ptr, word, Ty::Int(32)],
        results: Vec::new(),
        variadic: false,
        internal: false,
        ctype: None,
        span: Span::NONE,
        body: None,
    });
    let mut texts: BTreeMap<String, GlobalId> = BTreeMap::new();
    for (func, mut checks) in found {
        // From the back, so that places stay what they are.
        checks.sort_by_key(|check| std::cmp::Reverse((check.block, check.at)));
        for check in checks {
            let text = text(program, &mut texts, &check.words);
            if let Some(body) = &mut program.functions[func].body {
                insert(body, check, word, fails, text);
            }
        }
    }
    count
}

/// A string for the message.
fn text(program: &mut Program, known: &mut BTreeMap<String, GlobalId>, words: &str) -> GlobalId {
    if let Some(id) = known.get(words) {
        return *id;
    }
    let mut bytes = words.as_bytes().to_vec();
    bytes.push(0);
    let id = program.globals.push(Global {
        name: format!(".bounds.{}", known.len()),
        size: bytes.len() as u64,
        align: 1,
        constant: true,
        anonymous: true,
        init: GlobalInit::Data { bytes, relocs: Vec::new() },
        ctype: None,
        span: Span::NONE,
    });
    known.insert(words.to_owned(), id);
    id
}

/// Puts a check in front of an instruction.
fn insert(body: &mut Body, check: Check, word: Ty, fails: FuncId, text: GlobalId) {
    let Check { block, at, index, allowed, writes, span, .. } = check;
    let fits = body.regs.push(RegInfo { ty: Ty::BOOL, variable: None });
    let width = match word {
        Ty::Int(width) => width,
        _ => 64,
    };
    let number = |bits: u64, width| Operand::Int { bits: u128::from(bits), width };
    let old = &mut body.blocks[block];
    let rest = Block {
        insts: old.insts.split_off(at),
        term: std::mem::replace(&mut old.term, Terminator::Unreachable),
        term_span: old.term_span,
    };
    let cmp = InstKind::Cmp { dst: fits, op: CmpOp::Ult, ty: word, a: index, b: number(allowed, width) };
    old.insts.push(Inst { kind: cmp, span });
    old.term_span = span;
    let rest = body.blocks.push(rest);
    let args = vec![Operand::Global(text), index, number(writes.into(), 32)];
    let call = InstKind::Call { results: Vec::new(), callee: Callee::Direct(fails), args };
    let failure = body.blocks.push(Block {
        insts: vec![Inst { kind: call, span }],
        term: Terminator::Jump(rest),
        term_span: span,
    });
    body.blocks[block].term = Terminator::Branch { cond: Operand::Reg(fits), then: rest, otherwise: failure };
}

/// What is to be checked in a function.
fn checks(program: &Program, body: &Body) -> Vec<Check> {
    let mut all = Vec::new();
    for (id, block) in body.blocks.iter() {
        // What registers point to the start of, as far as this block says.
        let mut parts: BTreeMap<Reg, Part> = BTreeMap::new();
        for (at, inst) in block.insts.iter().enumerate() {
            let mut new = None;
            if let InstKind::PtrAdd { dst, base, offset, index, within } = &inst.kind {
                let part = match within {
                    Some(within) if index.is_none() => {
                        new = member_at(&program.types, *within, *offset).map(|part| (*dst, part));
                        None
                    }
                    _ => part_of(program, body, &parts, base),
                };
                if let Some(part) = part {
                    let found = step(program, part, *offset, index.as_ref());
                    if let Some((operand, count)) = found.check.filter(|_| part.inner) {
                        let use_ = use_of(program, body, block, at, *dst, found.element);
                        let misses = |operand: &Operand| match operand {
                            Operand::Int { bits, .. } => *bits >= u128::from(count) && use_ != Use::Address,
                            _ => true,
                        };
                        if misses(&operand) {
                            all.push(Check {
                                block: id,
                                at,
                                index: operand,
                                allowed: if use_ == Use::Address { count + 1 } else { count },
                                words: words(program, part, count),
                                writes: use_ == Use::Write,
                                span: inst.span,
                            });
                        }
                    }
                    let is_array = matches!(
                        program.types[ctype::strip(&program.types, found.element)],
                        CType::Array { .. }
                    );
                    if found.is_step && is_array {
                        new = Some((*dst, Part { array: found.element, inner: true, ..part }));
                    }
                }
            }
            for reg in inst.kind.defs() {
                parts.remove(reg);
            }
            if let Some((reg, part)) = new {
                parts.insert(reg, part);
            }
        }
    }
    all
}

/// The array that a pointer points to the start of.
fn part_of(program: &Program, body: &Body, parts: &BTreeMap<Reg, Part>, base: &Operand) -> Option<Part> {
    let ctype = match base {
        Operand::Reg(reg) => return parts.get(reg).copied(),
        Operand::Local(local) => body.locals[*local].variable.as_ref()?.ctype?,
        Operand::Global(global) => program.globals[*global].ctype?,
        _ => return None,
    };
    let is_array = matches!(program.types[ctype::strip(&program.types, ctype)], CType::Array { .. });
    is_array.then_some(Part { array: ctype, member: None, inner: false })
}

/// The array member at an offset, unless it may have more room than it says.
fn member_at(types: &Types, within: TypeId, offset: i64) -> Option<Part> {
    let aggregate = ctype::strip(types, within);
    let CType::Struct { members, .. } = &types[aggregate] else { return None };
    let bits = u64::try_from(offset).ok()?.checked_mul(8)?;
    let is_here = |member: &&(usize, &heapproof_ir::Member)| {
        member.1.bit_offset == bits && member.1.bit_width.is_none()
    };
    let here: Vec<_> = members.iter().enumerate().collect();
    let (index, member) = here.iter().rfind(is_here)?;
    let is_array = matches!(types[ctype::strip(types, member.ty)], CType::Array { .. });
    (is_array && index + 1 < members.len()).then_some(Part {
        array: member.ty,
        member: Some((aggregate, *index)),
        inner: true,
    })
}

/// One step into an array.
struct Step {
    /// The index and how many there are.
    check: Option<(Operand, u64)>,
    element: TypeId,
    /// It is a step by whole elements.
    is_step: bool,
}

fn step(program: &Program, part: Part, offset: i64, index: Option<&(Operand, i64)>) -> Step {
    let types = &program.types;
    let nothing = Step { check: None, element: part.array, is_step: false };
    let CType::Array { element, count: Some(count) } = types[ctype::strip(types, part.array)] else {
        return nothing;
    };
    let Some(size) = ctype::size_of(types, element, program.target.pointer_bytes()).filter(|size| *size > 0)
    else {
        return nothing;
    };
    let (size, width) = (size as i64, program.target.pointer_bits());
    match index {
        Some((operand, scale)) if *scale == size && offset == 0 && count > 0 => {
            Step { check: Some((*operand, count)), element, is_step: true }
        }
        // Other steps are not those of the source.
        None if offset > 0 && offset % size == 0 && count > 0 => {
            let bits = (offset / size) as u128;
            Step { check: Some((Operand::Int { bits, width }, count)), element, is_step: true }
        }
        _ => nothing,
    }
}

/// What an address is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    Address,
}

/// What an address is used for in the rest of the block: an access to an element, or to a member of one.
fn use_of(program: &Program, body: &Body, block: &Block, at: usize, reg: Reg, element: TypeId) -> Use {
    let size = ctype::size_of(&program.types, element, program.target.pointer_bytes());
    let mut same = BTreeSet::from([reg]);
    if body.regs[reg].variable.is_some() {
        return Use::Address;
    }
    let is = |operand: &Operand, same: &BTreeSet<Reg>| matches!(operand, Operand::Reg(r) if same.contains(r));
    let fits = |ty: &Ty, exact: bool| !exact || Some(ty.bytes(program.target)) == size;
    let mut exact = true;
    for inst in &block.insts[at + 1..] {
        match &inst.kind {
            InstKind::Load { ptr, ty, .. } if is(ptr, &same) && fits(ty, exact) => return Use::Read,
            InstKind::Store { ptr, ty, .. } if is(ptr, &same) && fits(ty, exact) => return Use::Write,
            InstKind::PtrAdd { dst, base, within: Some(_), .. } if is(base, &same) => {
                same.insert(*dst);
                exact = false;
            }
            _ => {}
        }
    }
    Use::Address
}

/// The array for the message.
fn words(program: &Program, part: Part, count: u64) -> String {
    let types = &program.types;
    let name =
        part.member.and_then(|(aggregate, index)| ctype::members(types, aggregate)[index].name.clone());
    let is_member = part.member.is_some_and(|(aggregate, index)| {
        ctype::members(types, aggregate).get(index).is_some_and(|member| member.ty == part.array)
    });
    let elements = if count == 1 { "1 element".to_owned() } else { format!("{count} elements") };
    match name {
        Some(name) if is_member => format!("`{name}`, which has {elements}"),
        Some(name) => format!("a row of `{name}`, which has {elements}"),
        None => format!("a row, which has {elements}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A structure of three members, two of them arrays, and a matrix.
    const TYPES: &str = "target lp64
file file0 \"a.c\"
type t0 = int \"int\" size 4 signed
type t1 = array t0 count 5
type t2 = array t0 count 3
type t3 = struct \"s\" size 36 @0:1:0 { 0 \"marks\" t1; 160 \"total\" t0; 192 \"last\" t2 }
type t4 = array t0 count 4
type t5 = array t4 count 3
global g0 \"m\" size 48 align 16 type t5 @0:3:0 = zero
";

    fn count(body: &str) -> usize {
        // Code without positions is the library's.
        let body: String = body.lines().map(|line| format!("{line} @0:5:1\n")).collect();
        let text =
            format!("{TYPES}func f0 \"f\"(r0: ptr, r1: i64) -> (i32) @0:4:0 {{\nb0:\n{body}return r4\n}}\n");
        let mut program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let count = instrument(&mut program);
        assert!(heapproof_ir::check::check(&program).is_empty());
        count
    }

    #[test]
    fn members_and_rows() {
        assert_eq!(count("r2 = ptradd r0 in t3\nr3 = ptradd r2 + r1 * 4\nr4 = load i32 r3"), 1);
        // The last member may have more room, and other steps are no index.
        assert_eq!(count("r2 = ptradd r0 + 24 in t3\nr3 = ptradd r2 + r1 * 4\nr4 = load i32 r3"), 0);
        assert_eq!(count("r2 = ptradd r0 in t3\nr3 = ptradd r2 + r1 * 1\nr4 = load i32 r3"), 0);
        // Constants are checked only if they miss.
        assert_eq!(count("r2 = ptradd r0 in t3\nr3 = ptradd r2 + 20\nr4 = load i32 r3"), 1);
        assert_eq!(count("r2 = ptradd r0 in t3\nr3 = ptradd r2 + 16\nr4 = load i32 r3"), 0);
        // The first index of a variable is one of the whole object.
        assert_eq!(count("r2 = ptradd g0 + r1 * 16\nr3 = ptradd r2 + r1 * 4\nr4 = load i32 r3"), 1);
        assert_eq!(count("r2 = ptradd g0 + r1 * 4\nr3 = load i32 r2\nr4 = load i32 r2"), 0);
    }
}
