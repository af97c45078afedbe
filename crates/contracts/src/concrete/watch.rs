//! A run that is watched: contracts, invariants, ghost statements and frames are evaluated as it goes.

use super::eval::{Evaluator, holds};
use super::world::{Ghosts, Seen, Spot, World, kill_links};
use crate::annotation::Position;
use crate::execute::Kind;
use crate::place::{loops, names_field, place_of};
use crate::spec::{Claim, Ghost, Spec};
use heapproof_interp::{Observer, Piece, Scalar, Snapshot};
use heapproof_ir::{BlockId, Body, Callee, FuncId, InstKind, Operand, Program, Span, Terminator, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a contract that a run breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The line of the clause or the statement.
    pub at: Position,
    /// What it is about.
    pub kind: Kind,
    /// The function whose annotation it is.
    pub func: FuncId,
    /// Where the execution is.
    pub span: Span,
}

/// Visits of loop heads in one run at which candidates are evaluated: long runs tell little more than short ones.
const VISITS: u32 = 64;

/// A copy of a block: where to, how many bytes, and the links that come along.
type Copied = (Spot, u64, Vec<(usize, Spot)>);
/// What annotations know at the start, by the heap objects of the state.
type Start<'a> = Box<dyn Fn(&[u32], &Snapshot) -> Ghosts + 'a>;

/// A function with a contract that is running.
struct Entered {
    func: FuncId,
    depth: usize,
    seen: Seen,
}

/// Watches a run that starts at a function.
pub struct Watch<'a> {
    program: &'a Program,
    spec: &'a Spec,
    root: FuncId,
    word: u64,
    ghosts: Ghosts,
    known: BTreeSet<u32>,
    entered: Vec<Entered>,
    heads: BTreeMap<FuncId, BTreeSet<BlockId>>,
    /// Where the run is: function, block, instruction.
    at: (FuncId, BlockId, usize),
    started: bool,
    /// A copy of a block that was begun: where, how many bytes, which links come along.
    copied: Option<Copied>,
    /// What was broken first.
    pub broken: Option<Broken>,
    /// Formulas that had no value.
    pub undecided: u64,
    /// An assumption did not hold: this is no execution.
    pub infeasible: bool,
    /// How ghosts look at the start, by the order of the heap objects of the state.
    start: Option<Start<'a>>,
    count: usize,
    /// Formulas that may be invariants of loops of the root.
    candidates: Option<&'a BTreeMap<BlockId, Vec<Claim>>>,
    /// The candidates that did not hold.
    pub refuted: BTreeSet<(BlockId, usize)>,
    /// How often candidates are still evaluated.
    visits: u32,
    /// All functions with contracts are watched, not only the one that the run starts at.
    whole: bool,
    /// What was executed last.
    last: Option<Span>,
}

