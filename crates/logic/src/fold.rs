//! The meaning of operators on values: the one definition that evaluation and simplification share.

use crate::value::{mask, signed};
use crate::{BvOp, BvRel, Op, Sort, Value};

/// The result of an operator on values; none if it has none here (a division of integers by zero, an integer that is
/// too large, separation logic) or the values do not fit. `sort` is that of the result.
pub fn fold(op: Op, sort: &Sort, args: &[Value]) -> Option<Value> {
    match op {
        Op::Not => Some(Value::Bool(!args.first()?.as_bool()?)),
        Op::And => all(args, |value| value).map(Value::Bool),
        Op::Or => all(args, |value| !value).map(|none| Value::Bool(!none)),
        Op::Eq => Some(Value::Bool(args.first()?.is_same(args.get(1)?))),
        Op::Distinct => {
            let differs = |index: usize| !args[..index].iter().any(|other| other.is_same(&args[index]));
            Some(Value::Bool((0..args.len()).all(differs)))
        }
        Op::Ite => {
            let chosen = if args.first()?.as_bool()? { 1 } else { 2 };
            args.get(chosen).cloned()
        }
        Op::Bv(bv) => {
            let mut result = args.first()?.clone();
            for arg in &args[1..] {
                let (Value::Bits { bits: a, width }, Value::Bits { bits: b, .. }) = (&result, arg) else {
                    return None;
                };
                result = Value::bits(operate(bv, *a, *b, *width), *width);
            }
            Some(result)
        }
        Op::Rel(rel) => {
            let [Value::Bits { bits: a, width }, Value::Bits { bits: b, .. }] = args else { return None };
            Some(Value::Bool(holds(rel, *a, *b, *width)))
        }
        Op::BvNot | Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::BitsToInt => {
            let [Value::Bits { bits, width }] = args else { return None };
            one(op, *bits, *width)
        }
        Op::Concat => {
            let [Value::Bits { bits: high, width: above }, Value::Bits { bits: low, width: below }] = args
            else {
                return None;
            };
            Some(Value::bits((high << below) | low, above + below))
        }
        Op::IntAdd => number(args.iter().try_fold(0i128, |sum, arg| sum.checked_add(arg.as_int()?))),
        Op::IntMul => number(args.iter().try_fold(1i128, |product, arg| product.checked_mul(arg.as_int()?))),
        Op::IntDiv => number(args.first()?.as_int()?.checked_div_euclid(args.get(1)?.as_int()?)),
        Op::IntMod => number(args.first()?.as_int()?.checked_rem_euclid(args.get(1)?.as_int()?)),
        Op::IntLe => Some(Value::Bool(args.first()?.as_int()? <= args.get(1)?.as_int()?)),
        Op::IntLt => Some(Value::Bool(args.first()?.as_int()? < args.get(1)?.as_int()?)),
        Op::IntToBits(width) => Some(Value::bits(args.first()?.as_int()? as u128, width)),
        Op::Select => args.first()?.select(args.get(1)?),
        Op::Store => args.first()?.clone().store(args.get(1)?.clone(), args.get(2)?.clone()),
        Op::ConstArray => {
            let rest = Box::new(args.first()?.clone());
            Some(Value::Array { sort: sort.clone(), elements: Default::default(), rest })
        }
        Op::SepEmp | Op::SepStar | Op::SepWand | Op::PointsTo | Op::SepNil => None,
    }
}

fn all(args: &[Value], wanted: impl Fn(bool) -> bool) -> Option<bool> {
    args.iter().try_fold(true, |so_far, arg| Some(so_far && wanted(arg.as_bool()?)))
}

fn number(number: Option<i128>) -> Option<Value> {
    number.map(Value::Int)
}

fn one(op: Op, bits: u128, width: u8) -> Option<Value> {
    Some(match op {
        Op::BvNot => Value::bits(!bits, width),
        Op::Extract { high, low } => Value::bits(bits >> low, high - low + 1),
        Op::ZeroExtend(by) => Value::bits(bits, width + by),
        Op::SignExtend(by) => Value::bits(signed(bits, width) as u128, width + by),
        Op::BitsToInt => Value::Int(i128::try_from(bits).ok()?),
        _ => return None,
    })
}

/// An operation on two bit vectors.
pub(crate) fn operate(op: BvOp, a: u128, b: u128, width: u8) -> u128 {
    let (x, y) = (signed(a, width), signed(b, width));
    let shift = if b < u128::from(width) { b as u32 } else { u32::from(width) };
    let result = match op {
        BvOp::Add => a.wrapping_add(b),
        BvOp::Sub => a.wrapping_sub(b),
        BvOp::Mul => a.wrapping_mul(b),
        BvOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BvOp::URem => a.checked_rem(b).unwrap_or(a),
        BvOp::SDiv if b == 0 => (if x < 0 { 1i128 } else { -1 }) as u128,
        BvOp::SDiv => x.wrapping_div(y) as u128,
        BvOp::SRem if b == 0 => a,
        BvOp::SRem => x.wrapping_rem(y) as u128,
        BvOp::Shl => a.checked_shl(shift).unwrap_or(0),
        BvOp::LShr => a.checked_shr(shift).unwrap_or(0),
        BvOp::AShr => (x >> shift.min(127)) as u128,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
    };
    result & mask(width)
}

/// An order of two bit vectors.
pub(crate) fn holds(rel: BvRel, a: u128, b: u128, width: u8) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match rel {
        BvRel::Ult => a < b,
        BvRel::Ule => a <= b,
        BvRel::Slt => x < y,
        BvRel::Sle => x <= y,
    }
}
