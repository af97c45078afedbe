//! The environment of the process: variables, options of the command line, parts of paths, buffers of streams.

use super::Call;
use super::library::{LONGEST, is_null};
use crate::api::{Source, Stop};
use crate::fault::{Access, Actor};
use crate::machine::{Machine, Res};
use crate::memory::ObjectKind;
use crate::page::Fresh;
use crate::value::Value;
use heapproof_ir::Ty;
use heapproof_libc::{EINVAL, Extent, LOCALE, ModelKind, Place, ResultOf, StreamKind, StreamUse};

impl Machine<'_, '_> {
    pub(super) fn environment_function(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        match call.model.kind {
            ModelKind::GetEnv => self.get_env(call).map(Some),
            ModelKind::SetEnv => self.set_env(call).map(Some),
            ModelKind::SetBuffer => self.set_buffer(call),
            ModelKind::PathPart => self.path_part(call).map(Some),
            ModelKind::GetOpt { long } => self.get_opt(call, long).map(Some),
            _ => unreachable!("no function of the environment"),
        }
    }

    /// A program that looks at the table of variables itself is not followed.
    fn no_own_environment(&self, call: &Call<'_>) -> Res<()> {
        if ["environ", "__environ", "_environ"].iter().all(|name| self.program.global(name).is_none()) {
            return Ok(());
        }
        Err(Stop::Unsupported { what: format!("the variables in `environ` of `{}`", call.name()) }.into())
    }

    /// The same name gives the same string until the environment is changed.
    fn get_env(&mut self, call: &Call<'_>) -> Res<Value> {
        let variable = self.string(call.value(0), call.actor(0))?;
        self.no_own_environment(call)?;
        if let Some(known) = self.environment.get(&variable) {
            return Ok(*known);
        }
        // There is no variable without a name.
        if self.environment_cleared || variable.is_empty() {
            return Ok(Value::NULL);
        }
        let name = call.name();
        let range = Some((0, u128::from(LONGEST) + 1));
        let choice = self.choose(Source::Environment, 8, false, range, name) as u64;
        self.reword(|_| {
            Some(match choice {
                0 => format!("`{name}` gives NULL"),
                _ => format!("`{name}` gives a string of length {}", choice - 1),
            })
        });
        let ResultOf::Object(object) = call.model.effect.result else {
            return Err(Stop::External { name: name.to_owned() }.into());
        };
        let value = match choice {
            0 => Value::NULL,
            _ => self.environment_string(object, choice - 1)?,
        };
        self.environment.insert(variable, value);
        Ok(value)
    }

    /// `setenv`, `unsetenv` and `clearenv`: a variable has the value that it was given last.
    fn set_env(&mut self, call: &Call<'_>) -> Res<Value> {
        self.no_own_environment(call)?;
        let mut texts = Vec::new();
        for area in &call.model.effect.reads {
            texts.push(self.string(call.value(area.arg), call.actor(area.arg))?);
        }
        if call.name() == "putenv" {
            return self.put_env(call, &texts[0]);
        }
        if texts.first().is_some_and(|name| name.is_empty() || name.contains(&b'=')) {
            self.set_error_number(EINVAL)?;
            return Ok(self.int_result(-1));
        }
        let result = self.carry_out(call)?.unwrap_or(Value::plain(0));
        if result.bits != 0 {
            return Ok(result);
        }
        let mut texts = texts.into_iter();
        match (texts.next(), texts.next()) {
            (None, _) => {
                // Texts of other functions begin with a NUL.
                self.environment.retain(|name, _| name.first() == Some(&0));
                self.environment_cleared = true;
            }
            (Some(name), None) => drop(self.environment.insert(name, Value::NULL)),
            (Some(name), Some(value)) => {
                let known = match self.environment.get(&name) {
                    Some(known) => Some(!is_null(*known)),
                    None => self.environment_cleared.then_some(false),
                };
                if call.int(2) == 0 && known == Some(true) {
                    return Ok(result);
                }
                if call.int(2) == 0 && known.is_none() {
                    let what = "a variable that is set unless it is there".to_owned();
                    return Err(Stop::Unsupported { what }.into());
                }
                let site = self.site();
                let kind = ObjectKind::Library("a string of the environment");
                let id = self.create(value.len() as u64 + 1, 1, kind, Fresh::Unknown, site)?;
                self.mem.get_mut(id).escaped = true;
                self.put_text(id, 0, &value)?;
                let address = self.address_of(id);
                self.environment.insert(name, address);
            }
        }
        Ok(result)
    }

