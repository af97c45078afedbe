//! The C expression behind an operand, for messages.

use heapproof_ir::{BlockId, Body, CType, InstKind, Operand, Program, Reg, TypeId, ctype};

/// How deep expressions are followed.
const DEPTH: usize = 6;

/// The C expression that the operand of the instruction at `ip` of `block` came from, where it can be told.
pub(crate) fn expression(
    program: &Program,
    body: &Body,
    block: BlockId,
    ip: usize,
    operand: &Operand,
) -> Option<String> {
    text(program, body, block, ip, operand, DEPTH)
}

fn text(
    program: &Program,
    body: &Body,
    block: BlockId,
    ip: usize,
    operand: &Operand,
    depth: usize,
) -> Option<String> {
    match operand {
        Operand::Reg(reg) => {
            if let Some(variable) = &body.regs[*reg].variable {
                return Some(variable.name.clone());
            }
            let depth = depth.checked_sub(1)?;
            let (at, inst) = definition(body, block, ip, *reg)?;
            match inst {
                InstKind::Copy { src, .. } => text(program, body, block, at, src, depth),
                InstKind::Load { ptr, .. } => place(program, body, block, at, ptr, depth),
                InstKind::PtrAdd { .. } => place(program, body, block, at + 1, operand, depth)
                    .filter(|_| depth > 0)
                    .map(|place| format!("&{place}")),
                InstKind::Cast { a, .. } => text(program, body, block, at, a, depth),
                _ => None,
            }
        }
        Operand::Global(_) | Operand::Local(_) => {
            place(program, body, block, ip, operand, depth).map(|place| format!("&{place}"))
        }
        Operand::Null => Some("NULL".to_owned()),
        Operand::Int { bits, .. } => Some(bits.to_string()),
        Operand::Func(func) => Some(program.functions[*func].name.clone()),
        Operand::Float { .. } | Operand::Undef(_) => None,
    }
}

/// The expression for what lies at a pointer.
fn place(
    program: &Program,
    body: &Body,
    block: BlockId,
    ip: usize,
    ptr: &Operand,
    depth: usize,
) -> Option<String> {
    match ptr {
        Operand::Global(global) => {
            let global = &program.globals[*global];
            (!global.anonymous).then(|| global.name.clone())
        }
        Operand::Local(local) => body.locals[*local].variable.as_ref().map(|v| v.name.clone()),
        Operand::Reg(reg) if body.regs[*reg].variable.is_none() => {
            let depth = depth.checked_sub(1)?;
            let (at, inst) = definition(body, block, ip, *reg)?;
            match inst {
                InstKind::PtrAdd { base, offset, index, within, .. } => {
                    let is_place = matches!(base, Operand::Global(_) | Operand::Local(_));
                    let base_text = if is_place {
                        place(program, body, block, at, base, depth)?
                    } else {
                        text(program, body, block, at, base, depth)?
                    };
                    match (index, within) {
                        (Some((index, _)), _) => {
                            let index = text(program, body, block, at, index, depth)?;
                            Some(format!("{base_text}[{index}]"))
                        }
                        (None, Some(within)) => {
                            let member = member_at(program, *within, u64::try_from(*offset).ok()?)?;
                            let dot = if is_place { "." } else { "->" };
                            Some(format!("{base_text}{dot}{member}"))
                        }
                        (None, None) => None,
                    }
                }
                _ => text(program, body, block, at + 1, ptr, depth).map(|text| format!("*{text}")),
            }
        }
        _ => text(program, body, block, ip, ptr, depth).map(|text| format!("*{text}")),
    }
}

/// The last assignment of a register before `ip` in its block.
fn definition(body: &Body, block: BlockId, ip: usize, reg: Reg) -> Option<(usize, &InstKind)> {
    let insts = &body.blocks[block].insts;
    let before = &insts[..ip.min(insts.len())];
    let (at, inst) = before.iter().enumerate().rev().find(|(_, inst)| inst.kind.defs().contains(&reg))?;
    Some((at, &inst.kind))
}

/// The member of a structure at an offset.
fn member_at(program: &Program, within: TypeId, offset: u64) -> Option<String> {
    let types = &program.types;
    let (CType::Struct { members, .. } | CType::Union { members, .. }) = &types[ctype::strip(types, within)]
    else {
        return None;
    };
    let member = members.iter().rev().find(|m| m.bit_offset / 8 <= offset)?;
    let inner = offset - member.bit_offset / 8;
    match (&member.name, inner) {
        (Some(name), 0) => Some(name.clone()),
        (Some(name), _) => Some(format!("{name}.{}", member_at(program, member.ty, inner)?)),
        (None, _) => member_at(program, member.ty, inner),
    }
}
