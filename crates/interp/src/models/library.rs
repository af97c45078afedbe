//! The machine as library functions see it: effects carried out on concrete memory, with inputs for what the environment
//! decides.

use crate::api::{Source, Stop};
use crate::fault::{Access, Actor, Fault};
use crate::machine::{Halt, Machine, Ranges, Res};
use crate::memory::{Life, ObjectKind, Site};
use crate::page::{Byte, Fresh};
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{FloatKind, GlobalInit, Span, Target, Ty, mask, sign_extend};
use heapproof_libc::{
    self as libc, Answers, CharSet, Content, Failure, LibraryObject, Model, Place, STANDARD_STREAMS, Scalar,
    StreamKind, StreamUse, Written,
};
use heapproof_verdict::ErrorClass;

/// The longest string of the environment that is tried.
pub(super) const LONGEST: u64 = 64;
/// The longest line that is tried where there is no limit.
const LONGEST_LINE: u128 = 300;
/// More input than this is not stored by one call.
const MOST_INPUT: u128 = 1 << 16;

/// A call of a library function on the machine.
pub(super) struct Library<'m, 'p, 'i> {
    pub machine: &'m mut Machine<'p, 'i>,
    pub model: &'static Model,
    pub args: &'m [Value],
}

impl Library<'_, '_, '_> {
    fn name(&self) -> &'static str {
        self.model.name
    }

    fn actor(&self, place: Place<Value>) -> Actor<'static> {
        Actor::Model(self.model.name, place.arg)
    }

    fn ty(&self, scalar: Scalar) -> Ty {
        match scalar {
            Scalar::Ptr => Ty::Ptr,
            Scalar::Float => Ty::Float(FloatKind::F32),
            Scalar::Double => Ty::Float(FloatKind::F64),
            Scalar::LongDouble => Ty::Float(FloatKind::X87),
            other => Ty::Int(other.bits(self.machine.word_bits).max(1)),
        }
    }

    /// An input of a range; what lies outside is brought into it.
    fn chosen(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> u128 {
        let machine = &mut *self.machine;
        let width = ty.bits(machine.word_bits);
        let name = self.model.name;
        match range {
            Some((low, high)) if low < 0 => {
                machine.choose_signed(width, (low, high), name) as u128 & mask(width)
            }
            _ => {
                let range = range.map(|(low, high)| (low as u128, high as u128 & mask(width)));
                machine.choose(Source::Call, width, ty.is_signed(), range, name)
            }
        }
    }

    /// As [`Library::chosen`], and not against what the program did before or gives.
    fn possible(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> u128 {
        let chosen = self.chosen(ty, range);
        let possible = self.machine.possible(self.model, self.args, chosen);
        if possible != chosen {
            let (name, width) = (self.model.name, ty.bits(self.machine.word_bits));
            self.machine.choose_instead(possible);
            self.machine.reword(|_| Some(format!("`{name}` gives {}", sign_extend(possible, width))));
        }
        possible
    }

    /// True if an argument that has to be a descriptor is none.
    fn has_bad_descriptor(&self) -> bool {
        self.model.effect.descriptors.iter().any(|arg| (self.args[*arg].bits as u32 as i32) < 0)
    }

    /// The error of a call that fails in every environment.
    fn must_fail(&mut self) -> Res<Option<u32>> {
        let mode = match self.model.name {
            "fopen" | "fopen64" | "freopen" | "fdopen" | "popen" => 1,
            "mkstemp" | "mkdtemp" => {
                let path = self.machine.string(self.args[0], Actor::Model(self.model.name, 0))?;
                return Ok((!path.ends_with(b"XXXXXX")).then_some(libc::EINVAL));
            }
            _ => return Ok(None),
        };
        let mode = self.machine.string(self.args[mode], Actor::Model(self.model.name, mode))?;
        let known: &[u8] = if self.model.name == "popen" { b"rw" } else { b"rwa" };
        Ok((!mode.first().is_some_and(|c| known.contains(c))).then_some(libc::EINVAL))
    }

    /// The key of an answer that stays the same.
    fn question(&self) -> Vec<u128> {
        self.args.iter().map(|arg| arg.bits).collect()
    }
}

impl libc::Memory for Library<'_, '_, '_> {
    type Value = Value;
    type Stop = Box<Halt>;

    fn target(&self) -> Target {
        self.machine.program.target
    }

    fn number(&mut self, number: i64, ty: Scalar) -> Value {
        if ty == Scalar::Ptr && number == 0 {
            return Value::NULL;
        }
        Value::plain(number as i128 as u128 & mask(ty.bits(self.machine.word_bits).max(1)))
    }

    fn known(&self, value: Value) -> Option<u128> {
        Some(value.bits)
    }

    fn is_null(&mut self, pointer: Value) -> Res<bool> {
        Ok(is_null(pointer))
    }

    fn sum(&mut self, a: Value, b: Value) -> Res<Value> {
        Ok(Value::plain(a.bits.saturating_add(b.bits)))
    }

    fn product(&mut self, a: Value, b: Value) -> Res<Value> {
        Ok(Value::plain(a.bits.saturating_mul(b.bits)))
    }

    fn at_most(&mut self, a: Value, b: Value) -> Res<bool> {
        Ok(a.bits <= b.bits)
    }

    fn less_one(&mut self, number: Value, ty: Scalar) -> Res<Option<Value>> {
        let width = ty.bits(self.machine.word_bits);
        let bits = number.bits & mask(width);
        let number = if ty.is_signed() { sign_extend(bits, width) } else { bits as i128 };
        Ok((number > 0).then(|| Value::plain((number - 1) as u128)))
    }

    fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        let (from_width, to_width) = (from.bits(self.machine.word_bits), to.bits(self.machine.word_bits));
        let bits = if from.is_signed() { sign_extend(value.bits, from_width) as u128 } else { value.bits };
        Value::plain(bits & mask(to_width))
    }

    fn moved(&mut self, pointer: Value, by: Value) -> Res<Value> {
        Ok(self.machine.moved(pointer, by.bits as u64))
    }

    fn check(&mut self, place: Place<Value>, sizes: &[Value], access: libc::Access) -> Res<()> {
        let n = sizes.iter().map(|size| size.bits).min().unwrap_or(0);
        if n > 0 {
            let n = u64::try_from(n).unwrap_or(u64::MAX);
            let access = match access {
                libc::Access::Read => Access::Read,
                libc::Access::Write => Access::Write,
            };
            let actor = self.actor(place);
            self.machine.check(place.at, n, access, actor)?;
        }
        Ok(())
    }

    fn apart(&mut self, written: (Place<Value>, Value), read: (Place<Value>, Value)) -> Res<()> {
        let args: Vec<_> = self.args.iter().map(|arg| (*arg, Ty::Ptr)).collect();
        let call = super::Call { model: self.model, args: &args };
        let area = |(place, size): (Place<Value>, Value)| (place.at, size.bits as u64);
        self.machine.check_apart(&call, area(written), area(read))
    }

    fn length(&mut self, place: Place<Value>, most: Option<Value>) -> Res<Value> {
        let most = most.map_or(u64::MAX, |most| most.bits as u64);
        let actor = self.actor(place);
        let text = self.machine.string_at_most(place.at, most, actor)?;
        Ok(Value::plain(text.len() as u128))
    }

    fn text(&mut self, place: Place<Value>) -> Res<Option<Vec<u8>>> {
        let actor = self.actor(place);
        self.machine.string(place.at, actor).map(Some)
    }

    fn write(&mut self, place: Place<Value>, size: Value, content: Written<Value>) -> Res<()> {
        let unknown = match content {
            Written::Any => size.bits,
            Written::Text(length) | Written::Line(length) => length.bits,
            Written::Spoilt => return Ok(()),
        };
        if size.bits == 0 {
            return Ok(());
        }
        let (unknown, n) = (unknown as u64, size.bits as u64);
        let actor = self.actor(place);
        let (id, at) = self.machine.check(place.at, n, Access::Write, actor)?;
        self.machine.lift_limits(id, at, n);
        if let Some(Some(line)) = self.machine.files.line.clone() {
            return self.machine.put_text(id, at, &line);
        }
        for offset in 0..unknown.min(n) {
            let done = self.machine.mem.set_byte(id, at + offset, Byte::Unknown);
            self.machine.room(done)?;
        }
        match content {
            Written::Text(_) | Written::Line(_) if unknown < n => {
                self.machine.put(id, at + unknown, 1, Value::plain(0))
            }
            _ => Ok(()),
        }
    }

    fn load(&mut self, place: Place<Value>, ty: Scalar) -> Res<Value> {
        let (ty, actor) = (self.ty(ty), self.actor(place));
        self.machine.load(place.at, ty, actor)
    }

    fn store(&mut self, place: Place<Value>, ty: Scalar, value: Value) -> Res<()> {
        let (ty, actor) = (self.ty(ty), self.actor(place));
        self.machine.store(place.at, ty, value, actor)
    }

    fn input(&mut self, ty: Scalar, range: Option<(i64, i64)>) -> Res<Value> {
        if self.model.effect.answers == Answers::Anew {
            let bits = self.possible(ty, range);
            let prov = if ty == Scalar::Ptr && bits == 0 { Prov::Null } else { Prov::None };
            return Ok(Value { bits, prov });
        }
        let question = (self.name(), self.question());
        if let Some(bits) = self.machine.answers.get(&question) {
            return Ok(Value::plain(*bits));
        }
        let bits = self.possible(ty, range);
        self.machine.answers.insert(question, bits);
        Ok(Value::plain(bits))
    }

    fn fraction(&mut self) -> Res<Value> {
        let bits = self.machine.choose(Source::Call, 64, false, None, self.model.name);
        let number = (bits >> 11) as f64 / (1u64 << 53) as f64;
        Ok(Value::plain(u128::from(number.to_bits())))
    }

    fn amount_from(&mut self, least: u64, most: Option<Value>, failure: Failure) -> Res<Option<Value>> {
        if let Some(line) = &self.machine.files.line {
            return Ok(line.as_ref().map(|line| Value::plain(line.len() as u128)));
        }
        let (name, least) = (self.model.name, u128::from(least));
        let (limit, longest) = (mask(self.machine.word_bits) / 2, LONGEST_LINE);
        let most = most.map_or(longest, |most| most.bits.min(limit));
        let count = match failure {
            Failure::Gives(0) => {
                // Null comes first, so that the usual input ends the program.
                let most = most.min(MOST_INPUT);
                let mut choice = self.machine.choose(Source::Call, 32, false, Some((0, most + 1)), name);
                let wanted = match choice {
                    _ if self.machine.is_at_end(self.model, self.args) => 0,
                    0 => 0,
                    _ => choice.max(least + 1),
                };
                if wanted != choice {
                    choice = wanted;
                    self.machine.choose_instead(choice);
                }
                self.machine.reword(|_| {
                    Some(match choice {
                        0 => format!("`{name}` gives NULL"),
                        _ => format!("`{name}` reads a string of length {}", choice - 1),
                    })
                });
                choice.checked_sub(1)
            }
            Failure::Gives(_) => {
                let most = u64::try_from(most).unwrap_or(u64::MAX);
                let chosen =
                    u128::try_from(self.machine.choose_count(self.machine.word_bits, most, name)).ok();
                let at_end = self.machine.is_at_end(self.model, self.args);
                let count = chosen.map(|count| count.max(least)).filter(|_| !at_end);
                if count != chosen {
                    let word = mask(self.machine.word_bits);
                    self.machine.choose_instead(count.unwrap_or(word));
                    self.machine.reword(|_| {
                        Some(
                            count
                                .map_or(format!("`{name}` fails"), |count| format!("`{name}` gives {count}")),
                        )
                    });
                }
                count
            }
            Failure::Never | Failure::OrElse(_) => {
                let word = self.machine.word_bits;
                Some(self.machine.choose(Source::Call, word, false, Some((least, most)), name))
            }
        };
        if count.is_none() {
            self.machine.forget_error_number()?;
        }
        Ok(count.map(Value::plain))
    }

    fn only(&mut self, place: Place<Value>, length: Value, set: &CharSet) -> Res<()> {
        let n = length.bits as u64;
        if n > 0 {
            let actor = self.actor(place);
            let (id, at) = self.machine.check(place.at, n, Access::Write, actor)?;
            self.machine.limit_characters(id, at, n, set);
        }
        Ok(())
    }

    fn fails(&mut self) -> Res<bool> {
        if self.model.kind == libc::ModelKind::SetEnv {
            // Only memory can be missing.
            return Ok(self.machine.allocation_fails_in(self.model.name));
        }
        if let Some(error) = self.must_fail()? {
            return self.machine.set_error_number(error).map(|()| true);
        }
        let fails = self.machine.fails(self.model.name) || self.has_bad_descriptor();
        if fails {
            self.machine.forget_error_number()?;
        }
        Ok(fails)
    }

    fn matches(&mut self) -> Res<bool> {
        let name = self.model.name;
        let matches = self.machine.choose(Source::Call, 1, false, None, name) == 1;
        self.machine.reword(|_| {
            let what = if matches { "reads the next item" } else { "finds no further item" };
            Some(format!("`{name}` {what}"))
        });
        Ok(matches)
    }

    fn either(&mut self) -> Res<bool> {
        Ok(self.machine.choose(Source::Environment, 1, false, None, self.model.name) == 1)
    }

    fn computed(&mut self, ty: Scalar) -> Res<Value> {
        let width = ty.bits(self.machine.word_bits).max(1);
        let bits = self.machine.choose(Source::Environment, width, ty.is_signed(), None, self.model.name);
        Ok(Value::plain(bits))
    }

    fn guessed(&mut self, _: Scalar) -> Res<Value> {
        Err(Stop::Unsupported { what: format!("a number that `{}` computes", self.model.name) }.into())
    }

    fn computed_size(&mut self, least: u64, most: Value) -> Res<Value> {
        let least = u128::from(least);
        let range = Some((least, most.bits.max(least)));
        let word = self.machine.word_bits;
        let bits = self.machine.choose(Source::Environment, word, false, range, self.model.name);
        Ok(Value::plain(bits))
    }

    fn allocation_fails(&mut self) -> Res<bool> {
        Ok(self.machine.allocation_fails_in(self.model.name))
    }

    fn allocate(&mut self, size: Value) -> Res<Value> {
        let size = u64::try_from(size.bits).unwrap_or(u64::MAX);
        let id = self.machine.new_block(size, 0, Fresh::Uninit)?;
        Ok(self.machine.address_of(id))
    }

    fn release(&mut self, place: Place<Value>) -> Res<()> {
        if let Some(id) = self.machine.releasable(self.model.name, place.at)? {
            let site = self.machine.site();
            self.machine.mem.end(id, Life::Freed, site);
        }
        Ok(())
    }

    fn object(&mut self, object: &'static LibraryObject) -> Res<Value> {
        let machine = &mut *self.machine;
        let size = object.size_on(machine.program.target);
        if object.single {
            let id = match machine.program.global(object.name) {
                Some(global) => machine.globals[global.as_u32() as usize],
                None => machine.library_object(object.name, size, Fresh::Unknown)?,
            };
            return Ok(machine.address_of(id));
        }
        // The same number has the same text.
        let steady = !self.model.params.contains(&Scalar::Ptr);
        let mut key = vec![0];
        key.extend_from_slice(self.model.name.as_bytes());
        key.extend(self.args.iter().flat_map(|arg| arg.bits.to_le_bytes()));
        if steady && let Some(known) = machine.environment.get(&key) {
            return Ok(*known);
        }
        let range = Some((u128::from(object.least()), u128::from(LONGEST.min(size - 1))));
        let length = machine.choose(Source::Environment, 8, false, range, self.model.name) as u64;
        let text = machine.environment_string(object, length)?;
        if steady {
            machine.environment.insert(key, text);
        }
        Ok(text)
    }

    fn protect(&mut self, pointer: Value) {
        if let Prov::Object(id) = pointer.prov {
            self.machine.mem.get_mut(id).constant = true;
        }
    }

    fn retire(&mut self, _: Value) -> Res<()> {
        // No library ends all of them.
        Ok(())
    }

    fn open(&mut self, kind: StreamKind) -> Res<Value> {
        let site = self.machine.site();
        let size = kind.size_on(self.machine.program.target);
        let kind = ObjectKind::Library(kind.name());
        let id = self.machine.create(size, 16, kind, Fresh::Unknown, site)?;
        self.machine.mem.get_mut(id).escaped = true;
        Ok(self.machine.address_of(id))
    }

    fn stream(&mut self, place: Place<Value>, kind: StreamKind, usage: StreamUse) -> Res<()> {
        self.machine.use_stream(self.model.name, place, kind, usage).map(drop)
    }

    fn close(&mut self, place: Place<Value>) -> Res<()> {
        let Prov::Object(id) = place.at.prov else { return Ok(()) };
        self.machine.buffers.remove(&id);
        if matches!(self.machine.mem.get(id).kind, ObjectKind::Library(_)) {
            let site = self.machine.site();
            self.machine.mem.end(id, Life::Freed, site);
        }
        Ok(())
    }

    fn compares_addresses(&self) -> bool {
        // An execution shows what may happen, not all of it.
        false
    }

    fn declares(&self, function: &str) -> bool {
        self.machine.program.function(function).is_some()
    }

    fn global(&mut self, name: &str) -> Option<Value> {
        let id = self.machine.program.global(name)?;
        Some(self.machine.address_of(self.machine.globals[id.as_u32() as usize]))
    }

    fn not_modelled(&self, model: &Model, what: &str) -> Box<Halt> {
        Stop::Unsupported { what: format!("{what} of `{}`", model.name) }.into()
    }
}

