//! Arithmetic and comparison of values: terms of `logic`, with addresses relative to their object where that is exact.

use crate::heap::{Heap, Life, Object};
use crate::value::{ObjId, Prov, Value, combine};
use heapproof_ir::{BinOp, CmpOp, IntUnOp, mask};
use heapproof_logic::{BvOp, BvRel, Term};

/// Below this, and as far below zero, no object lives.
const PAGE: u128 = 4096;

pub fn operation(op: BinOp) -> BvOp {
    match op {
        BinOp::Add => BvOp::Add,
        BinOp::Sub => BvOp::Sub,
        BinOp::Mul => BvOp::Mul,
        BinOp::UDiv => BvOp::UDiv,
        BinOp::SDiv => BvOp::SDiv,
        BinOp::URem => BvOp::URem,
        BinOp::SRem => BvOp::SRem,
        BinOp::Shl => BvOp::Shl,
        BinOp::LShr => BvOp::LShr,
        BinOp::AShr => BvOp::AShr,
        BinOp::And => BvOp::And,
        BinOp::Or => BvOp::Or,
        BinOp::Xor => BvOp::Xor,
    }
}

pub fn comparison(op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => Term::eq(a, b),
        CmpOp::Ne => Term::ne(a, b),
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

/// A truth value as a bit.
pub fn bit(condition: Term) -> Term {
    Term::ite(condition, Term::bits(1, 1), Term::bits(0, 1))
}

/// A bit as a truth value.
pub fn truth(bit: &Term) -> Term {
    Term::eq(bit.clone(), Term::bits(1, bit.width()))
}

/// How far an address is from the start of an object.
pub fn offset(object: &Object, address: &Term) -> Term {
    Term::bv(BvOp::Sub, address.clone(), object.base.clone())
}

/// The address at an offset of an object.
pub fn base_plus(object: &Object, offset: &Term) -> Term {
    Term::bv(BvOp::Add, object.base.clone(), offset.clone())
}

/// `a op b`; neither a division by zero nor a shift by too much.
pub fn binary(heap: &Heap, op: BinOp, a: &Value, b: &Value) -> Value {
    let prov = combine(op, a, b);
    let exact = match (&a.prov, &b.prov) {
        (Prov::Object(id), _) if !b.is_address() => relative(heap.get(*id), op, &a.term, &b.term, false),
        (_, Prov::Object(id)) if !a.is_address() => relative(heap.get(*id), op, &b.term, &a.term, true),
        _ => None,
    };
    let term = exact.unwrap_or_else(|| Term::bv(operation(op), a.term.clone(), b.term.clone()));
    Value { term, prov }
}

/// Bit operations on an address, as far as they follow from the alignment of its object.
fn relative(object: &Object, op: BinOp, address: &Term, number: &Term, swapped: bool) -> Option<Term> {
    if address.width() != object.base.width() {
        return None;
    }
    let (bits, align, top) = (number.as_bits()?, u128::from(object.align), mask(address.width()));
    let offset = offset(object, address);
    let inside = |op: BvOp| Term::bv(op, offset.clone(), number.clone());
    let moved = |inner: Term| Term::bv(BvOp::Add, object.base.clone(), inner);
    match op {
        BinOp::And if bits < align => Some(inside(BvOp::And)),
        BinOp::And if (!bits & top) < align => Some(moved(inside(BvOp::And))),
        BinOp::Or if bits < align => Some(moved(inside(BvOp::Or))),
        BinOp::Xor if bits < align => Some(moved(inside(BvOp::Xor))),
        BinOp::URem if !swapped && bits.is_power_of_two() && bits <= align => Some(inside(BvOp::URem)),
        _ => None,
    }
}

/// `a op b` of two numbers or addresses, as a truth value. What depends on where objects lie is left to the bases, which are free.
pub fn compare(heap: &Heap, is_anonymous: impl Fn(ObjId) -> bool, op: CmpOp, a: &Value, b: &Value) -> Term {
    let equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
    let whole = || comparison(op, a.term.clone(), b.term.clone());
    // An address in a wider number is compared as a number.
    let wider = |id: &ObjId| heap.get(*id).base.width() != a.term.width();
    match (&a.prov, &b.prov) {
        (Prov::Object(id), _) | (_, Prov::Object(id)) if wider(id) => whole(),
        (Prov::Object(x), Prov::Object(y)) if x == y => {
            let object = heap.get(*x);
            let (p, q) = (offset(object, &a.term), offset(object, &b.term));
            if equality {
                // Whether equal string literals are one object is the compiler's choice.
                return if is_anonymous(*x) { free(a, b) } else { comparison(op, p, q) };
            }
            let unsigned = matches!(op, CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge);
            if unsigned && within(object, &p) && within(object, &q) { comparison(op, p, q) } else { whole() }
        }
        (Prov::Object(x), Prov::Object(y)) => {
            let apart = equality
                && !(is_anonymous(*x) && is_anonymous(*y))
                && apart(heap.get(*x), &a.term)
                && apart(heap.get(*y), &b.term);
            if apart { Term::truth(op == CmpOp::Ne) } else { whole() }
        }
        (Prov::Object(x), _) if !b.is_address() => against_number(heap.get(*x), op, &a.term, &b.term, whole),
        (_, Prov::Object(y)) if !a.is_address() => against_number(heap.get(*y), op, &b.term, &a.term, whole),
        _ => whole(),
    }
}

/// A comparison that may turn out either way: of two names that nothing else is said about.
fn free(a: &Value, b: &Value) -> Term {
    use heapproof_logic::{Function, Sort};
    let sort = Sort::Bits(a.term.width());
    let same = Function::new("same_literal", vec![sort.clone(), sort], Sort::Bool);
    same.apply([a.term.clone(), b.term.clone()])
}

/// An address against a number that is none: null and its neighbours are no addresses.
fn against_number(
    object: &Object,
    op: CmpOp,
    address: &Term,
    number: &Term,
    whole: impl Fn() -> Term,
) -> Term {
    let (low, high) = number.range();
    let nowhere = high < PAGE || low > mask(number.width()) - PAGE;
    let offset = offset(object, address);
    match op {
        CmpOp::Eq if nowhere && within(object, &offset) => Term::truth(false),
        CmpOp::Ne if nowhere && within(object, &offset) => Term::truth(true),
        _ => whole(),
    }
}

/// True if an offset surely lies in an object or right after it.
fn within(object: &Object, offset: &Term) -> bool {
    offset.range().1 <= object.size.range().0
}

/// True if no other live object can have this address.
fn apart(object: &Object, address: &Term) -> bool {
    let offset = offset(object, address);
    let function = matches!(object.kind, crate::heap::Kind::Function(_)) && offset.as_bits() == Some(0);
    object.life == Life::Live && (function || offset.range().1 < object.size.range().0)
}

/// Operations on the bits of one number.
pub fn unary(op: IntUnOp, a: &Term) -> Term {
    let width = a.width();
    if let Some(bits) = a.as_bits() {
        return Term::bits(op.compute(width, bits), width);
    }
    let at = |index: u8| Term::extract(index, index, a.clone());
    let is_set = |index: u8| truth(&at(index));
    let number = |n: u8| Term::bits(n.into(), width);
    let join = |parts: Vec<Term>| parts.into_iter().reduce(|low, high| Term::concat(high, low));
    match op {
        IntUnOp::ByteSwap => {
            let bytes = (0..width / 8).rev().map(|i| Term::extract(8 * i + 7, 8 * i, a.clone()));
            join(bytes.collect()).unwrap_or_else(|| a.clone())
        }
        IntUnOp::BitReverse => join((0..width).rev().map(at).collect()).unwrap_or_else(|| a.clone()),
        IntUnOp::PopCount => (0..width)
            .map(|i| at(i).resized(width, false))
            .reduce(|sum, next| Term::bv(BvOp::Add, sum, next))
            .unwrap_or_else(|| number(0)),
        IntUnOp::LeadingZeros => {
            (0..width).fold(number(width), |rest, i| Term::ite(is_set(i), number(width - 1 - i), rest))
        }
        IntUnOp::TrailingZeros => {
            (0..width).rev().fold(number(width), |rest, i| Term::ite(is_set(i), number(i), rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::{Fill, Kind};
    use heapproof_logic::Sort;

    #[test]
    fn addresses_are_compared_by_object_and_offset() {
        let mut heap = Heap::default();
        let mut block = || {
            let id = heap.create(Term::bits(16, 64), 16, Kind::Heap, Fill::Uninit);
            heap.address(id)
        };
        let (p, q) = (block(), block());
        let at = |v: &Value, n: i128| Value { term: v.term.clone().plus(n), prov: v.prov.clone() };
        let cmp = |op, a: &Value, b: &Value| compare(&heap, |_| false, op, a, b).as_bool();
        assert_eq!(cmp(CmpOp::Eq, &p, &q), Some(false));
        assert_eq!(cmp(CmpOp::Eq, &at(&p, 16), &q), None, "one may begin where the other ends");
        assert_eq!(cmp(CmpOp::Ult, &at(&p, 4), &at(&p, 8)), Some(true));
        assert_eq!(cmp(CmpOp::Eq, &p, &Value::null(64)), Some(false));
        assert_eq!(cmp(CmpOp::Ult, &p, &q), None);
        let masked = binary(&heap, BinOp::And, &at(&p, 7), &Value::number(u128::from(!3u64), 64));
        assert_eq!(masked, at(&p, 4));
        let low = binary(&heap, BinOp::And, &at(&p, 7), &Value::number(3, 64));
        assert_eq!(low, Value::number(3, 64));
    }

    #[test]
    fn bits_of_unknown_numbers() {
        let x = Term::var("x", Sort::Bits(16));
        for (value, op) in [
            (0x0130u128, IntUnOp::PopCount),
            (0, IntUnOp::LeadingZeros),
            (0x50, IntUnOp::TrailingZeros),
            (0x1234, IntUnOp::ByteSwap),
            (0x8001, IntUnOp::BitReverse),
            (0x0800, IntUnOp::LeadingZeros),
        ] {
            let mut model = heapproof_logic::Model::new();
            model.set(x.clone(), heapproof_logic::Value::bits(value, 16));
            let got = model.eval(&unary(op, &x)).unwrap().as_bits();
            assert_eq!(got, Some(op.compute(16, value)), "{op:?} of {value}");
        }
    }
}
