//! The world outside, where it is given: standard input, files and variables with their content. What is read there is no choice.

use super::Call;
use super::back::is_get;
use crate::api::Stop;
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::memory::{Life, ObjectKind, Site};
use crate::page::Fresh;
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::World;
use heapproof_ir::{Span, Ty, sign_extend};
use heapproof_libc::{Model, ModelKind, Place, StreamKind};
use std::collections::BTreeMap;

/// The name of standard input among the files; no path has a NUL.
const STDIN: &[u8] = b"\0stdin";

/// The files as the program has changed them, and its streams.
#[derive(Debug, Default)]
pub(crate) struct Files {
    contents: BTreeMap<Vec<u8>, Vec<u8>>,
    open: BTreeMap<ObjId, Stream>,
    /// The line that a call is to store.
    pub line: Option<Option<Vec<u8>>>,
    /// Not all that was written could be kept.
    pub full: bool,
}

/// An open stream.
#[derive(Debug)]
struct Stream {
    name: Vec<u8>,
    at: usize,
    at_end: bool,
    reads: bool,
    writes: bool,
    appends: bool,
    /// Characters that were given back, the next one last.
    back: Vec<u8>,
}

/// The most bytes of a file that the program writes.
const MOST_BYTES: usize = 64 << 20;

/// How a call uses the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Open,
    Variable,
    /// A stream that is open.
    Stream(ObjId),
    /// Standard input by its descriptor.
    Descriptor(ObjId),
    /// What is known of any stream.
    Flush,
}

impl Files {
    /// The files as they are at the start.
    pub fn new(world: &World) -> Self {
        let mut contents: BTreeMap<Vec<u8>, Vec<u8>> =
            world.files.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect();
        if let Some(stdin) = &world.stdin {
            contents.insert(STDIN.to_vec(), stdin.to_vec());
        }
        Files { contents, open: BTreeMap::new(), line: None, full: false }
    }

    /// Writes to a stream, if it is one of ours.
    pub fn write(&mut self, stream: ObjId, bytes: &[u8]) {
        let Some(open) = self.open.get_mut(&stream).filter(|open| open.writes) else { return };
        let content = self.contents.entry(open.name.clone()).or_default();
        if open.appends {
            open.at = content.len();
        }
        if open.at.saturating_add(bytes.len()) > MOST_BYTES {
            // Whoever reads or writes files from now on is not followed.
            self.full = true;
            return;
        }
        if content.len() < open.at {
            content.resize(open.at, 0);
        }
        let over = bytes.len().min(content.len() - open.at);
        content[open.at..open.at + over].copy_from_slice(&bytes[..over]);
        content.extend_from_slice(&bytes[over..]);
        open.at += bytes.len();
    }
}

impl Stream {
    fn new(name: &[u8]) -> Self {
        Stream {
            name: name.to_vec(),
            at: 0,
            at_end: false,
            reads: true,
            writes: false,
            appends: false,
            back: Vec::new(),
        }
    }
}

impl Machine<'_, '_> {
    /// The object of standard input, where its content is given. A program that does not name it has none; a function, which no stream is,
    /// stands for it then.
    fn given_stdin(&self) -> Option<ObjId> {
        self.options.environment.world.stdin.as_ref()?;
        match self.program.global("standard input") {
            Some(global) => Some(self.globals[global.as_u32() as usize]),
            None => self.functions.first().copied(),
        }
    }

    /// True if the stream is one of ours.
    pub(super) fn is_in_world(&self, stream: ObjId) -> bool {
        self.files.open.contains_key(&stream)
    }

    /// How a call uses the world; none if what it does is left open.
    fn use_of_world(&self, model: &Model, args: &[(Value, Ty)]) -> Option<Use> {
        let world = &self.options.environment.world;
        if world.is_empty() {
            return None;
        }
        let stdin = self.given_stdin();
        match model.name {
            "fopen" | "fopen64" => return (!world.files.is_empty()).then_some(Use::Open),
            "getenv" | "secure_getenv" => return world.variables.is_some().then_some(Use::Variable),
            "read" | "isatty" if args.first().is_some_and(|(value, _)| value.bits as u32 == 0) => {
                return stdin.map(Use::Descriptor);
            }
            "fflush" => return Some(Use::Flush),
            _ => {}
        }
        let stream = match model.effect.streams.first() {
            Some(arg) if arg.kind == StreamKind::File => match args.get(arg.arg)?.0.prov {
                Prov::Object(id) => id,
                _ => return None,
            },
            Some(_) => return None,
            None if model.implied_stream() == Some("standard input") => stdin?,
            None => return None,
        };
        let is_ours = self.files.open.contains_key(&stream) || stdin == Some(stream);
        (is_ours && is_known(model)).then_some(Use::Stream(stream))
    }

