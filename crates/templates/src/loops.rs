//! Loops in the formula: some iterations one by one, then one that is cut at its end and stands for all others (paper, section II-C).

use crate::build::{Builder, Frame};
use crate::plan::{Key, LoopKey, ObjKind, Step};
use crate::ssa::{Loop, LoopVar, Role};
use crate::state::{State, anything};
use crate::value::{Obj, Offsets, Pointer, Value, WILD, obj_term};
use heapproof_engine::Place;
use heapproof_ir::BlockId;
use heapproof_ir::loops::LoopId;
use heapproof_logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

impl Builder<'_> {
    /// A loop: copies of its body first, then one iteration that stands for all others.
    pub fn follow_loop(
        &mut self,
        frame: &mut Frame,
        id: LoopId,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        let code = frame.code.clone();
        let data = code.loops.get(id);
        let Some(states) = pending.remove(&data.header) else { return };
        let Some(mut state) = self.merge(states) else { return };
        let order: Vec<BlockId> = code
            .cfg
            .reverse_postorder()
            .iter()
            .copied()
            .filter(|b| data.blocks.binary_search(b).is_ok())
            .collect();
        let outside = self.context;
        for copy in 0..self.unwinding.copies {
            self.context = self.plan.enter(outside, Step::Copy(data.header, copy));
            let ends = self.iteration(frame, id, &order, state, pending);
            self.context = outside;
            match self.merge(ends) {
                Some(next) => state = next,
                None => return,
            }
        }
        if self.unwinding.cut {
            self.cut_loop(frame, id, &order, state, pending);
        } else {
            let span = self.program.functions[frame.func].span;
            self.not_covered(&state, Place { func: frame.func, span }, "more iterations of a loop");
        }
    }

    /// One iteration of a loop; gives what comes back to its head.
    pub fn iteration(
        &mut self,
        frame: &mut Frame,
        id: LoopId,
        order: &[BlockId],
        state: State,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) -> Vec<State> {
        let header = frame.code.loops.get(id).header;
        let mut inner = BTreeMap::from([(header, vec![state])]);
        self.region(frame, order, Some(id), &mut inner);
        let ends = inner.remove(&header).unwrap_or_default();
        for (block, states) in inner {
            pending.entry(block).or_default().extend(states);
        }
        ends
    }

    /// The iteration that stands for all others: its variables come from before the loop or from its own end.
    fn cut_loop(
        &mut self,
        frame: &mut Frame,
        id: LoopId,
        order: &[BlockId],
        entry: State,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        let code = frame.code.clone();
        let header = code.loops.get(id).header;
        let key: LoopKey = (self.context, header);
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let span = heapproof_ir::way::first_place(body, header).unwrap_or(body.blocks[header].term_span);
        let name = format!("{}:{}", self.program.functions[frame.func].name, span.line);
        let before = self.ssa.count();
        self.ssa.heads.push((self.ssa.definitions.len(), format!("loop {name}")));
        let select = self.ssa.fresh("ls", Sort::Bool);
        let guard = self.ssa.define("g", entry.guard.clone());
        let mut head = State { guard: guard.clone(), vars: entry.vars };
        let mut vars = Vec::new();
        let mut places = Vec::new();
        for (var, leads) in self.plan.changed(key) {
            if self.is_dead_register(frame, header, var) {
                head.vars.remove(&var);
                continue;
            }
            let first = head.vars.get(&var).cloned().or_else(|| self.default(var));
            let value = self.loop_variable(frame, var, first, leads, &select, &mut vars);
            head.vars.insert(var, value.clone());
            places.push((var, value, vars.len()));
        }
        let index = self.ssa.loops.len();
        let parent = self.cut;
        let latch = Term::truth(false);
        let state = head.vars.clone();
        let place = (frame.func, header, frame.id);
        let again = select.clone();
        self.ssa.loops.push(Loop { name, place, guard, select: again, latch, vars, state, parent, before });
        let outside = self.context;
        self.context = self.plan.enter(outside, Step::Copy(header, u32::MAX));
        self.cut = Some(index);
        let ends = self.turns(frame, id, order, head.clone(), &select, pending);
        self.cut = parent;
        self.context = outside;
        let Some(end) = self.merge(ends) else { return };
        self.close_loop(frame, key, header, index, &places, &head, &end);
    }

    /// The end of an iteration: what has changed, and the values that the invariant speaks about.
    #[allow(clippy::too_many_arguments)]
    fn close_loop(
        &mut self,
        frame: &Frame,
        key: LoopKey,
        header: BlockId,
        index: usize,
        places: &[(Key, Value, usize)],
        head: &State,
        end: &State,
    ) {
        for (var, value) in &end.vars {
            if self.is_dead_register(frame, header, *var) {
                continue;
            }
            let at_head = head.vars.get(var).cloned().or_else(|| self.default(*var));
            if at_head.as_ref() != Some(value) && !(fault!(29) && matches!(var, Key::Cell(..))) {
                let leads = match value {
                    Value::Ptr(p) => Some((&p.may, &p.offsets)),
                    Value::Int(_) => None,
                };
                self.plan.note_change(key, *var, leads);
            }
        }
        for (var, at_head, _) in places {
            let is_lost = !end.vars.contains_key(var) && self.default(*var).is_none();
            if is_lost && matches!(at_head, Value::Ptr(_)) {
                // A pointer without a value.
                self.plan.note_change(key, *var, Some((&BTreeSet::from([WILD]), &Offsets::one(0))));
            }
        }
        self.ssa.loops[index].latch = end.guard.clone();
        let mut from = 0;
        for (var, at_head, to) in places {
            let value = end.vars.get(var).cloned().or_else(|| self.default(*var));
            let made = self.made(*var, head, end);
            let owner = match var {
                Key::Cell(obj, ..) | Key::Size(obj) | Key::Live(obj) | Key::Made(obj) | Key::Tag(obj) => {
                    self.plan.owner(*obj).map(|rest| (rest, *obj))
                }
                Key::Reg(..) | Key::Sealed(_) => None,
            };
            let leads: Vec<(Obj, Term, Term)> = match at_head {
                Value::Ptr(p) => {
                    let bits =
                        |obj: &Obj| Some((*obj, self.made_bit(*obj, head)?, self.made_bit(*obj, end)?));
                    p.may.iter().filter_map(bits).collect()
                }
                Value::Int(_) => Vec::new(),
            };
            for slot in from..*to {
                let part = |v: &Value| match (v, &self.ssa.loops[index].vars[slot].role) {
                    (Value::Ptr(p), Role::Object) => p.obj.clone(),
                    (Value::Ptr(p), _) => p.off.clone(),
                    (Value::Int(term), _) => term.clone(),
                };
                // A number may have become a pointer: then it is made one here, too.
                let value = match (at_head, value.as_ref()) {
                    (Value::Ptr(_), Some(v)) => Some(Value::Ptr(v.pointer(self.width))),
                    (Value::Int(_), Some(Value::Ptr(_))) => None,
                    (_, v) => v.cloned(),
                };
                let latch = match &value {
                    Some(value) => part(value),
                    None => {
                        let sort = self.ssa.loops[index].vars[slot].back.sort().clone();
                        self.ssa.fresh("lost", sort)
                    }
                };
                let var = &mut self.ssa.loops[index].vars[slot];
                var.latch = latch;
                var.when = made.clone();
                var.owner = owner;
                if var.role == Role::Object {
                    var.leads = leads.clone();
                }
            }
            from = *to;
        }
    }

    /// A field says something once its block was made: the bits that tell, at the head and at the end.
    fn made(&self, var: Key, head: &State, end: &State) -> Option<(Term, Term)> {
        let (Key::Cell(obj, ..) | Key::Size(obj) | Key::Live(obj) | Key::Tag(obj)) = var else { return None };
        Some((self.made_bit(obj, head)?, self.made_bit(obj, end)?))
    }

    /// The condition that a heap block that is followed exactly was made.
    pub fn made_bit(&self, obj: Obj, state: &State) -> Option<Term> {
        let kind = self.plan.kind(obj)?;
        if !matches!(kind, ObjKind::Single(..) | ObjKind::Witness(..) | ObjKind::Element(..)) {
            return None;
        }
        Some(match state.vars.get(&Key::Made(obj)) {
            Some(Value::Int(term)) => Term::eq(term.clone(), Term::bits(1, 1)),
            _ => Term::truth(false),
        })
    }

    /// One variable that a loop changes, with its parts.
    fn loop_variable(
        &mut self,
        frame: &Frame,
        key: Key,
        entry: Option<Value>,
        leads: Option<(BTreeSet<Obj>, Offsets)>,
        select: &Term,
        vars: &mut Vec<LoopVar>,
    ) -> Value {
        let name = self.name(key);
        let bits = self.bits(frame, key);
        let is_pointer = leads.is_some() || matches!(entry, Some(Value::Ptr(_)));
        let entry = entry.unwrap_or_else(|| anything(&mut self.ssa, &name, is_pointer, bits, self.width));
        let mut phi = |this: &mut Self, name: &str, entry: Term, role: Role| {
            let back = this.ssa.fresh(&format!("{name}.lb"), entry.sort().clone());
            let again = if fault!(16) { Term::truth(false) } else { select.clone() };
            let choice = Term::ite(again, back.clone(), entry.clone());
            let phi = this.ssa.define(&format!("{name}.phi"), choice);
            let latch = back.clone();
            vars.push(LoopVar {
                key,
                name: name.to_owned(),
                role,
                back,
                entry,
                phi: phi.clone(),
                latch,
                when: None,
                owner: None,
                leads: Vec::new(),
            });
            phi
        };
        match entry {
            Value::Int(term) if leads.is_none() => {
                let role = match key {
                    Key::Live(_) | Key::Made(_) | Key::Size(_) | Key::Tag(_) | Key::Sealed(_) => Role::Ghost,
                    _ => Role::Number { signed: self.is_signed(frame, key) },
                };
                Value::Int(phi(self, &name, term, role))
            }
            value => {
                let pointer = value.pointer(self.width);
                let (may, offsets) = leads.unwrap_or((BTreeSet::new(), pointer.offsets.clone()));
                let may: BTreeSet<Obj> = may.union(&pointer.may).copied().collect();
                let offsets = offsets.union(&pointer.offsets);
                let obj = match may.first() {
                    Some(only) if may.len() == 1 => obj_term(*only),
                    _ => phi(self, &format!("{name}.obj"), pointer.obj, Role::Object),
                };
                let off = match offsets.single() {
                    Some(only) => Term::bits(u128::from(only) & heapproof_ir::mask(self.width), self.width),
                    None => phi(self, &format!("{name}.off"), pointer.off, Role::Offset),
                };
                Value::Ptr(Pointer { obj, off, may, offsets })
            }
        }
    }

    pub fn is_dead_register(&self, frame: &Frame, header: BlockId, key: Key) -> bool {
        matches!(key, Key::Reg(id, reg) if id == frame.id && !frame.code.liveness.is_live_in(header, reg))
    }
}