    /// `putenv(text)`: the text itself is a part of the environment from now on.
    fn put_env(&mut self, call: &Call<'_>, text: &[u8]) -> Res<Value> {
        let result = self.carry_out(call)?.unwrap_or(Value::plain(0));
        if result.bits == 0 {
            let end = text.iter().position(|c| *c == b'=');
            let value = end.map_or(Value::NULL, |end| self.moved(call.value(0), end as u64 + 1));
            self.escape(value.prov);
            self.environment.insert(text[..end.unwrap_or(text.len())].to_vec(), value);
        }
        Ok(result)
    }

    /// What depends on a category of the locale is only known in that of C.
    pub(super) fn in_locale_of_c(&mut self, bit: u128) -> Res<()> {
        let Some(global) = self.program.global(LOCALE) else { return Ok(()) };
        let state = self.address_of(self.globals[global.as_u32() as usize]);
        let bits = self.load(state, Ty::Int(32), Actor::Model("setlocale", 0))?.bits;
        if bits & bit == 0 {
            return Ok(());
        }
        Err(Stop::Unsupported { what: "a locale that is not that of C".to_owned() }.into())
    }

    /// The stream uses the buffer until it is closed.
    fn set_buffer(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        let place = Place { at: call.value(0), arg: 0 };
        let stream = self.use_stream(call.name(), place, StreamKind::File, StreamUse::Asks)?;
        let buffer = call.value(1);
        if !is_null(buffer) {
            let size = match call.model.effect.writes.first().map(|area| area.extent) {
                Some(Extent::Bytes(n)) => n,
                Some(Extent::Arg(arg)) => call.size(arg),
                _ => 0,
            };
            // An unbuffered stream (`_IONBF`) does not look at it.
            if call.name() == "setvbuf" && call.int(2) == 2 {
                self.buffers.remove(&stream);
                return Ok(Some(self.int_result(0)));
            }
            if size > 0 {
                self.check(buffer, size, Access::Write, call.actor(1))?;
                self.buffers.insert(stream, buffer);
                self.escape(buffer.prov);
            }
        }
        Ok(Some(self.int_result(0)))
    }

    /// GNU's `basename`.
    fn path_part(&mut self, call: &Call<'_>) -> Res<Value> {
        let path = self.string(call.value(0), call.actor(0))?;
        let start = path.iter().rposition(|c| *c == b'/').map_or(0, |at| at + 1);
        Ok(self.moved(call.value(0), start as u64))
    }