impl<'a> Watch<'a> {
    /// For a run of a function from a state with so many heap objects.
    pub fn new(
        program: &'a Program,
        spec: &'a Spec,
        root: FuncId,
        count: usize,
        start: impl Fn(&[u32], &Snapshot) -> Ghosts + 'a,
    ) -> Watch<'a> {
        Watch {
            program,
            spec,
            root,
            word: program.target.pointer_bytes(),
            ghosts: Ghosts::default(),
            known: BTreeSet::new(),
            entered: Vec::new(),
            heads: BTreeMap::new(),
            at: (root, Body::ENTRY, 0),
            started: false,
            copied: None,
            broken: None,
            undecided: 0,
            infeasible: false,
            start: Some(Box::new(start)),
            count,
            candidates: None,
            refuted: BTreeSet::new(),
            visits: VISITS,
            whole: false,
            last: None,
        }
    }

    /// For a run of a whole program. At its start the null pointer is blocking, and the link fields of globals are links.
    pub fn of_program(program: &'a Program, spec: &'a Spec, main: FuncId) -> Watch<'a> {
        let start = move |_: &[u32], snapshot: &Snapshot| first_ghosts(program, spec, snapshot);
        Watch { whole: true, ..Watch::new(program, spec, main, 0, start) }
    }

    /// True if the contract of the function that was entered last is looked at.
    fn is_looked_at(&self, entered: &Entered) -> bool {
        self.whole || (entered.func == self.root && self.entered.is_empty())
    }

    /// With formulas that may be invariants of loops of the function: they are evaluated, too, and break nothing.
    pub fn with_candidates(self, candidates: &'a BTreeMap<BlockId, Vec<Claim>>) -> Watch<'a> {
        Watch { candidates: Some(candidates), ..self }
    }

    fn try_candidates(&mut self, block: BlockId, now: &mut Seen, old: &mut Seen) {
        let claims = self.candidates.and_then(|all| all.get(&block));
        let Some(left) = self.visits.checked_sub(1) else { return };
        self.visits = left;
        for (index, claim) in claims.into_iter().flatten().enumerate() {
            let known = self.refuted.contains(&(block, index));
            if !known && holds(&self.spec.fields, &claim.form, now, Some(old)) == Some(false) {
                self.refuted.insert((block, index));
            }
        }
    }

    fn body(&self, func: FuncId) -> Option<&'a Body> {
        self.program.functions[func].body.as_ref()
    }

    fn fail(&mut self, at: Position, kind: Kind, func: FuncId, span: Span) {
        if self.broken.is_none() {
            self.broken = Some(Broken { at, kind, func, span });
        }
    }

    fn seen(&self, snapshot: &Snapshot) -> Seen {
        let args = self.entered.last().map(|entered| entered.seen.args.clone()).unwrap_or_default();
        Seen {
            snapshot: snapshot.clone(),
            ghosts: self.ghosts.clone(),
            args,
            result: None,
            word: self.word,
            ended: BTreeSet::new(),
        }
    }

    /// Evaluates a claim in a state; only what surely does not hold is broken.
    fn claim(
        &mut self,
        claim: &Claim,
        kind: Kind,
        func: FuncId,
        span: Span,
        now: &mut Seen,
        old: Option<&mut Seen>,
    ) -> bool {
        let old = old.map(|old| old as &mut dyn World);
        match holds(&self.spec.fields, &claim.form, now, old) {
            Some(true) => true,
            Some(false) => {
                self.fail(claim.at, kind, func, span);
                false
            }
            None => {
                self.undecided += 1;
                true
            }
        }
    }

    fn begin(&mut self, snapshot: &Snapshot) {
        use heapproof_interp::Kind as ObjectKind;
        let heap: Vec<u32> = snapshot
            .objects
            .iter()
            .filter(|(_, object)| matches!(object.kind, ObjectKind::Heap))
            .map(|(id, _)| id.0)
            .take(self.count)
            .collect();
        if let Some(start) = self.start.take() {
            self.ghosts = start(&heap, snapshot);
        }
        self.known = snapshot.objects.keys().map(|id| id.0).collect();
        self.started = true;
    }

    /// Blocks that `malloc` gave since the last look are blocking; what is gone has no links.
    fn notice(&mut self, snapshot: &Snapshot) {
        for (id, object) in &snapshot.objects {
            if self.known.insert(id.0) && matches!(object.kind, heapproof_interp::Kind::Heap) {
                self.ghosts.fresh.insert(id.0);
            }
        }
        let is_live = |spot: &Spot| {
            let id = spot.object.map(heapproof_interp::ObjectId);
            id.and_then(|id| snapshot.objects.get(&id)).is_some_and(|object| object.live)
        };
        self.ghosts.links.retain(|(_, spot)| is_live(spot));
    }

    fn operand(&self, snapshot: &Snapshot, operand: &Operand) -> Option<Spot> {
        let object = |object: u32| Some(Spot { object: Some(object), offset: 0 });
        match operand {
            Operand::Reg(reg) => Seen::spot(*snapshot.regs.get(reg.as_u32() as usize)?),
            Operand::Int { bits, .. } => Seen::spot(Scalar::Number(*bits)),
            Operand::Null => Some(Spot::NULL),
            Operand::Global(id) => object(snapshot.globals.get(id)?.0),
            Operand::Local(local) => object(snapshot.locals.get(local)?.0),
            _ => None,
        }
    }

    /// A function begins: its arguments and the state are kept, and what it requires has to hold.
    fn enter(&mut self, snapshot: &Snapshot, span: Span) {
        let func = snapshot.func;
        let Some(body) = self.body(func) else { return };
        let args: Vec<Option<Spot>> =
            body.params.iter().map(|reg| Seen::spot(snapshot.regs[reg.as_u32() as usize])).collect();
        let seen = Seen { args, ..self.seen(snapshot) };
        let caller = self.entered.last().map(|entered| entered.func);
        if let (Some(contract), Some(caller)) = (self.spec.contract(func), caller) {
            // The call is at fault, not the function.
            let span = self.last.filter(|last| last.is_known()).unwrap_or(span);
            for claim in &contract.requires {
                let at =
                    Claim { at: Position { line: span.line, column: span.column }, form: claim.form.clone() };
                let blamed = if self.whole { caller } else { self.root };
                self.claim(&at, Kind::Requires, blamed, span, &mut seen.clone(), None);
            }
        }
        self.entered.push(Entered { func, depth: snapshot.depth, seen });
    }

    /// A function ends: what it ensures and its frame.
    fn leave(&mut self, snapshot: &Snapshot, values: &[Operand], span: Span) {
        let Some(mut entered) = self.entered.pop() else { return };
        let result = values.first().and_then(|value| self.operand(snapshot, value));
        let Some(contract) = self.spec.contract(entered.func) else { return };
        if !self.is_looked_at(&entered) {
            return;
        }
        let ended = snapshot.locals.values().map(|object| object.0).collect();
        let args = entered.seen.args.clone();
        let mut now = Seen { result, args, ended, ..self.seen(snapshot) };
        for claim in &contract.ensures {
            if !self.claim(claim, Kind::Ensures, entered.func, span, &mut now, Some(&mut entered.seen)) {
                return;
            }
        }
        self.frame(&mut entered.seen, &now, entered.func, span);
    }

    /// The frame of the function that the run started at.
    fn frame(&mut self, entry: &mut Seen, now: &Seen, func: FuncId, span: Span) {
        let Some(contract) = self.spec.contract(func) else { return };
        let line = Position { line: self.program.functions[func].span.line, column: 1 };
        let mut cells = |sets: &[crate::spec::Cells]| -> Option<Vec<(Spot, u64)>> {
            let mut evaluator = Evaluator::new(&self.spec.fields, entry, None);
            let mut all = Vec::new();
            for set in sets {
                all.extend(evaluator.cells(&set.set, false)?);
            }
            Some(all)
        };
        let (Some(modifies), Some(frees)) = (cells(&contract.modifies), cells(&contract.frees)) else {
            self.undecided += 1;
            return;
        };
        let at = |sets: &[crate::spec::Cells]| sets.first().map_or(line, |set| set.at);
        if changes(entry, now, self.word).iter().any(|spot| !covers(&modifies, *spot)) {
            return self.fail(at(&contract.modifies), Kind::Modifies, func, span);
        }
        let is_live = |seen: &Seen, spot: &Spot| {
            spot.object.is_some_and(|object| {
                let found = seen.snapshot.objects.get(&heapproof_interp::ObjectId(object));
                found.is_some_and(|object| object.live) && !seen.ended.contains(&object)
            })
        };
        let changed_links = entry.ghosts.links.symmetric_difference(&now.ghosts.links);
        let mut foreign = changed_links.filter(|(_, p)| is_live(entry, p) && is_live(now, p));
        if foreign.any(|(field, p)| {
            let cell = p.at(self.spec.fields[*field].offset);
            !(0..self.word).any(|byte| covers(&modifies, cell.at(byte.into())))
        }) {
            return self.fail(at(&contract.modifies), Kind::Modifies, func, span);
        }
        let is_kept = |spot: &Spot| {
            let foreign = spot.object.is_some_and(|object| {
                entry
                    .snapshot
                    .objects
                    .get(&heapproof_interp::ObjectId(object))
                    .is_none_or(|object| !object.live)
            });
            foreign
                || entry.ghosts.is_blocking(*spot) == now.ghosts.is_blocking(*spot)
                || modifies.iter().any(|(cell, _)| cell == spot)
        };
        if now.ghosts.blocking.keys().chain(entry.ghosts.blocking.keys()).any(|spot| !is_kept(spot)) {
            return self.fail(at(&contract.modifies), Kind::Modifies, func, span);
        }
        for (id, object) in &entry.snapshot.objects {
            let live = now.snapshot.objects.get(id).is_some_and(|object| object.live);
            let start = Spot { object: Some(id.0), offset: 0 };
            if object.live && !live && !frees.iter().any(|(spot, _)| *spot == start) {
                return self.fail(at(&contract.frees), Kind::Frees, func, span);
            }
        }
    }

    fn invariants(&mut self, snapshot: &Snapshot, span: Span) {
        let (func, block) = (snapshot.func, snapshot.block);
        let Some(body) = self.body(func) else { return };
        let heads = self
            .heads
            .entry(func)
            .or_insert_with(|| loops(body).iter().map(|(_, this)| this.header).collect());
        if !heads.contains(&block) {
            return;
        }
        let mut now = self.seen(snapshot);
        let Some(mut entered) = self.entered.pop() else { return };
        if entered.func == self.root && self.entered.is_empty() {
            self.try_candidates(block, &mut now, &mut entered.seen);
        }
        let spec = self.spec;
        for claim in
            spec.functions.get(&func).and_then(|spec| spec.invariants.get(&block)).into_iter().flatten()
        {
            if !self.claim(claim, Kind::Kept, func, span, &mut now, Some(&mut entered.seen)) {
                break;
            }
        }
        if self.broken.is_none() && entered.func == func && self.is_looked_at(&entered) {
            self.frame(&mut entered.seen, &now, func, span);
        }
        self.entered.push(entered);
    }

    fn ghost(&mut self, snapshot: &Snapshot, ghost: &Ghost, span: Span) {
        let func = snapshot.func;
        let mut now = self.seen(snapshot);
        let Some(mut entered) = self.entered.pop() else { return };
        match ghost {
            Ghost::Assert(claim) => {
                self.claim(claim, Kind::Assert, func, span, &mut now, Some(&mut entered.seen));
            }
            Ghost::Assume(claim) => {
                let old = &mut entered.seen as &mut dyn World;
                if holds(&self.spec.fields, &claim.form, &mut now, Some(old)) != Some(true) {
                    self.infeasible = true;
                }
            }
            Ghost::Block(_, ptr) => {
                let spot =
                    Evaluator::new(&self.spec.fields, &mut now, Some(&mut entered.seen)).ptr(ptr, false);
                match spot {
                    Some(spot) => drop(self.ghosts.blocking.insert(spot, true)),
                    None => self.infeasible = true,
                }
            }
            Ghost::Unblock(at, ptr) => {
                let mut evaluator = Evaluator::new(&self.spec.fields, &mut now, Some(&mut entered.seen));
                match evaluator.ptr(ptr, false) {
                    Some(spot) => {
                        let fields = 0..self.spec.fields.len();
                        let stops = |field| {
                            evaluator.list(spot, field, false).and_then(|(_, stop)| stop) == Some(spot)
                        };
                        if fields.into_iter().any(stops) {
                            self.fail(*at, Kind::Founded, func, span);
                        }
                        self.ghosts.blocking.insert(spot, false);
                    }
                    None => self.infeasible = true,
                }
            }
        }
        self.entered.push(entered);
    }

    /// A store: links are made, kept or ended, and lists have to stay well founded.
    fn store(&mut self, snapshot: &Snapshot, inst: &InstKind, span: Span) {
        let InstKind::Store { ty, value, ptr } = inst else { return };
        let Some(at) = self.operand(snapshot, ptr) else { return };
        let Some(body) = self.body(snapshot.func) else { return };
        let bytes = ty.bytes(self.program.target);
        let is_aligned = at.offset.rem_euclid(i128::from(self.word)) == 0;
        if *ty != Ty::Ptr || !is_aligned {
            kill_links(&mut self.ghosts, &self.spec.fields, at, bytes, self.word);
            return;
        }
        let place = place_of(self.program, body, ptr);
        let target = self.operand(snapshot, value);
        let mut now = self.seen(snapshot);
        let spec = self.spec;
        for (index, field) in spec.fields.iter().enumerate() {
            let base = at.at(-field.offset);
            let through =
                place.is_some_and(|(ty, at)| names_field(self.program, ty, at, field.owner, field.offset));
            if !through && !self.ghosts.links.contains(&(index, base)) {
                continue;
            }
            let Some(y) = target else {
                self.ghosts.links.remove(&(index, base));
                continue;
            };
            if !self.ghosts.is_blocking(y) {
                let list = Evaluator::new(&spec.fields, &mut now, None).list(y, index, false);
                if list.is_some_and(|(list, _)| list.contains(&base)) {
                    let at = Position { line: span.line, column: span.column };
                    self.fail(at, Kind::Founded, snapshot.func, span);
                }
            }
            self.ghosts.links.insert((index, base));
        }
    }

    /// A copy or a fill of a block: links are copied with whole blocks, others end.
    fn block(&mut self, snapshot: &Snapshot, inst: &InstKind) {
        let (to, from, len) = match inst {
            InstKind::CopyBlock { to, from, len, .. } => (to, Some(from), len),
            InstKind::FillBlock { to, len, .. } => (to, None, len),
            _ => return,
        };
        let (Some(to), Some(len)) = (self.operand(snapshot, to), self.operand(snapshot, len)) else { return };
        let len = len.offset.max(0);
        let from = from.and_then(|from| self.operand(snapshot, from));
        let mut moved = Vec::new();
        if let Some(from) = from {
            for (field, p) in &self.ghosts.links {
                let cell = p.offset + self.spec.fields[*field].offset;
                if p.object == from.object
                    && cell >= from.offset
                    && cell + i128::from(self.word) <= from.offset + len
                {
                    moved.push((
                        *field,
                        Spot { object: to.object, offset: p.offset - from.offset + to.offset },
                    ));
                }
            }
        }
        self.copied = Some((to, len as u64, moved));
    }

    fn finish_block(&mut self) {
        if let Some((to, len, moved)) = self.copied.take() {
            if len > 0 {
                kill_links(&mut self.ghosts, &self.spec.fields, to, len, self.word);
            }
            self.ghosts.links.extend(moved);
        }
    }

    fn look_at(&mut self, snapshot: &Snapshot) {
        let (func, block, ip) = self.at;
        let Some(body) = self.body(func) else { return };
        let code = &body.blocks[block];
        let span = code.insts.get(ip).map_or(code.term_span, |inst| inst.span);
        if !self.started {
            self.begin(snapshot);
        }
        self.notice(snapshot);
        self.finish_block();
        while self.entered.last().is_some_and(|entered| entered.depth > snapshot.depth) {
            self.entered.pop();
        }
        if block == Body::ENTRY
            && ip == 0
            && self.entered.last().is_none_or(|entered| entered.depth < snapshot.depth)
        {
            self.enter(snapshot, span);
        }
        if ip == 0 {
            self.invariants(snapshot, span);
        }
        let spec = self.spec;
        for ghost in
            spec.functions.get(&func).and_then(|spec| spec.ghosts.get(&(block, ip))).into_iter().flatten()
        {
            self.ghost(snapshot, ghost, span);
        }
        if self.broken.is_some() {
            return;
        }
        self.last = Some(span);
        match code.insts.get(ip) {
            Some(inst) => match &inst.kind {
                InstKind::Store { .. } => self.store(snapshot, &inst.kind, span),
                InstKind::CopyBlock { .. } | InstKind::FillBlock { .. } => self.block(snapshot, &inst.kind),
                InstKind::Call { callee: Callee::Indirect(..), .. } => {}
                _ => {}
            },
            None => {
                if let Terminator::Return(values) = &code.term {
                    self.leave(snapshot, values, span);
                }
            }
        }
    }
}

