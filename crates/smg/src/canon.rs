//! A canonical form: isomorphic configurations have equal keys.

use crate::graph::{Def, ObjId, State, Storage, SymId, Tg, Val};
use crate::order::Order;
use heapproof_ir::FuncId;
use heapproof_numbers::{Relation, System};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The canonical form of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Vec<u64>);

impl Key {
    /// A number that equal keys share.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

struct Writer<'s> {
    state: &'s State,
    /// Numbers are left out.
    shape_only: bool,
    words: Vec<u64>,
    objects: BTreeMap<ObjId, u64>,
    syms: BTreeMap<SymId, u64>,
    /// Addresses of some node of a segment.
    among: BTreeMap<(ObjId, u32), u64>,
    queue: std::collections::VecDeque<ObjId>,
}

impl State {
    /// The canonical form: everything is numbered in the order of a traversal from the variables.
    pub fn key(&self) -> Key {
        self.written(false)
    }

    /// A number that configurations share that differ in numbers only.
    pub fn shape(&self) -> u64 {
        self.written(true).fingerprint()
    }

    fn written(&self, shape_only: bool) -> Key {
        let mut writer = Writer {
            state: self,
            shape_only,
            words: Vec::new(),
            objects: BTreeMap::new(),
            syms: BTreeMap::new(),
            among: BTreeMap::new(),
            queue: Default::default(),
        };
        for (global, &id) in &self.globals {
            writer.words.push(u64::from(global.as_u32()));
            writer.object(id);
        }
        for frame in &self.frames {
            let place = [u64::from(frame.func.as_u32()), u64::from(frame.block.as_u32()), frame.inst as u64];
            writer.words.extend(place);
            let lengths = [frame.regs.len(), frame.locals.len(), frame.allocas.len()];
            writer.words.push(u64::from(frame.holds_heap));
            writer.words.extend(lengths.map(|n| n as u64));
            for reg in &frame.regs {
                match reg {
                    Some(val) => writer.value(*val),
                    None => writer.words.push(9),
                }
            }
            for (local, &id) in &frame.locals {
                writer.words.push(u64::from(local.as_u32()));
                writer.object(id);
            }
            frame.allocas.iter().for_each(|&id| writer.object(id));
        }
        writer.contents();
        if !shape_only && !self.relations.is_empty() {
            let relations = &self.relations;
            writer.relations(relations);
        }
        if !shape_only && !fault!(61) {
            writer.nodes();
        }
        if !shape_only && !fault!(104) {
            writer.terms();
        }
        Key(writer.words)
    }
}

