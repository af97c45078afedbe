//! Which pointer an instruction that goes wrong uses, and where the pointer was read from.

use heapproof_interp::{Scalar, Snapshot};
use heapproof_ir::{BlockId, Callee, FuncId, InstKind, Operand, Program, Reg};

/// How many definitions are followed.
const DEPTH: usize = 8;

/// What an instruction is about.
#[derive(Clone, Debug, Default)]
pub struct Culprit {
    /// Addresses that it uses.
    pub addresses: Vec<Scalar>,
    /// Variables in registers from which they come.
    pub variables: Vec<(FuncId, Reg)>,
    /// Places in memory from which they were read.
    pub read_from: Vec<Scalar>,
}

/// What the instruction that is about to be executed is about.
pub fn of(program: &Program, snapshot: &Snapshot, block: BlockId, instruction: usize) -> Culprit {
    let mut culprit = Culprit::default();
    let func = snapshot.func;
    let Some(body) = &program.functions[func].body else { return culprit };
    let Some(inst) = body.blocks[block].insts.get(instruction) else { return culprit };
    let pointers: Vec<Operand> = match &inst.kind {
        InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => vec![*ptr],
        InstKind::CopyBlock { to, from, .. } => vec![*to, *from],
        InstKind::FillBlock { to, .. } => vec![*to],
        InstKind::Call { callee, args, .. } => {
            let through = match callee {
                Callee::Indirect(operand) => Some(*operand),
                Callee::Direct(_) => None,
            };
            through.into_iter().chain(args.iter().copied()).collect()
        }
        _ => Vec::new(),
    };
    for pointer in pointers {
        culprit.addresses.extend(value(snapshot, &pointer).filter(|scalar| scalar.object().is_some()));
        let mut operand = pointer;
        let mut at = instruction;
        for _ in 0..DEPTH {
            let Operand::Reg(reg) = operand else { break };
            if body.regs[reg].variable.is_some() {
                culprit.variables.push((func, reg));
                break;
            }
            let before = body.blocks[block].insts[..at].iter().enumerate().rev();
            let Some((index, definition)) =
                before.into_iter().find(|(_, inst)| inst.kind.defs().contains(&reg))
            else {
                break;
            };
            at = index;
            operand = match &definition.kind {
                InstKind::PtrAdd { base, .. } => *base,
                InstKind::Copy { src, .. } => *src,
                InstKind::Load { ptr, .. } => {
                    culprit.read_from.extend(value(snapshot, ptr));
                    break;
                }
                _ => break,
            };
        }
    }
    culprit
}

/// The value of an operand that is an address, or null.
fn value(snapshot: &Snapshot, operand: &Operand) -> Option<Scalar> {
    match operand {
        Operand::Reg(reg) => snapshot.regs.get(reg.as_u32() as usize).copied(),
        Operand::Local(local) => {
            snapshot.locals.get(local).map(|object| Scalar::Address { object: *object, offset: 0 })
        }
        Operand::Global(global) => {
            snapshot.globals.get(global).map(|object| Scalar::Address { object: *object, offset: 0 })
        }
        _ => None,
    }
}