/// True for the null pointer.
pub(super) fn is_null(pointer: Value) -> bool {
    pointer.bits == 0 && matches!(pointer.prov, Prov::Null | Prov::None)
}

impl Machine<'_, '_> {
    /// An input from one number to another, the first of which is negative.
    fn choose_signed(&mut self, width: u8, (low, high): (i64, i64), name: &str) -> i128 {
        let bits = self.choose_from(
            Source::Call,
            (width, true),
            Ranges { range: None, signed: Some((low, high)) },
            name,
        );
        let (low, high) = (i128::from(low), i128::from(high));
        let mut number = sign_extend(bits, width);
        if !(low..=high).contains(&number) {
            number = low + (bits % (high - low + 1) as u128) as i128;
        }
        // The record holds what the function gives.
        self.choose_instead(number as u128 & mask(width));
        self.reword(|_| Some(format!("`{name}` gives {number}")));
        number
    }

    /// An input from -1 to `most`.
    pub(super) fn choose_count(&mut self, width: u8, most: u64, name: &str) -> i64 {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.choose_signed(width, (-1, most), name) as i64
    }

    /// Whether a call of the operating system fails.
    fn fails(&mut self, name: &str) -> bool {
        let fails = self.choose(Source::Environment, 1, false, None, format!("{name} fails")) == 1;
        self.reword(|_| fails.then(|| format!("`{name}` fails here")));
        fails
    }