impl Writer<'_> {
    fn object(&mut self, id: ObjId) {
        let next = self.objects.len() as u64;
        let number = *self.objects.entry(id).or_insert_with(|| {
            self.queue.push_back(id);
            next
        });
        self.words.push(number);
    }

    fn wide(&mut self, number: i128) {
        self.words.extend([number as u64, (number >> 64) as u64]);
    }

    fn value(&mut self, val: Val) {
        match val {
            Val::Int(_) | Val::Sym(_) if self.shape_only => self.words.push(1),
            Val::Int(number) => {
                self.words.push(1);
                self.wide(number as i128);
            }
            Val::Addr(addr) => {
                self.words.push(2);
                self.object(addr.obj);
                self.words.push(addr.off as u64);
                self.words.push(match addr.tg {
                    Tg::Region => 0,
                    Tg::First => 1,
                    Tg::Last => 2,
                    Tg::All => 3,
                    Tg::Among(number) => {
                        let next = self.among.len() as u64;
                        4 + *self.among.entry((addr.obj, number)).or_insert(next)
                    }
                });
            }
            Val::Func(func) => self.words.extend([3, u64::from(func.as_u32())]),
            Val::Sym(id) => {
                self.words.push(4);
                self.sym(id);
            }
        }
    }

    fn sym(&mut self, id: SymId) {
        let next = self.syms.len() as u64;
        if let Some(&number) = self.syms.get(&id) {
            self.words.push(number);
            return;
        }
        self.syms.insert(id, next);
        self.words.push(next);
        let sym = self.state.syms[&id].clone();
        self.words.extend([u64::from(sym.width), u64::from(sym.level), u64::from(sym.uninit)]);
        let range = self.state.range(Val::Sym(id), sym.width);
        if !fault!(38) {
            self.wide(range.lo);
        }
        self.wide(range.hi);
        self.words.push(sym.not.len() as u64);
        sym.not.iter().for_each(|&n| self.wide(n));
        self.words.push(sym.functions.len() as u64);
        let number = |function: &Option<FuncId>| function.map_or(u64::MAX, |f| u64::from(f.as_u32()));
        self.words.extend(sym.functions.iter().map(number));
        match sym.def {
            Def::Free => self.words.push(0),
            Def::Plus(source, by) => {
                self.words.push(1);
                self.wide(by);
                self.sym(source);
            }
            Def::Same(source) => {
                self.words.push(2);
                self.sym(source);
            }
            Def::Times(source, by) => {
                self.words.push(4);
                self.wide(by);
                self.sym(source);
            }
            Def::At(base, index, scale) => {
                self.words.extend([3, scale as u64]);
                self.value(Val::Addr(base));
                self.sym(index);
            }
        }
    }

    /// Relations, in the numbering of the symbols.
    fn relations(&mut self, relations: &System<SymId>) {
        for id in relations.dimensions() {
            if !self.syms.contains_key(&id) {
                self.sym(id);
            }
        }
        let numbers = &self.syms;
        let renamed = relations.renamed(|id| numbers.get(&id).copied());
        self.words.push(renamed.constraints().count() as u64);
        for constraint in renamed.constraints() {
            let form = constraint.form();
            self.words.push(u64::from(constraint.relation() == Relation::Zero));
            self.words.push(form.factors().count() as u64);
            let constant = if fault!(49) { 0 } else { form.offset() };
            self.words.extend([constant as u64, (constant >> 64) as u64]);
            for (number, factor) in form.factors() {
                self.words.extend([number, factor as u64, (factor >> 64) as u64]);
            }
        }
    }

    /// What holds in each node of segments, in the order of these.
    fn nodes(&mut self) {
        let mut order: Vec<(u64, ObjId)> = self.objects.iter().map(|(id, number)| (*number, *id)).collect();
        order.sort_unstable();
        for (number, id) in order {
            if let Some(each) = &self.state.object(id).each {
                self.words.extend([u64::MAX, number]);
                self.relations(each);
            }
        }
    }

    /// Terms, those first whose operands have numbers already.
    fn terms(&mut self) {
        let mut left = self.state.terms.clone();
        while !left.is_empty() {
            let name = |val: Val| match val {
                Val::Int(number) => Some((0, number)),
                Val::Sym(id) => self.syms.get(&id).map(|number| (1, u128::from(*number))),
                Val::Addr(_) | Val::Func(_) => None,
            };
            let ready = left.iter().enumerate().filter_map(|(at, term)| {
                let [a, b] = term.of.map(name);
                Some(((term.op.code(), a?, b?), at))
            });
            let at = ready.min().map_or(0, |(_, at)| at);
            let term = left.remove(at);
            self.words.extend(term.op.code());
            term.of.into_iter().chain([term.result]).for_each(|val| self.value(val));
        }
    }

    fn contents(&mut self) {
        while let Some(id) = self.queue.pop_front() {
            let object = self.state.objects[&id].clone();
            self.words.extend([object.size, u64::from(object.valid), u64::from(object.level)]);
            self.words.push(match object.storage {
                Storage::Heap => 0,
                Storage::Local => 1,
                Storage::Constant => u64::MAX,
                Storage::Kind => u64::MAX - 1,
                Storage::Alloca => 2,
                Storage::Stream(kind) => u64::MAX - 2 - kind as u64,
                Storage::Foreign => 4,
                Storage::Arguments => 5,
                Storage::Part => 6,
                Storage::Global(id, _) => 7 + u64::from(id.as_u32()),
            });
            let known = object.cells.values().all(|cell| !matches!(cell.val, Val::Sym(_)));
            if matches!(object.storage, Storage::Global(_, true)) && known {
                // Its content never changes.
                self.words.push(2);
                continue;
            }
            match object.seg {
                None => self.words.push(0),
                Some(seg) => {
                    let prev = seg.prev.map_or(u64::MAX, |p| p);
                    self.words.extend([
                        1,
                        seg.head as u64,
                        seg.next,
                        prev,
                        if fault!(37) { 0 } else { u64::from(seg.min) },
                        seg.kids.bits(),
                    ]);
                    self.words.extend(if fault!(100) { [0; 2] } else { seg.twins.bits() });
                }
            }
            let flags = [object.fresh, object.maybe, object.exact, object.vague, object.hidden];
            self.words.push(flags.into_iter().fold(0, |all, flag| 2 * all + u64::from(flag)));
            match object.size_sym {
                Some(id) => self.value(Val::Sym(id)),
                None => self.words.push(0),
            }
            match object.begin {
                Some(id) if !fault!(96) => self.value(Val::Sym(id)),
                _ => self.words.push(0),
            }
            self.words.push(object.aligned.unwrap_or(0));
            let half = object.half.map_or(0, |half| 1 + u64::from(half.link));
            self.words.push(half);
            match object.length {
                Some(length) => self.value(length),
                None => self.words.push(0),
            }
            match &object.tags {
                Some(tags) => {
                    let sizes = [tags.first.len(), tags.last.len(), tags.pairs.len()];
                    self.words.extend([1, tags.off, tags.len]);
                    self.words.extend(sizes.map(|size| size as u64));
                    let pairs = tags.pairs.iter().flat_map(|(a, b)| [a, b]);
                    let all = tags.first.iter().chain(&tags.last).chain(pairs);
                    self.words.extend(all.map(|tag| *tag as u64));
                }
                None => self.words.push(0),
            }
            if !fault!(116) {
                self.words.push(object.orders.len() as u64);
                let flags = |order: &Order| u64::from(order.down) + 2 * u64::from(order.strict);
                let orders = object.orders.iter();
                self.words.extend(orders.flat_map(|order| [order.off, order.len, flags(order)]));
            }
            self.words.push(object.kinds.len() as u64);
            object.kinds.iter().take(if fault!(66) { 0 } else { usize::MAX }).for_each(|id| self.object(*id));
            match object.text {
                Some(text) => {
                    self.words.extend([1, text.start]);
                    self.value(Val::Sym(text.len));
                }
                None => self.words.push(0),
            }
            self.words.push(object.zeros.len() as u64);
            object.zeros.iter().for_each(|(s, e)| self.words.extend([*s, *e]));
            self.words.push(object.cells.len() as u64);
            for (off, cell) in &object.cells {
                self.words.extend([*off, cell.len]);
                self.value(cell.val);
            }
        }
    }
}
