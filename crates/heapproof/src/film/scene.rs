//! A state of the interpreter as a picture: variables of the functions that are active, and the blocks that matter.

use super::content::{Part, Reader, Value, constant, function};
use super::culprit::{self, Culprit};
use heapproof_interp::{Kind, Object, ObjectId, Scalar, Snapshot};
use heapproof_ir::ctype::{pointee, size_of, strip};
use heapproof_ir::describe::type_name;
use heapproof_ir::{BlockId, CType, FuncId, GlobalInit, LocalId, Program, Reg, Span, TypeId, Variable};
use heapproof_report::picture::{Block, Frame, Picture, Row, State, Step};
use heapproof_verdict::{Location, StepKind, Violation};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The most blocks of a picture.
const MOST_BLOCKS: usize = 20;
/// The most functions of a picture, the innermost ones.
const MOST_FRAMES: usize = 5;
/// The most rows of global variables.
const MOST_GLOBALS: usize = 10;
/// The most changes that are said in words.
const MOST_CHANGES: usize = 3;

/// Makes the pictures of one execution, in their order.
pub struct Maker<'p> {
    program: &'p Program,
    sources: &'p BTreeSet<String>,
    violation: &'p Violation,
    /// The number of the instruction that goes wrong.
    last: u64,
    /// The instruction that is about to be executed, with its number.
    pub at: (u64, BlockId, usize),
    /// Types of objects that have none of their own.
    types: BTreeMap<ObjectId, TypeId>,
    /// Heap blocks in the order in which they were first drawn.
    numbers: BTreeMap<ObjectId, usize>,
    /// What was drawn of an object when it was last live.
    drawn: BTreeMap<ObjectId, Block>,
    /// Heap blocks that are no longer live.
    freed: BTreeSet<ObjectId>,
    /// All heap blocks that were there before.
    known: BTreeSet<ObjectId>,
    /// Values of the picture before, by frame or block and name.
    values: BTreeMap<(String, String), String>,
    first: bool,
}

/// An active function.
struct View<'a> {
    func: FuncId,
    regs: &'a [Scalar],
    locals: &'a BTreeMap<LocalId, ObjectId>,
}

impl<'p> Maker<'p> {
    pub fn new(
        program: &'p Program,
        violation: &'p Violation,
        sources: &'p BTreeSet<String>,
        last: u64,
    ) -> Self {
        Maker {
            program,
            sources,
            violation,
            last,
            at: (0, BlockId::from_u32(0), 0),
            types: BTreeMap::new(),
            numbers: BTreeMap::new(),
            drawn: BTreeMap::new(),
            freed: BTreeSet::new(),
            known: BTreeSet::new(),
            values: BTreeMap::new(),
            first: true,
        }
    }

    /// A step with its picture.
    pub fn step(&mut self, snapshot: &Snapshot) -> Step {
        let (number, block, instruction) = self.at;
        let is_last = number == self.last;
        let culprit = match is_last && !self.violation.property.is_about_leaks() {
            true => culprit::of(self.program, snapshot, block, instruction),
            false => Culprit::default(),
        };
        let (picture, happened) = self.picture(snapshot, &culprit, is_last);
        let body = self.program.functions[snapshot.func].body.as_ref();
        let span = body.map_or(Span::NONE, |body| {
            let block = &body.blocks[block];
            block.insts.get(instruction).map_or(block.term_span, |inst| inst.span)
        });
        let location = Location {
            file: self.program.files.get(span.file).cloned().unwrap_or_default(),
            line: span.line,
            column: span.column,
            function: self.program.functions[snapshot.func].name.clone(),
        };
        self.first = false;
        Step { location, happened, left_out: 0, picture }
    }

    fn is_users(&self, span: Span) -> bool {
        span.is_known() && self.program.files.get(span.file).is_some_and(|file| self.sources.contains(file))
    }