    /// A call failed in a known way.
    pub(super) fn set_error_number(&mut self, number: u32) -> Res<()> {
        match self.errno {
            Some(id) => self.put(id, 0, self.mem.get(id).size.min(4), Value::plain(number.into())),
            None => Ok(()),
        }
    }

    /// A call failed in a known way, and may say so by the error number.
    pub(super) fn may_set_error_number(&mut self, number: u32, name: &str) -> Res<()> {
        if self.errno.is_none() {
            return Ok(());
        }
        let sets = self.choose(Source::Environment, 1, false, None, format!("{name} sets errno")) == 1;
        self.reword(|_| sets.then(|| format!("`{name}` sets `errno` to {number}")));
        if sets { self.set_error_number(number) } else { Ok(()) }
    }

    /// A call failed, or may have failed: the error number is another one.
    pub(super) fn forget_error_number(&mut self) -> Res<()> {
        let Some(id) = self.errno else { return Ok(()) };
        for at in 0..self.mem.get(id).size {
            let done = self.mem.set_byte(id, at, Byte::Unknown);
            self.room(done)?;
        }
        Ok(())
    }

    /// A new string of the environment with unknown characters.
    pub(super) fn environment_string(&mut self, object: &LibraryObject, length: u64) -> Res<Value> {
        let site = Site { span: Span::NONE, func: None, step: self.steps };
        debug_assert!(matches!(object.content, Content::Text | Content::LongText(_)));
        let id = self.create(length + 1, 1, ObjectKind::Library(object.name), Fresh::Unknown, site)?;
        self.put(id, length, 1, Value::plain(0))?;
        Ok(self.address_of(id))
    }

