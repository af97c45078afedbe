//! The models of external functions, executed.

mod alloc;
mod back;
mod block;
mod characters;
mod chars;
mod decimal;
mod environment;
mod format;
mod indicators;
mod library;
mod math;
mod number;
mod output;
mod possible;
mod print;
mod process;
mod scan;
mod string;
mod text;
mod time;
mod world;

pub(crate) use indicators::Indicators;
pub(crate) use world::Files;

use crate::api::Stop;
use crate::fault::Actor;
use crate::machine::{Machine, Res};
use crate::value::Value;
use heapproof_ir::{Reg, Ty, mask, sign_extend};
use heapproof_libc::{Jump, Model, ModelKind, PrintSink, Scalar, ScanSource};

/// A call of a modelled function.
pub(crate) struct Call<'a> {
    pub model: &'static Model,
    pub args: &'a [(Value, Ty)],
}

impl Call<'_> {
    pub fn name(&self) -> &'static str {
        self.model.name
    }

    pub fn value(&self, index: usize) -> Value {
        self.args[index].0
    }

    /// An argument as a number of bytes.
    pub fn size(&self, index: usize) -> u64 {
        self.args[index].0.bits as u64
    }

    /// An `int` argument.
    pub fn int(&self, index: usize) -> i32 {
        self.args[index].0.bits as i32
    }

    /// The argument as the user of a pointer, for messages.
    pub fn actor(&self, index: usize) -> Actor<'static> {
        Actor::Model(self.model.name, index)
    }
}

