//! Carries the effect of a model out on any memory: checks what is read and written, lets the environment decide,
//! changes memory, gives the result.

use crate::effect::{
    Amount, Area, Content, Extent, Failure, Field, LibraryObject, ResultOf, StreamKind, StreamUse, Transfer,
    on,
};
use crate::memory::{Access, CharSet, Memory, Place, Written};
use crate::{Model, ModelKind, Scalar, formatted, kept, options, special};
use heapproof_ir::Target;

const SIZE: Scalar = Scalar::SIZE;

/// Carries out a call of a modelled function that returns; gives its result, if it has one.
///
/// There are at least as many arguments as the model has parameters. What ends the program, calls back or frees is up to
/// the engine, which knows its control flow and its heap; here such models stop as not modelled.
pub fn apply<M: Memory>(
    model: &'static Model,
    args: &[M::Value],
    memory: &mut M,
) -> Result<Option<M::Value>, M::Stop> {
    let mut call = Call { model, args, memory };
    let effect = &model.effect;
    match model.kind {
        ModelKind::Print { sink, list } => return formatted::print(&mut call, sink, list).map(Some),
        ModelKind::Scan { source, list } => return formatted::scan(&mut call, source, list).map(Some),
        ModelKind::GetDelim { .. } => return special::get_delim(&mut call).map(Some),
        ModelKind::StrTok { reentrant } => return special::str_tok(&mut call, reentrant).map(Some),
        ModelKind::StrSep => return special::str_sep(&mut call).map(Some),
        ModelKind::GetOpt { .. } => return options::get_opt(&mut call).map(Some),
        ModelKind::Time => return special::time(&mut call).map(Some),
        ModelKind::GetPath { area, size } => return special::get_path(&mut call, area, size).map(Some),
        ModelKind::Control => return special::control(&mut call).map(Some),
        ModelKind::FileControl => return special::file_control(&mut call).map(Some),
        ModelKind::ReadEntry => return kept::read_entry(&mut call).map(Some),
        ModelKind::IsKnown => {
            let known = i64::from(call.memory.known(args[0]).is_some());
            return Ok(Some(call.memory.number(known, model.result)));
        }
        ModelKind::LogName => return kept::log_name(&mut call),
        ModelKind::GetEnv if kept::own_environment(&mut call) || call.memory.declares("putenv") => {
            return Err(call.stop("the variables in `environ`"));
        }
        ModelKind::Exec { list } => return special::exec(&mut call, list).map(Some),
        ModelKind::PosixMemalign => return special::posix_memalign(&mut call).map(Some),
        ModelKind::SetBuffer => call.no_buffer()?,
        ModelKind::Unsupported => return Err(call.stop("it")),
        _ if effect.frees.is_some() || effect.ends_program || effect.calls_back => {
            return Err(call.stop("what it does"));
        }
        _ => {}
    }
    call.reads()?;
    call.streams()?;
    let result = call.outcome()?;
    call.close()?;
    Ok(result)
}

/// A call that is carried out.
pub(crate) struct Call<'a, M: Memory> {
    pub model: &'static Model,
    pub args: &'a [M::Value],
    pub memory: &'a mut M,
}

type Res<M, T> = Result<T, <M as Memory>::Stop>;

/// What is written where, after all checks.
struct Plan<V> {
    place: Place<V>,
    size: V,
    content: Content,
    /// The string that a place in another one is looked for in.
    within: Option<V>,
}

