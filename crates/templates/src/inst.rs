//! What instructions mean in the formula. Numbers are bit vectors of their width; what is not followed is any value.

use crate::build::{Builder, Frame};
use crate::plan::{Key, ObjKind};
use crate::ssa::Kind;
use crate::state::{State, named};
use crate::value::{NULL, Pointer, UNKNOWN, Value, WILD};
use heapproof_ir::{BinOp, BlockId, CastOp, CmpOp, Inst, InstKind, IntUnOp, Operand, Reg, Ty, mask};
use heapproof_logic::{BvOp, BvRel, Sort, Term};
use heapproof_verdict::{ErrorClass, Property};

impl Builder<'_> {
    /// Follows one instruction.
    pub fn instruction(&mut self, frame: &mut Frame, at: (BlockId, usize), inst: &Inst, state: &mut State) {
        let place = self.place(frame, inst.span);
        match &inst.kind {
            InstKind::Copy { dst, src } => {
                let value = self.operand(frame, state, src);
                self.assign(frame, state, *dst, value);
            }
            InstKind::Forget { dst } => {
                state.vars.remove(&Key::Reg(frame.id, *dst));
            }
            InstKind::Bin { dst, op, width, a, b } => {
                if !fault!(27) && matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) {
                    let divisor = self.number(frame, state, b, *width);
                    let kind = Kind::Error(Property::Assertions, ErrorClass::DivisionByZero);
                    let holds = Term::ne(divisor, Term::bits(0, *width));
                    self.require(state, holds, kind, place, "the divisor may be zero");
                }
                let (a, b) = (self.operand(frame, state, a), self.operand(frame, state, b));
                let value = self.binary(*op, *width, &a, &b);
                self.assign(frame, state, *dst, value);
            }
            InstKind::IntUn { dst, op, width, a } => {
                let a = self.number(frame, state, a, *width);
                let value = self.unary(*op, *width, a);
                self.assign(frame, state, *dst, Value::Int(value));
            }
            InstKind::Cmp { dst, op, a, b, .. } => {
                let (x, y) = (self.operand(frame, state, a), self.operand(frame, state, b));
                let holds = match (&x, &y) {
                    (Value::Int(a), Value::Int(b)) => compare(*op, a.clone(), b.clone()),
                    _ => {
                        let (x, y) = (x.pointer(self.width), y.pointer(self.width));
                        self.compare_pointers(state, *op, &x, &y)
                    }
                };
                self.note_condition(&holds);
                let bit = Term::ite(holds, Term::bits(1, 1), Term::bits(0, 1));
                self.assign(frame, state, *dst, Value::Int(bit));
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let value = self.operand(frame, state, a);
                let value = self.cast(*op, *from, *to, value);
                self.assign(frame, state, *dst, value);
            }
            InstKind::Select { dst, cond, a, b, .. } => {
                let cond = self.truth(frame, state, cond);
                self.note_condition(&cond);
                let (a, b) = (self.operand(frame, state, a), self.operand(frame, state, b));
                let value = Value::ite(&cond, &a, &b, self.width);
                self.assign(frame, state, *dst, value);
            }
            InstKind::PtrAdd { dst, base, offset, index, .. } => {
                let base = self.operand(frame, state, base).pointer(self.width);
                let index = index.as_ref().map(|(index, scale)| {
                    let width = self.width;
                    (self.number(frame, state, index, width), *scale)
                });
                let value = self.moved(&base, *offset, index);
                self.assign(frame, state, *dst, Value::Ptr(value));
            }
            InstKind::Load { dst, ty, ptr } => {
                let pointer = self.operand(frame, state, ptr).pointer(self.width);
                let value = self.load(state, &pointer, *ty, place);
                self.assign(frame, state, *dst, value);
            }
            InstKind::Store { ty, value, ptr } => {
                let value = self.operand(frame, state, value);
                let pointer = self.operand(frame, state, ptr).pointer(self.width);
                self.store(state, &pointer, *ty, value, place);
            }
            InstKind::CopyBlock { to, from, len, .. } => {
                let to = self.operand(frame, state, to).pointer(self.width);
                let from = self.operand(frame, state, from).pointer(self.width);
                let width = self.width;
                let len = self.number(frame, state, len, width);
                self.copy_block(state, &to, &from, &len, place);
            }
            InstKind::FillBlock { to, byte, len } => {
                let to = self.operand(frame, state, to).pointer(self.width);
                let byte = self.number(frame, state, byte, 8);
                let width = self.width;
                let len = self.number(frame, state, len, width);
                self.fill_block(state, &to, &byte, &len, place);
            }
            InstKind::ScopeStart { local } => self.scope_start(frame, *local, state),
            InstKind::ScopeEnd { local } => {
                let obj = self.plan.object(ObjKind::Local(frame.id, *local));
                self.set_life(state, obj, false);
            }
            InstKind::Seal { local } => {
                let obj = self.plan.object(ObjKind::Local(frame.id, *local));
                state.vars.insert(Key::Sealed(obj), Value::Int(Term::bits(1, 1)));
            }
            InstKind::Call { results, callee, args } => {
                self.call(frame, at, results, callee, args, place, state)
            }
            InstKind::FloatBin { dst, kind, .. } | InstKind::FloatUn { dst, kind, .. } => {
                let value = Value::Int(self.ssa.fresh("float", Sort::Bits(kind.bits())));
                self.assign(frame, state, *dst, value);
            }
            InstKind::FloatCmp { dst, .. } => {
                let value = Value::Int(self.ssa.fresh("floatcmp", Sort::Bits(1)));
                self.assign(frame, state, *dst, value);
            }
            InstKind::Alloca { dst, size, .. } => {
                // Where it ends its life is not followed: accesses behind that are for others to judge.
                self.ssa.blurred = true;
                let width = self.width;
                let size = self.number(frame, state, size, width);
                let obj = self.plan.object(ObjKind::Stack(self.context, at.0, at.1));
                self.note_rebirth(state, obj);
                self.new_content(state, obj, false);
                self.set_life(state, obj, true);
                self.set_size(state, obj, size);
                if self.cut.is_some() {
                    // Arrays of earlier iterations would be taken for this one.
                    self.plan.give_up(obj);
                }
                let value = Value::Ptr(Pointer::to(obj, width));
                self.assign(frame, state, *dst, value);
            }
            InstKind::StackSave { dst } => {
                let value = self.undefined(Ty::Ptr);
                self.assign(frame, state, *dst, value);
            }
            InstKind::StackRestore { .. } => {}
            InstKind::VaStart { .. } | InstKind::VaCopy { .. } | InstKind::VaEnd { .. } => {
                self.give_up(state, place, "variable arguments")
            }
            InstKind::Unsupported { what, .. } => self.give_up(state, place, what),
        }
    }

    /// What is not understood ends the way.
    pub fn give_up(&mut self, state: &mut State, place: heapproof_engine::Place, what: &str) {
        self.not_covered(state, place, what);
        state.guard = Term::truth(false);
    }

    /// Assigns a register.
    pub fn assign(&mut self, frame: &Frame, state: &mut State, dst: Reg, value: Value) {
        let name = self.name(Key::Reg(frame.id, dst));
        let value = if is_small(&value) { value } else { named(&mut self.ssa, &name, value) };
        state.vars.insert(Key::Reg(frame.id, dst), value);
    }

    /// The value of an operand.
    pub fn operand(&mut self, frame: &Frame, state: &State, operand: &Operand) -> Value {
        let width = self.width;
        match operand {
            Operand::Reg(reg) => match state.vars.get(&Key::Reg(frame.id, *reg)) {
                Some(value) => value.clone(),
                None => {
                    let body =
                        self.program.functions[frame.func].body.as_ref().expect("it is being followed");
                    self.undefined(body.regs[*reg].ty)
                }
            },
            Operand::Int { bits, width } => Value::Int(Term::bits(*bits, *width)),
            Operand::Float { bits, kind } => Value::Int(Term::bits(*bits, kind.bits())),
            Operand::Null => Value::Ptr(Pointer::to(NULL, width)),
            Operand::Global(global) => {
                Value::Ptr(Pointer::to(self.plan.object(ObjKind::Global(*global)), width))
            }
            Operand::Local(local) => {
                Value::Ptr(Pointer::to(self.plan.object(ObjKind::Local(frame.id, *local)), width))
            }
            Operand::Func(func) => Value::Ptr(Pointer::to(self.plan.object(ObjKind::Function(*func)), width)),
            Operand::Undef(ty) => self.undefined(*ty),
        }
    }

    fn undefined(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(Pointer::to(WILD, self.width)),
            ty => Value::Int(self.ssa.fresh("undef", Sort::Bits(ty.bits(self.program.target)))),
        }
    }

    /// The number of an operand of a width; a pointer is any number.
    pub fn number(&mut self, frame: &Frame, state: &State, operand: &Operand, width: u8) -> Term {
        match self.operand(frame, state, operand) {
            Value::Int(term) => term,
            Value::Ptr(p) if p.may.len() == 1 && p.may_be(NULL) => Term::bits(0, width),
            Value::Ptr(_) => self.ssa.fresh("address", Sort::Bits(width)),
        }
    }

    /// The truth of an operand of one bit.
    pub fn truth(&mut self, frame: &Frame, state: &State, operand: &Operand) -> Term {
        Term::eq(self.number(frame, state, operand, 1), Term::bits(1, 1))
    }

    fn binary(&mut self, op: BinOp, width: u8, a: &Value, b: &Value) -> Value {
        let (a, b) = match (a, b) {
            (Value::Int(a), Value::Int(b)) => (a.clone(), b.clone()),
            (Value::Ptr(p), Value::Int(n)) | (Value::Int(n), Value::Ptr(p)) if op == BinOp::Add => {
                return Value::Ptr(self.moved(p, 0, Some((n.clone(), 1))));
            }
            (Value::Ptr(p), Value::Int(n)) if op == BinOp::Sub => {
                return Value::Ptr(self.moved(p, 0, Some((Term::bv_neg(n.clone()), 1))));
            }
            (Value::Ptr(p), Value::Ptr(q)) if op == BinOp::Sub => {
                let other = self.ssa.fresh("distance", Sort::Bits(width));
                let sure = Term::and([self.is_one_object(p), Term::not(self.is_literal(p))]);
                let same = Term::and([Term::eq(p.obj.clone(), q.obj.clone()), sure]);
                let distance = Term::bv(BvOp::Sub, p.off.clone(), q.off.clone());
                return Value::Int(Term::ite(same, distance, other));
            }
            _ => return Value::Int(self.ssa.fresh("address", Sort::Bits(width))),
        };
        let simple = |op| Value::Int(Term::bv(op, a.clone(), b.clone()));
        match op {
            BinOp::Add => simple(BvOp::Add),
            BinOp::Sub => simple(BvOp::Sub),
            BinOp::Mul => simple(BvOp::Mul),
            BinOp::UDiv => simple(BvOp::UDiv),
            BinOp::SDiv => simple(BvOp::SDiv),
            BinOp::URem => simple(BvOp::URem),
            BinOp::SRem => simple(BvOp::SRem),
            BinOp::And => simple(BvOp::And),
            BinOp::Or => simple(BvOp::Or),
            BinOp::Xor => simple(BvOp::Xor),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let op = match op {
                    BinOp::Shl => BvOp::Shl,
                    BinOp::LShr => BvOp::LShr,
                    _ => BvOp::AShr,
                };
                let fits = Term::rel(BvRel::Ult, b.clone(), Term::bits(u128::from(width), width));
                let shifted = Term::bv(op, a, b);
                if fits.as_bool() == Some(true) || fault!(3) {
                    return Value::Int(shifted);
                }
                // A width of one or two bits cannot hold its own number: nothing is known then.
                let fits = if u128::from(width) > mask(width) { Term::truth(false) } else { fits };
                let other = self.ssa.fresh("shifted", Sort::Bits(width));
                Value::Int(Term::ite(fits, shifted, other))
            }
        }
    }

    fn unary(&mut self, op: IntUnOp, width: u8, a: Term) -> Term {
        if let Some(bits) = a.as_bits() {
            return Term::bits(op.compute(width, bits), width);
        }
        match op {
            IntUnOp::ByteSwap if width.is_multiple_of(8) && width > 8 => {
                let bytes = (0..width / 8).map(|n| Term::extract(8 * n + 7, 8 * n, a.clone()));
                bytes.reduce(Term::concat).expect("there is a byte")
            }
            _ => self.ssa.fresh("bits", Sort::Bits(width)),
        }
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, value: Value) -> Value {
        let target = self.program.target;
        let (from, bits) = (from.bits(target), to.bits(target));
        match (op, value) {
            (CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits, value) if from == bits => {
                match (to, value) {
                    (Ty::Ptr, value) => Value::Ptr(value.pointer(self.width)),
                    (_, value) => value,
                }
            }
            (CastOp::Trunc, Value::Int(a)) => Value::Int(Term::extract(bits - 1, 0, a)),
            (CastOp::ZExt, Value::Int(a)) => Value::Int(a.resized(bits, false)),
            (CastOp::SExt, Value::Int(a)) => Value::Int(a.resized(bits, !fault!(4))),
            _ if to == Ty::Ptr => Value::Ptr(Pointer::to(UNKNOWN, self.width)),
            _ => Value::Int(self.ssa.fresh("cast", Sort::Bits(bits))),
        }
    }

    /// A pointer moved by a constant and by a scaled index.
    pub fn moved(&mut self, base: &Pointer, offset: i64, index: Option<(Term, i64)>) -> Pointer {
        let width = self.width;
        let constant = |n: i64| Term::bits(n as u128 & mask(width), width);
        let mut off = Term::bv(BvOp::Add, base.off.clone(), constant(offset));
        let mut offsets = base.offsets.plus(offset as u64, width);
        if let Some((index, scale)) = index {
            off = Term::bv(BvOp::Add, off, Term::bv(BvOp::Mul, index.clone(), constant(scale)));
            offsets = match index.as_bits() {
                Some(bits) => offsets.plus((bits as u64).wrapping_mul(scale as u64), width),
                None => offsets.plus_multiples(scale.unsigned_abs(), width),
            };
        }
        Pointer { off, offsets, ..base.clone() }
    }
}

/// A comparison of numbers.
pub fn compare(op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => Term::eq(a, b),
        CmpOp::Ne => Term::ne(a, b),
        CmpOp::Ult if fault!(2) => Term::rel(BvRel::Slt, a, b),
        CmpOp::Ult => Term::rel(BvRel::Ult, a, b),
        CmpOp::Ule => Term::rel(BvRel::Ule, a, b),
        CmpOp::Ugt => Term::rel(BvRel::Ult, b, a),
        CmpOp::Uge => Term::rel(BvRel::Ule, b, a),
        CmpOp::Slt => Term::rel(BvRel::Slt, a, b),
        CmpOp::Sle => Term::rel(BvRel::Sle, a, b),
        CmpOp::Sgt => Term::rel(BvRel::Slt, b, a),
        CmpOp::Sge => Term::rel(BvRel::Sle, b, a),
    }
}

/// True if a value need not get a name.
fn is_small(value: &Value) -> bool {
    let small =
        |term: &Term| term.args().iter().all(|arg| arg.args().iter().all(|arg| arg.args().is_empty()));
    match value {
        Value::Int(term) => small(term),
        Value::Ptr(p) => small(&p.obj) && small(&p.off),
    }
}
