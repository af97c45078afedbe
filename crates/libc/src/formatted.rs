//! The `printf` and `scanf` families on any memory: which strings are read, how long the output can be, what is stored.

use crate::apply::Call;
use crate::effect::Failure;
use crate::format::{Conversion, Length, Number, Piece, Scan, ScanPiece, Taken, print_pieces, scan_pieces};
use crate::kind::{PrintSink, ScanSource};
use crate::memory::{Access, CharSet, Memory, Place, Written};
use crate::{CharClass, Scalar, effect::on, kept};
use heapproof_ir::Target;

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// Where the arguments of a format come from.
pub(crate) enum Arguments<V> {
    /// The arguments of the call from this one on.
    Direct(usize),
    /// The arguments of the call from this one on, by their numbers.
    Numbered(usize),
    /// The next place in the area of a `va_list`, which is argument `arg`.
    Area {
        /// The place.
        at: V,
        /// The argument that is the list.
        arg: usize,
    },
}

impl<V: Copy> Arguments<V> {
    /// The arguments after the fixed ones. A list is not moved on before [`Arguments::finish`].
    fn new<M: Memory<Value = V>>(call: &mut Call<'_, M>, first: usize, list: bool) -> Res<M, Arguments<V>> {
        if !list {
            return Ok(Arguments::Direct(first));
        }
        let at = match call.memory.target() {
            // The overflow area holds all of them.
            Target::Lp64 => {
                let place = overflow(call, first)?;
                call.memory.load(place, Scalar::Ptr)?
            }
            Target::Ilp32 => call.args[first],
        };
        Ok(Arguments::Area { at, arg: first })
    }

    /// The next argument, with the number of the one that it came by.
    fn next<M: Memory<Value = V>>(&mut self, call: &mut Call<'_, M>, ty: Scalar) -> Res<M, Place<V>> {
        match self {
            Arguments::Numbered(_) => Err(call.stop("a format with some arguments that have numbers")),
            Arguments::Direct(next) => {
                let Some(value) = call.args.get(*next) else {
                    return Err(call.stop("a format with more conversions than arguments"));
                };
                *next += 1;
                Ok(Place { at: *value, arg: *next - 1 })
            }
            Arguments::Area { at, arg } => {
                if ty == Scalar::LongDouble {
                    return Err(call.stop("a `long double` in a list of arguments"));
                }
                let target = call.memory.target();
                let bytes = u64::from(ty.bits(target.pointer_bits()) / 8);
                let step = call.size(bytes.next_multiple_of(target.pointer_bytes()));
                let value = call.memory.load(Place { at: *at, arg: *arg }, ty)?;
                *at = call.memory.moved(*at, step)?;
                Ok(Place { at: value, arg: *arg })
            }
        }
    }

    /// The argument with a number, or the next one.
    fn take<M: Memory<Value = V>>(
        &mut self,
        call: &mut Call<'_, M>,
        position: Option<usize>,
        ty: Scalar,
    ) -> Res<M, Place<V>> {
        let (first, position) = match (&self, position) {
            (_, None) => return self.next(call, ty),
            (Arguments::Direct(first) | Arguments::Numbered(first), Some(position)) => (*first, position),
            (Arguments::Area { .. }, Some(_)) => {
                return Err(call.stop("a list of arguments that have numbers"));
            }
        };
        *self = Arguments::Numbered(first);
        let arg = first + position - 1;
        match call.args.get(arg) {
            Some(value) => Ok(Place { at: *value, arg }),
            None => Err(call.stop("a format with more conversions than arguments")),
        }
    }

    /// Moves a list on to where the format ended.
    fn finish<M: Memory<Value = V>>(self, call: &mut Call<'_, M>) -> Res<M, ()> {
        match (self, call.memory.target()) {
            (Arguments::Area { at, arg }, Target::Lp64) => {
                let place = overflow(call, arg)?;
                call.memory.store(place, Scalar::Ptr, at)
            }
            _ => Ok(()),
        }
    }
}

/// Where x86_64's `va_list` keeps the address of its overflow area.
fn overflow<M: Memory>(call: &mut Call<'_, M>, arg: usize) -> Res<M, Place<M::Value>> {
    let by = call.size(8);
    Ok(Place { at: call.memory.moved(call.args[arg], by)?, arg })
}

/// How long an output is.
struct Output<V> {
    least: u64,
    /// The greatest length.
    most: V,
    /// Both are the same.
    exact: bool,
    /// One of its characters may be NUL.
    nul: bool,
    /// The strings that are read, with their sizes.
    sources: Vec<(Place<V>, V)>,
}

