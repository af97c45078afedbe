//! A `long double` in decimal and hexadecimal digits, to the last one.

use super::format::Magnitude;

/// A number `significand * 2^exponent`, not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binary {
    significand: u64,
    exponent: i32,
}

/// A number `0.d₁d₂… * 10^point`; there is no digit if it is zero.
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

const BASE: u64 = 1_000_000_000;

impl Binary {
    /// The magnitude of an x87 number; none if it is infinite or no number.
    pub fn of_x87(bits: u128) -> Option<Binary> {
        let exponent = (bits >> 64) as i32 & 0x7fff;
        (exponent != 0x7fff)
            .then(|| Binary { significand: bits as u64, exponent: exponent.max(1) - 16_383 - 63 })
    }

    fn decimal(self) -> Decimal {
        if self.significand == 0 {
            return Decimal { digits: Vec::new(), point: 1 };
        }
        let mut limbs =
            vec![self.significand % BASE, self.significand / BASE % BASE, self.significand / BASE / BASE];
        let (factor, step) = if self.exponent >= 0 { (2u64, 29) } else { (5, 12) };
        let mut left = self.exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(step);
            multiply(&mut limbs, factor.pow(now));
            left -= now;
        }
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        let text = text.trim_start_matches('0');
        let point = text.len() as i32 + self.exponent.min(0);
        Decimal { digits: text.bytes().map(|c| c - b'0').collect(), point }
    }

    /// `%La` without a precision: the digits and the exponent, as glibc writes them.
    pub fn hexadecimal(self) -> String {
        if self.significand == 0 {
            return "0p+0".to_owned();
        }
        let digits = format!("{:016x}", self.significand);
        let (lead, rest) = digits.split_at(1);
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        format!("{lead}{point}{rest}p{:+}", self.exponent + 60)
    }
}

fn multiply(limbs: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = *limb * factor + carry;
        *limb = product % BASE;
        carry = product / BASE;
    }
    if carry > 0 {
        limbs.push(carry);
    }
}

impl Decimal {
    /// Cuts the digits off after so many, to nearest, ties to even.
    fn round(&mut self, kept: i64) {
        if kept >= self.digits.len() as i64 {
            return;
        }
        let Ok(kept) = usize::try_from(kept) else {
            self.digits.clear();
            return;
        };
        let half = self.digits[kept].cmp(&5).then_with(|| {
            let more = self.digits[kept + 1..].iter().any(|digit| *digit != 0);
            more.cmp(&false)
        });
        let odd = kept > 0 && self.digits[kept - 1] % 2 == 1;
        let up = half.is_gt() || half.is_eq() && odd;
        self.digits.truncate(kept);
        if !up {
            return;
        }
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    fn digit(&self, at: i64) -> char {
        let digit = usize::try_from(at).ok().and_then(|at| self.digits.get(at)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    }
}

impl Magnitude for Binary {
    fn fixed(&self, precision: usize) -> String {
        let mut number = self.decimal();
        number.round(i64::from(number.point) + precision as i64);
        let point = i64::from(number.point);
        let mut text: String = (point.min(1) - 1..point.max(1))
            .skip_while(|at| *at < point.min(0))
            .map(|at| number.digit(at))
            .collect();
        if point <= 0 {
            text = "0".to_owned();
        }
        if precision > 0 {
            text.push('.');
            text.extend((point..point + precision as i64).map(|at| number.digit(at)));
        }
        text
    }

    fn scientific(&self, precision: usize) -> String {
        let mut number = self.decimal();
        number.round(precision as i64 + 1);
        let mut text = String::from(number.digit(0));
        if precision > 0 {
            text.push('.');
            text.extend((1..=precision as i64).map(|at| number.digit(at)));
        }
        format!("{text}e{}", number.point - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Binary {
        Binary::of_x87(crate::float::from_f64(heapproof_ir::FloatKind::X87, value)).unwrap()
    }

    #[test]
    fn digits_are_those_of_a_double_where_it_has_them() {
        for value in [0.0, 1.0, 0.5, 2.5, 0.1, 123456.789, 1e300, 1e-300, 9.5, 0.05, 99.99, 7e22, 0.001] {
            for precision in [0, 1, 2, 6, 20, 40] {
                assert_eq!(number(value).fixed(precision), format!("{value:.precision$}"), "{value}");
                assert_eq!(number(value).scientific(precision), format!("{value:.precision$e}"), "{value}");
            }
        }
    }

    #[test]
    fn hexadecimal_digits() {
        assert_eq!(number(1.0).hexadecimal(), "8p-3");
        assert_eq!(number(0.0).hexadecimal(), "0p+0");
        assert_eq!(number(255.5).hexadecimal(), "f.f8p+4");
    }
}
