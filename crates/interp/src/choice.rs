//! The single source of choice. Everything that another execution of the same program could decide otherwise goes through
//! [`Machine::note_choice`]: inputs, and what the interpreter decides by itself because it needs concrete addresses. A run in which
//! it was never called is the only execution that the program has.
//!
//! An address is an object and an offset. What follows from these two (differences within an object, low bits below the alignment,
//! the order inside an object, that live objects are apart) is no choice; anything else about the number is.

use crate::api::{Choice, Source, Stop};
use crate::literals::may_meet;
use crate::machine::{Machine, Res};
use crate::memory::{Life, Object, ObjectKind};
use crate::value::{ObjId, Prov, Value};
use crate::varargs::AREA_ALIGN;
use heapproof_ir::{
    BinOp, Body, CastOp, CmpOp, FuncId, GlobalId, InstKind, Operand, Reg, Target, Terminator, Ty, mask,
};
use heapproof_libc::{MathFunction, Model, ModelKind, PrintSink, Scalar, ScanSource};
use std::collections::{BTreeSet, HashMap};

/// Below this, and as far below zero, no object lives.
const PAGE: u128 = 4096;

/// What a program does with the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// It is never read.
    Unread,
    /// It is compared with zero, and nothing else.
    AgainstZero,
    /// Anything else.
    Any,
}

/// What is done with registers, as far as it was asked for.
pub(crate) type Uses = HashMap<(FuncId, Reg), Use>;

fn is_address(prov: Prov) -> bool {
    matches!(prov, Prov::Object(_) | Prov::Mixed(_))
}

impl Machine<'_, '_> {
    /// Something was decided that another execution could decide otherwise.
    #[cold]
    pub fn note_choice(&mut self, what: &str) {
        if self.choice.is_none() {
            self.choice = Some(Choice { what: what.to_owned(), span: self.span() });
        }
        if self.options.stop_at_choice {
            // The run ends before its next step.
            self.next_event = 0;
        }
    }

    /// A value was asked for.
    pub fn note_asked(&mut self, source: Source, name: &str) {
        if self.choice.is_some() && !self.options.stop_at_choice {
            return;
        }
        let what = match source {
            Source::Call => format!("what `{name}` gives"),
            Source::Uninitialised => format!("the uninitialised value of `{name}`"),
            Source::Environment => format!("a choice of the environment ({name})"),
        };
        self.note_choice(&what);
    }

    /// An area of variadic arguments of the present function or of one that called it.
    fn is_variadic_area(&self, id: ObjId) -> bool {
        self.top.variadic == Some(id) || self.frames.iter().any(|frame| frame.variadic == Some(id))
    }

    /// The alignment that every execution gives an object.
    fn known_align(&self, id: ObjId) -> u128 {
        let align = match self.mem.get(id).kind {
            ObjectKind::Global(global) => self.program.globals[global].align,
            ObjectKind::Local(func, local) => {
                let body = self.program.functions[func].body.as_ref();
                body.map_or(1, |body| body.locals[local].align)
            }
            ObjectKind::Heap => self.program.target.malloc_align(),
            ObjectKind::Alloca if self.is_variadic_area(id) => AREA_ALIGN,
            ObjectKind::Function(_) | ObjectKind::Alloca | ObjectKind::Library(_) => 1,
        };
        u128::from(align.max(1))
    }

    /// True if an address lies in its object or right after it: there it is above null and does not wrap.
    fn is_within(&self, id: ObjId, value: Value) -> bool {
        let offset = self.signed_offset(value, id);
        offset >= 0 && offset as u64 <= self.mem.get(id).size
    }

    /// True if no object that lived at the same time can have this address.
    fn is_own(&self, id: ObjId, value: Value) -> bool {
        let object = self.mem.get(id);
        let offset = self.signed_offset(value, id);
        let inside = offset >= 0 && (offset as u64) < object.size;
        let function = matches!(object.kind, ObjectKind::Function(_)) && offset == 0;
        inside || function
    }

    /// True if there was a time when both objects lived. Memory of one that ended before may have been used for the other.
    fn lived_together(&self, x: ObjId, y: ObjId) -> bool {
        let [x, y] = [x, y].map(|id| self.mem.get(id));
        let starts_before_the_end =
            |a: &Object, b: &Object| b.life == Life::Live || a.born.step < b.died.step;
        starts_before_the_end(x, y) && starts_before_the_end(y, x)
    }

    /// The string literal or other nameless constant that an object is.
    fn literal(&self, id: ObjId) -> Option<GlobalId> {
        match self.mem.get(id).kind {
            ObjectKind::Global(global) if self.program.globals[global].anonymous => Some(global),
            _ => None,
        }
    }

