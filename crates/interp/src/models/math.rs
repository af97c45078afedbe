//! `math.h`: what is exact is computed in every format, other functions as the C library of this machine does.

use super::{Call, float_kind};
use crate::api::Stop;
use crate::float;
use crate::machine::{Machine, Res};
use crate::value::Value;
use heapproof_ir::{FloatBinOp, FloatKind, FloatUnOp};
use heapproof_libc::{MathFunction, Scalar};

impl Machine<'_, '_> {
    pub(super) fn math_function(
        &mut self,
        call: &Call<'_>,
        function: MathFunction,
        value: Scalar,
    ) -> Res<Value> {
        let kind = float_kind(value);
        let args: Vec<u128> = call.args.iter().map(|(arg, _)| arg.bits).collect();
        let known = exact(function, kind, &args);
        let bits = match known.or_else(|| computed(function, kind, &args)) {
            Some(bits) => bits,
            None => {
                let what = format!("the digits of a `long double` that `{}` computes", call.name());
                return Err(Stop::Unsupported { what }.into());
            }
        };
        if self.word_bits == 32 && known.is_none() {
            self.note_choice("the last digit of a number");
        }
        let shown: Vec<f64> = args.iter().map(|arg| float::as_f64(kind, *arg)).collect();
        if let Some(error) = function.error(value, &shown, float::as_f64(kind, bits)) {
            self.may_set_error_number(error, call.name())?;
        }
        Ok(Value::plain(bits))
    }
}

/// The result of a function that is the same in every library.
fn exact(function: MathFunction, kind: FloatKind, args: &[u128]) -> Option<u128> {
    use MathFunction::*;
    let unary = |op| Some(float::unary(op, kind, args[0]));
    match function {
        Sqrt => unary(FloatUnOp::Sqrt),
        Fabs => unary(FloatUnOp::Abs),
        Floor => unary(FloatUnOp::Floor),
        Ceil => unary(FloatUnOp::Ceil),
        Trunc => unary(FloatUnOp::Trunc),
        Round => unary(FloatUnOp::Round),
        Rint => unary(FloatUnOp::RoundEven),
        Fmod => Some(float::binary(FloatBinOp::Rem, kind, args[0], args[1])),
        Copysign => Some(float::binary(FloatBinOp::CopySign, kind, args[0], args[1])),
        Fma => Some(float::multiply_add(kind, args[0], args[1], args[2])),
        Fmin | Fmax => {
            let zero = |bits: u128| float::as_f64(kind, bits) == 0.0 && bits << (128 - kind.bits() + 1) == 0;
            if zero(args[0]) && zero(args[1]) {
                // Of two zeros the first one is taken.
                return Some(args[0]);
            }
            let op = if function == Fmin { FloatBinOp::Min } else { FloatBinOp::Max };
            Some(float::binary(op, kind, args[0], args[1]))
        }
        _ => None,
    }
}

/// The result as the library of this machine computes it.
fn computed(function: MathFunction, kind: FloatKind, args: &[u128]) -> Option<u128> {
    macro_rules! native {
        ($ty:ty, $bits:ty) => {{
            let x = <$ty>::from_bits(args[0] as $bits);
            let y = <$ty>::from_bits(args.get(1).copied().unwrap_or(0) as $bits);
            use MathFunction::*;
            let result = match function {
                Cbrt => x.cbrt(),
                Exp => x.exp(),
                Exp2 => x.exp2(),
                Expm1 => x.exp_m1(),
                Log => x.ln(),
                Log2 => x.log2(),
                Log10 => x.log10(),
                Log1p => x.ln_1p(),
                Sin => x.sin(),
                Cos => x.cos(),
                Tan => x.tan(),
                Asin => x.asin(),
                Acos => x.acos(),
                Atan => x.atan(),
                Sinh => x.sinh(),
                Cosh => x.cosh(),
                Tanh => x.tanh(),
                Pow => x.powf(y),
                Atan2 => x.atan2(y),
                Hypot => x.hypot(y),
                _ => return None,
            };
            Some(u128::from(result.to_bits()))
        }};
    }
    match kind {
        FloatKind::F32 => native!(f32, u32),
        FloatKind::F64 => native!(f64, u64),
        FloatKind::X87 | FloatKind::F128 => simple(function, kind, args),
    }
}

/// Results of longer formats that are known without computing digits.
fn simple(function: MathFunction, kind: FloatKind, args: &[u128]) -> Option<u128> {
    use MathFunction::*;
    let numbers: Vec<f64> = args.iter().map(|arg| float::as_f64(kind, *arg)).collect();
    let is = |index: usize, wanted: f64| args.get(index) == Some(&float::from_f64(kind, wanted));
    let number = |value: f64| Some(float::from_f64(kind, value));
    match function {
        Exp | Exp2 | Cosh | Cos if numbers[0] == 0.0 => number(1.0),
        Log | Log2 | Log10 | Acos if is(0, 1.0) => number(0.0),
        Sin | Tan | Asin | Atan | Sinh | Tanh | Cbrt | Expm1 | Log1p if numbers[0] == 0.0 => Some(args[0]),
        Pow if numbers[1] == 0.0 || is(0, 1.0) => number(1.0),
        Pow if is(1, 1.0) => Some(args[0]),
        Pow => whole_power(kind, args),
        Hypot if numbers[1] == 0.0 => Some(float::unary(FloatUnOp::Abs, kind, args[0])),
        Hypot if numbers[0] == 0.0 => Some(float::unary(FloatUnOp::Abs, kind, args[1])),
        _ => None,
    }
}

/// A small whole number to a small whole power, if the result has few digits.
fn whole_power(kind: FloatKind, args: &[u128]) -> Option<u128> {
    let base = float::to_int(kind, args[0], 64, true).map(|bits| bits as u64 as i64)?;
    let times = float::to_int(kind, args[1], 32, true).map(|bits| bits as u32 as i32)?;
    let back =
        float::from_sint(kind, base.into()) == args[0] && float::from_sint(kind, times.into()) == args[1];
    let power = base.checked_pow(u32::try_from(times).ok()?)?;
    back.then(|| float::from_sint(kind, power.into()))
}