    /// `getopt` as POSIX has it: the options come first.
    fn get_opt(&mut self, call: &Call<'_>, long: bool) -> Res<Value> {
        if call.name() == "getopt_long_only" {
            return Err(
                Stop::Unsupported { what: format!("the table of options of `{}`", call.name()) }.into()
            );
        }
        let options = self.string(call.value(2), call.actor(2))?;
        // What is no option ends the options, is an option 1, or moves behind them.
        let (ends, in_order) = (options.starts_with(b"+"), options.starts_with(b"-"));
        let options = if ends || in_order { &options[1..] } else { &options[..] };
        if long && options.windows(2).any(|pair| pair == b"W;") {
            return Err(Stop::Unsupported { what: format!("the option `W;` of `{}`", call.name()) }.into());
        }
        let (argc, argv) = (call.int(0), call.value(1));
        if argc > 0 {
            // Also where the options end.
            self.set_option("optarg", Ty::Ptr, Value::NULL)?;
        }
        let mut index = self.option_variable("optind")?.map_or(1, |value| value.bits as i32);
        let end = self.int_result(-1);
        if index >= argc {
            return Ok(end);
        }
        let place = self.moved(argv, index as u64 * self.word_bytes);
        let argument = self.load(place, Ty::Ptr, call.actor(1))?;
        if is_null(argument) {
            return Ok(end);
        }
        let text = self.string(argument, call.actor(1))?;
        let at = if self.option_at == 0 { 1 } else { self.option_at };
        if self.option_at == 0 && (text.len() < 2 || text[0] != b'-') {
            if in_order {
                self.set_option("optind", Ty::Int(32), Value::plain((index + 1) as u128))?;
                self.set_option("optarg", Ty::Ptr, argument)?;
                return Ok(self.int_result(1));
            }
            if !ends {
                self.no_options_after(call, index + 1)?;
            }
            return Ok(end);
        }
        if self.option_at == 0 && text == b"--" {
            self.set_option("optind", Ty::Int(32), Value::plain((index + 1) as u128))?;
            return Ok(end);
        }
        if long && self.option_at == 0 && text.starts_with(b"--") {
            return self.long_option(call, options, (argument, text), index);
        }
        let letter = text.get(at).copied().unwrap_or(0);
        let known = options.iter().position(|c| *c == letter && !matches!(*c, b':' | b';'));
        let takes = known.is_some_and(|found| options.get(found + 1) == Some(&b':'));
        let optional = takes && known.is_some_and(|found| options.get(found + 2) == Some(&b':'));
        let mut result = known.map_or(b'?', |_| letter);
        let mut value = Value::NULL;
        let rest = at + 1 < text.len();
        if takes && rest {
            value = self.moved(argument, at as u64 + 1);
        } else if takes && !optional {
            if index + 1 < argc {
                index += 1;
                let place = self.moved(argv, index as u64 * self.word_bytes);
                value = self.load(place, Ty::Ptr, call.actor(1))?;
            } else {
                // There is no next argument to be skipped.
                result = if options.first() == Some(&b':') { b':' } else { b'?' };
            }
        }
        if takes || !rest {
            self.option_at = 0;
            index += 1;
        } else {
            self.option_at = at + 1;
        }
        self.set_option("optind", Ty::Int(32), Value::plain(index as u32 as u128))?;
        self.set_option("optarg", Ty::Ptr, value)?;
        if matches!(result, b'?' | b':') {
            self.set_option("optopt", Ty::Int(32), Value::plain(u128::from(letter)))?;
        }
        Ok(self.int_result(i64::from(result)))
    }

    /// An option `--name`, `--name=value` or `--name value`; the name may be cut off as long as it is clear.
    fn long_option(
        &mut self,
        call: &Call<'_>,
        options: &[u8],
        (argument, text): (Value, Vec<u8>),
        mut index: i32,
    ) -> Res<Value> {
        let end = text.iter().position(|c| *c == b'=').unwrap_or(text.len());
        let name = &text[2..end];
        let found = self.option_named(call, name)?;
        let mut value = Value::NULL;
        let missing = if options.first() == Some(&b':') { b':' } else { b'?' };
        let mut failed = None;
        index += 1;
        if let Some((_, entry)) = found {
            let takes = self.option_field(call, entry, self.word_bytes, Ty::Int(32))?.bits;
            if end < text.len() {
                value = self.moved(argument, end as u64 + 1);
                failed = (takes == 0).then_some(b'?');
            } else if takes == 1 && index < call.int(0) {
                let place = self.moved(call.value(1), index as u64 * self.word_bytes);
                value = self.load(place, Ty::Ptr, call.actor(1))?;
                index += 1;
            } else if takes == 1 {
                failed = Some(missing);
            }
        } else {
            failed = Some(b'?');
        }
        self.set_option("optind", Ty::Int(32), Value::plain(index as u32 as u128))?;
        self.set_option("optarg", Ty::Ptr, if failed.is_some() { Value::NULL } else { value })?;
        let val = match found {
            Some((_, entry)) => self.option_field(call, entry, 3 * self.word_bytes, Ty::Int(32))?,
            None => Value::plain(0),
        };
        let (Some((number, entry)), None) = (found, failed) else {
            self.set_option("optopt", Ty::Int(32), val)?;
            return Ok(self.int_result(failed.map_or(-1, i64::from)));
        };
        if !is_null(call.value(4)) {
            self.store(call.value(4), Ty::Int(32), Value::plain(number.into()), call.actor(4))?;
        }
        let flag = self.option_field(call, entry, 2 * self.word_bytes, Ty::Ptr)?;
        if is_null(flag) {
            return Ok(val);
        }
        self.store(flag, Ty::Int(32), val, call.actor(3))?;
        Ok(self.int_result(0))
    }

