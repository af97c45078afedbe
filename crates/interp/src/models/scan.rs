//! `sscanf` on a string that is there: what a concrete text holds is read, not chosen.

use super::number::{parse_float, parse_int};
use super::{Call, float_kind};
use crate::api::Stop;
use crate::fault::Access;
use crate::float;
use crate::machine::{Machine, Res};
use crate::value::Value;
use heapproof_ir::mask;
use heapproof_libc::{CharClass, LOCALE_OF_NUMBERS, Scalar, Scan, ScanPiece, Taken, scan_pieces, stored};

impl Machine<'_, '_> {
    pub(super) fn scan_text(&mut self, call: &Call<'_>) -> Res<Value> {
        let text = self.string(call.value(0), call.actor(0))?;
        let source = (call.value(0), text.len() as u64 + 1);
        self.scan(call, &text, 1, Some(source)).map(|(value, _, _)| value)
    }

    /// Scans a text with the format of a call: the result, how many characters were taken, and whether it looked past them.
    pub(super) fn scan(
        &mut self,
        call: &Call<'_>,
        text: &[u8],
        format_arg: usize,
        source: Option<(Value, u64)>,
    ) -> Res<(Value, usize, bool)> {
        let format = self.string(call.value(format_arg), call.actor(format_arg))?;
        let Some(pieces) = scan_pieces(&format) else {
            return Err(Stop::Unsupported { what: format!("the format of `{}`", call.name()) }.into());
        };
        let (mut at, mut arg, mut count) = (0, format_arg + 1, 0);
        let mut looks_past = true;
        for piece in &pieces {
            match piece {
                ScanPiece::Space => at += spaces(&text[at..]),
                ScanPiece::Char(byte) if text.get(at) == Some(byte) => at += 1,
                ScanPiece::Char(_) => return Ok((self.scanned(text, at, count), at, true)),
                ScanPiece::Scan(scan) => {
                    if !matches!(scan.taken, Taken::Chars | Taken::Set { .. } | Taken::Position) {
                        at += spaces(&text[at..]);
                    }
                    if scan.taken != Taken::Position && at == text.len() {
                        return Ok((self.scanned(text, at, count), at, true));
                    }
                    let used = take(scan, &text[at..]);
                    if breaks_off(scan, &text[at..], used) {
                        let what = format!("a number that breaks off, read by `{}`", call.name());
                        return Err(Stop::Unsupported { what }.into());
                    }
                    let Some(used) = used else {
                        return Ok((self.int_result(count), at, false));
                    };
                    looks_past = scan.taken != Taken::Chars;
                    if !scan.dropped {
                        if call.args.len() <= arg {
                            let message =
                                format!("`{}` has fewer arguments than its format asks for", call.name());
                            return Err(Stop::Other(message).into());
                        }
                        if scan.taken == Taken::Float {
                            self.in_locale_of_c(LOCALE_OF_NUMBERS)?;
                        }
                        let kept = self.keep(call, arg, scan, &text[at..at + used], at)?;
                        let place = self.as_pointer(call.value(arg));
                        if let Some(source) = source
                            && matches!(scan.taken, Taken::Word | Taken::Set { .. } | Taken::Chars)
                        {
                            self.check_apart(call, (place, kept), source)?;
                        } else if source.is_some_and(|source| overlap((place, kept), source)) {
                            let what = format!("a number that `{}` stores in its text", call.name());
                            return Err(Stop::Unsupported { what }.into());
                        }
                        arg += 1;
                        count += i64::from(scan.taken != Taken::Position);
                    }
                    at += used;
                }
            }
        }
        Ok((self.int_result(count), at, looks_past))
    }

    /// The result when the text does not go on as the format does; -1 if it ended before anything was stored.
    fn scanned(&self, text: &[u8], at: usize, count: i64) -> Value {
        self.int_result(if at == text.len() && count == 0 { -1 } else { count })
    }

