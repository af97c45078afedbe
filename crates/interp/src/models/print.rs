//! The `printf` family.

use super::Call;
use super::format::Spec;
use super::library::is_null;
use super::output::Sink;
use crate::api::Stop;
use crate::fault::{Access, Actor};
use crate::float;
use crate::machine::{Machine, Res};
use crate::page::{Byte, Fresh};
use crate::value::Value;
use heapproof_ir::{FloatKind, Target, Ty, mask, sign_extend};
use heapproof_libc::{
    Conversion, LOCALE_OF_NUMBERS, LOG_NAME, Length, Number, Piece, PrintSink, print_pieces,
};

/// Output of one call beyond this is a limit.
const LONGEST: usize = 64 << 20;

/// Where the arguments of a format come from.
enum Arguments<'a> {
    Direct {
        args: &'a [(Value, Ty)],
        next: usize,
        /// Where numbered arguments start.
        first: usize,
    },
    /// The address of x86_64's tag, which is moved on.
    Tag { list: Value, arg: usize },
    /// The place in i386's area.
    Cursor { area: Value, arg: usize },
}

/// The output of a call.
#[derive(Default)]
struct Printed {
    text: Vec<u8>,
    /// The strings that were read, with how many bytes.
    sources: Vec<(Value, u64)>,
}

impl Machine<'_, '_> {
    pub(super) fn print(&mut self, call: &Call<'_>, sink: PrintSink, list: bool) -> Res<Value> {
        let format = sink.format_arg();
        let stream = match sink {
            PrintSink::Stdout => self.standard_output(call)?,
            PrintSink::Stream => self.stream(call, 0)?,
            PrintSink::Descriptor => self.descriptor(call.int(0)),
            PrintSink::Log => {
                self.read_log_name(call)?;
                Sink::Elsewhere
            }
            _ => Sink::Elsewhere,
        };
        let text = self.string(call.value(format), call.actor(format))?;
        let arg = format + 1;
        let mut arguments = if !list {
            Arguments::Direct { args: call.args, next: arg, first: arg }
        } else if self.program.target == Target::Lp64 {
            Arguments::Tag { list: call.value(arg), arg }
        } else {
            Arguments::Cursor { area: call.value(arg), arg }
        };
        let pieces = print_pieces(&text);
        // What goes to a stream is not seen by the program, unless its length is stored.
        let seen = matches!(sink, PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock)
            || pieces.iter().any(|piece| matches!(piece, Piece::Conversion(c) if c.letter == b'n'));
        let Printed { text: out, mut sources } = self.format(call, pieces, seen, &mut arguments)?;
        sources.push((call.value(format), text.len() as u64 + 1));
        let count = self.int_result(out.len() as i64);
        match sink {
            PrintSink::Stdout | PrintSink::Stream | PrintSink::Descriptor | PrintSink::Log => {
                self.write_out(stream, &out);
            }
            PrintSink::Area => {
                let n = out.len() as u64 + 1;
                let (id, at) = self.check(call.value(0), n, Access::Write, call.actor(0))?;
                for source in sources {
                    self.check_apart(call, (call.value(0), n), source)?;
                }
                self.put_text(id, at, &out)?;
            }
            PrintSink::BoundedArea => {
                let size = call.size(1);
                if size > 0 {
                    let kept = (out.len() as u64).min(size - 1);
                    let (id, at) = self.check(call.value(0), kept + 1, Access::Write, call.actor(0))?;
                    for source in sources {
                        self.check_apart(call, (call.value(0), kept + 1), source)?;
                    }
                    self.put_text(id, at, &out[..kept as usize])?;
                }
            }
            PrintSink::NewBlock => {
                let word = self.word_bytes;
                let (place, at) = self.check(call.value(0), word, Access::Write, call.actor(0))?;
                if self.allocation_fails_in(call.name()) {
                    for offset in 0..word {
                        let done = self.mem.set_byte(place, at + offset, Byte::Unknown);
                        self.room(done)?;
                    }
                    return Ok(self.int_result(-1));
                }
                let id = self.new_block(out.len() as u64 + 1, 0, Fresh::Uninit)?;
                self.put_text(id, 0, &out)?;
                let address = self.address_of(id);
                self.put(place, at, word, address)?;
            }
        }
        Ok(count)
    }

    /// What goes to the log begins with the name that `openlog` was given.
    fn read_log_name(&mut self, call: &Call<'_>) -> Res<()> {
        let Some(place) = self.program.global(LOG_NAME.name) else { return Ok(()) };
        let place = self.address_of(self.globals[place.as_u32() as usize]);
        let name = self.load(place, Ty::Ptr, call.actor(0))?;
        if is_null(name) { Ok(()) } else { self.string(name, Actor::Model("openlog", 0)).map(drop) }
    }

