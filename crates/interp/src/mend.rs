//! Going on after an error: as if the bad access had not been made.
//!
//! An instruction that is an error is left out: nothing is written, what is read is 0. What follows from that is no error of its own:
//! pointers that were not read count as unknown, and so does a pointer that was null; an area that was not written holds zeros.

use crate::api::Stop;
use crate::fault::Fault;
use crate::machine::{Halt, Machine};
use crate::memory::{Life, ObjectKind};
use crate::page::Byte;
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{Body, InstKind, Operand, Ty};
use heapproof_verdict::{ErrorClass, Location, PathStep, StepKind, Violation};
use std::collections::BTreeSet;

/// The most errors of one execution that are passed over, the same ones again included.
const MOST_PASSES: u32 = 10_000;
/// The most different ones.
const MOST_ERRORS: usize = 12;

/// The errors that an execution passed over.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    /// The first of each place, oldest first.
    pub found: Vec<Violation>,
    places: BTreeSet<(ErrorClass, Location)>,
    /// Objects that were used after their end, and addresses outside of objects: using them again is the same mistake.
    ended: BTreeSet<ObjId>,
    outside: BTreeSet<(ObjId, u128)>,
    passes: u32,
}

impl<'p> Machine<'p, '_> {
    /// Passes over the error that ended the execution, if that makes sense; otherwise why the execution ends.
    #[cold]
    pub fn pass_over(&mut self, halt: Box<Halt>) -> Option<Box<Halt>> {
        let Halt::Fault(fault) = &*halt else { return Some(halt) };
        if !self.options.go_on || self.probe.is_some() || !self.asks(fault.property) {
            return Some(halt);
        }
        let Some(inst) = self.instruction_here() else { return Some(halt) };
        let is_first = self.passed.passes == 0;
        let follows = !is_first && self.is_consequence(fault, inst);
        if ends_the_program(fault) {
            if is_first {
                return Some(halt);
            }
            if !follows {
                self.keep_error(fault);
            }
            return Some(Stop::Other("the program ends at an error".to_owned()).into());
        }
        let is_again = !self.is_new_mistake(fault, inst);
        if !follows && !is_again {
            self.keep_error(fault);
        }
        self.passed.passes += 1;
        if self.passed.passes > MOST_PASSES || self.passed.found.len() >= MOST_ERRORS {
            return Some(Stop::Other("there are too many errors".to_owned()).into());
        }
        self.mend(fault, inst).err()
    }

    /// The instruction at the present position. At a terminator nothing can be left out.
    fn instruction_here(&self) -> Option<&'p InstKind> {
        let body: &'p Body = self.top.body;
        let block = body.blocks.get(self.top.block)?;
        block.insts.get(self.top.ip).map(|inst| &inst.kind)
    }

    /// False if the same object or address was used wrongly before.
    fn is_new_mistake(&mut self, fault: &Fault, inst: &InstKind) -> bool {
        let Some(object) = fault.object else { return true };
        match (fault.class, inst) {
            (ErrorClass::UseAfterFree | ErrorClass::UseAfterScope, _) => self.passed.ended.insert(object),
            (
                ErrorClass::OutOfBoundsRead | ErrorClass::OutOfBoundsWrite,
                InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. },
            ) => {
                let address = self.quietly(ptr).bits;
                self.passed.outside.insert((object, address))
            }
            _ => true,
        }
    }

    /// Remembers an error, once for each place.
    fn keep_error(&mut self, fault: &Fault) {
        let mut violation = self.violation(fault);
        if !self.passed.places.insert((violation.class, violation.location.clone())) {
            return;
        }
        if let Some(before) = self.passed.found.last() {
            violation.later = true;
            let text = format!("the {} here is passed over, as if nothing had been accessed", before.class);
            violation.path.insert(0, PathStep::new(StepKind::Note, before.location.clone(), text));
        }
        self.passed.found.push(violation);
    }

    /// True if an error may be there only because another one was passed over.
    fn is_consequence(&mut self, fault: &Fault, inst: &InstKind) -> bool {
        if matches!(
            fault.class,
            ErrorClass::WildDeref | ErrorClass::DivisionByZero | ErrorClass::AssertionFailure
        ) {
            return true;
        }
        let mut unknown = false;
        let mut operands = Vec::new();
        inst.for_each_use(|operand| operands.push(*operand));
        for operand in operands {
            unknown |= matches!(self.quietly(&operand).prov, Prov::Uninit | Prov::Forgotten);
        }
        unknown
    }

    /// The value of an operand, without asking for any input.
    fn quietly(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.regs[self.top.regs + reg.as_u32() as usize],
            Operand::Null => Value::NULL,
            Operand::Global(id) => self.address_of(self.globals[id.as_u32() as usize]),
            Operand::Local(id) => match self.locals[self.top.locals + id.as_u32() as usize] {
                Some(id) => self.address_of(id),
                None => Value::FORGOTTEN,
            },
            _ => Value::plain(0),
        }
    }

    /// Leaves the instruction out.
    fn mend(&mut self, fault: &Fault, inst: &InstKind) -> crate::machine::Res<()> {
        let mut areas = Vec::new();
        let mut pointers = Vec::new();
        match inst {
            InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => pointers.push(*ptr),
            InstKind::CopyBlock { to, from, .. } => {
                areas.push(*to);
                pointers.extend([*to, *from]);
            }
            InstKind::FillBlock { to, .. } => {
                areas.push(*to);
                pointers.push(*to);
            }
            InstKind::Call { args, .. } => {
                areas.extend(args.iter().copied());
                pointers.extend(args.iter().copied());
            }
            _ => {}
        }
        if fault.class == ErrorClass::NullDeref {
            pointers.iter().for_each(|pointer| self.forget_null(pointer));
        }
        for area in areas {
            if let Prov::Object(id) = self.quietly(&area).prov {
                self.settle(id)?;
            }
        }
        for reg in inst.defs() {
            let value = match self.top.body.regs[*reg].ty {
                Ty::Ptr => Value { bits: 0, prov: Prov::Uninit },
                _ => Value::plain(0),
            };
            self.set(*reg, value);
        }
        self.top.ip += 1;
        Ok(())
    }

    /// A pointer that is null, and where it came from: who uses it again makes the same mistake.
    fn forget_null(&mut self, pointer: &Operand) {
        let body = self.top.body;
        let Some(block) = body.blocks.get(self.top.block) else { return };
        let (mut operand, mut end) = (*pointer, self.top.ip.min(block.insts.len()));
        while let Operand::Reg(reg) = operand {
            let place = self.top.regs + reg.as_u32() as usize;
            if self.regs[place].prov != Prov::Null {
                return;
            }
            self.regs[place].prov = Prov::Uninit;
            let Some(at) = block.insts[..end].iter().rposition(|inst| inst.kind.defs().contains(&reg)) else {
                return;
            };
            end = at;
            match &block.insts[at].kind {
                InstKind::PtrAdd { base, .. } => operand = *base,
                InstKind::Copy { src, .. } => operand = *src,
                InstKind::Load { ptr, .. } => return self.forget_null_in_memory(self.quietly(ptr)),
                _ => return,
            }
        }
    }

    fn forget_null_in_memory(&mut self, at: Value) {
        let Prov::Object(id) = at.prov else { return };
        let object = self.mem.get(id);
        let offset = at.addr().wrapping_sub(object.base);
        let n = self.word_bytes;
        if object.life == Life::Live && offset <= object.size && n <= object.size - offset && !object.constant
        {
            for index in 0..n {
                // Without room nothing is remembered.
                let _ = self.mem.set_byte(id, offset + index, Byte::Chosen(0));
            }
        }
    }

    /// What was not written of an object is zero from now on.
    fn settle(&mut self, id: ObjId) -> crate::machine::Res<()> {
        /// Larger areas are left as they are.
        const MOST: u64 = 1 << 16;
        let object = self.mem.get(id);
        let is_data = !matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Library(_));
        if object.life != Life::Live || object.constant || !is_data || object.size > MOST {
            return Ok(());
        }
        for at in 0..object.size {
            if self.mem.byte(id, at) == Byte::Uninit {
                let done = self.mem.set_byte(id, at, Byte::Plain(0));
                self.room(done)?;
            }
        }
        Ok(())
    }
}

/// After such an error a program does not go on.
fn ends_the_program(fault: &Fault) -> bool {
    !matches!(
        fault.class,
        ErrorClass::NullDeref
            | ErrorClass::WildDeref
            | ErrorClass::ReadonlyWrite
            | ErrorClass::UseAfterFree
            | ErrorClass::DoubleFree
            | ErrorClass::InvalidFree
            | ErrorClass::OutOfBoundsRead
            | ErrorClass::OutOfBoundsWrite
            | ErrorClass::UseAfterScope
            | ErrorClass::OverlappingCopy
            | ErrorClass::DivisionByZero
    )
}