    /// True if nothing is left open of a call.
    pub fn is_given(&self, model: &Model, args: &[(Value, Ty)]) -> bool {
        self.use_of_world(model, args).is_some()
    }

    /// Carries out a call in the world that is given; none if it does not use it.
    pub(super) fn in_world(&mut self, call: &Call<'_>) -> Res<Option<Option<Value>>> {
        match self.use_of_world(call.model, call.args) {
            Some(_) if self.files.full => {
                let what = format!("a file of more than {} MiB that the program writes", MOST_BYTES >> 20);
                Err(Stop::Unsupported { what }.into())
            }
            None => Ok(None),
            Some(Use::Open) => self.open_file(call).map(|value| Some(Some(value))),
            Some(Use::Variable) => self.variable(call).map(|value| Some(Some(value))),
            Some(Use::Flush) => Ok(Some(Some(self.int_result(0)))),
            Some(Use::Descriptor(_)) if call.name() == "isatty" => Ok(Some(Some(self.int_result(0)))),
            Some(Use::Descriptor(id)) => {
                self.files.open.entry(id).or_insert_with(|| Stream::new(STDIN));
                let most = call.size(2);
                let bytes = self.take(id, |_, taken| taken as u64 >= most, call)?;
                self.store_bytes(call, 1, &bytes)?;
                Ok(Some(Some(self.word_result(bytes.len() as u64))))
            }
            Some(Use::Stream(id)) => {
                self.files.open.entry(id).or_insert_with(|| Stream::new(STDIN));
                self.on_stream(call, id)
            }
        }
    }

    fn open_file(&mut self, call: &Call<'_>) -> Res<Value> {
        const ENOENT: u32 = 2;
        let name = self.string(call.value(0), call.actor(0))?;
        let mode = self.string(call.value(1), call.actor(1))?;
        let exists = self.files.contents.contains_key(&name);
        let plus = mode.contains(&b'+');
        let (reads, writes) = match mode.first() {
            Some(b'r') => (true, plus),
            Some(b'w' | b'a') => (plus, true),
            _ => return Err(Stop::Unsupported { what: "the mode of `fopen`".to_owned() }.into()),
        };
        if mode.first() == Some(&b'r') && !exists {
            self.set_error_number(ENOENT)?;
            return Ok(Value::NULL);
        }
        if mode.first() == Some(&b'w') || !exists {
            self.files.contents.insert(name.clone(), Vec::new());
        }
        let size = StreamKind::File.size_on(self.program.target);
        let kind = ObjectKind::Library(StreamKind::File.name());
        let site = self.site();
        let id = self.create(size, 16, kind, Fresh::Unknown, site)?;
        self.mem.get_mut(id).escaped = true;
        let appends = mode.first() == Some(&b'a');
        self.files.open.insert(id, Stream { reads, writes, appends, ..Stream::new(&name) });
        Ok(self.address_of(id))
    }

    fn variable(&mut self, call: &Call<'_>) -> Res<Value> {
        let name = self.string(call.value(0), call.actor(0))?;
        if let Some(known) = self.environment.get(&name) {
            return Ok(*known);
        }
        let given = self.options.environment.world.variables.as_ref();
        let Some(text) = given.and_then(|all| all.get(&name)).filter(|_| !self.environment_cleared).cloned()
        else {
            return Ok(Value::NULL);
        };
        let site = Site { span: Span::NONE, func: None, step: self.steps };
        let kind = ObjectKind::Library("a string of the environment");
        let id = self.create(text.len() as u64 + 1, 1, kind, Fresh::Unknown, site)?;
        self.mem.get_mut(id).escaped = true;
        self.put_text(id, 0, &text)?;
        let address = self.address_of(id);
        self.environment.insert(name, address);
        Ok(address)
    }