    /// True if two addresses of one object came from one object in every execution.
    fn is_one_object(&self, id: ObjId) -> bool {
        self.literal(id).is_none_or(|literal| self.literals.is_one(self.program, literal))
    }

    /// True if two objects may be the same memory there: literals that agree.
    fn may_meet(&self, x: ObjId, a: Value, y: ObjId, b: Value) -> bool {
        let (Some(one), Some(other)) = (self.literal(x), self.literal(y)) else { return false };
        let at = |id, value| self.signed_offset(value, id);
        let globals = &self.program.globals;
        may_meet((&globals[one], at(x, a)), (&globals[other], at(y, b)))
    }

    /// Arithmetic on numbers of which at least one has a provenance.
    pub fn note_arithmetic(&mut self, op: BinOp, width: u8, a: Value, b: Value) {
        if !is_address(a.prov) && !is_address(b.prov) {
            return;
        }
        let fine = width == self.word_bits
            && match (a.prov, b.prov) {
                (Prov::Object(x), Prov::Object(y)) => op == BinOp::Sub && x == y && self.is_one_object(x),
                (Prov::Object(id), other) if !is_address(other) => self.is_relative(op, id, b.bits, false),
                (other, Prov::Object(id)) if !is_address(other) => self.is_relative(op, id, a.bits, true),
                _ => false,
            };
        if !fine {
            self.note_choice("the number that an address is");
        }
    }

    /// True if the result of an operation on an address and a number follows from object and offset.
    fn is_relative(&self, op: BinOp, id: ObjId, number: u128, swapped: bool) -> bool {
        let align = self.known_align(id);
        match op {
            BinOp::Add => true,
            BinOp::Sub => !swapped,
            BinOp::And => number < align || (!number & mask(self.word_bits)) < align,
            BinOp::Or | BinOp::Xor => number < align,
            BinOp::URem => !swapped && number.is_power_of_two() && number <= align,
            _ => false,
        }
    }

    /// A comparison of numbers of which at least one has a provenance.
    pub fn note_comparison(&mut self, op: CmpOp, a: Value, b: Value) -> Res<()> {
        if !is_address(a.prov) && !is_address(b.prov) {
            return Ok(());
        }
        let equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
        let unsigned = matches!(op, CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge);
        let fine = match (a.prov, b.prov) {
            (Prov::Object(x), Prov::Object(y)) if x == y => {
                // Whether equal string literals are one object is the compiler's choice.
                let within = || self.is_within(x, a) && self.is_within(x, b);
                self.is_one_object(x) && (equality || unsigned && within())
            }
            (Prov::Object(x), Prov::Object(y)) => {
                let apart = self.is_own(x, a) && self.is_own(y, b) && self.lived_together(x, y);
                if equality && apart && self.may_meet(x, a, y, b) {
                    // Compilers make one object of them where they can, so neither answer is that of every compiler.
                    self.note_choice("a comparison of addresses");
                    let what = "whether string literals that agree share memory".to_owned();
                    return Err(Stop::Unsupported { what }.into());
                }
                equality && apart
            }
            (Prov::Object(x), other) if !is_address(other) => {
                self.is_within(x, a) && self.is_no_object(equality, unsigned, b.bits)
            }
            (other, Prov::Object(y)) if !is_address(other) => {
                self.is_within(y, b) && self.is_no_object(equality, unsigned, a.bits)
            }
            _ => false,
        };
        if !fine {
            self.note_choice("a comparison of addresses");
        }
        Ok(())
    }

    /// True if how a number compares with the address of an object is always the same.
    fn is_no_object(&self, equality: bool, unsigned: bool, number: u128) -> bool {
        let top = mask(self.word_bits);
        (equality && (number < PAGE || number > top - PAGE)) || (unsigned && number == 0)
    }

    /// An address becomes another type.
    pub fn note_cast(&mut self, op: CastOp, from_bits: u8, to_bits: u8, a: Value) {
        if !is_address(a.prov) {
            return;
        }
        let same = from_bits == to_bits && to_bits == self.word_bits;
        let plain = matches!(
            op,
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits | CastOp::Trunc | CastOp::ZExt | CastOp::SExt
        );
        if !(same && plain) {
            self.note_choice("the number that an address is");
        }
    }

    /// A pointer is moved by an index that may be an address itself.
    pub fn note_index(&mut self, base: Value, index: Value, scale: i64) {
        if is_address(index.prov) && (is_address(base.prov) || scale != 1) {
            self.note_choice("the number that an address is");
        }
    }