    /// The name of a standard stream.
    pub(super) fn standard_stream(&self, id: ObjId) -> Option<&'static str> {
        let ObjectKind::Global(global) = self.mem.get(id).kind else { return None };
        let name = &self.program.globals[global].name;
        STANDARD_STREAMS.iter().map(|(_, stream)| *stream).find(|stream| stream == name)
    }

    /// A stream that a function was given has to be open, and its buffer, if the program gave it one, has to be there.
    pub(super) fn use_stream(
        &mut self,
        function: &'static str,
        place: Place<Value>,
        kind: StreamKind,
        usage: StreamUse,
    ) -> Res<ObjId> {
        let actor = Actor::Model(function, place.arg);
        let (id, at) = self.check(place.at, 1, Access::Read, actor)?;
        let is_stream = match self.mem.get(id).kind {
            ObjectKind::Library(name) => name == kind.name() && at == 0,
            // A stream that other code defines.
            ObjectKind::Global(global) => matches!(self.program.globals[global].init, GlobalInit::External),
            _ => false,
        };
        if !is_stream {
            let what = self.object_phrase(id);
            let message = format!(
                "argument {} of `{function}` points to {what}, which is not {}",
                place.arg + 1,
                kind.name()
            );
            return Err(Fault::new(ErrorClass::WildDeref, message, Some(id)).into());
        }
        if usage == StreamUse::Asks {
            return Ok(id);
        }
        self.check_buffer(id, actor)?;
        Ok(id)
    }

    /// A call makes another process.
    pub(super) fn use_outside(&mut self, model: &'static Model, first: Option<Value>) {
        match (model.name, first) {
            ("close", Some(number)) => drop(self.descriptors.remove(&(number.bits & mask(32)))),
            ("fclose" | "freopen" | "closedir" | "pclose", Some(stream)) => {
                if let Prov::Object(id) = stream.prov
                    && let Some(name) = self.standard_stream(id)
                {
                    let at = STANDARD_STREAMS.iter().position(|(_, known)| *known == name);
                    self.descriptors.retain(|number| at.map(|at| at as u128) != Some(*number));
                }
                for asked in ["fileno", "dirfd"] {
                    if let Some(number) = self.answers.remove(&(asked, vec![stream.bits])) {
                        self.descriptors.remove(&number);
                    }
                }
            }
            _ => {}
        }
        if self.answers.is_empty() {
            return;
        }
        if model.name == "fork" {
            self.answers.retain(|(name, _), _| *name != "getpid");
        }
    }

    /// The buffer that the program gave a stream has to be there when the stream is used.
    fn check_buffer(&mut self, stream: ObjId, actor: Actor<'static>) -> Res<()> {
        match self.buffers.get(&stream).copied() {
            Some(buffer) => self.check(buffer, 1, Access::Write, actor).map(drop),
            None => Ok(()),
        }
    }

    /// Standard output is used by a function that is not told so.
    pub(super) fn use_standard_output(&mut self, function: &'static str) -> Res<()> {
        if self.buffers.is_empty() {
            return Ok(());
        }
        let streams: Vec<ObjId> = self.buffers.keys().copied().collect();
        for id in streams {
            if self.standard_stream(id) == Some("standard output") {
                self.check_buffer(id, Actor::Model(function, 0))?;
            }
        }
        Ok(())
    }
}
