//! Values of registers, and what operators do to them.

use super::{Kind, State, Stop, Verifier, position};
use crate::condition::{Pointer, is_sum, limit, unsigned, wrapped};
use heapproof_ir::{BinOp, CastOp, CmpOp, Operand, Span, Ty, sign_extend};
use heapproof_logic::{Op, Sort, Term};

/// The value of a register.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// An integer, with sign.
    Int(Term),
    /// A pointer, or a number as wide as one.
    Pointer(Pointer),
    /// A bit.
    Bit(Term),
    /// Anything.
    Unknown,
}

impl Verifier<'_> {
    /// A value of a type that nothing is known of.
    pub(super) fn fresh_val(&mut self, ty: Ty) -> Val {
        match ty {
            Ty::Ptr => {
                let pointer = self.words.fresh_pointer("p");
                let range = in_range(&pointer.offset, 8 * u32::from(self.words.word));
                self.assumed.assert(&range);
                Val::Pointer(pointer)
            }
            Ty::Int(1) => Val::Bit(self.words.fresh("b", Sort::Bool)),
            Ty::Int(width) if width <= 64 => {
                let number = self.words.fresh("n", Sort::Int);
                self.assumed.assert(&in_range(&number, width.into()));
                Val::Int(number)
            }
            _ => Val::Unknown,
        }
    }

    pub(super) fn int(&mut self, val: &Val, width: u8) -> Term {
        match val {
            Val::Int(term) => term.clone(),
            Val::Pointer(pointer) => self.words.num(pointer),
            Val::Bit(term) => Term::ite(term.clone(), Term::int(-1), Term::int(0)),
            Val::Unknown if width > 64 => self.words.fresh("n", Sort::Int),
            Val::Unknown => match self.fresh_val(Ty::Int(width.max(2))) {
                Val::Int(term) => term,
                _ => unreachable!("an integer"),
            },
        }
    }

    pub(super) fn pointer(&mut self, val: &Val) -> Pointer {
        match val {
            Val::Pointer(pointer) => pointer.clone(),
            Val::Int(term) if term.as_int().is_some() => self.words.number(term.clone()),
            Val::Int(term) => {
                // It may be the number of an address.
                let pointer = self.words.fresh_pointer("q");
                let number = self.words.num(&pointer);
                self.assumed.assert(&Term::eq(number, term.clone()));
                self.assumed.assert(&self.is_kept(&pointer));
                pointer
            }
            Val::Bit(_) | Val::Unknown => self.words.fresh_pointer("p"),
        }
    }

    pub(super) fn bit(&mut self, val: &Val) -> Term {
        match val {
            Val::Bit(term) => term.clone(),
            Val::Int(term) => Term::ne(term.clone(), Term::int(0)),
            Val::Pointer(_) | Val::Unknown => self.words.fresh("b", Sort::Bool),
        }
    }

    pub(super) fn operand(&mut self, state: &State, operand: &Operand) -> Val {
        let frame = state.top();
        match operand {
            Operand::Reg(reg) => match frame.regs.get(reg) {
                Some(val) => val.clone(),
                None => {
                    let ty = self.program.functions[frame.func].body.as_ref().map(|body| body.regs[*reg].ty);
                    ty.map_or(Val::Unknown, |ty| self.fresh_val(ty))
                }
            },
            Operand::Int { bits, width: 1 } => Val::Bit(Term::truth(*bits == 1)),
            Operand::Int { bits, width } if *width <= 64 => Val::Int(Term::int(sign_extend(*bits, *width))),
            Operand::Null => Val::Pointer(self.words.null()),
            Operand::Global(global) => {
                let global = &self.program.globals[*global];
                let pointer = Pointer { object: self.words.global(&global.name), offset: Term::int(0) };
                Val::Pointer(pointer)
            }
            Operand::Local(local) => match frame.locals.get(local) {
                Some(object) => Val::Pointer(Pointer { object: object.clone(), offset: Term::int(0) }),
                None => Val::Unknown,
            },
            Operand::Undef(ty) => self.fresh_val(*ty),
            Operand::Func(_) | Operand::Float { .. } | Operand::Int { .. } => Val::Unknown,
        }
    }

    pub(super) fn binary(&mut self, op: BinOp, width: u8, a: &Val, b: &Val, span: Span) -> Result<Val, Stop> {
        if width == 1 {
            let (a, b) = (self.bit(a), self.bit(b));
            return Ok(Val::Bit(match op {
                BinOp::And | BinOp::Mul => Term::and([a, b]),
                BinOp::Or => Term::or([a, b]),
                BinOp::Xor | BinOp::Add | BinOp::Sub => Term::eq(a, b).not(),
                _ => self.words.fresh("b", Sort::Bool),
            }));
        }
        if width > 64 {
            return Ok(Val::Unknown);
        }
        let bits = u32::from(width);
        // An address as a number keeps its object when a number is added.
        if let (BinOp::Add | BinOp::Sub, Val::Pointer(pointer), Val::Int(y)) = (op, a, b)
            && bits == 8 * u32::from(self.words.word)
        {
            let by = if op == BinOp::Add { y.clone() } else { Term::int_sub(Term::int(0), y.clone()) };
            let sum = pointer.plus(by);
            return Ok(Val::Pointer(Pointer { offset: once_wrapped(sum.offset, bits), ..sum }));
        }
        let (x, y) = (self.int(a, width), self.int(b, width));
        let fitted = |term: Term| Val::Int(if fault!(24) { term } else { once_wrapped(term, bits) });
        let constant = y.as_int();
        Ok(match op {
            BinOp::Add => fitted(Term::int_add(x, y)),
            BinOp::Sub => fitted(Term::int_sub(x, y)),
            BinOp::Mul => Val::Int(wrapped(Term::int_mul(x, y), bits)),
            BinOp::Shl if constant.is_some_and(|by| (0..i128::from(width)).contains(&by)) => {
                let factor = 1i128 << constant.unwrap_or(0);
                Val::Int(wrapped(Term::int_mul(x, Term::int(factor)), bits))
            }
            BinOp::LShr if constant.is_some_and(|by| (0..i128::from(width)).contains(&by)) => {
                let divisor = 1i128 << constant.unwrap_or(0);
                Val::Int(wrapped(Term::op(Op::IntDiv, [unsigned(x, bits), Term::int(divisor)]), bits))
            }
            BinOp::And if constant.is_some_and(|mask| mask >= 0 && (mask + 1) & mask == 0) => {
                let range = constant.unwrap_or(0) + 1;
                Val::Int(Term::op(Op::IntMod, [x, Term::int(range)]))
            }
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                self.oblige(Term::ne(y.clone(), Term::int(0)), Kind::Divisor, position(span), Some(span))?;
                match op {
                    BinOp::UDiv | BinOp::URem => {
                        let op = if op == BinOp::UDiv { Op::IntDiv } else { Op::IntMod };
                        let result = Term::op(op, [unsigned(x, bits), unsigned(y, bits)]);
                        Val::Int(wrapped(result, bits))
                    }
                    BinOp::SDiv | BinOp::SRem if constant.is_some_and(|by| by > 0) => {
                        // C rounds towards zero.
                        let by = Term::int(constant.unwrap_or(1));
                        let magnitude = |term: Term| Term::op(Op::IntDiv, [term, by.clone()]);
                        let negative = Term::int_lt(x.clone(), Term::int(0));
                        let minus = |term: Term| Term::int_sub(Term::int(0), term);
                        let quotient =
                            Term::ite(negative, minus(magnitude(minus(x.clone()))), magnitude(x.clone()));
                        let rest = Term::int_sub(x, Term::int_mul(quotient.clone(), by));
                        Val::Int(if op == BinOp::SDiv { quotient } else { rest })
                    }
                    _ => self.fresh_val(Ty::Int(width)),
                }
            }
            _ => self.fresh_val(Ty::Int(width)),
        })
    }

    pub(super) fn compare(&mut self, state: &State, op: CmpOp, ty: Ty, a: &Val, b: &Val) -> Term {
        if ty == Ty::Ptr {
            return self.compare_pointers(state, op, a, b);
        }
        let Ty::Int(width) = ty else { return self.words.fresh("b", Sort::Bool) };
        if width == 1 && matches!(op, CmpOp::Eq | CmpOp::Ne) {
            let equal = Term::eq(self.bit(a), self.bit(b));
            return if op == CmpOp::Eq { equal } else { equal.not() };
        }
        if width > 64 || width == 1 {
            return self.words.fresh("b", Sort::Bool);
        }
        let (x, y) = (self.int(a, width), self.int(b, width));
        let bits = u32::from(width);
        let (ux, uy) = (unsigned(x.clone(), bits), unsigned(y.clone(), bits));
        match op {
            CmpOp::Eq => Term::eq(x, y),
            CmpOp::Ne => Term::ne(x, y),
            CmpOp::Ult => Term::int_lt(ux, uy),
            CmpOp::Ule => Term::int_le(ux, uy),
            CmpOp::Ugt => Term::int_lt(uy, ux),
            CmpOp::Uge => Term::int_le(uy, ux),
            CmpOp::Slt => Term::int_lt(x, y),
            CmpOp::Sle => Term::int_le(x, y),
            CmpOp::Sgt => Term::int_lt(y, x),
            CmpOp::Sge => Term::int_le(y, x),
        }
    }

    fn compare_pointers(&mut self, state: &State, op: CmpOp, a: &Val, b: &Val) -> Term {
        let (p, q) = (self.pointer(a), self.pointer(b));
        let null = self.words.null_object.clone();
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            let mut equal = Term::or([p.equals(&q), self.may_agree(state, &p, &q)]);
            equal = self.literals(&p, &q, equal);
            // A sum may wrap round.
            let sums: Vec<Term> = [&p, &q]
                .into_iter()
                .filter(|pointer| is_sum(&pointer.offset))
                .map(|pointer| in_range(&pointer.offset, 8 * u32::from(self.words.word)).not())
                .collect();
            if !sums.is_empty() {
                let unknown = self.words.fresh("b", Sort::Bool);
                equal = Term::ite(Term::or(sums), unknown, equal);
            }
            return if op == CmpOp::Eq { equal } else { equal.not() };
        }
        let unknown = self.words.fresh("b", Sort::Bool);
        let (x, y) = (p.offset.clone(), q.offset.clone());
        let holds = match op {
            CmpOp::Ult | CmpOp::Slt => Term::int_lt(x, y),
            CmpOp::Ule | CmpOp::Sle => Term::int_le(x, y),
            CmpOp::Ugt | CmpOp::Sgt => Term::int_lt(y, x),
            _ => Term::int_le(y, x),
        };
        // Outside of an object the order may wrap round.
        let end = self.words.size(&p.object);
        let within = |pointer: &Pointer| {
            let offset = pointer.offset.clone();
            Term::and([Term::int_le(Term::int(0), offset.clone()), Term::int_le(offset, end.clone())])
        };
        let inside = Term::and([
            Term::eq(p.object.clone(), q.object.clone()),
            Term::ne(p.object.clone(), null),
            within(&p),
            within(&q),
        ]);
        Term::ite(inside, holds, unknown)
    }

    /// Literals may share their bytes: whether places in two of them are equal is not known.
    fn literals(&mut self, p: &Pointer, q: &Pointer, equal: Term) -> Term {
        let literals = self.program.globals.values().filter(|global| global.anonymous && global.constant);
        let literals: Vec<Term> = literals.map(|global| self.words.global(&global.name)).collect();
        let is_literal = |pointer: &Pointer| {
            Term::or(literals.iter().map(|literal| Term::eq(pointer.object.clone(), literal.clone())))
        };
        let both = Term::and([is_literal(p), is_literal(q), Term::ne(p.object.clone(), q.object.clone())]);
        if both.as_bool() == Some(false) {
            return equal;
        }
        let unknown = self.words.fresh("b", Sort::Bool);
        Term::ite(both, unknown, equal)
    }

    pub(super) fn cast(&mut self, op: CastOp, from: Ty, to: Ty, val: &Val) -> Val {
        match (op, from, to) {
            (CastOp::PtrToInt | CastOp::IntToPtr, _, _)
                if from.bits(self.program.target) == to.bits(self.program.target) =>
            {
                match val {
                    Val::Int(term) => Val::Int(term.clone()),
                    other => Val::Pointer(self.pointer(other)),
                }
            }
            (CastOp::ZExt, Ty::Int(1), Ty::Int(_)) => {
                let bit = self.bit(val);
                Val::Int(Term::ite(bit, Term::int(1), Term::int(0)))
            }
            (CastOp::ZExt, Ty::Int(width), Ty::Int(wide)) if wide <= 64 => {
                let number = self.int(val, width);
                Val::Int(unsigned(number, width.into()))
            }
            (CastOp::SExt, Ty::Int(width), Ty::Int(wide)) if wide <= 64 => Val::Int(self.int(val, width)),
            (CastOp::Trunc, Ty::Int(_), Ty::Int(1)) => {
                let number = self.int(val, 64);
                Val::Bit(Term::eq(Term::op(Op::IntMod, [number, Term::int(2)]), Term::int(1)))
            }
            (CastOp::Trunc, Ty::Int(width), Ty::Int(narrow)) if width <= 64 => {
                let number = self.int(val, width);
                Val::Int(wrapped(number, narrow.into()))
            }
            _ => self.fresh_val(to),
        }
    }
}

/// A number fits some bits, with sign.
fn in_range(number: &Term, bits: u32) -> Term {
    let half = limit((bits / 8).max(1) as u8).unwrap_or(1 << 63);
    let half = if bits.is_multiple_of(8) { half } else { 1i128 << (bits - 1) };
    Term::and([Term::int_le(Term::int(-half), number.clone()), Term::int_lt(number.clone(), Term::int(half))])
}

/// A number that is at most one range away from what fits.
fn once_wrapped(number: Term, bits: u32) -> Term {
    if number.as_int().is_some() {
        return wrapped(number, bits);
    }
    let (half, range) = (1i128 << (bits - 1), Term::int(1 << bits));
    let low = Term::int_lt(number.clone(), Term::int(-half));
    let high = Term::int_le(Term::int(half), number.clone());
    Term::ite(
        low,
        Term::int_add(number.clone(), range.clone()),
        Term::ite(high, Term::int_sub(number.clone(), range), number),
    )
}
