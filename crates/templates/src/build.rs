//! Makes the formula of a program: functions are inlined, loops are unwound some times and then cut (paper, section II-C).

use crate::options::Unwinding;
use crate::plan::{Context, Key, LoopKey, ObjKind, Plan, Step};
use crate::ssa::{Kind, Loop, LoopVar, Obligation, Role, Ssa};
use crate::state::{State, anything, initial, merge};
use crate::value::{Obj, Offsets, Pointer, Value, obj_term};
use heapproof_engine::{Environment, Place, Resolutions};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::loops::{LoopId, Loops};
use heapproof_ir::{BlockId, Body, FuncId, Program, Reg, Span, Terminator, Ty};
use heapproof_logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The most instructions of a formula.
const MOST_WORK: u64 = 40_000;
/// The most times that the formula is made.
const MOST_ROUNDS: u32 = 40;

/// Why there is no formula.
#[derive(Clone, Debug)]
pub enum NoFormula {
    /// The program has no such function.
    NoEntry,
    /// It is too large.
    TooLarge,
    /// The time is over.
    Time,
}

/// A body with its graph.
pub struct Code {
    /// The control flow.
    pub cfg: Cfg,
    /// The loops.
    pub loops: Loops,
    /// Live registers.
    pub liveness: Liveness,
}

/// A function that is being followed.
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// Its registers carry this context.
    pub id: Context,
    /// Its graph.
    pub code: Rc<Code>,
    /// Its ends: states and results.
    pub ends: Vec<(State, Vec<Value>)>,
}

/// Makes formulas.
pub struct Builder<'p> {
    /// The program.
    pub program: &'p Program,
    /// What it runs in.
    pub environment: &'p Environment,
    /// What calls do.
    pub resolutions: Resolutions,
    /// How loops are treated.
    pub unwinding: Unwinding,
    /// Blocks of an allocation in a loop that are followed exactly.
    pub witnesses: u8,
    /// What is known.
    pub plan: Plan,
    /// The formula so far.
    pub ssa: Ssa,
    /// Calls and copies of loops around.
    pub context: Context,
    /// Functions around.
    pub stack: Vec<FuncId>,
    /// The loop that is cut around, of those in the formula.
    pub cut: Option<usize>,
    /// Bits of a pointer.
    pub width: u8,
    work: u64,
    codes: HashMap<FuncId, Rc<Code>>,
    is_time_over: &'p dyn Fn() -> bool,
    over: bool,
}

impl<'p> Builder<'p> {
    /// For a program.
    pub fn new(
        program: &'p Program,
        environment: &'p Environment,
        unwinding: Unwinding,
        witnesses: u8,
        is_time_over: &'p dyn Fn() -> bool,
    ) -> Self {
        Builder {
            program,
            environment,
            resolutions: Resolutions::new(program, environment),
            unwinding,
            witnesses,
            plan: Plan::default(),
            ssa: Ssa::default(),
            context: 0,
            stack: Vec::new(),
            cut: None,
            width: program.target.pointer_bits(),
            work: 0,
            codes: HashMap::new(),
            is_time_over,
            over: false,
        }
    }

    /// Makes the formula again and again until nothing new is found out.
    pub fn build(mut self) -> Result<(Ssa, Plan), NoFormula> {
        let entry = self.program.function(self.environment.entry()).ok_or(NoFormula::NoEntry)?;
        if self.program.functions[entry].body.is_none() {
            return Err(NoFormula::NoEntry);
        }
        for _ in 0..MOST_ROUNDS {
            self.plan.grew = false;
            self.ssa = Ssa::default();
            self.ssa.witnesses = self.witnesses;
            self.work = 0;
            self.context = 0;
            self.stack.clear();
            self.cut = None;
            self.start(entry);
            if self.over {
                return Err(if (self.is_time_over)() { NoFormula::Time } else { NoFormula::TooLarge });
            }
            if !self.plan.grew {
                return Ok((self.ssa, self.plan));
            }
        }
        Err(NoFormula::TooLarge)
    }

    fn start(&mut self, entry: FuncId) {
        let function = &self.program.functions[entry];
        let state = State { guard: Term::truth(true), vars: BTreeMap::new() };
        let params = function.params.clone();
        let args: Vec<Value> = params.iter().map(|ty| self.argument(*ty)).collect();
        if function.params.len() > 2 || self.environment.argv.is_some() {
            let place = Place { func: entry, span: function.span };
            self.not_covered(&state, place, "the arguments of the program");
        }
        if function.name == "main"
            && let Some(Value::Int(argc)) = args.first()
        {
            let one = Term::bits(1, argc.width());
            self.ssa.facts.push(Term::rel(heapproof_logic::BvRel::Sle, one, argc.clone()));
        }
        self.function(entry, state, args);
    }