    /// Stores what a conversion took; how many bytes are returned.
    fn keep(&mut self, call: &Call<'_>, arg: usize, scan: &Scan, part: &[u8], position: usize) -> Res<u64> {
        let pointer = self.as_pointer(call.value(arg));
        let (bits, bytes) = match scan.taken {
            Taken::Word | Taken::Set { .. } => {
                let n = part.len() as u64 + 1;
                let (id, at) = self.check(pointer, n, Access::Write, call.actor(arg))?;
                return self.put_text(id, at, part).map(|()| n);
            }
            Taken::Chars => {
                let (id, at) = self.check(pointer, part.len() as u64, Access::Write, call.actor(arg))?;
                return self.put_raw(id, at, part).map(|()| part.len() as u64);
            }
            Taken::Position => (position as u128, self.bytes_of(stored(scan))),
            // glibc does not read what C says.
            Taken::Float if part.contains(&b'(') => {
                let what = "`nan` with characters in parentheses".to_owned();
                return Err(Stop::Unsupported { what }.into());
            }
            Taken::Float => {
                let ty = stored(scan);
                (float::parse(float_kind(ty), &parse_float(part).0), self.bytes_of(ty))
            }
            Taken::Integer { base, signed } => {
                let ty = stored(scan);
                let (number, width) = (parse_int(part, base).0, ty.bits(self.word_bits).max(32));
                // Numbers that are too large for the widest type saturate, then they are cut.
                let wide = width.max(self.word_bits);
                let (low, high) = if signed {
                    (-((mask(wide) / 2) as i128) - 1, (mask(wide) / 2) as i128)
                } else {
                    (-(mask(wide) as i128), mask(wide) as i128)
                };
                let number = if !signed && number < low { high } else { number.clamp(low, high) };
                (number as u128 & mask(ty.bits(self.word_bits)), self.bytes_of(ty))
            }
        };
        let (id, at) = self.check(pointer, bytes, Access::Write, call.actor(arg))?;
        self.put(id, at, bytes, Value::plain(bits)).map(|()| bytes)
    }

    fn bytes_of(&self, ty: Scalar) -> u64 {
        u64::from(ty.bits(self.word_bits) / 8)
    }
}

/// True if two areas have a byte in common.
fn overlap(a: (Value, u64), b: (Value, u64)) -> bool {
    a.0.prov == b.0.prov && a.0.bits < b.0.bits + u128::from(b.1) && b.0.bits < a.0.bits + u128::from(a.1)
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|c| CharClass::Space.holds(**c)).count()
}

/// How many bytes a conversion takes from the start of a text; none if it does not match.
fn take(scan: &Scan, text: &[u8]) -> Option<usize> {
    let most = scan.width.unwrap_or(usize::MAX).min(text.len());
    let part = &text[..most];
    match &scan.taken {
        Taken::Position => Some(0),
        Taken::Chars => {
            let wanted = scan.width.unwrap_or(1);
            (text.len() >= wanted).then_some(wanted)
        }
        Taken::Word => {
            Some(part.iter().take_while(|c| !CharClass::Space.holds(**c)).count()).filter(|n| *n > 0)
        }
        Taken::Set { set, inverted } => {
            Some(part.iter().take_while(|c| set.contains(c) != *inverted).count()).filter(|n| *n > 0)
        }
        Taken::Integer { base, .. } => Some(parse_int(part, *base).1).filter(|n| *n > 0),
        Taken::Float => Some(parse_float(part).1).filter(|n| *n > 0),
    }
}

/// True if libraries differ in what they make of the text: a sign, an exponent or a prefix without digits, too few
/// characters.
fn breaks_off(scan: &Scan, text: &[u8], used: Option<usize>) -> bool {
    let next = text.get(used.unwrap_or(0)).map(u8::to_ascii_lowercase);
    match scan.taken {
        Taken::Integer { base, .. } => {
            let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
            let zero = used == Some(sign + 1) && text.get(sign) == Some(&b'0');
            matches!(base, 0 | 16) && zero && next == Some(b'x')
        }
        Taken::Float => matches!(next, Some(b'e' | b'x' | b'p' | b'i' | b'n' | b'(')),
        Taken::Chars => used.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(format: &[u8], text: &[u8]) -> Option<usize> {
        match &scan_pieces(format).unwrap()[0] {
            ScanPiece::Scan(scan) => take(scan, text),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_conversions_take() {
        assert_eq!(taken(b"%d", b"-12x"), Some(3));
        assert_eq!(taken(b"%2d", b"1234"), Some(2));
        assert_eq!(taken(b"%d", b"x"), None);
        assert_eq!(taken(b"%i", b"0x1f"), Some(4));
        assert_eq!(taken(b"%3s", b"hello"), Some(3));
        assert_eq!(taken(b"%s", b"he lo"), Some(2));
        assert_eq!(taken(b"%[^,]", b"ab,c"), Some(2));
        assert_eq!(taken(b"%2c", b"a"), None);
        assert_eq!(taken(b"%lf", b"1.5e3;"), Some(5));
        assert_eq!(taken(b"%n", b""), Some(0));
    }

    #[test]
    fn numbers_that_break_off() {
        let breaks = |format: &[u8], text: &[u8]| match &scan_pieces(format).unwrap()[0] {
            ScanPiece::Scan(scan) => breaks_off(scan, text, take(scan, text)),
            other => panic!("{other:?}"),
        };
        assert!(breaks(b"%lf", b"3e"));
        assert!(breaks(b"%i", b"0xg"));
        assert!(!breaks(b"%d", b"3x4"));
        assert!(breaks(b"%3c", b"ab"));
        assert!(!breaks(b"%lf", b"1.5e3,"));
        assert!(!breaks(b"%d", b"12,"));
        assert!(!breaks(b"%d", b"abc"));
    }
}