    fn picture(&mut self, snapshot: &Snapshot, culprit: &Culprit, is_last: bool) -> (Picture, Vec<String>) {
        let mut happened = self.births_and_deaths(snapshot);
        let mut picture = Picture::default();
        let mut wanted: VecDeque<ObjectId> = VecDeque::new();
        picture.frames.extend(self.globals(snapshot, &mut wanted));
        let callers = snapshot.callers.iter();
        let mut views: Vec<View<'_>> =
            callers.map(|view| View { func: view.func, regs: &view.regs, locals: &view.locals }).collect();
        views.push(View { func: snapshot.func, regs: &snapshot.regs, locals: &snapshot.locals });
        views.retain(|view| self.is_users(self.program.functions[view.func].span));
        let hidden = views.len().saturating_sub(MOST_FRAMES);
        for (index, view) in views.iter().enumerate().skip(hidden) {
            let top = index + 1 == views.len();
            let mut frame = self.frame(view, snapshot, culprit, top, &mut wanted);
            if hidden > 0 && index == hidden {
                frame.name = format!("… {} (call {})", frame.name, index + 1);
            }
            picture.frames.push(frame);
        }
        let bad: BTreeSet<ObjectId> = culprit.addresses.iter().filter_map(|scalar| scalar.object()).collect();
        wanted.extend(bad.iter().copied());
        wanted.extend(
            snapshot.objects.iter().filter(|(_, object)| self.is_concerned(object)).map(|(id, _)| *id),
        );
        wanted.extend(self.freed_now(snapshot));
        let lost = if is_last && self.violation.property.is_about_leaks() {
            lost(snapshot)
        } else {
            BTreeSet::new()
        };
        wanted.extend(lost.iter().copied());
        self.blocks(snapshot, wanted, &mut picture);
        for block in &mut picture.blocks {
            let id = ObjectId(block.id);
            block.bad = bad.contains(&id) || lost.contains(&id);
            if lost.contains(&id) {
                block.state = State::Lost;
            }
            let object = &snapshot.objects[&id];
            block.bad |= is_last
                && self.violation.property.is_about_leaks()
                && self.is_concerned(object)
                && object.live;
            self.mark(block, culprit);
        }
        self.compare(&mut picture, &mut happened);
        self.freed = snapshot
            .objects
            .iter()
            .filter(|(_, o)| o.kind == Kind::Heap && !o.live)
            .map(|(id, _)| *id)
            .collect();
        (picture, happened)
    }

    /// Heap blocks that were allocated or freed since the picture before, in words.
    fn births_and_deaths(&mut self, snapshot: &Snapshot) -> Vec<String> {
        let mut happened = Vec::new();
        let heap = snapshot.objects.iter().filter(|(_, object)| object.kind == Kind::Heap);
        let (mut new, mut freed) = (Vec::new(), Vec::new());
        for (id, object) in heap {
            if self.known.insert(*id) && object.live && !self.first {
                new.push((*id, object.size));
            }
            if !object.live && !self.freed.contains(id) && !self.first {
                freed.push(*id);
            }
        }
        for (id, _) in &new {
            let next = self.numbers.len() + 1;
            self.numbers.entry(*id).or_insert(next);
        }
        match new.as_slice() {
            [] => {}
            [(id, size)] => {
                happened.push(format!("block #{} of {size} bytes is allocated", self.numbers[id]))
            }
            all => happened.push(format!("{} blocks are allocated", all.len())),
        }
        match freed.as_slice() {
            [] => {}
            [id] => match self.numbers.get(id) {
                Some(number) => happened.push(format!("block #{number} is freed")),
                None => happened.push("a block is freed".to_owned()),
            },
            all => happened.push(format!("{} blocks are freed", all.len())),
        }
        happened
    }

    /// Blocks that were drawn and have just been freed.
    fn freed_now(&self, snapshot: &Snapshot) -> Vec<ObjectId> {
        let gone = |id: &ObjectId| snapshot.objects.get(id).is_some_and(|object| !object.live);
        self.drawn
            .keys()
            .filter(|id| gone(id) && !self.freed.contains(id) && self.numbers.contains_key(id))
            .copied()
            .collect()
    }

    /// The story speaks of it.
    fn is_concerned(&self, object: &Object) -> bool {
        let born = object.born;
        object.kind == Kind::Heap
            && self.violation.path.iter().any(|step| {
                step.kind == StepKind::Allocated
                    && (step.location.line, step.location.column) == (born.line, born.column)
                    && self.program.files.get(born.file) == Some(&step.location.file)
            })
    }

