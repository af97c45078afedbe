//! The inputs of one execution as the user writes them: `3,-1,0x10,'c',u7,e2,0:5`.
//!
//! Plain values answer calls such as `__VERIFIER_nondet_int` or `rand` in order, values after `u` uninitialised
//! memory, values after `e` the other choices of the environment. `VALUE:COUNT` repeats a value. When the values
//! run out, calls and the environment get 0 and uninitialised memory gets the bytes [`FILLER`].

use heapproof_interp::{InputRecord, Inputs, Request, Source};
use heapproof_ir::{mask, sign_extend};
use std::collections::VecDeque;
use std::fmt::Write;
use std::str::FromStr;

/// What uninitialised memory holds when nothing is said: bytes that are neither zero nor all ones.
pub const FILLER: u128 = 0xa5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5;

/// The most values that one vector may hold.
const MOST_VALUES: usize = 1 << 22;

/// The value when a vector has run out.
pub fn default_value(source: Source, width: u8) -> u128 {
    match source {
        Source::Call | Source::Environment => 0,
        Source::Uninitialised => FILLER & mask(width),
    }
}

/// A list of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    /// Each value with what it answers, in order; negative ones as two's complement of 128 bits.
    pub values: Vec<(Source, u128)>,
}

/// A list of inputs that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ParseVectorError {
    /// Neither a number nor a character.
    #[error(
        "`{0}` is not an input (write a number such as 3, -1 or 0x1f, a character such as 'a', u7 for uninitialised memory, e2 for the environment, or 0:5 for 0,0,0,0,0)"
    )]
    Value(String),
    /// A repetition that makes no sense.
    #[error("`{0}` repeats a value too often; at most {MOST_VALUES} inputs are possible")]
    Count(String),
}

impl Vector {
    /// The values of a run, to be given again.
    pub fn of_records(records: &[InputRecord]) -> Self {
        Vector { values: records.iter().map(|r| (r.source, r.value)).collect() }
    }
}

impl FromStr for Vector {
    type Err = ParseVectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut values = Vec::new();
        for part in split(text) {
            let bad = || ParseVectorError::Value(part.to_owned());
            let (value, count) = match part.rsplit_once(':') {
                Some((value, count)) if value != "'" => (value, count.parse::<usize>().map_err(|_| bad())?),
                _ => (part, 1),
            };
            let (source, number) = match value.split_at_checked(1) {
                Some(("u", rest)) => (Source::Uninitialised, rest),
                Some(("e", rest)) => (Source::Environment, rest),
                _ => (Source::Call, value),
            };
            let number = parse_number(number).ok_or_else(bad)?;
            if count > MOST_VALUES - values.len() {
                return Err(ParseVectorError::Count(part.to_owned()));
            }
            values.extend(std::iter::repeat_n((source, number), count));
        }
        Ok(Vector { values })
    }
}

/// The parts between commas and blanks; a comma between quotes is a character.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '\'' => quoted = !quoted,
            ',' | ' ' | '\n' | '\r' | '\t' if !quoted => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// A decimal or hexadecimal number, negative or not, or a character.
fn parse_number(text: &str) -> Option<u128> {
    if let Some(quoted) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        return character(quoted).map(u128::from);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // `from_str_radix` would take another sign.
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            u128::from_str_radix(hex, 16).ok()?
        }
        Some(_) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// One byte between quotes, with C's simple escapes.
fn character(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [b'\\', c] => Some(match c {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'0' => 0,
            b'\\' | b'\'' | b'"' => *c,
            _ => return None,
        }),
        [c] if *c != b'\\' => Some(*c),
        _ => None,
    }
}

/// The inputs of a run in the syntax that [`Vector`] reads. Filler at the end is left out: it comes by itself.
pub fn show(records: &[InputRecord]) -> String {
    let by_itself = |r: &InputRecord| r.source == Source::Uninitialised && r.value == FILLER & mask(r.width);
    let needed = records.iter().rposition(|r| !by_itself(r)).map_or(0, |last| last + 1);
    let shown: Vec<String> = records[..needed].iter().map(show_value).collect();
    let mut out = String::new();
    for group in shown.chunk_by(|a, b| a == b) {
        let separator = if out.is_empty() { "" } else { "," };
        let _ = match group {
            [value] => write!(out, "{separator}{value}"),
            [value, _] | [value, _, _] if value.len() == 1 => {
                write!(out, "{separator}{}", group.join(","))
            }
            [value, ..] => write!(out, "{separator}{value}:{}", group.len()),
            [] => Ok(()),
        };
    }
    out
}

