//! Looks on while a client runs: which functions of the library are called with what, and which return.

use heapproof_interp::{Object, ObjectId, Observer, Piece, Scalar, Snapshot};
use heapproof_ir::ctype::{CType, pointee, strip};
use heapproof_ir::{BlockId, Callee, FuncId, InstKind, Operand, Program, Reg, TypeId, mask, sign_extend};
use heapproof_verdict::Location;
use std::collections::{BTreeMap, BTreeSet};

/// A call of the library in the client.
type Site = (FuncId, BlockId, usize);

/// The calls of a library in the code of its client.
pub struct Sites {
    calls: BTreeMap<Site, FuncId>,
    clients: BTreeSet<FuncId>,
}

impl Sites {
    /// All calls from functions in the client's file to other functions with code.
    pub fn of(program: &Program, client: &str) -> Self {
        let is_client = |id: FuncId| {
            program.files.get(program.functions[id].span.file).is_some_and(|file| file == client)
        };
        let mut calls = BTreeMap::new();
        let mut clients = BTreeSet::new();
        for (id, function) in program.functions.iter() {
            let Some(body) = function.body.as_ref().filter(|_| is_client(id)) else { continue };
            clients.insert(id);
            for (at, block) in body.blocks.iter() {
                for (index, inst) in block.insts.iter().enumerate() {
                    if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind
                        && program.functions[*callee].body.is_some()
                        && !is_client(*callee)
                        && !program.functions[*callee].internal
                    {
                        calls.insert((id, at, index), *callee);
                    }
                }
            }
        }
        Sites { calls, clients }
    }
}

/// What a run shows.
pub struct Watcher<'a> {
    program: &'a Program,
    sites: &'a Sites,
    pending: Vec<(Site, FuncId)>,
    /// Functions that returned.
    pub returned: BTreeSet<FuncId>,
    last: Option<FuncId>,
    /// Where an error is: which function runs when that is executed?
    place: Option<Location>,
    at_place: Option<Option<FuncId>>,
    last_at_place: Option<FuncId>,
    /// The calls in words, if these are wanted.
    words: Option<Words>,
}

#[derive(Default)]
struct Words {
    lines: Vec<String>,
    names: BTreeMap<u32, String>,
    counts: BTreeMap<String, u32>,
}

impl<'a> Watcher<'a> {
    /// Looks which functions return.
    pub fn new(program: &'a Program, sites: &'a Sites) -> Self {
        Watcher {
            program,
            sites,
            pending: Vec::new(),
            returned: BTreeSet::new(),
            last: None,
            place: None,
            at_place: None,
            last_at_place: None,
            words: None,
        }
    }

    /// Also who executes a place, and what is called with what.
    pub fn with_words(program: &'a Program, sites: &'a Sites, place: &Location) -> Self {
        Watcher { place: Some(place.clone()), words: Some(Words::default()), ..Watcher::new(program, sites) }
    }

    /// The function of the library that runs.
    pub fn running(&self) -> Option<FuncId> {
        self.pending.last().map(|(_, func)| *func)
    }

    /// The function that ran when the place was executed last; none inside if that was the client itself.
    pub fn at_place(&self) -> Option<Option<FuncId>> {
        self.at_place
    }

    /// The function that had returned last then.
    pub fn last_at_place(&self) -> Option<FuncId> {
        self.last_at_place
    }

    /// The calls in words, one a line.
    pub fn calls(&self) -> Vec<String> {
        self.words.as_ref().map(|words| words.lines.clone()).unwrap_or_default()
    }

    fn is_place(&self, func: FuncId, block: BlockId, index: usize) -> bool {
        let Some(place) = &self.place else { return false };
        let function = &self.program.functions[func];
        let Some(block) = function.body.as_ref().and_then(|body| body.blocks.get(block)) else {
            return false;
        };
        let span = block.insts.get(index).map_or(block.term_span, |inst| inst.span);
        span.line == place.line && function.name == place.function
    }
}