/// Formatted output.
pub(crate) fn print<M: Memory>(call: &mut Call<'_, M>, sink: PrintSink, list: bool) -> Res<M, M::Value> {
    let format = sink.format_arg();
    let Some(text) = call.memory.text(call.place(format))? else {
        return Err(call.stop("a format that is not known"));
    };
    call.streams()?;
    if sink == PrintSink::Log {
        kept::read_log_name(call)?;
    }
    let mut arguments = Arguments::new(call, format + 1, list)?;
    let mut output = Output { least: 0, most: call.size(0), exact: true, nul: false, sources: Vec::new() };
    let bytes = call.size(text.len() as u64 + 1);
    output.sources.push((call.place(format), bytes));
    let mut counters = Vec::new();
    for piece in print_pieces(&text) {
        match piece {
            Piece::Text(text) => output.add(call, text.len() as u64, text.len() as u64)?,
            Piece::Conversion(conversion) => {
                convert(call, &conversion, &mut arguments, &mut output, &mut counters)?;
            }
            Piece::Other(_) => return Err(call.stop("a format with numbered or unfinished conversions")),
        }
    }
    let length =
        if output.exact { output.most } else { call.memory.computed_size(output.least, output.most)? };
    // A string ends at the first NUL, also where that is a character of the output.
    let content = if output.nul { Written::Line } else { Written::Text };
    let longest = call.size(i32::MAX as u64);
    let told = match sink {
        PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock => {
            // An `int` has to tell the length.
            call.memory.at_most(length, longest)?
        }
        _ => true,
    };
    let printed = Printed { length, content, told, sources: &output.sources };
    let done = deliver(call, sink, &printed)?;
    arguments.finish(call)?;
    for (place, ty) in counters {
        let number = call.memory.computed(ty)?;
        call.memory.store(place, ty, number)?;
    }
    match sink {
        PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock if done => {
            Ok(call.memory.convert(length, Scalar::SIZE, Scalar::INT))
        }
        PrintSink::Area | PrintSink::BoundedArea | PrintSink::NewBlock => {
            Ok(call.memory.number(-1, Scalar::INT))
        }
        // Writing may fail.
        _ => call.memory.computed(Scalar::INT),
    }
}

impl<V: Copy> Output<V> {
    /// The output gets longer by a number of characters between two.
    fn add<M: Memory<Value = V>>(&mut self, call: &mut Call<'_, M>, least: u64, most: u64) -> Res<M, ()> {
        let value = call.size(most);
        self.add_value(call, least, value)?;
        self.exact &= least == most;
        Ok(())
    }

    fn add_value<M: Memory<Value = V>>(&mut self, call: &mut Call<'_, M>, least: u64, most: V) -> Res<M, ()> {
        self.least += least;
        self.most = call.memory.sum(self.most, most)?;
        Ok(())
    }
}

/// What is printed.
struct Printed<'o, V> {
    /// The length, without the NUL.
    length: V,
    content: fn(V) -> Written<V>,
    /// An `int` can tell the length.
    told: bool,
    /// What is read meanwhile.
    sources: &'o [(Place<V>, V)],
}

/// The output goes where it goes; false if it fails.
fn deliver<M: Memory>(
    call: &mut Call<'_, M>,
    sink: PrintSink,
    printed: &Printed<'_, M::Value>,
) -> Res<M, bool> {
    let Printed { length, content, told, sources } = *printed;
    let one = call.size(1);
    let area = call.place(0);
    match sink {
        PrintSink::Stdout | PrintSink::Stream | PrintSink::Descriptor | PrintSink::Log => {}
        PrintSink::Area => {
            let bytes = call.memory.sum(length, one)?;
            call.memory.check(area, &[bytes], Access::Write)?;
            sources.iter().try_for_each(|read| call.memory.apart((area, bytes), *read))?;
            call.memory.write(area, bytes, content(length))?;
        }
        PrintSink::BoundedArea => {
            let Some(most) = call.memory.less_one(call.args[1], Scalar::SIZE)? else { return Ok(told) };
            let bytes = call.memory.sum(length, one)?;
            call.memory.check(area, &[bytes, call.args[1]], Access::Write)?;
            let shown = call.memory.smaller(length, most)?;
            let bytes = call.memory.smaller(bytes, call.args[1])?;
            sources.iter().try_for_each(|read| call.memory.apart((area, bytes), *read))?;
            call.memory.write(area, bytes, content(shown))?;
        }
        PrintSink::NewBlock => {
            let word = call.memory.target().pointer_bytes();
            let word = call.size(word);
            call.memory.check(area, &[word], Access::Write)?;
            if !told || call.memory.allocation_fails()? {
                call.memory.write(area, word, Written::Any)?;
                return Ok(false);
            }
            let bytes = call.memory.sum(length, one)?;
            let block = call.memory.allocate(bytes)?;
            call.memory.write(Place { at: block, arg: 0 }, bytes, content(length))?;
            call.memory.store(area, Scalar::Ptr, block)?;
        }
    }
    Ok(told)
}