    fn argument(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(Pointer::to(crate::value::UNKNOWN, self.width)),
            ty => Value::Int(self.ssa.fresh("arg", Sort::Bits(ty.bits(self.program.target)))),
        }
    }

    /// Follows a function from its entry to its returns; none if it never returns.
    pub fn function(
        &mut self,
        func: FuncId,
        mut state: State,
        args: Vec<Value>,
    ) -> Option<(State, Vec<Value>)> {
        let body = self.program.functions[func].body.as_ref()?;
        let code = self.code(func, body);
        let place = Place { func, span: self.program.functions[func].span };
        if !code.loops.irreducible_edges().is_empty() {
            self.not_covered(&state, place, "a loop that is entered at several places");
            return None;
        }
        let id = self.context;
        let mut frame = Frame { func, id, code: code.clone(), ends: Vec::new() };
        for (reg, value) in body.params.iter().zip(args) {
            state.vars.insert(Key::Reg(id, *reg), value);
        }
        for (local, data) in &body.locals {
            if !data.scoped {
                let obj = self.plan.object(ObjKind::Local(id, local));
                self.new_content(&mut state, obj, false);
                self.set_life(&mut state, obj, true);
                self.set_size(&mut state, obj, Term::bits(u128::from(data.size), self.width));
            }
        }
        self.stack.push(func);
        let mut pending = BTreeMap::from([(Body::ENTRY, vec![state])]);
        let order = code.cfg.reverse_postorder().to_vec();
        self.region(&mut frame, &order, None, &mut pending);
        self.stack.pop();
        self.join_ends(&frame, body)
    }

    fn join_ends(&mut self, frame: &Frame, body: &Body) -> Option<(State, Vec<Value>)> {
        let mut states = Vec::new();
        for (mut state, values) in frame.ends.iter().cloned() {
            state.vars.retain(|key, _| !matches!(key, Key::Reg(id, _) if *id == frame.id));
            for local in body.locals.keys() {
                let obj = self.plan.object(ObjKind::Local(frame.id, local));
                self.set_life(&mut state, obj, false);
            }
            // Results travel through registers that no function has.
            for (n, value) in values.into_iter().enumerate() {
                state.vars.insert(Key::Reg(u32::MAX, Reg::from_u32(n as u32)), value);
            }
            states.push(state);
        }
        let mut state = self.merge(states)?;
        let count = frame.ends.first().map_or(0, |(_, values)| values.len());
        let results = (0..count)
            .map(|n| state.vars.remove(&Key::Reg(u32::MAX, Reg::from_u32(n as u32))))
            .collect::<Option<Vec<_>>>()?;
        Some((state, results))
    }

    fn code(&mut self, func: FuncId, body: &Body) -> Rc<Code> {
        let make = || {
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg, &Dominators::new(&cfg));
            let liveness = Liveness::new(body, &cfg);
            Rc::new(Code { cfg, loops, liveness })
        };
        self.codes.entry(func).or_insert_with(make).clone()
    }

    /// Follows some blocks in order, from what waits before them.
    fn region(
        &mut self,
        frame: &mut Frame,
        blocks: &[BlockId],
        scope: Option<LoopId>,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        for block in blocks {
            let code = frame.code.clone();
            if code.loops.innermost(*block) != scope {
                let headed = code.loops.headed_by(*block);
                if let Some(inner) = headed.filter(|id| code.loops.get(*id).parent == scope) {
                    self.follow_loop(frame, inner, pending);
                }
                continue;
            }
            let Some(states) = pending.remove(block) else { continue };
            let Some(state) = self.merge(states) else { continue };
            self.block(frame, *block, state, pending);
        }
    }

    fn block(
        &mut self,
        frame: &mut Frame,
        block: BlockId,
        mut state: State,
        pending: &mut BTreeMap<BlockId, Vec<State>>,
    ) {
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let data = &body.blocks[block];
        for (index, inst) in data.insts.iter().enumerate() {
            self.work += 1;
            if self.over || self.work > MOST_WORK || self.work.is_multiple_of(256) && (self.is_time_over)() {
                self.over = true;
                return;
            }
            self.instruction(frame, (block, index), inst, &mut state);
            if state.is_dead() {
                return;
            }
        }
        let place = Place { func: frame.func, span: data.term_span };
        let mut go = |to: BlockId, state: State| {
            if !state.is_dead() {
                pending.entry(to).or_default().push(state);
            }
        };
        match &data.term {
            Terminator::Jump(to) => go(*to, state),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.truth(frame, &state, cond);
                self.note_condition(&cond);
                let other = self.constrained(&state, Term::not(cond.clone()));
                let taken = self.constrained(&state, cond);
                go(*then, taken);
                go(*otherwise, other);
            }
            Terminator::Switch { value, width, cases, default } => {
                let value = self.number(frame, &state, value, *width);
                let mut rest = state;
                for (constant, to) in cases {
                    let equal = Term::eq(value.clone(), Term::bits(*constant, *width));
                    let taken = self.constrained(&rest, equal.clone());
                    go(*to, taken);
                    rest = self.constrained(&rest, Term::not(equal));
                }
                go(*default, rest);
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|value| self.operand(frame, &state, value)).collect();
                frame.ends.push((state, values));
            }
            Terminator::Unreachable => self.not_covered(&state, place, "code that is declared unreachable"),
        }
    }

    /// A loop: copies of its body first, then one iteration that stands for all others.
    fn follow_loop(&mut self, frame: &mut Frame, id: LoopId, pending: &mut BTreeMap<BlockId, Vec<State>>) {
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
    fn iteration(
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
        self.ssa.loops.push(Loop { name, guard, select, latch: Term::truth(false), vars, parent, before });
        let outside = self.context;
        self.context = self.plan.enter(outside, Step::Copy(header, u32::MAX));
        self.cut = Some(index);
        let ends = self.iteration(frame, id, order, head.clone(), pending);
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
            if at_head.as_ref() != Some(value) {
                let leads = match value {
                    Value::Ptr(p) => Some((&p.may, &p.offsets)),
                    Value::Int(_) => None,
                };
                self.plan.note_change(key, *var, leads);
            }
        }
        self.ssa.loops[index].latch = end.guard.clone();
        let mut from = 0;
        for (var, at_head, to) in places {
            let value = end.vars.get(var).cloned().or_else(|| self.default(*var));
            let made = self.made(*var, head, end);
            let owner = match var {
                Key::Cell(obj, ..) | Key::Size(obj) | Key::Live(obj) | Key::Made(obj) => {
                    let rest = self.plan.alike(*obj);
                    (rest != *obj).then_some((rest, *obj))
                }
                Key::Reg(..) => None,
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
        let (Key::Cell(obj, ..) | Key::Size(obj)) = var else { return None };
        Some((self.made_bit(obj, head)?, self.made_bit(obj, end)?))
    }

    /// The condition that a heap block that is followed exactly was made.
    pub fn made_bit(&self, obj: Obj, state: &State) -> Option<Term> {
        let kind = self.plan.kind(obj)?;
        if !matches!(kind, ObjKind::Single(..) | ObjKind::Witness(..)) {
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
            let choice = Term::ite(select.clone(), back.clone(), entry.clone());
            let phi = this.ssa.define(&format!("{name}.phi"), choice);
            let latch = back.clone();
            vars.push(LoopVar {
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
                    Key::Live(_) | Key::Made(_) | Key::Size(_) => Role::Ghost,
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

    fn is_dead_register(&self, frame: &Frame, header: BlockId, key: Key) -> bool {
        matches!(key, Key::Reg(id, reg) if id == frame.id && !frame.code.liveness.is_live_in(header, reg))
    }

    fn is_signed(&self, frame: &Frame, key: Key) -> bool {
        use heapproof_ir::CType;
        let Key::Reg(id, reg) = key else { return true };
        if id != frame.id {
            return true;
        }
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let ctype = body.regs[reg].variable.as_ref().and_then(|v| v.ctype);
        let Some(ctype) = ctype else { return true };
        let types = &self.program.types;
        !matches!(types[heapproof_ir::ctype::strip(types, ctype)], CType::Int { signed: false, .. })
    }

    fn bits(&self, frame: &Frame, key: Key) -> u8 {
        match key {
            Key::Reg(id, reg) if id == frame.id => {
                let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
                body.regs[reg].ty.bits(self.program.target)
            }
            Key::Cell(_, _, len) => (8 * len.min(16)) as u8,
            Key::Live(_) | Key::Made(_) => 1,
            _ => self.width,
        }
    }

    /// The name of a variable for people.
    pub fn name(&self, key: Key) -> String {
        match key {
            Key::Reg(_, reg) => {
                let body = self.stack.last().and_then(|func| self.program.functions[*func].body.as_ref());
                let info = body.and_then(|body| body.regs.get(reg));
                match info.and_then(|info| info.variable.as_ref()) {
                    Some(variable) => variable.name.clone(),
                    None => format!("r{}", reg.as_u32()),
                }
            }
            Key::Cell(obj, off, _) => format!("{}[{off}]", self.object_name(obj)),
            Key::Live(obj) => format!("{}.live", self.object_name(obj)),
            Key::Size(obj) => format!("{}.size", self.object_name(obj)),
            Key::Made(obj) => format!("{}.made", self.object_name(obj)),
        }
    }

    /// The name of an object for people.
    pub fn object_name(&self, obj: Obj) -> String {
        match self.plan.kind(obj) {
            Some(ObjKind::Global(global)) => self.program.globals[global].name.clone(),
            Some(ObjKind::Function(func)) => self.program.functions[func].name.clone(),
            Some(ObjKind::Local(_, local)) => format!("local{}.{obj}", local.as_u32()),
            Some(ObjKind::Single(..) | ObjKind::Stack(..)) => format!("block{obj}"),
            Some(ObjKind::Witness(_, _, _, n)) => format!("node{obj}.{n}"),
            Some(ObjKind::Rest(..)) => format!("rest{obj}"),
            None => format!("obj{obj}"),
        }
    }

    /// The value of a variable that nothing was assigned to yet.
    pub fn default(&mut self, key: Key) -> Option<Value> {
        match key {
            Key::Cell(obj, off, len) => match self.plan.kind(obj) {
                Some(ObjKind::Global(global)) => {
                    let data = &self.program.globals[global];
                    initial(self.program, &mut self.plan, data, off, len)
                }
                _ => None,
            },
            Key::Live(obj) => {
                let lives = matches!(self.plan.kind(obj), Some(ObjKind::Global(_)));
                Some(Value::Int(Term::bits(u128::from(lives), 1)))
            }
            Key::Made(_) => Some(Value::Int(Term::bits(0, 1))),
            Key::Size(obj) => match self.plan.kind(obj) {
                Some(ObjKind::Global(global)) => {
                    Some(Value::Int(Term::bits(u128::from(self.program.globals[global].size), self.width)))
                }
                _ => None,
            },
            Key::Reg(..) => None,
        }
    }

    /// Joins states.
    pub fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let mut ssa = std::mem::take(&mut self.ssa);
        let width = self.width;
        let names: BTreeMap<Key, String> = match states.len() {
            0 | 1 => BTreeMap::new(),
            _ => states.iter().flat_map(|s| s.vars.keys()).map(|k| (*k, self.name(*k))).collect(),
        };
        let name = |key: Key| names.get(&key).cloned().unwrap_or_default();
        let merged = merge(&mut ssa, states, width, &mut |key| self.default(key), &name);
        self.ssa = ssa;
        merged
    }

    /// The state where a condition holds as well.
    pub fn constrained(&mut self, state: &State, condition: Term) -> State {
        let guard = match condition.as_bool() {
            Some(true) => state.guard.clone(),
            Some(false) => condition,
            None => self.ssa.define("g", Term::and([state.guard.clone(), condition])),
        };
        let dead = guard.as_bool() == Some(false);
        let vars = if dead { BTreeMap::new() } else { state.vars.clone() };
        State { guard, vars }
    }

    /// The state goes on only where a condition holds.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        match condition.as_bool() {
            Some(true) => {}
            Some(false) => state.guard = condition,
            None => state.guard = self.ssa.define("g", Term::and([state.guard.clone(), condition])),
        }
    }

    /// Something must hold here; the state goes on where it does.
    pub fn require(&mut self, state: &mut State, holds: Term, kind: Kind, place: Place, message: &str) {
        if holds.as_bool() == Some(true) {
            return;
        }
        let bad = Term::and([state.guard.clone(), Term::not(holds.clone())]);
        let number = self.ssa.count();
        self.ssa.obligations.push(Obligation { kind, bad, place, message: message.to_owned(), number });
        self.assume(state, holds);
    }

    /// Something that is not understood is reached here.
    pub fn not_covered(&mut self, state: &State, place: Place, what: &str) {
        let message = what.to_owned();
        let bad = state.guard.clone();
        let number = self.ssa.count();
        self.ssa.obligations.push(Obligation { kind: Kind::Coverage, bad, place, message, number });
    }

    /// A truth value that the program computes: what invariants may speak about.
    pub fn note_condition(&mut self, condition: &Term) {
        if !condition.is_constant() {
            self.ssa.conditions.push(condition.clone());
        }
    }

    /// The place of an instruction.
    pub fn place(&self, frame: &Frame, span: Span) -> Place {
        Place { func: frame.func, span }
    }
}