impl Observer for Watch<'_> {
    fn wants(&mut self, _: FuncId, _: BlockId) -> bool {
        false
    }

    fn wants_step(&mut self, func: FuncId, block: BlockId, ip: usize) -> bool {
        self.at = (func, block, ip);
        true
    }

    fn wants_all(&self) -> bool {
        true
    }

    fn is_done(&self) -> bool {
        self.broken.is_some() || self.infeasible
    }

    fn look(&mut self, snapshot: Snapshot) {
        if !self.is_done() {
            self.look_at(&snapshot);
        }
    }
}

/// What annotations know when a program starts.
fn first_ghosts(program: &Program, spec: &Spec, snapshot: &Snapshot) -> Ghosts {
    let mut ghosts = Ghosts { blocking: BTreeMap::from([(Spot::NULL, true)]), ..Ghosts::default() };
    let word = program.target.pointer_bytes();
    for (id, global) in program.globals.iter() {
        let (Some(ty), Some(object)) = (global.ctype, snapshot.globals.get(&id)) else { continue };
        for (index, field) in spec.fields.iter().enumerate() {
            for at in (0..global.size).step_by(word as usize) {
                if names_field(program, ty, at.into(), field.owner, field.offset) {
                    let offset = i128::from(at) - field.offset;
                    ghosts.links.insert((index, Spot { object: Some(object.0), offset }));
                }
            }
        }
    }
    ghosts
}

