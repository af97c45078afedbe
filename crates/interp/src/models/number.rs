//! Numbers from strings, absolute values and `math.h`.

use super::{Call, float_kind};
use crate::fault::Access;
use crate::float;
use crate::machine::{Machine, Res};
use crate::value::{Prov, Value};
use heapproof_ir::{mask, sign_extend};
use heapproof_libc::{CharClass, EINVAL, ERANGE, ModelKind, Scalar};

impl Machine<'_, '_> {
    pub(super) fn number_function(&mut self, call: &Call<'_>) -> Res<Value> {
        match call.model.kind {
            ModelKind::ParseInt { value, full } => {
                let text = self.string(call.value(0), call.actor(0))?;
                let base = if full { call.int(2) as u32 } else { 10 };
                let width = value.bits(self.word_bits);
                let (number, used) = parse_int(&text, base);
                if full {
                    self.put_end(call, used)?;
                }
                // `atoi` is `(int)strtol(…)`, which does not saturate at the width of `int`.
                let limit = if full { width } else { width.max(self.word_bits) };
                let (low, high) = if value.is_signed() {
                    (-((mask(limit) / 2) as i128) - 1, (mask(limit) / 2) as i128)
                } else {
                    (-(mask(limit) as i128), mask(limit) as i128)
                };
                let saturated =
                    if !value.is_signed() && number < low { high } else { number.clamp(low, high) };
                let invalid = full && !matches!(base, 0 | 2..=36);
                self.report(call, invalid, used, (saturated != number).then_some(full))?;
                Ok(Value::plain(saturated as u128 & mask(width)))
            }
            ModelKind::ParseFloat { value, full } => {
                let text = self.string(call.value(0), call.actor(0))?;
                let (number, used) = parse_float(&text);
                if full {
                    self.put_end(call, used)?;
                }
                let bits = float::parse(float_kind(value), &number);
                self.report(call, false, used, float_error(&number, value, bits, full))?;
                Ok(Value::plain(bits))
            }
            ModelKind::DiffTime => {
                let time = |index| sign_extend(call.value(index).bits & mask(self.word_bits), self.word_bits);
                let seconds = (time(0) - time(1)) as f64;
                Ok(Value::plain(u128::from(seconds.to_bits())))
            }
            ModelKind::Abs => {
                let width = call.model.result.bits(self.word_bits);
                let number = sign_extend(call.value(0).bits & mask(width), width);
                Ok(Value::plain(number.unsigned_abs() & mask(width)))
            }
            ModelKind::Math { function, value } => self.math_function(call, function, value),
            _ => unreachable!("no function on numbers"),
        }
    }

    /// Sets the error number after a number was read from a text of which `used` characters belong to it. A result that is out of
    /// range has to be reported, or may be.
    fn report(&mut self, call: &Call<'_>, invalid: bool, used: usize, range: Option<bool>) -> Res<()> {
        match range {
            _ if invalid => self.set_error_number(EINVAL),
            Some(true) => self.set_error_number(ERANGE),
            Some(false) => self.may_set_error_number(ERANGE, call.name()),
            // POSIX leaves it open.
            None if used == 0 => self.may_set_error_number(EINVAL, call.name()),
            None => Ok(()),
        }
    }

    /// Stores where the number ended.
    fn put_end(&mut self, call: &Call<'_>, used: usize) -> Res<()> {
        let place = call.value(1);
        if place.bits == 0 && matches!(place.prov, Prov::Null | Prov::None) {
            return Ok(());
        }
        let n = self.word_bytes;
        let (id, at) = self.check(place, n, Access::Write, call.actor(1))?;
        let end = self.moved(call.value(0), used as u64);
        self.put(id, at, n, end)
    }
}