    /// Takes characters from a stream until `ends` says so of the last one and of how many there are.
    fn take(
        &mut self,
        id: ObjId,
        mut ends: impl FnMut(Option<u8>, usize) -> bool,
        call: &Call<'_>,
    ) -> Res<Vec<u8>> {
        let files = &mut self.files;
        let Some(stream) = files.open.get_mut(&id).filter(|stream| stream.reads) else {
            let what = format!("`{}` from a file that was opened for writing", call.name());
            return Err(Stop::Unsupported { what }.into());
        };
        let content = files.contents.get(&stream.name).map_or(&[][..], Vec::as_slice);
        let mut taken = Vec::new();
        while !ends(taken.last().copied(), taken.len()) {
            let next = match stream.back.pop() {
                Some(c) => Some(c),
                None => {
                    let c = content.get(stream.at).copied();
                    stream.at += usize::from(c.is_some());
                    c
                }
            };
            match next {
                Some(c) => taken.push(c),
                None => {
                    stream.at_end = true;
                    break;
                }
            }
        }
        Ok(taken)
    }

    fn store_bytes(&mut self, call: &Call<'_>, arg: usize, bytes: &[u8]) -> Res<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (id, at) = self.check(call.value(arg), bytes.len() as u64, Access::Write, call.actor(arg))?;
        self.put_raw(id, at, bytes)
    }

    fn on_stream(&mut self, call: &Call<'_>, id: ObjId) -> Res<Option<Option<Value>>> {
        if let Some(arg) = call.model.effect.streams.first() {
            let place = Place { at: call.value(arg.arg), arg: arg.arg };
            self.use_stream(call.name(), place, arg.kind, arg.usage)?;
        }
        let line_end = |delimiter: u8| move |last: Option<u8>, _: usize| last == Some(delimiter);
        let value = match call.name() {
            name if is_get(name) => {
                let taken = self.take(id, |_, n| n == 1, call)?;
                self.int_result(taken.first().map_or(-1, |c| i64::from(*c)))
            }
            "ungetc" => {
                let c = call.int(0);
                if c != -1 {
                    let stream = self.files.open.get_mut(&id);
                    stream.into_iter().for_each(|stream| {
                        stream.back.push(c as u8);
                        stream.at_end = false;
                    });
                }
                self.int_result(if c == -1 { -1 } else { i64::from(c as u8) })
            }
            "fgets" | "fgets_unlocked" => {
                let room = call.int(1);
                if room < 2 {
                    let what = "`fgets` without room for a character".to_owned();
                    return Err(Stop::Unsupported { what }.into());
                }
                let most = room as usize - 1;
                let line = self.take(id, |last, n| last == Some(b'\n') || n >= most, call)?;
                self.store_line(call, 0, &line)?
            }
            "gets" => {
                let mut line = self.take(id, line_end(b'\n'), call)?;
                let ended = line.pop_if(|c| *c == b'\n').is_some();
                match line.is_empty() && !ended {
                    true => Value::NULL,
                    false => {
                        let n = line.len() as u64 + 1;
                        let (block, at) = self.check(call.value(0), n, Access::Write, call.actor(0))?;
                        self.put_text(block, at, &line)?;
                        call.value(0)
                    }
                }
            }
            "fread" | "fread_unlocked" => {
                let (size, count) = (call.size(1), call.size(2));
                let wanted = size.saturating_mul(count);
                let bytes = self.take(id, |_, n| n as u64 >= wanted, call)?;
                self.store_bytes(call, 0, &bytes)?;
                self.word_result((bytes.len() as u64).checked_div(size).unwrap_or(0))
            }
            "feof" | "feof_unlocked" => {
                let at_end = self.files.open.get(&id).is_some_and(|stream| stream.at_end);
                self.int_result(at_end.into())
            }
            "ferror" | "ferror_unlocked" => self.int_result(0),
            "clearerr" => {
                self.files.open.get_mut(&id).into_iter().for_each(|stream| stream.at_end = false);
                return Ok(Some(None));
            }
            "rewind" => {
                self.seek(id, 0);
                return Ok(Some(None));
            }
            "fseek" | "fseeko" => {
                let offset = sign_extend(call.value(1).bits, self.word_bits) as i64;
                let stream = self.files.open.get(&id);
                let end = stream.and_then(|s| self.files.contents.get(&s.name)).map_or(0, Vec::len);
                let from = match call.int(2) {
                    0 => 0,
                    1 => stream.map_or(0, |stream| stream.at.saturating_sub(stream.back.len())),
                    2 => end,
                    _ => return Ok(Some(Some(self.int_result(-1)))),
                };
                match (from as i64).checked_add(offset).and_then(|at| usize::try_from(at).ok()) {
                    Some(at) => {
                        self.seek(id, at);
                        self.int_result(0)
                    }
                    None => self.int_result(-1),
                }
            }
            "ftell" | "ftello" => {
                let at = self.files.open.get(&id).map_or(0, |s| s.at.saturating_sub(s.back.len()));
                self.word_result(at as u64)
            }
            "fclose" => {
                self.files.open.remove(&id);
                self.buffers.remove(&id);
                if matches!(self.mem.get(id).kind, ObjectKind::Library(_)) {
                    let site = self.site();
                    self.mem.end(id, Life::Freed, site);
                }
                self.int_result(0)
            }
            _ => match call.model.kind {
                ModelKind::GetDelim { delimiter } => {
                    let end = if delimiter { call.int(2) as u8 } else { b'\n' };
                    let line = self.take(id, line_end(end), call)?;
                    self.files.line = Some((!line.is_empty()).then_some(line));
                    let done = self.carry_out(call);
                    self.files.line = None;
                    return done.map(Some);
                }
                ModelKind::Scan { list: false, .. } => self.scan_stream(call, id)?,
                _ => return Ok(None),
            },
        };
        Ok(Some(Some(value)))
    }

