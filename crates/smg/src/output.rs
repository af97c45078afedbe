//! Output: nothing is kept of it, but the strings that are printed have to end inside their objects.

use crate::graph::{State, Val};
use crate::step::{Executor, Next, advance, assign};
use heapproof_ir::Reg;
use heapproof_libc::{Model, ModelKind, PrintSink};

impl Executor<'_> {
    /// Executes a function that prints.
    pub fn output(&self, mut state: State, model: &Model, results: &[Reg], args: &[Val]) -> Next {
        let mut strings = Vec::new();
        match model.kind {
            ModelKind::Puts | ModelKind::PutString => strings.push(args[0]),
            ModelKind::PutChar { .. } => {}
            ModelKind::Print { sink: sink @ (PrintSink::Stdout | PrintSink::Stream), list: false } => {
                let first = usize::from(sink == PrintSink::Stream);
                let format = match self.text(&mut state, args[first], None)? {
                    Ok(text) => self.bytes(&state, text),
                    Err(states) => return Ok(states),
                };
                let Some(conversions) = format.and_then(|format| conversions(&format)) else {
                    return self
                        .not_covered(&state, "a format that is not known, or with `*`, `%n` or `%.s`");
                };
                let values = &args[first + 1..];
                if conversions.len() > values.len() {
                    return self.not_covered(&state, "a format with more conversions than arguments");
                }
                let printed = conversions.iter().zip(values).filter(|(conversion, _)| **conversion == b's');
                strings.extend(printed.map(|(_, val)| *val));
            }
            _ => return self.not_covered(&state, "formatted output to memory"),
        }
        for string in strings {
            if let Err(states) = self.text(&mut state, string, None)? {
                return Ok(states);
            }
        }
        let val = state.unknown(32);
        Ok(vec![match results.first() {
            Some(&dst) => assign(state, dst, val),
            None => advance(state),
        }])
    }
}

/// The conversions of a format, one for each argument; none if there is one that is not followed.
fn conversions(format: &[u8]) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let mut bytes = format.iter();
    while bytes.any(|byte| *byte == b'%') {
        let mut precise = false;
        loop {
            match *bytes.next()? {
                b'%' => break,
                b'*' | b'$' | b'n' => return None,
                b'.' => precise = true,
                b's' if precise => return None,
                b'S' | b'C' | b'm' => return None,
                byte if byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(&byte) => {
                    found.push(byte);
                    break;
                }
                b'l' if bytes.clone().next() == Some(&b's') => return None,
                _ => {}
            }
        }
    }
    Some(found)
}