/// The bytes whose content differs, of objects that live in both states.
fn changes(entry: &Seen, now: &Seen, word: u64) -> Vec<Spot> {
    let mut changed = Vec::new();
    for (id, object) in &entry.snapshot.objects {
        let (true, Some(old)) = (object.live, &object.content) else { continue };
        let Some(new) = now.pieces(id.0) else { continue };
        let (old, new) = (by_byte(old, word), by_byte(new, word));
        for offset in 0..object.size {
            if old.get(&offset) != new.get(&offset) {
                changed.push(Spot { object: Some(id.0), offset: offset.into() });
            }
        }
    }
    changed
}

/// The content byte by byte: the bytes of an address are told apart by their places.
fn by_byte(pieces: &[(u64, Piece)], word: u64) -> BTreeMap<u64, (Piece, u64)> {
    let mut all = BTreeMap::new();
    for (at, piece) in pieces {
        match piece {
            Piece::Byte(_) => all.extend([(*at, (*piece, 0))]),
            Piece::Address(_) => all.extend((0..word).map(|index| (at + index, (*piece, index)))),
        }
    }
    all
}

fn covers(cells: &[(Spot, u64)], byte: Spot) -> bool {
    cells.iter().any(|(cell, bytes)| {
        cell.object == byte.object
            && cell.offset <= byte.offset
            && byte.offset < cell.offset + i128::from(*bytes)
    })
}