    /// A value is used in a way that no address should be used.
    pub fn note_number(&mut self, value: Value) {
        if is_address(value.prov) {
            self.note_choice("the number that an address is");
        }
    }

    /// Floating point arithmetic: on i386 it may be done with more precision than the type has.
    pub fn note_float(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.note_number(*value));
        if self.program.target == Target::Ilp32 {
            self.note_choice("the precision of floating point arithmetic");
        }
    }

    /// A call of a model: is all that it does determined by its arguments and the memory?
    pub fn note_model_call(&mut self, model: &Model, args: &[(Value, Ty)], results: &[Reg]) {
        use ModelKind::*;
        for (scalar, (value, _)) in model.params.iter().zip(args) {
            if *scalar != Scalar::Ptr {
                self.note_number(*value);
            }
        }
        // The most that may be done with the result.
        let allowed = match model.kind {
            Alloc { .. } | Alloca | PosixMemalign | Realloc { .. } | Free | DupString { .. } => Use::Any,
            CopyBytes { .. } | Fill { .. } | FindByte { .. } => Use::Any,
            StrLen { .. } | StrCopy { .. } | StrCat { .. } | StrFind { .. } | StrStr { .. } | StrSpan(_) => {
                Use::Any
            }
            StrTok { .. } | StrSep | IsKnown => Use::Any,
            // Only the sign of the result is determined.
            CompareBytes | StrCompare { .. } | IsChar(_) => Use::AgainstZero,
            ToLower | ToUpper | ParseInt { .. } | Abs | IsLive => Use::Any,
            ParseFloat { .. } => Use::Any,
            Math { function, .. } if is_exact(function) => Use::Any,
            Print { sink: PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock, .. } => Use::Any,
            Scan { source: ScanSource::Text, list: false } => Use::Any,
            // Output may fail.
            Print { .. } | Puts | PutString | PutChar { .. } | WriteItems | PrintError => Use::Unread,
            Exit { .. } | Abort | AssertFail { .. } | ReachError | Assume | Assert => Use::Any,
            AtExit => Use::Unread,
            // It may have failed, and the program may ask why.
            Effect if self.errno.is_some() && model.may_set_errno() => {
                self.note_choice(&format!("what `{}` does", model.name));
                return;
            }
            // Without a result that is read there is nothing to choose.
            Effect if model.effect.is_pure() => Use::Unread,
            Unsupported => Use::Any,
            _ => {
                self.note_choice(&format!("what `{}` does", model.name));
                return;
            }
        };
        if results.iter().any(|reg| self.use_of(*reg) > allowed) {
            self.note_choice(&format!("what `{}` gives", model.name));
        }
    }

    /// What the present function does with a register.
    pub fn use_of(&mut self, reg: Reg) -> Use {
        let (func, body) = (self.top.func, self.top.body);
        *self.uses.entry((func, reg)).or_insert_with(|| use_in(body, reg))
    }

    /// True if a function never reads any of its parameters.
    pub fn ignores_parameters(&self, body: &Body) -> bool {
        body.params.iter().all(|reg| use_in(body, *reg) == Use::Unread)
    }
}

/// Functions whose result is the same everywhere, to the last bit.
fn is_exact(function: MathFunction) -> bool {
    use MathFunction::*;
    matches!(
        function,
        Sqrt | Fabs | Floor | Ceil | Trunc | Round | Rint | Fmod | Fmin | Fmax | Copysign | Fma
    )
}

/// What a function does with a register and its copies.
fn use_in(body: &Body, reg: Reg) -> Use {
    let mut same = BTreeSet::from([reg]);
    let mut most = Use::Unread;
    loop {
        let before = same.len();
        for block in body.blocks.values() {
            for inst in &block.insts {
                let mut read = false;
                inst.kind.for_each_use(|operand| {
                    read |= matches!(operand, Operand::Reg(reg) if same.contains(reg));
                });
                if !read {
                    continue;
                }
                match &inst.kind {
                    InstKind::Copy { dst, .. } => {
                        same.insert(*dst);
                    }
                    InstKind::Cmp { a, b, .. } if is_zero(a) || is_zero(b) => {
                        most = most.max(Use::AgainstZero);
                    }
                    _ => return Use::Any,
                }
            }
            let mut read = false;
            block.term.for_each_use(|operand| {
                read |= matches!(operand, Operand::Reg(reg) if same.contains(reg));
            });
            if read && !matches!(block.term, Terminator::Jump(_)) {
                return Use::Any;
            }
        }
        if same.len() == before {
            return most;
        }
    }
}

fn is_zero(operand: &Operand) -> bool {
    matches!(operand, Operand::Int { bits: 0, .. } | Operand::Null)
}