/// The number at the start of a text and how many bytes it takes, as `strtol` reads it.
pub(super) fn parse_int(text: &[u8], mut base: u32) -> (i128, usize) {
    let mut at = text.iter().take_while(|c| CharClass::Space.holds(**c)).count();
    let mut negative = false;
    if let Some(sign @ (b'+' | b'-')) = text.get(at) {
        negative = *sign == b'-';
        at += 1;
    }
    let hex = matches!(text.get(at..at + 3), Some([b'0', b'x' | b'X', c]) if c.is_ascii_hexdigit());
    if hex && (base == 0 || base == 16) {
        at += 2;
        base = 16;
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    if !(2..=36).contains(&base) {
        return (0, 0);
    }
    let digits = text[at..].iter().map_while(|c| (*c as char).to_digit(base));
    let (mut number, mut count) = (0i128, 0);
    for digit in digits {
        number = number.saturating_mul(i128::from(base)).saturating_add(i128::from(digit));
        count += 1;
    }
    if count == 0 {
        return (0, 0);
    }
    (if negative { -number } else { number }, at + count)
}

/// The number at the start of a text, in a form that can be read in any precision, and how many bytes it takes, as
/// `strtod` reads it.
pub(super) fn parse_float(text: &[u8]) -> (String, usize) {
    let start = text.iter().take_while(|c| CharClass::Space.holds(**c)).count();
    let rest = &text[start..];
    let unsigned = rest.iter().take(1).take_while(|c| matches!(c, b'+' | b'-')).count();
    let sign = if rest.first() == Some(&b'-') { "-" } else { "" };
    let body = &rest[unsigned..];
    let word =
        |name: &str| body.len() >= name.len() && body[..name.len()].eq_ignore_ascii_case(name.as_bytes());
    if let Some(name) = ["infinity", "inf"].into_iter().find(|name| word(name)) {
        return (format!("{sign}inf"), start + unsigned + name.len());
    }
    if word("nan") {
        let payload = match body.get(3) {
            Some(b'(') => body[4..].iter().position(|c| !c.is_ascii_alphanumeric() && *c != b'_'),
            _ => None,
        };
        let end = payload.filter(|at| body.get(4 + at) == Some(&b')')).map_or(3, |at| 5 + at);
        return ("nan".to_owned(), start + unsigned + end);
    }
    let hex = matches!(body, [b'0', b'x' | b'X', c, ..] if c.is_ascii_hexdigit())
        || matches!(body, [b'0', b'x' | b'X', b'.', c, ..] if c.is_ascii_hexdigit());
    let (digits, used) = if hex { significand(&body[2..], 16, b'p') } else { significand(body, 10, b'e') };
    if used == 0 {
        return ("0".to_owned(), 0);
    }
    let prefix = if hex { "0x" } else { "" };
    (format!("{sign}{prefix}{digits}"), start + unsigned + prefix.len() + used)
}

/// Digits with a point and an exponent, written out, and how many bytes they take.
fn significand(text: &[u8], base: u32, mark: u8) -> (String, usize) {
    let is_digit = |c: &u8| (*c as char).is_digit(base);
    let count = |from: usize| text.get(from..).unwrap_or_default().iter().take_while(|c| is_digit(c)).count();
    let whole = count(0);
    let mut end = whole;
    let mut fraction = 0;
    if text.get(end) == Some(&b'.') {
        fraction = count(end + 1);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (String::new(), 0);
    }
    let shown = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    let mut digits = format!("{}.{}", shown(&text[..whole]), shown(&text[end - fraction..end]));
    let mut exponent = "0".to_owned();
    if text.get(end).is_some_and(|c| c.eq_ignore_ascii_case(&mark)) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let from = end + 1 + sign;
        let many = text.get(from..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count();
        if many > 0 {
            exponent = shown(&text[end + 1..from + many]);
            end = from + many;
        }
    }
    digits = format!("0{digits}0{}{exponent}", char::from(mark));
    (digits, end)
}

/// Whether a number as [`parse_float`] gives it is out of the range of a type: true if that has to be reported.
fn float_error(number: &str, value: Scalar, bits: u128, full: bool) -> Option<bool> {
    let significand = number.trim_start_matches("0x").split(if number.contains('x') { 'p' } else { 'e' });
    let is_zero = !significand.take(1).any(|part| part.contains(|c: char| c.is_ascii_hexdigit() && c != '0'));
    if is_zero || number.ends_with("inf") || number == "nan" {
        return None;
    }
    if value == Scalar::LongDouble {
        let exponent = (bits >> 64) & 0x7fff;
        return if exponent == 0x7fff { Some(full) } else { (exponent == 0).then_some(false) };
    }
    let result = float::as_f64(float_kind(value), bits).abs();
    let least = if value == Scalar::Float { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    if result.is_infinite() { Some(full) } else { (result <= least).then_some(false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_strtol_reads_them() {
        assert_eq!(parse_int(b"  -42x", 10), (-42, 5));
        assert_eq!(parse_int(b"0x1fg", 0), (31, 4));
        assert_eq!(parse_int(b"0x", 16), (0, 1));
        assert_eq!(parse_int(b"077", 0), (63, 3));
        assert_eq!(parse_int(b"abc", 10), (0, 0));
        assert_eq!(parse_int(b"z", 36), (35, 1));
    }

    #[test]
    fn floats_as_strtod_reads_them() {
        let parsed = |text: &[u8]| {
            let (number, used) = parse_float(text);
            (f64::from_bits(float::parse(heapproof_ir::FloatKind::F64, &number) as u64), used)
        };
        assert_eq!(parsed(b" 1.5e2x"), (150.0, 6));
        assert_eq!(parsed(b".5"), (0.5, 2));
        assert_eq!(parsed(b"3e"), (3.0, 1));
        assert_eq!(parsed(b"-inf"), (f64::NEG_INFINITY, 4));
        assert_eq!(parsed(b"x"), (0.0, 0));
        assert_eq!(parsed(b"."), (0.0, 0));
        assert_eq!(parsed(b"0x1.8p1"), (3.0, 7));
        assert_eq!(parsed(b"-0xFp-1 "), (-7.5, 7));
        assert_eq!(parsed(b"0x.8"), (0.5, 4));
        assert_eq!(parsed(b"0x"), (0.0, 1));
        assert_eq!(parsed(b"0x1p"), (1.0, 3));
        assert_eq!(parsed(b"1e400"), (f64::INFINITY, 5));
        assert_eq!(parsed(b"+.5e-1"), (0.05, 6));
        assert!(parsed(b"nan(12)").0.is_nan() && parsed(b"nan(12)").1 == 7);
    }
}