impl<M: Memory> Call<'_, M> {
    pub fn place(&self, arg: usize) -> Place<M::Value> {
        Place { at: self.args[arg], arg }
    }

    pub fn size(&mut self, bytes: u64) -> M::Value {
        self.memory.number(bytes as i64, SIZE)
    }

    pub fn stop(&self, what: &str) -> M::Stop {
        self.memory.not_modelled(self.model, what)
    }

    fn no_buffer(&mut self) -> Res<M, ()> {
        if self.memory.is_null(self.args[1])? { Ok(()) } else { Err(self.stop("a buffer of the program")) }
    }

    /// The areas that are read lie inside live objects, and strings end there.
    pub fn reads(&mut self) -> Res<M, ()> {
        for area in &self.model.effect.reads {
            if area.nullable && self.memory.is_null(self.args[area.arg])? {
                continue;
            }
            let place = self.place(area.arg);
            match area.extent {
                Extent::Nul => drop(self.memory.length(place, None)?),
                Extent::NulOrArg(most) => drop(self.memory.length(place, Some(self.args[most]))?),
                _ => {
                    let size = self.extent(area)?;
                    self.memory.check(place, &[size], Access::Read)?;
                }
            }
        }
        Ok(())
    }

    /// The arguments that are streams are open.
    pub fn streams(&mut self) -> Res<M, ()> {
        for stream in &self.model.effect.streams {
            let place = self.place(stream.arg);
            if !(stream.nullable && self.memory.is_null(place.at)?) {
                self.memory.stream(place, stream.kind, stream.usage)?;
            }
        }
        Ok(())
    }

    fn close(&mut self) -> Res<M, ()> {
        for stream in &self.model.effect.streams {
            if stream.usage == StreamUse::Closes {
                if stream.kind == StreamKind::Directory {
                    for entry in kept::entries(self, self.place(stream.arg))? {
                        self.memory.close(Place { at: entry, arg: stream.arg })?;
                    }
                }
                self.memory.close(self.place(stream.arg))?;
            }
        }
        Ok(())
    }

    /// The size of an area that does not depend on what the environment gives.
    fn extent(&mut self, area: &Area) -> Res<M, M::Value> {
        let target = self.memory.target();
        let word = target.pointer_bytes();
        Ok(match area.extent {
            Extent::Bytes(n) => self.size(n),
            Extent::Sizes(lp64, ilp32) => self.size(on(target, (lp64, ilp32))),
            Extent::Pointer | Extent::Word => self.size(word),
            Extent::Arg(arg) | Extent::UpToArg(arg) => match self.model.params[arg] {
                SIZE => self.args[arg],
                ty => self.memory.convert(self.args[arg], ty, SIZE),
            },
            Extent::Product(a, b) => self.memory.product(self.args[a], self.args[b])?,
            Extent::Nul => self.with_nul(area.arg, None)?,
            Extent::NulOrArg(most) => self.memory.length(self.place(area.arg), Some(self.args[most]))?,
            Extent::StringOf(arg) => self.with_nul(arg, None)?,
            Extent::AppendStringOf(arg) => {
                let before = self.memory.length(self.place(area.arg), None)?;
                let added = self.with_nul(arg, None)?;
                self.memory.sum(before, added)?
            }
            Extent::AppendStringOfAtMost(arg, most) => {
                let before = self.memory.length(self.place(area.arg), None)?;
                let added = self.with_nul(arg, Some(self.args[most]))?;
                self.memory.sum(before, added)?
            }
            Extent::Format | Extent::FormatAtMost(_) => return Err(self.stop("its format")),
        })
    }

    pub fn with_nul(&mut self, arg: usize, most: Option<M::Value>) -> Res<M, M::Value> {
        let length = self.memory.length(self.place(arg), most)?;
        let one = self.size(1);
        self.memory.sum(length, one)
    }

    /// What happens once the arguments are fine.
    fn outcome(&mut self) -> Res<M, Option<M::Value>> {
        let effect = &self.model.effect;
        if let Some(transfer) = effect.transfer {
            return self.transfer(transfer).map(Some);
        }
        let plans = self.plans()?;
        if let ResultOf::UpTo(arg) = effect.result {
            let most = Some(self.args[arg]);
            let count = self.memory.amount(most, effect.failure)?;
            return Ok(Some(match (count, effect.failure) {
                (None, Failure::Gives(number)) => self.memory.number(number, self.model.result),
                (None, _) => return Err(self.stop("its failure")),
                (Some(count), _) => self.memory.convert(count, SIZE, self.model.result),
            }));
        }
        let failed = match effect.failure {
            Failure::Never => None,
            Failure::Gives(number) => self.memory.fails()?.then_some(number),
            Failure::OrElse(number) => self.memory.either()?.then_some(number),
        };
        if let Some(number) = failed {
            for plan in plans {
                match plan.content {
                    // Another name was tried.
                    Content::LastCharacters(_) if self.is_template(plan.place)? => self.carry_out(plan)?,
                    Content::LastCharacters(_) => {}
                    _ => self.memory.write(plan.place, plan.size, Written::Spoilt)?,
                }
            }
            kept::spoil(self)?;
            return Ok(Some(self.memory.number(number, self.model.result)));
        }
        let result = self.result()?;
        for plan in plans {
            self.carry_out(plan)?;
        }
        if let ResultOf::Object(object) = effect.result
            && object.single
            && let Some(at) = result
        {
            self.renew(object, at)?;
        }
        if matches!(self.model.kind, ModelKind::TimeText { local: true }) {
            kept::renew_parts(self)?;
        }
        Ok(result)
    }

    /// True unless a string surely is no name with places to be filled.
    fn is_template(&mut self, place: Place<M::Value>) -> Res<M, bool> {
        Ok(self.memory.text(place)?.is_none_or(|name| name.ends_with(b"XXXXXX")))
    }

    /// Checks what is written.
    fn plans(&mut self) -> Res<M, Vec<Plan<M::Value>>> {
        let mut plans = Vec::new();
        for area in &self.model.effect.writes {
            if area.nullable && self.memory.is_null(self.args[area.arg])? {
                continue;
            }
            let size = self.extent(area)?;
            let place = self.place(area.arg);
            self.memory.check(place, &[size], Access::Write)?;
            self.no_overlap(area)?;
            let within = match area.content {
                Content::PlaceIn(arg) => Some(self.memory.length(self.place(arg), None)?),
                Content::LastCharacters(_) => Some(self.memory.length(place, None)?),
                _ => None,
            };
            plans.push(Plan { place, size, content: area.content, within });
        }
        Ok(plans)
    }

    /// A string that is copied does not overlap its copy.
    fn no_overlap(&mut self, area: &Area) -> Res<M, ()> {
        let (from, most) = match area.extent {
            Extent::StringOf(from) | Extent::AppendStringOf(from) => (from, None),
            Extent::AppendStringOfAtMost(from, most) => (from, Some(self.args[most])),
            _ => return Ok(()),
        };
        if most.is_some_and(|most| self.memory.known(most) == Some(0)) {
            return Ok(());
        }
        let mut to = self.place(area.arg);
        if !matches!(area.extent, Extent::StringOf(_)) {
            let before = self.memory.length(to, None)?;
            to.at = self.memory.moved(to.at, before)?;
        }
        let bytes = self.with_nul(from, most)?;
        self.memory.apart((to, bytes), (self.place(from), bytes))
    }

    fn carry_out(&mut self, plan: Plan<M::Value>) -> Res<M, ()> {
        let Plan { place, size, content, within } = plan;
        match (content, within) {
            (Content::PlaceIn(arg), Some(length)) => {
                let by = self.memory.computed_size(0, length)?;
                let pointer = self.memory.moved(self.args[arg], by)?;
                self.memory.store(place, Scalar::Ptr, pointer)
            }
            (Content::LastCharacters(last), Some(length)) => match self.memory.known(length) {
                // Without so many the call fails.
                Some(length) if length < last.into() => Ok(()),
                Some(length) => {
                    let (by, bytes) = (self.size(length as u64 - last), self.size(last + 1));
                    let at = self.memory.moved(place.at, by)?;
                    let last = self.size(last);
                    self.memory.write(Place { at, ..place }, bytes, Written::Text(last))?;
                    self.memory.only(
                        Place { at, ..place },
                        last,
                        &CharSet::new(|c| c.is_ascii_alphanumeric()),
                    )
                }
                None => self.memory.write(place, size, Written::Text(length)),
            },
            _ => self.fill(place, size, content),
        }
    }

    /// Writes content of a kind to a checked area.
    pub fn fill(&mut self, place: Place<M::Value>, size: M::Value, content: Content) -> Res<M, ()> {
        match content {
            Content::Kept => Ok(()),
            Content::Any | Content::PlaceIn(_) | Content::LastCharacters(_) => {
                self.memory.write(place, size, Written::Any)
            }
            Content::Text => self.fill_text(place, size, 0),
            Content::LongText(least) => self.fill_text(place, size, least),
            Content::WholeText => match self.memory.less_one(size, SIZE)? {
                Some(length) => self.memory.write(place, size, Written::Text(length)),
                None => Ok(()),
            },
            Content::Fields(fields) => {
                self.memory.write(place, size, Written::Any)?;
                fields.iter().try_for_each(|field| self.fill_field(place, field, i64::MIN).map(drop))
            }
            Content::Rising(fields) => {
                self.memory.write(place, size, Written::Any)?;
                let mut least = i64::MIN;
                for field in fields {
                    let number = self.fill_field(place, field, least)?;
                    least = self.memory.known(number).map_or(i64::MIN, |number| number as i64 + 1);
                }
                Ok(())
            }
        }
    }

    pub fn fill_text(&mut self, place: Place<M::Value>, size: M::Value, least: u64) -> Res<M, ()> {
        let Some(most) = self.memory.less_one(size, SIZE)? else { return Ok(()) };
        let length = self.memory.computed_size(least, most)?;
        self.memory.write(place, size, Written::Text(length))?;
        if least > 0 {
            let first = self.size(1);
            self.memory.only(place, first, &CharSet::new(|c| c != 0))?;
        }
        Ok(())
    }

    /// A number in a structure, not below the least one.
    fn fill_field(&mut self, place: Place<M::Value>, field: &Field, least: i64) -> Res<M, M::Value> {
        let target = self.memory.target();
        let by = self.size(on(target, field.at));
        let at = self.memory.moved(place.at, by)?;
        let ty = Scalar::Int { bits: (8 * on(target, field.bytes)) as u8, signed: true };
        let range = (on(target, field.low).max(least), on(target, field.high));
        let number = self.memory.input(ty, Some(range))?;
        self.memory.store(Place { at, ..place }, ty, number)?;
        Ok(number)
    }

    /// The one object of the library that a call gives is written anew.
    pub fn renew(&mut self, object: &'static LibraryObject, at: M::Value) -> Res<M, ()> {
        let size = object.size_on(self.memory.target());
        let size = self.size(size);
        self.fill(Place { at, arg: 0 }, size, object.content)
    }

    /// Input is stored.
    fn transfer(&mut self, transfer: Transfer) -> Res<M, M::Value> {
        let failure = self.model.effect.failure;
        if let Amount::Items(size, _) = transfer.amount
            && self.memory.known(self.args[size]) == Some(0)
        {
            return Ok(self.memory.number(0, self.model.result));
        }
        let most = match transfer.amount {
            Amount::Bytes(arg) | Amount::Items(_, arg) => Some(self.args[arg]),
            Amount::Unbounded => None,
            Amount::Line(arg) => match self.memory.less_one(self.args[arg], self.model.params[arg])? {
                None => return Ok(self.memory.number(0, self.model.result)),
                most => most,
            },
        };
        let place = self.place(transfer.to);
        let room = most.and_then(|most| self.memory.known(most));
        // A line is not empty; without room for a character nothing is read.
        let least =
            u64::from(matches!(transfer.amount, Amount::Line(_)) && room.is_some_and(|room| room > 0));
        let Some(count) = self.memory.amount_from(least, most, failure)? else {
            if let Some(most) = most {
                self.memory.write(place, most, Written::Spoilt)?;
            }
            let Failure::Gives(number) = failure else { return Err(self.stop("its failure")) };
            return Ok(self.memory.number(number, self.model.result));
        };
        match transfer.amount {
            Amount::Bytes(arg) => self.store_bytes(place, count, self.args[arg])?,
            Amount::Items(size, arg) => {
                let bytes = self.memory.product(self.args[size], count)?;
                let most = self.memory.product(self.args[size], self.args[arg])?;
                self.memory.check(place, &[bytes, most], Access::Write)?;
                // A part of the next item may have been read.
                if self.memory.known(self.args[size]) != Some(1) {
                    self.memory.write(place, most, Written::Spoilt)?;
                }
                self.memory.write(place, bytes, Written::Any)?;
            }
            Amount::Line(arg) => {
                let one = self.size(1);
                let bytes = self.memory.sum(count, one)?;
                let most = self.memory.convert(self.args[arg], self.model.params[arg], SIZE);
                self.memory.check(place, &[bytes, most], Access::Write)?;
                self.memory.write(place, bytes, Written::Line(count))?;
            }
            Amount::Unbounded => {
                let one = self.size(1);
                let bytes = self.memory.sum(count, one)?;
                self.memory.check(place, &[bytes], Access::Write)?;
                self.memory.write(place, bytes, Written::Line(count))?;
            }
        }
        match self.model.effect.result {
            ResultOf::Arg(arg) => Ok(self.args[arg]),
            ResultOf::Number(number) => Ok(self.memory.number(number, self.model.result)),
            _ => Ok(self.memory.convert(count, SIZE, self.model.result)),
        }
    }

    /// Bytes of input are stored, not more than so many.
    fn store_bytes(&mut self, place: Place<M::Value>, bytes: M::Value, most: M::Value) -> Res<M, ()> {
        self.memory.check(place, &[bytes, most], Access::Write)?;
        self.memory.write(place, bytes, Written::Any)
    }

    /// The result of a call that did not fail.
    fn result(&mut self) -> Res<M, Option<M::Value>> {
        let ty = self.model.result;
        if ty == Scalar::Void {
            return Ok(None);
        }
        Ok(Some(match self.model.effect.result {
            ResultOf::Kind => self.memory.computed(ty)?,
            ResultOf::Arg(arg) => self.args[arg],
            ResultOf::IntoArg(arg) => self.place_in(arg)?,
            ResultOf::LengthIn(arg) => {
                let most = self.memory.length(self.place(arg), None)?;
                self.memory.computed_size(0, most)?
            }
            ResultOf::Input => self.memory.input(ty, None)?,
            ResultOf::AtLeast(low) => {
                let most = greatest(ty, self.memory.target());
                self.memory.input(ty, Some((low, most)))?
            }
            ResultOf::Between(low, high) => {
                let most = if ty.is_signed() { greatest(ty, self.memory.target()) } else { high };
                self.memory.input(ty, Some((low, high.min(most))))?
            }
            ResultOf::Object(object) if self.model.kind == ModelKind::GetEnv => kept::variable(self, object)?,
            ResultOf::Object(object) => self.memory.object(object)?,
            ResultOf::Passing(passing) => kept::passing(self, passing)?,
            ResultOf::Stream(StreamKind::Directory) => kept::open_directory(self)?,
            ResultOf::Stream(kind) => self.memory.open(kind)?,
            ResultOf::Number(number) => self.memory.number(number, ty),
            ResultOf::Fraction => self.memory.fraction()?,
            ResultOf::IntoArgOr(arg, object) => {
                if self.memory.is_null(self.args[arg])? || self.memory.either()? {
                    self.memory.object(object)?
                } else {
                    self.place_in(arg)?
                }
            }
            ResultOf::NewBlock | ResultOf::Count | ResultOf::UpTo(_) => return Err(self.stop("its result")),
        }))
    }

    /// A place in the area of an argument, as far as it is read.
    fn place_in(&mut self, arg: usize) -> Res<M, M::Value> {
        let area = self.model.effect.reads.iter().find(|area| area.arg == arg);
        let most = match area {
            Some(Area { extent: Extent::Nul, .. }) | None => self.memory.length(self.place(arg), None)?,
            Some(area) => self.extent(area)?,
        };
        let by = self.memory.computed_size(0, most)?;
        self.memory.moved(self.args[arg], by)
    }
}

/// The greatest number of a signed type.
pub(crate) fn greatest(ty: Scalar, target: Target) -> i64 {
    (u64::MAX >> (65 - ty.bits(target.pointer_bits()))) as i64
}