    /// Global variables of the user.
    fn globals(&mut self, snapshot: &Snapshot, wanted: &mut VecDeque<ObjectId>) -> Option<Frame> {
        let mut rows = Vec::new();
        for (id, object) in &snapshot.globals {
            let global = &self.program.globals[*id];
            if global.anonymous || !self.is_users(global.span) {
                continue;
            }
            let Some(found) = snapshot.objects.get(object) else { continue };
            match global.ctype.filter(|ty| self.is_scalar(*ty)) {
                Some(ty) => {
                    let reader = Reader::new(self.program, found.content.as_deref(), found.size);
                    let part = reader.parts(Some(ty)).into_iter().next();
                    let points =
                        matches!(self.program.types[strip(&self.program.types, ty)], CType::Pointer { .. });
                    if let Some(part) = part
                        && (points || part.value != Value::Text("0".to_owned()))
                    {
                        rows.push(self.row(snapshot, part, &global.name, Some(*object), wanted));
                    }
                }
                None => {
                    let used = found.content.iter().flatten().any(|(_, piece)| match piece {
                        heapproof_interp::Piece::Address(_) => true,
                        heapproof_interp::Piece::Byte(byte) => *byte != 0,
                    });
                    if used && !global.constant && found.size <= 512 {
                        wanted.push_back(*object);
                    }
                }
            }
        }
        rows.truncate(MOST_GLOBALS);
        (!rows.is_empty()).then(|| Frame { name: "global variables".to_owned(), rows })
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        !matches!(
            types[strip(types, ty)],
            CType::Struct { .. } | CType::Union { .. } | CType::Array { .. } | CType::Opaque { .. }
        )
    }

    /// The variables of a function.
    fn frame(
        &mut self,
        view: &View<'_>,
        snapshot: &Snapshot,
        culprit: &Culprit,
        top: bool,
        wanted: &mut VecDeque<ObjectId>,
    ) -> Frame {
        let function = &self.program.functions[view.func];
        let mut found: Vec<(&Variable, Row)> = Vec::new();
        let Some(body) = &function.body else {
            return Frame { name: function.name.clone(), rows: Vec::new() };
        };
        for (reg, info) in body.regs.iter() {
            let Some(variable) = &info.variable else { continue };
            let scalar = view.regs.get(reg.as_u32() as usize).copied().unwrap_or(Scalar::Unset);
            if scalar == Scalar::Unset || found.iter().any(|(other, _)| *other == variable) {
                continue;
            }
            let value = self.register(scalar, variable, reg, view.func);
            let part = Part { offset: 0, name: String::new(), value };
            let mut row = self.row(snapshot, part, &variable.name, None, wanted);
            row.bad = top && culprit.variables.contains(&(view.func, reg));
            found.push((variable, row));
        }
        for (local, object) in view.locals {
            let Some(variable) = &body.locals[*local].variable else { continue };
            let Some(content) = snapshot.objects.get(object) else { continue };
            match variable.ctype.filter(|ty| self.is_scalar(*ty)) {
                Some(ty) => {
                    let reader = Reader::new(self.program, content.content.as_deref(), content.size);
                    if let Some(part) = reader.parts(Some(ty)).into_iter().next() {
                        let row = self.row(snapshot, part, &variable.name, Some(*object), wanted);
                        let bad = culprit.read_from.iter().any(|scalar| scalar.object() == Some(*object));
                        found.push((variable, Row { bad: row.bad || bad, ..row }));
                    }
                }
                None => {
                    if let Some(ty) = variable.ctype {
                        self.types.insert(*object, ty);
                    }
                    let title = format!("{} of {}", variable.name, function.name);
                    let block = self.block(*object, content, &title);
                    self.drawn.entry(*object).or_insert(block).title = title;
                    wanted.push_back(*object);
                }
            }
        }
        found.sort_by_key(|(variable, _)| (variable.span.line, variable.span.column));
        Frame { name: format!("{}()", function.name), rows: found.into_iter().map(|(_, row)| row).collect() }
    }

    fn register(&self, scalar: Scalar, variable: &Variable, reg: Reg, func: FuncId) -> Value {
        let ty = variable.ctype;
        match scalar {
            Scalar::Number(bits) => {
                let body = self.program.functions[func].body.as_ref();
                let pointer = self.program.target.pointer_bytes();
                let size = ty.and_then(|ty| size_of(&self.program.types, ty, pointer));
                let is_pointer = body.is_some_and(|body| body.regs[reg].ty == heapproof_ir::Ty::Ptr);
                match (is_pointer, bits) {
                    (true, 0) => Value::Text("NULL".to_owned()),
                    (true, bits) => Value::Text(format!("{bits:#x}")),
                    _ => Value::Text(constant(self.program, bits, ty, size.unwrap_or(8))),
                }
            }
            scalar => Value::Address(scalar, ty.and_then(|ty| pointee(&self.program.types, ty))),
        }
    }