impl<'p> Machine<'p, '_> {
    /// Executes a modelled function; true if execution goes on in a new frame.
    pub fn model(&mut self, model: &'static Model, args: &[(Value, Ty)], results: &'p [Reg]) -> Res<bool> {
        if args.len() < model.params.len() {
            let message = format!("`{}` is called with too few arguments", model.name);
            return Err(Stop::Other(message).into());
        }
        let call = Call { model, args };
        self.check_numbers(&call)?;
        self.use_outside(model, args.first().map(|(value, _)| *value));
        if let Some(value) = self.in_world(&call)? {
            self.give(model, results, value);
            return Ok(false);
        }
        if let Some(value) = self.indicator(&call)? {
            self.give(model, results, Some(value));
            return Ok(false);
        }
        if let Some(value) = self.given_back(&call)? {
            self.stream_used(&call, Some(value));
            self.give(model, results, Some(value));
            return Ok(false);
        }
        use ModelKind::*;
        let value = match model.kind {
            Alloc { .. } | Alloca | PosixMemalign | Realloc { .. } | Free | DupString { .. } => {
                self.allocation(&call)?
            }
            CopyBytes { .. } | Fill { .. } | CompareBytes | FindByte { .. } => self.block_function(&call)?,
            StrLen { .. }
            | StrCopy { .. }
            | StrCat { .. }
            | StrCompare { .. }
            | StrFind { .. }
            | StrStr { .. }
            | StrSpan(_)
            | StrTok { .. }
            | StrSep => Some(self.string_function(&call)?),
            Print { sink, list } => Some(self.print(&call, sink, list)?),
            Puts | PutString | PutChar { .. } | WriteItems | WriteDescriptor | PrintError => {
                self.output(&call)?
            }
            Scan { source: ScanSource::Text, list: false } => Some(self.scan_text(&call)?),
            GetEnv | SetEnv | GetOpt { .. } | PathPart | SetBuffer => self.environment_function(&call)?,
            Exit { .. } | Abort | AtExit | AssertFail { .. } | ReachError | Assume | Assert => {
                return self.process_function(&call, results);
            }
            IsLive => Some(self.is_live(&call)),
            IsChar(_) | ToLower | ToUpper => Some(self.char_function(&call)?),
            ParseInt { .. } | ParseFloat { .. } | Abs | Math { .. } | DiffTime => {
                Some(self.number_function(&call)?)
            }
            BreakTime { .. } | MakeTime { .. } | TimeText { .. } => Some(self.time_function(&call)?),
            Effect | Scan { .. } | GetDelim { .. } | Time | GetPath { .. } | Control | FileControl => {
                self.carry_out(&call)?
            }
            Exec { .. } | ReadEntry | IsKnown | LogName | PutBack => self.carry_out(&call)?,
            Unsupported => {
                match heapproof_libc::jump(model) {
                    Some(Jump::Set(buffer)) => {
                        let zero = self.set_jump(&call, buffer, results)?;
                        self.give(model, results, Some(zero));
                        return Ok(false);
                    }
                    Some(Jump::To) => return self.jump_back(&call).map(|()| true),
                    None => {}
                }
                return Err(Stop::Unsupported { what: format!("`{}`", model.name) }.into());
            }
        };
        self.stream_used(&call, value);
        if self.errno.is_some() && may_have_failed(model) {
            self.forget_error_number()?;
        }
        self.give(model, results, value);
        Ok(false)
    }

    /// Arguments that are numbers have to be legal ones.
    fn check_numbers(&mut self, call: &Call<'_>) -> Res<()> {
        for demand in &call.model.effect.demands {
            let ty = call.model.params[demand.arg];
            let width = ty.bits(self.word_bits);
            let bits = call.value(demand.arg).bits & mask(width);
            let number = if ty.is_signed() { sign_extend(bits, width) } else { bits as i128 };
            if !demand.legal.holds(number, number, self.program.target) {
                let what = format!(
                    "argument {} of `{}`, which is not {}",
                    demand.arg + 1,
                    call.name(),
                    demand.legal.name()
                );
                return Err(Stop::Unsupported { what }.into());
            }
        }
        Ok(())
    }

    /// Carries out what the effect of the model says.
    fn carry_out(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        let args: Vec<Value> = call.args.iter().map(|(value, _)| *value).collect();
        let mut library = library::Library { machine: self, model: call.model, args: &args };
        heapproof_libc::apply(call.model, &args, &mut library)
    }

    /// Assigns the result, fitted to the type with which the program declares the function.
    fn give(&mut self, model: &'static Model, results: &'p [Reg], value: Option<Value>) {
        let Some(reg) = results.first() else { return };
        let value = value.unwrap_or(Value::plain(0));
        let width = self.top.body.regs[*reg].ty.bits(self.program.target);
        let given = model.result.bits(self.word_bits);
        let bits = if given != 0 && given < width && model.result.is_signed() {
            sign_extend(value.bits & mask(given), given) as u128 & mask(width)
        } else {
            value.bits & mask(width)
        };
        self.set(*reg, Value { bits, prov: value.prov });
    }

    /// The bits of an `int` result.
    fn int_result(&self, value: i64) -> Value {
        Value::plain(value as u128 & mask(32))
    }

    /// The bits of a result of the pointer's width.
    fn word_result(&self, value: u64) -> Value {
        Value::plain(u128::from(value) & mask(self.word_bits))
    }

    /// A pointer moved by some bytes.
    fn moved(&self, pointer: Value, by: u64) -> Value {
        let bits = pointer.bits.wrapping_add(u128::from(by)) & mask(self.word_bits);
        Value { bits, prov: pointer.prov }
    }
}

/// True if a call may have failed although it was carried out without asking for that: output that was not written, and numbers in
/// a text that are out of range.
fn may_have_failed(model: &Model) -> bool {
    use ModelKind::*;
    match model.kind {
        Print { sink: PrintSink::Area | PrintSink::BoundedArea, .. } => false,
        Print { .. } | Puts | PutString | PutChar { .. } | WriteItems | WriteDescriptor | PrintError => true,
        Scan { source: ScanSource::Text, .. } => true,
        _ => false,
    }
}

/// The floating point format of a scalar.
fn float_kind(scalar: Scalar) -> heapproof_ir::FloatKind {
    match scalar {
        Scalar::Float => heapproof_ir::FloatKind::F32,
        Scalar::LongDouble => heapproof_ir::FloatKind::X87,
        _ => heapproof_ir::FloatKind::F64,
    }
}