    fn argument(
        &mut self,
        call: &Call<'_>,
        from: &mut Arguments<'_>,
        position: Option<usize>,
        ty: Ty,
    ) -> Res<(Value, Ty, usize)> {
        match from {
            Arguments::Direct { args, next, first } => {
                let index = position.map_or(*next, |number| *first + number - 1);
                let Some((value, ty)) = args.get(index).copied() else {
                    let message = format!("`{}` has fewer arguments than its format asks for", call.name());
                    return Err(Stop::Other(message).into());
                };
                *next += usize::from(position.is_none());
                Ok((value, ty, index))
            }
            _ if position.is_some() => {
                let what = format!("a list of arguments that have numbers of `{}`", call.name());
                Err(Stop::Unsupported { what }.into())
            }
            Arguments::Tag { list, arg } => {
                let value = self.va_next(*list, ty, call.name(), *arg)?;
                Ok((value, ty, *arg))
            }
            Arguments::Cursor { area, arg } => {
                let (value, next) = self.va_take(*area, ty, Actor::Model(call.name(), *arg))?;
                *area = next;
                Ok((value, ty, *arg))
            }
        }
    }

    fn star(&mut self, call: &Call<'_>, from: &mut Arguments<'_>, position: Option<usize>) -> Res<i32> {
        let (value, ..) = self.argument(call, from, position, Ty::Int(32))?;
        self.note_number(value);
        Ok(value.bits as i32)
    }