impl Observer for Watcher<'_> {
    fn wants(&mut self, _: FuncId, _: BlockId) -> bool {
        false
    }

    fn wants_step(&mut self, func: FuncId, block: BlockId, index: usize) -> bool {
        let mut wanted = false;
        if self.sites.clients.contains(&func) {
            if let Some((site, called)) = self.pending.last().copied()
                && site.0 == func
                && (site.1, site.2) != (block, index)
            {
                self.pending.pop();
                self.returned.insert(called);
                self.last = Some(called);
                if let Some(words) = &mut self.words {
                    words.returns(self.program, site);
                    wanted = true;
                }
            }
            if let Some(called) = self.sites.calls.get(&(func, block, index)) {
                self.pending.push(((func, block, index), *called));
                wanted |= self.words.is_some();
            }
        }
        if self.is_place(func, block, index) {
            self.at_place = Some(self.running());
            self.last_at_place = self.last;
        }
        wanted
    }

    fn look(&mut self, snapshot: Snapshot) {
        let Some(words) = &mut self.words else { return };
        words.result(self.program, &snapshot);
        if let Some((site, called)) = self.pending.last()
            && site.0 == snapshot.func
        {
            words.call(self.program, *site, *called, &snapshot);
        }
    }
}

impl Words {
    /// The call of a site has returned: its result is in the next snapshot.
    fn returns(&mut self, program: &Program, site: Site) {
        let Some(result) = result_of(program, site) else { return };
        if let Some(last) = self.lines.last_mut() {
            last.push_str(&format!("\u{0}{}", result.as_u32()));
        }
    }

    /// Names the result of the last call.
    fn result(&mut self, program: &Program, snapshot: &Snapshot) {
        let Some(last) = self.lines.last().cloned() else { return };
        let Some((line, reg)) = last.split_once('\u{0}') else { return };
        let called = line.split('(').next().unwrap_or_default();
        let ty = program.function(called).and_then(|func| signature(program, func)).map(|(result, _)| result);
        let value = reg.parse::<u32>().ok().and_then(|reg| snapshot.regs.get(reg as usize));
        let shown = match (value, ty) {
            (Some(value), Some(ty)) if !matches!(program.types[strip(&program.types, ty)], CType::Void) => {
                format!("{line} = {}", self.value(program, Some(ty), *value, snapshot))
            }
            _ => line.to_owned(),
        };
        *self.lines.last_mut().expect("there is a last line") = shown;
    }

