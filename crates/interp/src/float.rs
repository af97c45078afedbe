//! Floating point: `float` and `double` natively, the other formats in software.

use heapproof_ir::{FloatBinOp, FloatCmpOp, FloatKind, FloatUnOp, mask, sign_extend};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// `a op b`
pub fn binary(op: FloatBinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    macro_rules! native {
        ($read:ident) => {{
            let (x, y) = ($read(a), $read(b));
            let result = match op {
                FloatBinOp::Add => x + y,
                FloatBinOp::Sub => x - y,
                FloatBinOp::Mul => x * y,
                FloatBinOp::Div => x / y,
                FloatBinOp::Rem => x % y,
                FloatBinOp::Min => x.min(y),
                FloatBinOp::Max => x.max(y),
                FloatBinOp::CopySign => x.copysign(y),
            };
            u128::from(result.to_bits())
        }};
    }
    match kind {
        FloatKind::F32 => native!(single),
        FloatKind::F64 => native!(double),
        FloatKind::X87 => soft_binary::<X87DoubleExtended>(op, a, b),
        FloatKind::F128 => soft_binary::<Quad>(op, a, b),
    }
}

fn soft_binary<F: Float>(op: FloatBinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatBinOp::Add => (x + y).value,
        FloatBinOp::Sub => (x - y).value,
        FloatBinOp::Mul => (x * y).value,
        FloatBinOp::Div => (x / y).value,
        FloatBinOp::Rem => x.c_fmod(y).value,
        FloatBinOp::Min => x.min(y),
        FloatBinOp::Max => x.max(y),
        FloatBinOp::CopySign => x.copy_sign(y),
    };
    result.to_bits()
}

/// `op a`
pub fn unary(op: FloatUnOp, kind: FloatKind, a: u128) -> u128 {
    let sign = 1u128 << (kind.bits() - 1);
    match op {
        FloatUnOp::Neg => return a ^ sign,
        FloatUnOp::Abs => return a & !sign,
        _ => {}
    }
    macro_rules! native {
        ($x:expr) => {{
            let x = $x;
            let result = match op {
                FloatUnOp::Sqrt => x.sqrt(),
                FloatUnOp::Floor => x.floor(),
                FloatUnOp::Ceil => x.ceil(),
                FloatUnOp::Trunc => x.trunc(),
                FloatUnOp::Round => x.round(),
                FloatUnOp::RoundEven => x.round_ties_even(),
                FloatUnOp::Neg => -x,
                FloatUnOp::Abs => x.abs(),
            };
            u128::from(result.to_bits())
        }};
    }
    match kind {
        FloatKind::F32 => native!(single(a)),
        FloatKind::F64 => native!(double(a)),
        FloatKind::X87 | FloatKind::F128 => {
            if op == FloatUnOp::Sqrt && kind == FloatKind::X87 {
                return x87_root(a);
            }
            if op == FloatUnOp::Sqrt {
                // Only as exact as `double`.
                let root = double(convert(kind, FloatKind::F64, a)).sqrt();
                return convert(FloatKind::F64, kind, u128::from(root.to_bits()));
            }
            let round = match op {
                FloatUnOp::Floor => Round::TowardNegative,
                FloatUnOp::Ceil => Round::TowardPositive,
                FloatUnOp::Trunc => Round::TowardZero,
                FloatUnOp::Round => Round::NearestTiesToAway,
                _ => Round::NearestTiesToEven,
            };
            if kind == FloatKind::X87 {
                X87DoubleExtended::from_bits(a).round_to_integral(round).value.to_bits()
            } else {
                Quad::from_bits(a).round_to_integral(round).value.to_bits()
            }
        }
    }
}

/// The square root of an x87 number, to nearest.
fn x87_root(a: u128) -> u128 {
    let number = X87DoubleExtended::from_bits(a);
    if number.is_nan() || number.is_zero() || number.is_infinite() && !number.is_negative() {
        return a;
    }
    if number.is_negative() {
        return (-X87DoubleExtended::NAN).to_bits();
    }
    let (mut significand, mut exponent) = (a as u64, (a >> 64) as i32 & 0x7fff);
    exponent = exponent.max(1) - 16_383;
    let shift = significand.leading_zeros();
    significand <<= shift;
    exponent -= shift as i32;
    // The number is significand * 2^(exponent - 63); the root of what it is times an even power of two has 64 bits.
    let odd = exponent.rem_euclid(2) as u32;
    let square = u128::from(significand) << (63 + odd);
    let mut root = square.isqrt();
    if square - root * root > root {
        root += 1;
    }
    let half = (exponent - odd as i32) / 2;
    if root >> 64 != 0 {
        return u128::from((half + 1 + 16_383) as u16) << 64 | 1 << 63;
    }
    u128::from((half + 16_383) as u16) << 64 | root
}