    fn format(
        &mut self,
        call: &Call<'_>,
        pieces: Vec<Piece>,
        seen: bool,
        from: &mut Arguments<'_>,
    ) -> Res<Printed> {
        let mut out = Printed::default();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.text.extend(text),
                Piece::Conversion(conversion) => {
                    let spec = Spec { seen, ..self.spec(call, &conversion, from)? };
                    if out.text.len() + spec.width + spec.precision.unwrap_or(0) > LONGEST {
                        return Err(Stop::Memory(self.options.max_memory).into());
                    }
                    let length = self.length(conversion.length);
                    self.conversion(call, from, &spec, Conversion { length, ..conversion }, &mut out)?;
                }
                Piece::Other(letter) => {
                    let what = format!("the conversion %{} of `{}`", char::from(letter), call.name());
                    return Err(Stop::Unsupported { what }.into());
                }
            }
        }
        Ok(out)
    }

    /// The flags of a conversion with the width and precision that the arguments give.
    fn spec(&mut self, call: &Call<'_>, found: &Conversion, from: &mut Arguments<'_>) -> Res<Spec> {
        let mut spec = Spec {
            left: found.left,
            plus: found.plus,
            space: found.space,
            alternate: found.alternate,
            zero: found.zero,
            ..Spec::default()
        };
        match found.width {
            Some(number @ (Number::Argument | Number::Numbered(_))) => {
                let width = self.star(call, from, numbered(number))?;
                spec.left |= width < 0;
                spec.width = width.unsigned_abs() as usize;
            }
            Some(Number::Given(width)) => spec.width = width,
            None => {}
        }
        spec.precision = match found.precision {
            Some(number @ (Number::Argument | Number::Numbered(_))) => {
                usize::try_from(self.star(call, from, numbered(number))?).ok()
            }
            Some(Number::Given(precision)) => Some(precision),
            None => None,
        };
        spec.zero &= !spec.left;
        Ok(spec)
    }

    /// A wide string, of which at most so many bytes are written.
    fn wide_text(
        &mut self,
        call: &Call<'_>,
        pointer: Value,
        most: Option<usize>,
        index: usize,
    ) -> Res<Vec<u8>> {
        let mut text = Vec::new();
        while most.is_none_or(|most| text.len() < most) {
            let place = self.moved(pointer, 4 * text.len() as u64);
            match self.load(place, Ty::Int(32), call.actor(index))?.bits as u32 {
                0 => break,
                c => text.push(self.narrow(c)?),
            }
        }
        Ok(text)
    }

    /// A wide character as a byte.
    fn narrow(&mut self, c: u32) -> Res<u8> {
        match u8::try_from(c) {
            Ok(c) if c < 128 => Ok(c),
            _ => Err(Stop::Unsupported { what: "a wide character that is no byte".to_owned() }.into()),
        }
    }

    fn length(&self, length: Length) -> Length {
        match length {
            Length::Word if self.word_bits == 64 => Length::LongLong,
            Length::Word => Length::Int,
            other => other,
        }
    }

    fn conversion(
        &mut self,
        call: &Call<'_>,
        from: &mut Arguments<'_>,
        spec: &Spec,
        found: Conversion,
        printed: &mut Printed,
    ) -> Res<()> {
        let Printed { text: out, sources } = printed;
        let (length, position, conversion) = (found.length, found.position, found.letter);
        let (width, promoted) = match length {
            Length::Char => (8, 32),
            Length::Short => (16, 32),
            Length::Int => (32, 32),
            Length::Long | Length::Word => (self.word_bits, self.word_bits),
            Length::LongLong | Length::LongDouble => (64, 64),
        };
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let (value, ty, _) = self.argument(call, from, position, Ty::Int(promoted))?;
                self.note_number(value);
                let have = ty.bits(self.program.target).min(width);
                if matches!(conversion, b'd' | b'i') {
                    out.extend(spec.signed(sign_extend(value.bits & mask(have), have)));
                } else {
                    out.extend(spec.unsigned(value.bits & mask(have), conversion));
                }
            }
            b'C' | b'c' if conversion == b'C' || length == Length::Long => {
                let (value, ..) = self.argument(call, from, position, Ty::Int(32))?;
                self.note_number(value);
                let c = self.narrow(value.bits as u32)?;
                out.extend(spec.pad("", &[c], false));
            }
            b'c' => {
                let (value, ..) = self.argument(call, from, position, Ty::Int(32))?;
                self.note_number(value);
                out.extend(spec.pad("", &[value.bits as u8], false));
            }
            b's' if length == Length::Int => {
                let (value, _, index) = self.argument(call, from, position, Ty::Ptr)?;
                let most = spec.precision.map_or(u64::MAX, |p| p as u64);
                let pointer = self.as_pointer(value);
                let text = self.string_at_most(pointer, most, call.actor(index))?;
                sources.push((pointer, most.min(text.len() as u64 + 1)));
                out.extend(spec.pad("", &text, false));
            }
            b's' | b'S' if matches!(length, Length::Int | Length::Long) => {
                let (value, _, index) = self.argument(call, from, position, Ty::Ptr)?;
                let pointer = self.as_pointer(value);
                let text = self.wide_text(call, pointer, spec.precision, index)?;
                sources.push((pointer, 4 * text.len() as u64));
                out.extend(spec.pad("", &text, false));
            }
            b'p' => {
                let (value, ..) = self.argument(call, from, position, Ty::Ptr)?;
                self.note_number(value);
                if value.bits == 0 {
                    out.extend(spec.pad("", b"(nil)", false));
                } else {
                    let spec = Spec { alternate: true, ..spec.clone() };
                    out.extend(spec.unsigned(value.bits, b'x'));
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let long = length == Length::LongDouble;
                let wanted = Ty::Float(if long { FloatKind::X87 } else { FloatKind::F64 });
                let (value, ty, _) = self.argument(call, from, position, wanted)?;
                let Ty::Float(kind) = ty else {
                    let message =
                        format!("`{}` is given an integer where its format has a float", call.name());
                    return Err(Stop::Other(message).into());
                };
                self.note_number(value);
                if spec.seen {
                    self.in_locale_of_c(LOCALE_OF_NUMBERS)?;
                }
                let number = float::as_f64(kind, value.bits);
                let hexadecimal = matches!(conversion, b'a' | b'A');
                if spec.seen && number.is_nan() {
                    // The sign of what is no number is open.
                    self.note_choice("how a floating point number is printed");
                }
                if kind == FloatKind::F64 {
                    out.extend(spec.float(number, conversion));
                } else if kind != FloatKind::X87 || hexadecimal && spec.precision.is_some() {
                    let what = format!("a long number that `{}` prints", call.name());
                    return Err(Stop::Unsupported { what }.into());
                } else {
                    out.extend(spec.long_float(value.bits, conversion));
                }
            }
            b'n' => {
                let (value, _, index) = self.argument(call, from, position, Ty::Ptr)?;
                let n = u64::from(width / 8);
                let (id, at) = self.check(value, n, Access::Write, call.actor(index))?;
                self.put(id, at, n, Value::plain(out.len() as u128 & mask(width)))?;
            }
            b'm' => {
                if spec.seen {
                    self.note_choice("the text of an error");
                }
                out.extend_from_slice(b"Success");
            }
            _ => {
                let what = format!("the conversion %{} of `{}`", char::from(conversion), call.name());
                return Err(Stop::Unsupported { what }.into());
            }
        }
        Ok(())
    }
}

/// The number of an argument that is a width or a precision.
fn numbered(number: Number) -> Option<usize> {
    match number {
        Number::Numbered(position) => Some(position),
        _ => None,
    }
}