    /// A part as a row; what it points to is wanted.
    fn row(
        &mut self,
        snapshot: &Snapshot,
        part: Part,
        name: &str,
        id: Option<ObjectId>,
        wanted: &mut VecDeque<ObjectId>,
    ) -> Row {
        let name = if name.is_empty() { part.name } else { name.to_owned() };
        let mut row = Row { id: id.map(|id| id.0), ..Row::new(part.offset, name, "") };
        match part.value {
            Value::Text(text) => row.value = text,
            Value::Address(Scalar::Function(func), _) => row.value = function(self.program, func),
            Value::Address(Scalar::Address { object, offset }, ty) => match snapshot.objects.get(&object) {
                Some(found) => match self.text_of(found) {
                    Some(text) => row.value = text,
                    None => {
                        self.learn(object, found, offset, ty);
                        row.to = Some((object.0, offset));
                        wanted.push_back(object);
                        if offset != 0 {
                            row.value = format!("{offset:+}");
                        }
                    }
                },
                None => row.value = "an address".to_owned(),
            },
            Value::Address(..) => row.value = "?".to_owned(),
        }
        row
    }

    /// A string literal as text.
    fn text_of(&self, object: &Object) -> Option<String> {
        let Kind::Global { id, .. } = object.kind else { return None };
        let global = &self.program.globals[id];
        let plain = matches!(&global.init, GlobalInit::Data { relocs, .. } if relocs.is_empty());
        (global.anonymous && plain)
            .then(|| Reader::new(self.program, object.content.as_deref(), object.size).string(0, object.size))
    }

    /// The type of what a pointer points to.
    fn learn(&mut self, id: ObjectId, object: &Object, offset: i64, ty: Option<TypeId>) {
        let types = &self.program.types;
        let Some(ty) = ty.filter(|_| offset == 0 && matches!(object.kind, Kind::Heap | Kind::Alloca)) else {
            return;
        };
        let size = |ty: TypeId| size_of(types, ty, self.program.target.pointer_bytes()).unwrap_or(0);
        let new = size(ty);
        let better = self.types.get(&id).is_none_or(|old| size(*old) < new);
        if new > 0 && new <= object.size && better {
            self.types.insert(id, ty);
        }
    }

    /// Draws the wanted objects and what they reach, the nearest first.
    fn blocks(&mut self, snapshot: &Snapshot, mut wanted: VecDeque<ObjectId>, picture: &mut Picture) {
        let shown: BTreeSet<u32> =
            picture.frames.iter().flat_map(|frame| &frame.rows).filter_map(|row| row.id).collect();
        let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
        while let Some(id) = wanted.pop_front() {
            let Some(object) = snapshot.objects.get(&id) else { continue };
            if shown.contains(&id.0) || !seen.insert(id) || self.text_of(object).is_some() {
                continue;
            }
            if picture.blocks.len() >= MOST_BLOCKS {
                picture.left_out += 1;
                continue;
            }
            let mut block = if object.live {
                let new = object.kind == Kind::Heap && !self.drawn.contains_key(&id) && !self.first;
                let title = self.drawn.get(&id).map(|block| block.title.clone());
                let mut block = self.block(id, object, title.as_deref().unwrap_or_default());
                if new {
                    block.state = State::New;
                }
                let parts = self.parts(id, object);
                block.rows =
                    parts.into_iter().map(|part| self.row(snapshot, part, "", None, &mut wanted)).collect();
                block
            } else {
                let old = self.drawn.get(&id).cloned();
                let mut block = old.unwrap_or_else(|| self.block(id, object, ""));
                block.state = State::Gone;
                let how = if object.kind == Kind::Heap { "freed" } else { "out of scope" };
                block.note = format!("{} bytes, {how}", object.size);
                block
            };
            block.rows.iter_mut().for_each(|row| row.changed = false);
            if object.live {
                let state = State::Live;
                self.drawn.insert(id, Block { state, ..block.clone() });
            }
            picture.blocks.push(block);
        }
    }

    fn parts(&self, id: ObjectId, object: &Object) -> Vec<Part> {
        if object.content.is_none() {
            let value = Value::Text("too large to show".to_owned());
            return vec![Part { offset: 0, name: String::new(), value }];
        }
        let ty = match object.kind {
            Kind::Global { id, .. } => self.program.globals[id].ctype,
            _ => self.types.get(&id).copied(),
        };
        Reader::new(self.program, object.content.as_deref(), object.size).parts(ty)
    }

