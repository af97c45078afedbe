//! The conversions of `printf`, as glibc writes them.

use super::decimal::Binary;

/// A conversion specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
    /// The program sees the text.
    pub seen: bool,
}

/// A number that is not negative, in decimal digits.
pub(super) trait Magnitude {
    /// With so many digits after the point.
    fn fixed(&self, precision: usize) -> String;
    /// With one digit before the point, so many after it, and an exponent.
    fn scientific(&self, precision: usize) -> String;
}

impl Magnitude for f64 {
    fn fixed(&self, precision: usize) -> String {
        format!("{self:.precision$}")
    }

    fn scientific(&self, precision: usize) -> String {
        format!("{self:.precision$e}")
    }
}

impl Spec {
    /// Pads a sign or prefix and a body to the width.
    pub fn pad(&self, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let mut text = Vec::with_capacity(self.width.max(prefix.len() + body.len()));
        if !self.left && !zeros {
            text.resize(missing, b' ');
        }
        text.extend_from_slice(prefix.as_bytes());
        if !self.left && zeros {
            text.resize(text.len() + missing, b'0');
        }
        text.extend_from_slice(body);
        if self.left {
            text.resize(text.len() + missing, b' ');
        }
        text
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    /// `%d`
    pub fn signed(&self, value: i128) -> Vec<u8> {
        let digits = self.digits(value.unsigned_abs().to_string(), value == 0);
        self.pad(self.sign(value < 0), digits.as_bytes(), self.zero && self.precision.is_none())
    }

    /// `%u`, `%x`, `%X`, `%o`
    pub fn unsigned(&self, value: u128, conversion: u8) -> Vec<u8> {
        let text = match conversion {
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'o' => format!("{value:o}"),
            _ => value.to_string(),
        };
        let mut digits = self.digits(text, value == 0);
        let mut prefix = "";
        if self.alternate {
            match conversion {
                b'x' if value != 0 => prefix = "0x",
                b'X' if value != 0 => prefix = "0X",
                b'o' if !digits.starts_with('0') => digits.insert(0, '0'),
                _ => {}
            }
        }
        self.pad(prefix, digits.as_bytes(), self.zero && self.precision.is_none())
    }

    fn digits(&self, text: String, is_zero: bool) -> String {
        match self.precision {
            Some(0) if is_zero => String::new(),
            Some(least) => format!("{text:0>least$}"),
            None => text,
        }
    }

    /// `%f`, `%e`, `%g`, `%a` and their upper case forms.
    pub fn float(&self, value: f64, conversion: u8) -> Vec<u8> {
        let finite = value.is_finite().then_some(value.abs());
        let body = match finite {
            Some(number) if conversion.eq_ignore_ascii_case(&b'a') => Some(self.hexadecimal(number)),
            Some(number) => Some(self.decimal(&number, conversion)),
            None => None,
        };
        self.written(value.is_sign_negative(), value.is_nan(), body, conversion)
    }

    /// As [`Spec::float`], of an x87 number.
    pub fn long_float(&self, bits: u128, conversion: u8) -> Vec<u8> {
        let body = Binary::of_x87(bits).map(|number| match conversion {
            b'a' | b'A' => number.hexadecimal(),
            _ => self.decimal(&number, conversion),
        });
        self.written(bits >> 79 & 1 == 1, bits as u64 != 1 << 63, body, conversion)
    }

    fn decimal(&self, value: &impl Magnitude, conversion: u8) -> String {
        match conversion.to_ascii_lowercase() {
            b'f' => self.fixed(value, self.precision.unwrap_or(6)),
            b'e' => self.scientific(value, self.precision.unwrap_or(6)),
            _ => self.general(value),
        }
    }

    /// A number with its sign; there is no body if it is infinite or no number.
    fn written(&self, negative: bool, nan: bool, body: Option<String>, conversion: u8) -> Vec<u8> {
        let mut prefix = self.sign(negative).to_owned();
        let zeros = self.zero && body.is_some();
        if body.is_some() && conversion.eq_ignore_ascii_case(&b'a') {
            prefix.push_str("0x");
        }
        let mut body = body.unwrap_or_else(|| if nan { "nan" } else { "inf" }.to_owned());
        if conversion.is_ascii_uppercase() {
            body.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        self.pad(&prefix, body.as_bytes(), zeros)
    }

    fn fixed(&self, value: &impl Magnitude, precision: usize) -> String {
        let mut text = value.fixed(precision);
        if precision == 0 && self.alternate {
            text.push('.');
        }
        text
    }

    fn scientific(&self, value: &impl Magnitude, precision: usize) -> String {
        let text = value.scientific(precision);
        let (mantissa, exponent) = text.split_once('e').expect("written by format");
        let exponent: i32 = exponent.parse().expect("written by format");
        let point = if precision == 0 && self.alternate { "." } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
    }

    fn general(&self, value: &impl Magnitude) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let probe = value.scientific(precision - 1);
        let exponent: i32 = probe.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
        let scientific = exponent < -4 || exponent >= precision as i32;
        let text = if scientific {
            self.scientific(value, precision - 1)
        } else {
            self.fixed(value, (precision as i32 - 1 - exponent) as usize)
        };
        if self.alternate {
            return text;
        }
        let (mantissa, rest) = match text.find('e') {
            Some(at) => text.split_at(at),
            None => (text.as_str(), ""),
        };
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        format!("{mantissa}{rest}")
    }

    fn hexadecimal(&self, value: f64) -> String {
        let bits = value.to_bits();
        let raw = ((bits >> 52) & 0x7ff) as i32;
        let mut fraction = bits & ((1 << 52) - 1);
        let (mut lead, exponent) = match (raw, fraction) {
            (0, 0) => (0u64, 0),
            (0, _) => (0, -1022),
            _ => (1, raw - 1023),
        };
        let mut count = 13;
        if let Some(precision) = self.precision.filter(|p| *p < 13) {
            // To nearest, ties to even.
            let cut = 4 * (13 - precision as u32);
            let whole = (lead << 52) | fraction;
            let (kept, rest) = (whole >> cut, whole & ((1 << cut) - 1));
            let half = 1u64 << (cut - 1);
            let kept = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
            lead = kept >> (52 - cut);
            fraction = kept & ((1 << (52 - cut)) - 1);
            count = precision;
        }
        let mut digits = if count == 0 { String::new() } else { format!("{fraction:0count$x}") };
        match self.precision {
            None => digits.truncate(digits.trim_end_matches('0').len()),
            Some(precision) => digits.extend(std::iter::repeat_n('0', precision.saturating_sub(count))),
        }
        let point = if digits.is_empty() && !self.alternate { "" } else { "." };
        format!("{lead}{point}{digits}p{exponent:+}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(spec: Spec, value: f64, conversion: u8) -> String {
        String::from_utf8(spec.float(value, conversion)).unwrap()
    }

    fn with(precision: Option<usize>) -> Spec {
        Spec { precision, ..Spec::default() }
    }

    #[test]
    fn floats_as_glibc_writes_them() {
        assert_eq!(float(with(None), 3.25, b'f'), "3.250000");
        assert_eq!(float(with(Some(0)), 2.5, b'f'), "2");
        assert_eq!(float(with(Some(0)), 0.5, b'f'), "0");
        assert_eq!(float(with(Some(1)), 0.25, b'f'), "0.2");
        assert_eq!(float(with(None), 123456.789, b'e'), "1.234568e+05");
        assert_eq!(float(with(Some(0)), 15.0, b'e'), "2e+01");
        assert_eq!(float(with(None), 1e-10, b'g'), "1e-10");
        assert_eq!(float(with(None), 100000.0, b'g'), "100000");
        assert_eq!(float(with(None), 1e6, b'g'), "1e+06");
        assert_eq!(float(with(None), 0.0001, b'g'), "0.0001");
        assert_eq!(float(with(Some(17)), 0.1, b'g'), "0.10000000000000001");
        assert_eq!(float(with(None), 0.0, b'g'), "0");
        assert_eq!(float(with(None), 1.0, b'a'), "0x1p+0");
        assert_eq!(float(with(None), 0.1, b'a'), "0x1.999999999999ap-4");
        assert_eq!(float(with(Some(1)), 1.96875, b'a'), "0x2.0p+0");
        assert_eq!(float(with(None), -0.0, b'f'), "-0.000000");
        assert_eq!(float(with(None), f64::INFINITY, b'F'), "INF");
        let padded = Spec { width: 10, zero: true, precision: Some(2), ..Spec::default() };
        assert_eq!(float(padded, -3.14379, b'f'), "-000003.14");
    }

    #[test]
    fn integers_as_glibc_writes_them() {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(text(with(Some(3)).signed(-5)), "-005");
        assert_eq!(text(with(Some(0)).signed(0)), "");
        assert_eq!(text(Spec { width: 5, left: true, ..Spec::default() }.signed(42)), "42   ");
        assert_eq!(text(Spec { width: 6, zero: true, plus: true, ..Spec::default() }.signed(42)), "+00042");
        let alternate = Spec { alternate: true, ..Spec::default() };
        assert_eq!(text(alternate.unsigned(255, b'x')), "0xff");
        assert_eq!(text(alternate.unsigned(8, b'o')), "010");
        assert_eq!(text(alternate.unsigned(0, b'x')), "0");
    }
}