/// A width or precision: its value, or none if it is not known.
fn number<M: Memory>(
    call: &mut Call<'_, M>,
    number: Option<Number>,
    arguments: &mut Arguments<M::Value>,
) -> Res<M, Option<Option<i64>>> {
    Ok(match number {
        None => None,
        Some(Number::Given(number)) => Some(Some(number as i64)),
        Some(number @ (Number::Argument | Number::Numbered(_))) => {
            let position = if let Number::Numbered(position) = number { Some(position) } else { None };
            let value = arguments.take(call, position, Scalar::INT)?.at;
            Some(call.memory.known(value).map(|bits| i64::from(bits as i32)))
        }
    })
}

/// No conversion of a number without width and precision is longer, but for floating point numbers.
const LONGEST_NUMBER: u64 = 32;
/// The greatest number of digits before the point.
const LONGEST_FLOAT: u64 = 312;
const LONGEST_LONG_DOUBLE: u64 = 4936;

fn convert<M: Memory>(
    call: &mut Call<'_, M>,
    conversion: &Conversion,
    arguments: &mut Arguments<M::Value>,
    output: &mut Output<M::Value>,
    counters: &mut Vec<(Place<M::Value>, Scalar)>,
) -> Res<M, ()> {
    let width = number(call, conversion.width, arguments)?;
    let precision = number(call, conversion.precision, arguments)?;
    // An unknown width can be anything that an `int` can be.
    let padding = width.map_or(0, |width| width.map_or(1 << 31, i64::unsigned_abs));
    let sure = width.flatten().map_or(0, i64::unsigned_abs);
    let digits = match precision {
        Some(Some(digits)) => u64::try_from(digits).unwrap_or(0),
        Some(None) => 1 << 31,
        None => 0,
    };
    let ty = integer(conversion.length);
    let target = call.memory.target();
    match conversion.letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let value = arguments.take(call, conversion.position, promoted(ty))?.at;
            let bits = ty.bits(target.pointer_bits());
            let plain = width.is_none() && precision.is_none() && !conversion.plus && !conversion.space;
            match call.memory.known(value).filter(|_| plain && !conversion.alternate) {
                Some(value) => {
                    let n = shown(value, bits, conversion.letter).len() as u64;
                    output.add(call, n, n)
                }
                None => {
                    // `0x`, or a zero in front.
                    let prefix = if conversion.alternate { 2 } else { 0 };
                    let most = (longest(bits, conversion.letter) + prefix).max(padding).max(digits + 3);
                    output.add(call, sure.max(u64::from(precision.is_none())), most)
                }
            }
        }
        b'c' if conversion.length == Length::Int => {
            let value = arguments.take(call, conversion.position, Scalar::INT)?.at;
            output.nul |= call.memory.may_be_nul(value);
            output.add(call, sure.max(1), padding.max(1))
        }
        b's' if conversion.length == Length::Int => {
            let place = arguments.take(call, conversion.position, Scalar::Ptr)?;
            let most = match precision {
                Some(Some(most)) if most >= 0 => Some(call.size(most as u64)),
                // A negative precision is none.
                Some(Some(_)) | None => None,
                Some(None) => return Err(call.stop("a precision that is not known")),
            };
            let length = call.memory.length(place, most)?;
            let whole = most.is_some_and(|most| call.memory.known(most) == call.memory.known(length));
            let one = call.size(u64::from(!whole));
            let bytes = call.memory.sum(length, one)?;
            output.sources.push((place, bytes));
            match call.memory.known(length) {
                Some(length) => {
                    let length = length as u64;
                    output.add(call, length.max(sure), length.max(padding))
                }
                None if padding == 0 => output.add_value(call, 0, length),
                None => {
                    output.exact = false;
                    output.add_value(call, 0, length)?;
                    output.add(call, 0, padding)
                }
            }
        }
        b'p' => {
            arguments.take(call, conversion.position, Scalar::Ptr)?;
            output.add(call, sure.max(1), padding.max(LONGEST_NUMBER))
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let long = conversion.length == Length::LongDouble;
            arguments.take(
                call,
                conversion.position,
                if long { Scalar::LongDouble } else { Scalar::Double },
            )?;
            let before = if long { LONGEST_LONG_DOUBLE } else { LONGEST_FLOAT };
            output.add(call, sure.max(1), padding.max(before + digits.max(40)))
        }
        b'n' => {
            let place = arguments.take(call, conversion.position, Scalar::Ptr)?;
            let bytes = call.size(u64::from(ty.bits(target.pointer_bits()) / 8));
            call.memory.check(place, &[bytes], Access::Write)?;
            counters.push((place, ty));
            Ok(())
        }
        b'm' => output.add(call, 0, 256),
        letter => {
            let what = format!("the conversion %{}", char::from(letter));
            Err(call.stop(&what))
        }
    }
}