fn show_value(record: &InputRecord) -> String {
    let prefix = match record.source {
        Source::Call => "",
        Source::Uninitialised => "u",
        Source::Environment => "e",
    };
    let bits = record.value & mask(record.width);
    if record.signed && record.width > 0 {
        format!("{prefix}{}", sign_extend(bits, record.width))
    } else if bits < 1 << 16 {
        format!("{prefix}{bits}")
    } else {
        format!("{prefix}{bits:#x}")
    }
}

/// Answers requests from a vector, kind by kind.
#[derive(Clone, Debug, Default)]
pub struct Queued {
    calls: VecDeque<u128>,
    uninitialised: VecDeque<u128>,
    environment: VecDeque<u128>,
    /// Calls that were asked for when no value was left.
    pub calls_beyond: u64,
}

impl Queued {
    /// Answers with the values of the vector.
    pub fn new(vector: &Vector) -> Self {
        let mut queued = Queued::default();
        for (source, value) in &vector.values {
            queued.queue(*source).push_back(*value);
        }
        queued
    }

    fn queue(&mut self, source: Source) -> &mut VecDeque<u128> {
        match source {
            Source::Call => &mut self.calls,
            Source::Uninitialised => &mut self.uninitialised,
            Source::Environment => &mut self.environment,
        }
    }

    /// Values for calls and the environment that nothing asked for.
    pub fn left_over(&self) -> usize {
        self.calls.len() + self.environment.len()
    }
}

impl Inputs for Queued {
    fn choose(&mut self, request: &Request) -> u128 {
        match self.queue(request.source).pop_front() {
            Some(value) => value,
            None => {
                self.calls_beyond += u64::from(request.source == Source::Call);
                default_value(request.source, request.width)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_ir::Span;

    fn values(text: &str) -> Vec<(Source, u128)> {
        text.parse::<Vector>().unwrap().values
    }

    fn record(source: Source, width: u8, signed: bool, value: u128) -> InputRecord {
        InputRecord { source, width, signed, value, name: String::new(), span: Span::NONE }
    }

    #[test]
    fn every_form_is_read() {
        use Source::*;
        assert_eq!(
            values("3,-1,0x10,'a','\\n',',',u7,e2,0:2,':':2"),
            [
                (Call, 3),
                (Call, u128::MAX),
                (Call, 16),
                (Call, 97),
                (Call, 10),
                (Call, 44),
                (Uninitialised, 7),
                (Environment, 2),
                (Call, 0),
                (Call, 0),
                (Call, 58),
                (Call, 58),
            ]
        );
        assert_eq!(values(""), []);
        assert_eq!(values(" 1, 2 "), [(Call, 1), (Call, 2)]);
    }

    #[test]
    fn garbage_is_refused() {
        for text in ["x", "1,x", "--1", "0x", "1:", ":3", "u", "'ab'", "'", "1e5", "5:-1", "0x-1", "é", "'é'"]
        {
            assert!(text.parse::<Vector>().is_err(), "{text}");
        }
        assert!(matches!("1:99999999999".parse::<Vector>(), Err(ParseVectorError::Count(_))));
    }

    #[test]
    fn what_is_shown_is_read_back() {
        let records = [
            record(Source::Call, 32, true, 0xffff_ffff),
            record(Source::Call, 8, false, 200),
            record(Source::Environment, 32, false, 3),
            record(Source::Uninitialised, 64, false, 0x1234_5678_9abc),
            record(Source::Call, 32, true, 0),
            record(Source::Call, 32, true, 0),
            record(Source::Call, 32, true, 1),
            record(Source::Call, 32, true, 1),
            record(Source::Call, 32, true, 1),
            record(Source::Call, 32, true, 1),
            record(Source::Uninitialised, 8, false, 0xa5),
        ];
        let text = show(&records);
        assert_eq!(text, "-1,200,e3,u0x123456789abc,0,0,1:4");
        let read = values(&text);
        assert_eq!(read.len(), records.len() - 1);
        for ((source, value), record) in read.iter().zip(&records) {
            assert_eq!((*source, value & mask(record.width)), (record.source, record.value));
        }
    }

    #[test]
    fn each_kind_has_its_queue() {
        let mut queued = Queued::new(&"1,u2,3,e4".parse().unwrap());
        let mut ask = |source| {
            let request = Request {
                source,
                width: 16,
                signed: false,
                range: None,
                signed_range: None,
                hint: None,
                span: Span::NONE,
            };
            queued.choose(&request)
        };
        assert_eq!(ask(Source::Environment), 4);
        assert_eq!(ask(Source::Call), 1);
        assert_eq!(ask(Source::Uninitialised), 2);
        assert_eq!(ask(Source::Uninitialised), 0xa5a5);
        assert_eq!(ask(Source::Call), 3);
        assert_eq!(ask(Source::Call), 0);
        assert_eq!(queued.calls_beyond, 1);
    }
}