    /// The entry of the table of options that a name means, with its number.
    fn option_named(&mut self, call: &Call<'_>, name: &[u8]) -> Res<Option<(u64, Value)>> {
        let mut candidates = Vec::new();
        for number in 0.. {
            // A name, whether there is an argument, a place for the value, the value; each as large as a pointer.
            let entry = self.moved(call.value(3), number * 4 * self.word_bytes);
            let known = self.load(entry, Ty::Ptr, call.actor(3))?;
            if is_null(known) {
                break;
            }
            let known = self.string(known, call.actor(3))?;
            if known == name {
                return Ok(Some((number, entry)));
            }
            if known.starts_with(name) {
                candidates.push((number, entry));
            }
        }
        // The name is clear if all that it may be the start of mean the same.
        let mut meanings = Vec::new();
        for (_, entry) in &candidates {
            let takes = self.option_field(call, *entry, self.word_bytes, Ty::Int(32))?;
            let flag = self.option_field(call, *entry, 2 * self.word_bytes, Ty::Ptr)?;
            let val = self.option_field(call, *entry, 3 * self.word_bytes, Ty::Int(32))?;
            meanings.push([takes.bits, flag.bits, val.bits]);
        }
        let clear = meanings.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(candidates.first().copied().filter(|_| clear))
    }

    fn option_field(&mut self, call: &Call<'_>, entry: Value, offset: u64, ty: Ty) -> Res<Value> {
        let place = self.moved(entry, offset);
        self.load(place, ty, call.actor(3))
    }

    /// glibc moves what is no option to the end; that is not followed.
    fn no_options_after(&mut self, call: &Call<'_>, from: i32) -> Res<()> {
        for index in from..call.int(0) {
            let place = self.moved(call.value(1), index as u64 * self.word_bytes);
            let argument = self.load(place, Ty::Ptr, call.actor(1))?;
            let text = if is_null(argument) { Vec::new() } else { self.string(argument, call.actor(1))? };
            if text.len() > 1 && text[0] == b'-' {
                return Err(Stop::Unsupported { what: "an option after other arguments".to_owned() }.into());
            }
        }
        Ok(())
    }

    fn option_place(&self, name: &str) -> Option<Value> {
        let id = self.program.global(name)?;
        Some(self.address_of(self.globals[id.as_u32() as usize]))
    }

    fn option_variable(&mut self, name: &str) -> Res<Option<Value>> {
        match self.option_place(name) {
            Some(place) => self.load(place, Ty::Int(32), crate::fault::Actor::Model("getopt", 0)).map(Some),
            None => Ok(None),
        }
    }

    fn set_option(&mut self, name: &str, ty: Ty, value: Value) -> Res<()> {
        match self.option_place(name) {
            Some(place) => self.store(place, ty, value, crate::fault::Actor::Model("getopt", 0)),
            None => Ok(()),
        }
    }
}