/// The type of an integer argument, before promotion.
fn integer(length: Length) -> Scalar {
    match length {
        Length::Char => Scalar::Int { bits: 8, signed: true },
        Length::Short => Scalar::Int { bits: 16, signed: true },
        Length::Int => Scalar::INT,
        Length::Long => Scalar::LONG,
        Length::Word => Scalar::LONG,
        Length::LongLong | Length::LongDouble => Scalar::LLONG,
    }
}

fn promoted(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Int { bits: 8 | 16, .. } => Scalar::INT,
        other => other,
    }
}

/// A number as it is printed without flags.
fn shown(value: u128, bits: u8, letter: u8) -> String {
    let value = value & heapproof_ir::mask(bits);
    match letter {
        b'd' | b'i' => heapproof_ir::sign_extend(value, bits).to_string(),
        b'o' => format!("{value:o}"),
        b'x' | b'X' => format!("{value:x}"),
        _ => value.to_string(),
    }
}

/// The greatest length of a number of a width, with its sign.
fn longest(bits: u8, letter: u8) -> u64 {
    let digits = match letter {
        b'd' | b'i' => shown(1 << (bits - 1), bits, b'd').len(),
        _ => shown(heapproof_ir::mask(bits), bits, letter).len(),
    };
    digits as u64
}

/// Formatted input: the environment, or the content of a string, decides how many conversions succeed.
pub(crate) fn scan<M: Memory>(call: &mut Call<'_, M>, source: ScanSource, list: bool) -> Res<M, M::Value> {
    let format = source.format_arg();
    let read = match source {
        ScanSource::Text => Some((call.place(0), call.with_nul(0, None)?)),
        _ => None,
    };
    let text = call.memory.text(call.place(format))?;
    let Some(pieces) = text.and_then(|text| scan_pieces(&text)) else {
        return Err(call.stop("a format that is not known or not modelled"));
    };
    call.streams()?;
    let mut arguments = Arguments::new(call, format + 1, list)?;
    let mut stored = 0;
    let mut plans = Vec::new();
    let mut ended = false;
    // Standard input as it is at the start can be read; a call for another stream may fail at once.
    let readable = source == ScanSource::Stdin && !call.memory.declares("freopen");
    let mut at_start = readable;
    for piece in &pieces {
        let ScanPiece::Scan(scan) = piece else {
            at_start = false;
            continue;
        };
        let position = scan.taken == Taken::Position;
        at_start &= position;
        if !position && !call.memory.matches()? {
            ended = true;
            break;
        }
        if scan.dropped {
            continue;
        }
        let place = arguments.next(call, Scalar::Ptr)?;
        let (planned, bytes) = plan(call, place, scan, at_start)?;
        if let Some(read) = read {
            call.memory.apart((place, bytes), read)?;
        }
        plans.push((place, planned));
        stored += i64::from(!position);
    }
    arguments.finish(call)?;
    for (place, part) in plans {
        put(call, place, part)?;
    }
    let is_position =
        |piece: &ScanPiece| matches!(piece, ScanPiece::Scan(scan) if scan.taken == Taken::Position);
    let takes = |piece: &ScanPiece| matches!(piece, ScanPiece::Scan(_)) && !is_position(piece);
    // Text without conversions may not be there. Where nothing is read, nothing can be missing.
    let surely = readable && pieces.iter().all(is_position);
    ended |= !(surely || pieces.iter().any(takes));
    if ended && stored == 0 {
        return call.memory.input(Scalar::INT, Some((-1, 0)));
    }
    Ok(call.memory.number(stored, Scalar::INT))
}