    fn call(&mut self, program: &Program, (func, block, index): Site, called: FuncId, snapshot: &Snapshot) {
        let Some(body) = &program.functions[func].body else { return };
        let InstKind::Call { args, .. } = &body.blocks[block].insts[index].kind else { return };
        let params = signature(program, called).map(|(_, params)| params).unwrap_or_default();
        let mut shown = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let value = match arg {
                Operand::Reg(reg) => {
                    snapshot.regs.get(reg.as_u32() as usize).copied().unwrap_or(Scalar::Unset)
                }
                Operand::Int { bits, .. } => Scalar::Number(*bits),
                Operand::Null => Scalar::Number(0),
                Operand::Func(func) => Scalar::Function(*func),
                Operand::Local(local) => snapshot
                    .locals
                    .get(local)
                    .map_or(Scalar::Unset, |object| Scalar::Address { object: *object, offset: 0 }),
                Operand::Global(global) => snapshot
                    .globals
                    .get(global)
                    .map_or(Scalar::Unset, |object| Scalar::Address { object: *object, offset: 0 }),
                _ => Scalar::Unset,
            };
            shown.push(self.value(program, params.get(at).copied(), value, snapshot));
        }
        self.lines.push(format!("{}({})", program.functions[called].name, shown.join(", ")));
    }

    fn value(&mut self, program: &Program, ty: Option<TypeId>, value: Scalar, snapshot: &Snapshot) -> String {
        let types = &program.types;
        let bare = ty.map(|ty| &types[strip(types, ty)]);
        match value {
            Scalar::Unset => "?".to_owned(),
            Scalar::Function(func) => program.functions[func].name.clone(),
            Scalar::Number(0) if matches!(bare, Some(CType::Pointer { .. })) => "NULL".to_owned(),
            Scalar::Number(bits) => match bare {
                Some(CType::Int { size, signed, .. }) => {
                    let width = (*size * 8) as u8;
                    let number =
                        if *signed { sign_extend(bits, width) } else { (bits & mask(width)) as i128 };
                    match number {
                        32..=126 if *size == 1 => format!("'{}'", number as u8 as char),
                        _ => number.to_string(),
                    }
                }
                Some(CType::Pointer { .. }) => format!("(void *){bits:#x}"),
                _ => bits.to_string(),
            },
            Scalar::Address { object, offset } => {
                let to = ty.and_then(|ty| pointee(types, ty)).map(|to| strip(types, to));
                if matches!(to.map(|to| &types[to]), Some(CType::Int { size: 1, .. }))
                    && let Some(text) = snapshot.objects.get(&object).and_then(|seen| text(seen, offset))
                {
                    return text;
                }
                self.name(program, to, object, offset)
            }
        }
    }

    /// The name of an object: by its type, numbered in the order in which they are met.
    fn name(&mut self, program: &Program, to: Option<TypeId>, object: ObjectId, _offset: i64) -> String {
        if let Some(name) = self.names.get(&object.0) {
            return name.clone();
        }
        let base = match to.map(|to| &program.types[to]) {
            Some(CType::Struct { name: Some(tag), .. }) => tag.clone(),
            Some(CType::Pointer { .. }) => "&variable".to_owned(),
            Some(CType::Int { .. }) => "&number".to_owned(),
            // The name of a type without a tag.
            Some(CType::Struct { .. }) => program
                .types
                .values()
                .find_map(|ty| match ty {
                    CType::Typedef { name, of } if Some(*of) == to => {
                        Some(name.trim_end_matches("_t").to_owned())
                    }
                    _ => None,
                })
                .unwrap_or_else(|| "p".to_owned()),
            _ => "p".to_owned(),
        };
        let count = self.counts.entry(base.clone()).or_default();
        *count += 1;
        let name = format!("{base}{count}");
        self.names.insert(object.0, name.clone());
        name
    }
}

fn result_of(program: &Program, (func, block, index): Site) -> Option<Reg> {
    let body = program.functions[func].body.as_ref()?;
    match &body.blocks[block].insts[index].kind {
        InstKind::Call { results, .. } => results.first().copied(),
        _ => None,
    }
}

fn signature(program: &Program, func: FuncId) -> Option<(TypeId, Vec<TypeId>)> {
    let ctype = program.functions[func].ctype?;
    match &program.types[strip(&program.types, ctype)] {
        CType::Function { result, params, .. } => Some((*result, params.clone())),
        _ => None,
    }
}

/// A string that an object holds, as a literal.
fn text(object: &Object, offset: i64) -> Option<String> {
    let content = object.content.as_ref()?;
    let mut bytes: BTreeMap<u64, u8> = BTreeMap::new();
    for (at, piece) in content {
        if let Piece::Byte(byte) = piece {
            bytes.insert(*at, *byte);
        }
    }
    let mut shown = String::from("\"");
    let start = u64::try_from(offset).ok()?;
    for at in start..object.size {
        match bytes.get(&at) {
            Some(0) => {
                shown.push('"');
                return Some(shown);
            }
            Some(c @ (b'"' | b'\\')) => shown.extend(['\\', *c as char]),
            Some(c @ 32..=126) => shown.push(*c as char),
            Some(c) => shown.push_str(&format!("\\{c:03o}")),
            // Not read so far.
            None => shown.push('.'),
        }
    }
    None
}