/// `a * b + c`, rounded once.
pub fn multiply_add(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    fn soft<F: Float>(a: u128, b: u128, c: u128) -> u128 {
        F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
    }
    match kind {
        FloatKind::F32 => u128::from(single(a).mul_add(single(b), single(c)).to_bits()),
        FloatKind::F64 => u128::from(double(a).mul_add(double(b), double(c)).to_bits()),
        FloatKind::X87 => soft::<X87DoubleExtended>(a, b, c),
        FloatKind::F128 => soft::<Quad>(a, b, c),
    }
}

/// `a op b` as a Boolean.
pub fn compare(op: FloatCmpOp, kind: FloatKind, a: u128, b: u128) -> bool {
    let order = match kind {
        FloatKind::F32 => single(a).partial_cmp(&single(b)),
        FloatKind::F64 => double(a).partial_cmp(&double(b)),
        FloatKind::X87 => X87DoubleExtended::from_bits(a).partial_cmp(&X87DoubleExtended::from_bits(b)),
        FloatKind::F128 => Quad::from_bits(a).partial_cmp(&Quad::from_bits(b)),
    };
    use FloatCmpOp::*;
    match order {
        None => matches!(op, Uno | Ueq | Ugt | Uge | Ult | Ule | Une | True),
        Some(order) => match op {
            False | Uno => false,
            True | Ord => true,
            Oeq | Ueq => order == Ordering::Equal,
            One | Une => order != Ordering::Equal,
            Ogt | Ugt => order == Ordering::Greater,
            Oge | Uge => order != Ordering::Less,
            Olt | Ult => order == Ordering::Less,
            Ole | Ule => order != Ordering::Greater,
        },
    }
}

/// A number in C's decimal or hexadecimal form, to nearest; zero if it is none.
pub fn parse(kind: FloatKind, text: &str) -> u128 {
    fn bits<F: Float>(text: &str) -> u128 {
        match text {
            "inf" => F::INFINITY.to_bits(),
            "-inf" => (-F::INFINITY).to_bits(),
            "nan" => F::NAN.to_bits(),
            _ => F::from_str_r(text, Round::NearestTiesToEven).map_or(0, |number| number.value.to_bits()),
        }
    }
    match kind {
        FloatKind::F32 => bits::<Single>(text),
        FloatKind::F64 => bits::<Double>(text),
        FloatKind::X87 => bits::<X87DoubleExtended>(text),
        FloatKind::F128 => bits::<Quad>(text),
    }
}

/// Between formats.
pub fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => u128::from(f64::from(single(a)).to_bits()),
        (FloatKind::F64, FloatKind::F32) => u128::from((double(a) as f32).to_bits()),
        (FloatKind::F32, _) => soft_convert::<Single>(to, a),
        (FloatKind::F64, _) => soft_convert::<Double>(to, a),
        (FloatKind::X87, _) => soft_convert::<X87DoubleExtended>(to, a),
        (FloatKind::F128, _) => soft_convert::<Quad>(to, a),
    }
}

fn soft_convert<F>(to: FloatKind, a: u128) -> u128
where
    F: FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
{
    fn one<F: FloatConvert<T>, T: Float>(a: u128) -> u128 {
        let mut inexact = false;
        let converted: T = F::from_bits(a).convert(&mut inexact).value;
        converted.to_bits()
    }
    match to {
        FloatKind::F32 => one::<F, Single>(a),
        FloatKind::F64 => one::<F, Double>(a),
        FloatKind::X87 => one::<F, X87DoubleExtended>(a),
        FloatKind::F128 => one::<F, Quad>(a),
    }
}