/// Stores what a conversion took.
fn put<M: Memory>(call: &mut Call<'_, M>, place: Place<M::Value>, part: Part<M::Value>) -> Res<M, ()> {
    match part {
        Part::Text(length, bytes, set) => {
            call.memory.write(place, bytes, Written::Line(length))?;
            call.memory.only(place, length, &set)
        }
        Part::Bytes(bytes) => call.memory.write(place, bytes, Written::Any),
        Part::Number(ty, range) => {
            let number = call.memory.input(ty, range)?;
            call.memory.store(place, ty, number)
        }
        Part::Guessed(ty) => {
            let number = call.memory.guessed(ty)?;
            call.memory.store(place, ty, number)
        }
        Part::Start(ty) => {
            let number = call.memory.number(0, ty);
            call.memory.store(place, ty, number)
        }
    }
}

/// What a conversion stores, after its place was checked.
enum Part<V> {
    /// A string of a length, with its size and its characters.
    Text(V, V, CharSet),
    Bytes(V),
    /// A number of a type and a range.
    Number(Scalar, Option<(i64, i64)>),
    /// A number of a type that follows from the input.
    Guessed(Scalar),
    /// How much was read before anything was: 0.
    Start(Scalar),
}

/// What goes to a checked place, with its size.
type Planned<M> = (Part<<M as Memory>::Value>, <M as Memory>::Value);

fn plan<M: Memory>(
    call: &mut Call<'_, M>,
    place: Place<M::Value>,
    scan: &Scan,
    at_start: bool,
) -> Res<M, Planned<M>> {
    let (part, bytes) = match &scan.taken {
        taken @ (Taken::Word | Taken::Set { .. }) => {
            let most = scan.width.map(|width| call.size(width as u64));
            // Nothing does not match.
            let least = u64::from(scan.width != Some(0));
            let Some(length) = call.memory.amount_from(least, most, Failure::Never)? else {
                return Err(call.stop("its failure"));
            };
            let one = call.size(1);
            let bytes = call.memory.sum(length, one)?;
            (Part::Text(length, bytes, characters(taken)), bytes)
        }
        Taken::Chars => {
            let bytes = call.size(scan.width.unwrap_or(1) as u64);
            (Part::Bytes(bytes), bytes)
        }
        Taken::Integer { .. } | Taken::Position | Taken::Float => {
            let ty = stored(scan);
            let bytes = match ty {
                Scalar::LongDouble => on(call.memory.target(), (10, 10)),
                other => u64::from(other.bits(call.memory.target().pointer_bits()) / 8),
            };
            let part = match scan.taken {
                Taken::Position if at_start => Part::Start(ty),
                Taken::Position => Part::Guessed(ty),
                _ => Part::Number(ty, range_of(scan, ty.bits(call.memory.target().pointer_bits()))),
            };
            (part, call.size(bytes))
        }
    };
    call.memory.check(place, &[bytes], Access::Write)?;
    Ok((part, bytes))
}

/// The characters that a conversion to a string takes.
fn characters(taken: &Taken) -> CharSet {
    match taken {
        Taken::Set { set, inverted } => CharSet::new(|c| set.contains(&c) != *inverted),
        // Other locales have more white space.
        _ => CharSet::new(|c| c >= 128 || !CharClass::Space.holds(c)),
    }
}

/// The numbers that a width allows, unless there are more than the type has.
fn range_of(scan: &Scan, bits: u8) -> Option<(i64, i64)> {
    let (Taken::Integer { base, signed }, false) = (&scan.taken, scan.pointer) else { return None };
    let width = u32::try_from(scan.width?).ok().filter(|width| *width > 0)?;
    // A sign makes a large number of an unsigned one.
    if !signed && width > 1 {
        return None;
    }
    let greatest = |width: u32| match base {
        0 => {
            let [decimal, octal] = [10i64, 8].map(|base| base.checked_pow(width));
            let hexadecimal = 16i64.checked_pow(width.saturating_sub(2));
            Some(decimal?.max(octal?).max(hexadecimal?) - 1)
        }
        base => i64::from(*base).checked_pow(width).map(|number| number - 1),
    };
    let (low, high) = (-greatest(width - 1)?, greatest(width)?);
    let fits = bits >= 64 || high < 1 << (bits - 1);
    fits.then_some((low, high))
}

/// The type that a conversion to a number stores.
pub fn stored(scan: &Scan) -> Scalar {
    match (&scan.taken, scan.length) {
        _ if scan.pointer => Scalar::SIZE,
        (Taken::Float, Length::Long) => Scalar::Double,
        (Taken::Float, Length::LongDouble) => Scalar::LongDouble,
        (Taken::Float, _) => Scalar::Float,
        (_, length) => integer(length),
    }
}
