//! What a stream says about its end and about errors. A new stream says neither; a read that gives too little has set one of them.
//!
//! An indicator that was not asked for has no value yet, as long as the calls so far leave both open.

use super::Call;
use super::back::is_get;
use super::library::is_null;
use crate::api::Source;
use crate::machine::{Machine, Res};
use crate::memory::ObjectKind;
use crate::value::{ObjId, Prov, Value};
use heapproof_libc::{Model, ModelKind, Place, StreamKind, StreamUse};

/// The indicators of a stream; none of what is not decided.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Indicators {
    end: Option<bool>,
    error: Option<bool>,
    /// One of them is set.
    one: bool,
}

/// One of the indicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    End,
    Error,
}

impl Indicators {
    const CLEAR: Indicators = Indicators { end: Some(false), error: Some(false), one: false };

    fn part(&mut self, which: Which) -> &mut Option<bool> {
        match which {
            Which::End => &mut self.end,
            Which::Error => &mut self.error,
        }
    }

    fn learn(&mut self, which: Which, set: bool) {
        *self.part(which) = Some(set);
        let other = if which == Which::End { Which::Error } else { Which::End };
        if self.one && !set {
            *self.part(other) = Some(true);
        }
        self.one &= !set && self.part(other).is_none();
    }

    /// Either may have been set; what is set stays.
    fn may_be_set(&mut self) {
        self.end = self.end.filter(|set| *set);
        self.error = self.error.filter(|set| *set);
        self.one &= self.end.is_none() && self.error.is_none();
    }

    /// A read gave too little.
    fn fell_short(&mut self) {
        self.may_be_set();
        self.one = self.end.is_none() && self.error.is_none();
    }

    /// The end is forgotten, if it was reached.
    fn clear_end(&mut self) {
        self.end = Some(false);
        self.one = false;
    }
}

/// The indicator that a function asks for.
fn asked(model: &Model) -> Option<Which> {
    match model.name {
        "feof" | "feof_unlocked" => Some(Which::End),
        "ferror" | "ferror_unlocked" => Some(Which::Error),
        _ => None,
    }
}

impl Machine<'_, '_> {
    fn indicators(&self, stream: ObjId) -> Indicators {
        if let Some(known) = self.indicators.get(&stream) {
            return *known;
        }
        let own = matches!(self.mem.get(stream).kind, ObjectKind::Library(_));
        let from_start = self.from.is_none() && self.options.environment.entry() == "main";
        let standard = from_start && self.standard_stream(stream).is_some();
        if own || standard { Indicators::CLEAR } else { Indicators::default() }
    }

    /// The result of `feof` or `ferror`; none for any other call.
    pub(super) fn indicator(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        let Some(which) = asked(call.model) else { return Ok(None) };
        let place = Place { at: call.value(0), arg: 0 };
        let stream = self.use_stream(call.name(), place, StreamKind::File, StreamUse::Asks)?;
        let mut indicators = self.indicators(stream);
        let set = match *indicators.part(which) {
            Some(set) => set,
            None => self.choose(Source::Call, 32, true, Some((0, 1)), call.name()) == 1,
        };
        indicators.learn(which, set);
        self.indicators.insert(stream, indicators);
        Ok(Some(self.int_result(set.into())))
    }

    /// True if a call reads from a stream that is at its end, which glibc does not look behind. `fread` may.
    pub(super) fn is_at_end(&self, model: &Model, args: &[Value]) -> bool {
        if self.indicators.is_empty() {
            return false;
        }
        let looks = is_get(model.name) || is_line(model) || matches!(model.kind, ModelKind::GetDelim { .. });
        let stream = self.used_stream(model, |arg| args[arg]).filter(|_| looks);
        stream.is_some_and(|stream| self.indicators(stream).end == Some(true))
    }

    /// The stream that a call reads, writes or moves, given or not.
    fn used_stream(&self, model: &Model, value: impl Fn(usize) -> Value) -> Option<ObjId> {
        match model.effect.streams.first() {
            Some(arg) if arg.kind == StreamKind::File && arg.usage != StreamUse::Asks => {
                match value(arg.arg).prov {
                    Prov::Object(id) => Some(id),
                    _ => None,
                }
            }
            Some(_) => None,
            None => {
                let global = self.program.global(model.implied_stream()?)?;
                Some(self.globals[global.as_u32() as usize])
            }
        }
    }

    /// A call is done: what its stream says may be another thing.
    pub(super) fn stream_used(&mut self, call: &Call<'_>, result: Option<Value>) {
        if call.name() == "fflush" && is_null(call.value(0)) {
            let streams: Vec<ObjId> = self.indicators.keys().copied().collect();
            for stream in streams {
                self.indicators.entry(stream).and_modify(Indicators::may_be_set);
            }
            return;
        }
        let Some(stream) = self.used_stream(call.model, |arg| call.value(arg)) else { return };
        let mut indicators = self.indicators(stream);
        let result = result.unwrap_or(Value::plain(0));
        let gives_number = |number: i32| result.bits as i32 == number;
        match call.name() {
            "clearerr" | "rewind" => indicators = Indicators::CLEAR,
            "freopen" => {
                // The file was closed, and its buffer is used no more.
                self.buffers.remove(&stream);
                indicators = if is_null(result) { Indicators::default() } else { Indicators::CLEAR };
            }
            "fseek" | "fseeko" | "fsetpos" | "fsetpos64" => {
                indicators.may_be_set();
                if gives_number(0) {
                    indicators.clear_end();
                } else {
                    indicators = Indicators { end: None, one: false, ..indicators };
                }
            }
            "ungetc" if !gives_number(-1) => indicators.clear_end(),
            name if is_get(name) && gives_number(-1) => indicators.fell_short(),
            // Behind the end there is nothing to be read.
            name if is_get(name) => indicators.learn(Which::End, false),
            _ if is_line(call.model) && call.int(1) <= 1 => {}
            _ if is_line(call.model) && is_null(result) => indicators.fell_short(),
            "fread" | "fread_unlocked" => {
                if call.size(1) > 0 && (result.bits as u64) < call.size(2) {
                    indicators.fell_short();
                }
            }
            _ if matches!(call.model.kind, ModelKind::GetDelim { .. }) && gives_number(-1) => {
                indicators.may_be_set();
                // Otherwise there may have been no memory for the line.
                if !self.options.environment.malloc_may_fail {
                    indicators.fell_short();
                }
            }
            _ => indicators.may_be_set(),
        }
        self.indicators.insert(stream, indicators);
    }
}

/// True for `fgets`.
fn is_line(model: &Model) -> bool {
    matches!(model.name, "fgets" | "fgets_unlocked")
}