/// An unsigned integer as a float.
pub fn from_uint(kind: FloatKind, value: u128) -> u128 {
    match kind {
        FloatKind::F32 => u128::from((value as f32).to_bits()),
        FloatKind::F64 => u128::from((value as f64).to_bits()),
        FloatKind::X87 => X87DoubleExtended::from_u128(value).value.to_bits(),
        FloatKind::F128 => Quad::from_u128(value).value.to_bits(),
    }
}

/// A signed integer as a float.
pub fn from_sint(kind: FloatKind, value: i128) -> u128 {
    match kind {
        FloatKind::F32 => u128::from((value as f32).to_bits()),
        FloatKind::F64 => u128::from((value as f64).to_bits()),
        FloatKind::X87 => X87DoubleExtended::from_i128(value).value.to_bits(),
        FloatKind::F128 => Quad::from_i128(value).value.to_bits(),
    }
}

/// A float as an integer, towards zero; none when it does not fit.
pub fn to_int(kind: FloatKind, a: u128, width: u8, signed: bool) -> Option<u128> {
    if matches!(kind, FloatKind::F32 | FloatKind::F64) && width <= 64 {
        let value = as_f64(kind, a).trunc();
        let limit = 2f64.powi(i32::from(width) - i32::from(signed));
        let least = if signed { -limit } else { 0.0 };
        // The bounds are powers of two, so these comparisons are exact; a NaN fails both.
        return (value >= least && value < limit).then(|| value as i128 as u128 & mask(width));
    }
    let quad = Quad::from_bits(convert(kind, FloatKind::F128, a));
    if quad.is_nan() || quad.is_infinite() {
        return None;
    }
    if signed {
        let value = quad.to_i128(128).value;
        let bits = value as u128 & mask(width);
        let fits = !(value == i128::MAX || value == i128::MIN) && sign_extend(bits, width) == value;
        fits.then_some(bits)
    } else {
        if quad.is_negative() {
            // Above -1 it is cut to zero.
            return (quad.to_i128(128).value == 0).then_some(0);
        }
        let value = quad.to_u128(128).value;
        (value <= mask(width) && value != u128::MAX).then_some(value)
    }
}

/// The nearest `double`.
pub fn as_f64(kind: FloatKind, bits: u128) -> f64 {
    double(convert(kind, FloatKind::F64, bits))
}

/// A `double` in another format.
pub fn from_f64(kind: FloatKind, value: f64) -> u128 {
    convert(FloatKind::F64, kind, u128::from(value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_convert() {
        for kind in [FloatKind::F32, FloatKind::F64, FloatKind::X87, FloatKind::F128] {
            let bits = from_f64(kind, 1.5);
            assert_eq!(as_f64(kind, bits), 1.5);
            let three = binary(FloatBinOp::Add, kind, bits, bits);
            assert_eq!(as_f64(kind, three), 3.0);
            assert_eq!(to_int(kind, three, 32, true), Some(3));
            assert!(compare(FloatCmpOp::Ogt, kind, three, bits));
            assert_eq!(as_f64(kind, unary(FloatUnOp::Floor, kind, bits)), 1.0);
            assert_eq!(as_f64(kind, unary(FloatUnOp::Neg, kind, bits)), -1.5);
            assert_eq!(from_sint(kind, -3), unary(FloatUnOp::Neg, kind, three));
        }
    }

    #[test]
    fn out_of_range_conversions_are_unspecified() {
        let bits = |x: f64| u128::from(x.to_bits());
        assert_eq!(to_int(FloatKind::F64, bits(300.0), 8, false), None);
        assert_eq!(to_int(FloatKind::F64, bits(-0.5), 8, false), Some(0));
        assert_eq!(to_int(FloatKind::F64, bits(-129.0), 8, true), None);
        assert_eq!(to_int(FloatKind::F64, bits(-128.9), 8, true), Some(0x80));
        assert_eq!(to_int(FloatKind::F64, bits(f64::NAN), 64, true), None);
        assert_eq!(
            to_int(FloatKind::F64, bits(18446744073709549568.0), 64, false),
            Some(0xffff_ffff_ffff_f800)
        );
    }

    #[test]
    fn nan_is_unordered() {
        let nan = u128::from(f64::NAN.to_bits());
        assert!(compare(FloatCmpOp::Une, FloatKind::F64, nan, nan));
        assert!(!compare(FloatCmpOp::Oeq, FloatKind::F64, nan, nan));
        assert!(compare(FloatCmpOp::Uno, FloatKind::F64, nan, nan));
    }
}