    fn seek(&mut self, id: ObjId, at: usize) {
        if let Some(stream) = self.files.open.get_mut(&id) {
            stream.at = at;
            stream.at_end = false;
            stream.back.clear();
        }
    }

    /// Stores a line that `fgets` read; null at the end.
    fn store_line(&mut self, call: &Call<'_>, arg: usize, line: &[u8]) -> Res<Value> {
        if line.is_empty() {
            return Ok(Value::NULL);
        }
        let n = line.len() as u64 + 1;
        let (id, at) = self.check(call.value(arg), n, Access::Write, call.actor(arg))?;
        self.put_text(id, at, line)?;
        Ok(call.value(arg))
    }

    fn scan_stream(&mut self, call: &Call<'_>, id: ObjId) -> Res<Value> {
        let Some(stream) = self.files.open.get(&id) else { return Ok(self.int_result(-1)) };
        let content = self.files.contents.get(&stream.name).map_or(&[][..], Vec::as_slice);
        let mut text: Vec<u8> = stream.back.iter().rev().copied().collect();
        let back = text.len();
        text.extend_from_slice(content.get(stream.at..).unwrap_or_default());
        let format = usize::from(!call.model.effect.streams.is_empty());
        let (value, used, looks_past) = self.scan(call, &text, format, None)?;
        if let Some(stream) = self.files.open.get_mut(&id) {
            let left = stream.back.len() - used.min(back);
            stream.back.truncate(left);
            stream.at += used.saturating_sub(back);
            stream.at_end |= used == text.len() && looks_past;
        }
        Ok(value)
    }
}

/// True if a call on a stream of the world is carried out there.
fn is_known(model: &Model) -> bool {
    let by_name = [
        "ungetc",
        "fgets",
        "fgets_unlocked",
        "gets",
        "fread",
        "fread_unlocked",
        "feof",
        "feof_unlocked",
        "ferror",
        "ferror_unlocked",
        "clearerr",
        "rewind",
        "fseek",
        "fseeko",
        "ftell",
        "ftello",
        "fclose",
    ];
    is_get(model.name)
        || by_name.contains(&model.name)
        || matches!(model.kind, ModelKind::GetDelim { .. } | ModelKind::Scan { list: false, .. })
}