    /// A block without its rows.
    fn block(&mut self, id: ObjectId, object: &Object, title: &str) -> Block {
        let types = &self.program.types;
        let mut note = format!("{} bytes", object.size);
        let named = self.types.get(&id).map(|ty| type_name(types, *ty)).unwrap_or_default();
        let title = match object.kind {
            Kind::Heap => {
                let next = self.numbers.len() + 1;
                let number = *self.numbers.entry(id).or_insert(next);
                if object.born.is_known() {
                    note.push_str(&format!(", allocated at line {}", object.born.line));
                }
                format!("#{number} {named}").trim_end().to_owned()
            }
            Kind::Global { id, .. } => {
                note.push_str(", global");
                self.program.globals[id].name.clone()
            }
            Kind::Alloca if title.is_empty() => "variable array".to_owned(),
            _ if title.is_empty() => "local variable".to_owned(),
            _ => {
                note.push_str(&format!(", {named}"));
                title.to_owned()
            }
        };
        Block { id: id.0, title, note, rows: Vec::new(), state: State::Live, bad: false }
    }

    /// Marks the rows that the error is about.
    fn mark(&self, block: &mut Block, culprit: &Culprit) {
        let here = |scalar: &Scalar| match scalar {
            Scalar::Address { object, offset } if object.0 == block.id => Some(*offset),
            _ => None,
        };
        let places: Vec<i64> = culprit.addresses.iter().chain(&culprit.read_from).filter_map(here).collect();
        for place in places {
            const MARK: u64 = u64::MAX - 1;
            let index = block.rows.iter().rposition(|row| i64::try_from(row.offset) == Ok(place));
            match index {
                Some(index) => block.rows[index].bad = true,
                None if block.rows.iter().all(|row| row.offset != MARK) => {
                    let at = Row { bad: true, ..Row::new(MARK, "access here", format!("at byte {place}")) };
                    block.rows.push(at);
                }
                None => {}
            }
        }
    }

    /// Marks what has changed and says the most important of it.
    fn compare(&mut self, picture: &mut Picture, happened: &mut Vec<String>) {
        let titles: BTreeMap<u32, String> =
            picture.blocks.iter().map(|block| (block.id, block.title.clone())).collect();
        let shown = |row: &Row| match row.to {
            Some((id, offset)) => {
                let title = titles.get(&id).map_or("", |title| title.split(' ').next().unwrap_or(title));
                let plus = if offset == 0 { String::new() } else { format!("{offset:+}") };
                format!("→ {title}{plus}")
            }
            None => row.value.clone(),
        };
        let mut values = BTreeMap::new();
        let mut changes = Vec::new();
        let frames = picture.frames.iter_mut().enumerate();
        let frames = frames
            .map(|(index, frame)| (format!("{index} {}", frame.name), true, String::new(), &mut frame.rows));
        let blocks = picture.blocks.iter_mut().filter(|block| block.state != State::Gone);
        let blocks = blocks.map(|block| {
            let name = block.title.split(' ').next().unwrap_or_default();
            (format!("b{}", block.id), false, format!("{name}."), &mut block.rows)
        });
        for (place, is_frame, prefix, rows) in frames.chain(blocks) {
            for row in rows {
                let text = shown(row);
                let key = (place.clone(), row.name.clone());
                let before = self.values.get(&key);
                row.changed = !self.first && before != Some(&text) && (is_frame || before.is_some());
                if row.changed && !row.name.is_empty() && !row.name.starts_with('…') {
                    let equals = if row.to.is_some() { "" } else { "= " };
                    changes.push(format!("`{prefix}{} {equals}{text}`", row.name));
                }
                values.insert(key, text);
            }
        }
        self.values = values;
        let more = changes.len().saturating_sub(MOST_CHANGES);
        changes.truncate(MOST_CHANGES);
        if !changes.is_empty() {
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            happened.push(format!("{}{more}", changes.join(", ")));
        }
    }
}

/// Live heap blocks that nothing points to.
fn lost(snapshot: &Snapshot) -> BTreeSet<ObjectId> {
    let mut work: Vec<ObjectId> = snapshot.globals.values().copied().collect();
    work.extend(snapshot.locals.values().chain(&snapshot.allocas).copied());
    work.extend(snapshot.regs.iter().filter_map(|scalar| scalar.object()));
    for waiting in &snapshot.callers {
        work.extend(waiting.locals.values().copied());
        work.extend(waiting.regs.iter().filter_map(|scalar| scalar.object()));
    }
    let mut reached = BTreeSet::new();
    while let Some(id) = work.pop() {
        if !reached.insert(id) {
            continue;
        }
        let content = snapshot.objects.get(&id).and_then(|object| object.content.as_ref());
        for (_, piece) in content.into_iter().flatten() {
            if let heapproof_interp::Piece::Address(scalar) = piece {
                work.extend(scalar.object());
            }
        }
    }
    let heap = snapshot.objects.iter().filter(|(_, object)| object.kind == Kind::Heap && object.live);
    heap.map(|(id, _)| *id).filter(|id| !reached.contains(id)).collect()
}
