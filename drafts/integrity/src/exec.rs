//! Strongest postconditions: symbolic execution of one path after the other from a cut point to the next ones.

use crate::nodes::{Content, Link, NodeType};
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::{Comparison, Formula};
use heapproof_ir::inst::{CmpOp, Operand};
use heapproof_ir::{
    BinOp, BlockId, Callee, CastOp, FuncId, InstKind, Reg, Span, Terminator, Ty, sign_extend,
};

/// What an instruction leads to.
pub(crate) enum Next {
    /// The state was changed; go on.
    On,
    /// These states instead; the instruction is executed again in each.
    Again(Vec<State>),
    /// The path ends here.
    End,
}

/// How a path ended.
pub(crate) enum Ended {
    /// At a loop head of the analysed function.
    Head(BlockId, State),
    /// The analysed function returned.
    Return(State, Vec<Value>),
}

const MOST_PATHS: usize = 3_000;
const MOST_STEPS: u32 = 400;
const MOST_INLINED: usize = 80;
const DEEPEST: usize = 5;

impl Analysis<'_> {
    /// Executes all paths from a state to the next cut points.
    pub(crate) fn paths(&mut self, start: State, heads: &[BlockId]) -> Result<Vec<Ended>, Stop> {
        let mut todo = vec![start];
        let mut ended = Vec::new();
        let mut paths = 0;
        while let Some(mut state) = todo.pop() {
            paths += 1;
            if self.stop.as_ref().is_some_and(|stop| stop()) {
                return Err(Stop::new(Why::Limit("the time is up"), Span::NONE));
            }
            if paths > MOST_PATHS {
                return Err(Stop::new(Why::Limit("too many paths"), Span::NONE));
            }
            'path: loop {
                let frame = state.top();
                let (function, block, next) = (frame.function, frame.block, frame.next);
                let program = self.program;
                let Some(body) = &program.functions[function].body else { break };
                let code = &body.blocks[block];
                if let Some(inst) = code.insts.get(next) {
                    match self.step(&mut state, &inst.kind, inst.span)? {
                        Next::On => {
                            if state.frames.last().map(|f| (f.function, f.block, f.next))
                                == Some((function, block, next))
                            {
                                state.top().next += 1;
                            }
                        }
                        Next::Again(states) => {
                            todo.extend(states);
                            break 'path;
                        }
                        Next::End => break 'path,
                    }
                    continue;
                }
                let depth = state.frames.len();
                match self.leave(&mut state, &code.term, code.term_span)? {
                    Left::Gone(more) => {
                        for (to, other) in more {
                            let mut other = other;
                            if other.steps > MOST_STEPS {
                                return Err(Stop::new(Why::Limit("a path is too long"), code.term_span));
                            }
                            other.steps += 1;
                            other.top().block = to;
                            other.top().next = 0;
                            if depth == 1 && heads.contains(&to) {
                                ended.push(Ended::Head(to, other));
                            } else {
                                todo.push(other);
                            }
                        }
                        break 'path;
                    }
                    Left::Returned => {}
                    Left::Finished(values) => {
                        ended.push(Ended::Return(state, values));
                        break 'path;
                    }
                    Left::Dead => break 'path,
                }
            }
        }
        Ok(ended)
    }

    fn leave(&mut self, state: &mut State, term: &Terminator, span: Span) -> Result<Left, Stop> {
        Ok(match term {
            Terminator::Jump(to) => Left::Gone(vec![(*to, state.clone())]),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.eval(state, cond)?;
                let mut next = Vec::new();
                for (to, sign) in [(*then, true), (*otherwise, false)] {
                    let mut other = state.clone();
                    if self.assume(&mut other, &cond, sign) {
                        next.push((to, other));
                    }
                }
                Left::Gone(next)
            }
            Terminator::Switch { value, width, cases, default } => {
                let Value::Sym(value, _) = self.eval(state, value)? else {
                    return Err(Stop::new(Why::Unsupported("a switch over this value"), span));
                };
                let mut next = Vec::new();
                let mut rest = state.clone();
                let mut rest_possible = true;
                for (case, to) in cases {
                    let number = Sym { var: None, offset: sign_extend(*case, *width) };
                    if value.var.is_none() {
                        if value == number {
                            next.push((*to, state.clone()));
                            rest_possible = false;
                            break;
                        }
                        continue;
                    }
                    let mut other = state.clone();
                    other.path.push(equal(value, number));
                    next.push((*to, other));
                    rest.path.push(differs(value, number));
                }
                if rest_possible {
                    next.push((*default, rest));
                }
                Left::Gone(next)
            }
            Terminator::Unreachable => {
                if self.feasible(state) {
                    return Err(Stop::new(Why::Unsupported("an end of the function without `return`"), span));
                }
                Left::Dead
            }
            Terminator::Return(values) => {
                let mut results = Vec::new();
                for value in values {
                    results.push(self.eval(state, value)?);
                }
                if state.frames.len() == 1 {
                    return Ok(Left::Finished(results));
                }
                let Some(frame) = state.frames.pop() else { return Ok(Left::Dead) };
                // Its locals are gone: an access through an address that was kept lies outside.
                for place in frame.locals.values() {
                    if let Place::Own(own) = place {
                        state.own[own.0].size = 0;
                    }
                }
                for (reg, value) in frame.results.into_iter().zip(results) {
                    self.set(state, reg, value);
                }
                state.top().next += 1;
                Left::Returned
            }
        })
    }

    /// Adds a condition to the path; false if it cannot hold.
    fn assume(&mut self, state: &mut State, cond: &Value, sign: bool) -> bool {
        match cond {
            Value::Sym(s, _) if s.var.is_none() => (s.offset != 0) == sign,
            Value::Sym(s, _) => {
                state.path.push(if sign { differs(*s, Sym::ZERO) } else { equal(*s, Sym::ZERO) });
                true
            }
            Value::Own(..) => sign,
            Value::Bool(formula) => {
                let formula = if sign { formula.clone() } else { formula.clone().negated() };
                self.learn(state, &formula)
            }
        }
    }

    /// Adds a formula and remembers what it says about zero; false if that is known to be otherwise.
    fn learn(&mut self, state: &mut State, formula: &Formula) -> bool {
        match formula {
            Formula::Bool(b) => return *b,
            Formula::And(parts) => return parts.iter().all(|p| self.learn(state, p)),
            _ => {}
        }
        if let Some((s, zero)) = about_zero(formula) {
            match state.known_zero(s) {
                Some(known) => return known == zero,
                None => {
                    state.zero.insert(s, zero);
                }
            }
        }
        state.path.push(formula.clone());
        true
    }

    pub(crate) fn fresh(&mut self) -> Sym {
        self.vars += 1;
        Sym { var: Some(self.vars), offset: 0 }
    }

    pub(crate) fn version(&mut self) -> u32 {
        self.vars += 1;
        self.vars
    }

    /// What the C type of a variable says about a value.
    pub(crate) fn hint_of(&self, ctype: Option<heapproof_ir::TypeId>) -> Hint {
        let Some(ctype) = ctype else { return Hint::None };
        if let Some(node) = self.nodes.pointer_to(self.program, ctype) {
            return Hint::Node(node, 0);
        }
        match self.nodes.link_to(self.program, ctype) {
            Some(node) => Hint::Cell(node),
            None => Hint::None,
        }
    }

    fn set(&mut self, state: &mut State, reg: Reg, value: Value) {
        let function = state.top().function;
        let info = self.program.functions[function].body.as_ref().map(|b| &b.regs[reg]);
        let typed = info.and_then(|i| i.variable.as_ref()).map_or(Hint::None, |v| self.hint_of(v.ctype));
        let value = match (value, typed) {
            (Value::Sym(s, Hint::None), hint) => Value::Sym(s, hint),
            (Value::Own(own, 0), Hint::Node(node, 0)) => {
                state.own[own.0].node.get_or_insert(node);
                Value::Own(own, 0)
            }
            (value, _) => value,
        };
        state.top().regs.insert(reg, value);
    }

    pub(crate) fn eval(&mut self, state: &mut State, operand: &Operand) -> Result<Value, Stop> {
        Ok(match operand {
            Operand::Reg(reg) => match state.top().regs.get(reg).cloned() {
                Some(Value::Own(own, offset)) => match state.own[own.0].became {
                    Some(s) => {
                        let hint = state.own[own.0].node.map_or(Hint::None, |n| Hint::Node(n, offset));
                        Value::Sym(s.plus(offset), hint)
                    }
                    None => Value::Own(own, offset),
                },
                Some(value) => value,
                None => {
                    let junk = Value::Sym(self.fresh(), Hint::None);
                    self.set(state, *reg, junk.clone());
                    junk
                }
            },
            Operand::Int { bits, width: 1 } => Value::Bool(Formula::Bool(*bits & 1 == 1)),
            Operand::Int { bits, width } => {
                Value::Sym(Sym { var: None, offset: sign_extend(*bits, *width) }, Hint::None)
            }
            Operand::Null => Value::Sym(Sym::ZERO, Hint::None),
            Operand::Local(local) => match state.top().locals.get(local) {
                Some(Place::Own(own)) => Value::Own(*own, 0),
                Some(Place::Cell(address, node)) => Value::Sym(*address, Hint::Cell(*node)),
                None => return Err(Stop::new(Why::Unsupported("this local"), Span::NONE)),
            },
            Operand::Float { .. } | Operand::Undef(_) | Operand::Global(_) | Operand::Func(_) => {
                Value::Sym(self.fresh(), Hint::None)
            }
        })
    }

    fn step(&mut self, state: &mut State, inst: &InstKind, span: Span) -> Result<Next, Stop> {
        match inst {
            InstKind::Copy { dst, src } => {
                let value = self.eval(state, src)?;
                self.set(state, *dst, value);
            }
            InstKind::Forget { dst } => {
                state.top().regs.remove(dst);
            }
            InstKind::Bin { dst, op, width, a, b } => {
                let (a, b) = (self.eval(state, a)?, self.eval(state, b)?);
                let value = match (width, op, a, b) {
                    (1, BinOp::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(Formula::And(vec![a, b])),
                    (1, BinOp::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(Formula::Or(vec![a, b])),
                    (1, BinOp::Xor, Value::Bool(a), Value::Bool(b)) => {
                        Value::Bool(Formula::Iff(Box::new(a), Box::new(b)).negated())
                    }
                    // Arithmetic wraps, so nothing is known about its result.
                    _ => Value::Sym(self.fresh(), Hint::None),
                };
                self.set(state, *dst, value);
            }
            InstKind::IntUn { dst, .. }
            | InstKind::FloatBin { dst, .. }
            | InstKind::FloatUn { dst, .. }
            | InstKind::FloatCmp { dst, .. } => {
                let value = Value::Sym(self.fresh(), Hint::None);
                self.set(state, *dst, value);
            }
            InstKind::Cmp { dst, op, a, b, .. } => {
                let (a, b) = (self.eval(state, a)?, self.eval(state, b)?);
                let value = self.compare(*op, a, b);
                self.set(state, *dst, value);
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let a = self.eval(state, a)?;
                let value = self.cast(state, *op, *from, *to, a);
                self.set(state, *dst, value);
            }
            InstKind::Select { dst, cond, a, b, .. } => {
                let cond = self.eval(state, cond)?;
                let mut states = Vec::new();
                for (sign, operand) in [(true, a), (false, b)] {
                    let mut other = state.clone();
                    if self.assume(&mut other, &cond, sign) {
                        let value = self.eval(&mut other, operand)?;
                        self.set(&mut other, *dst, value);
                        other.top().next += 1;
                        states.push(other);
                    }
                }
                return Ok(Next::Again(states));
            }
            InstKind::PtrAdd { dst, base, offset, index, within } => {
                let base = self.eval(state, base)?;
                let mut offset = i128::from(*offset);
                let mut known = true;
                if let Some((index, scale)) = index {
                    match self.eval(state, index)? {
                        Value::Sym(Sym { var: None, offset: i }, _) => offset += i * i128::from(*scale),
                        _ => known = false,
                    }
                }
                let node = within.and_then(|t| self.nodes.struct_type(self.program, t));
                let value = match base {
                    _ if !known => Value::Sym(self.fresh(), Hint::None),
                    Value::Own(own, at) => {
                        if at == 0
                            && let Some(node) = node
                        {
                            state.own[own.0].node.get_or_insert(node);
                        }
                        Value::Own(own, at + offset)
                    }
                    Value::Sym(s, hint) => {
                        let hint = match (hint, node) {
                            // A structure inside of a node belongs to the node.
                            (Hint::Node(n, at), _)
                                if (0..self.nodes.types[n.0].size).contains(&(at + offset)) =>
                            {
                                Hint::Node(n, at + offset)
                            }
                            (_, Some(node)) => Hint::Node(node, offset),
                            _ => Hint::None,
                        };
                        Value::Sym(s.plus(offset), hint)
                    }
                    Value::Bool(_) => Value::Sym(self.fresh(), Hint::None),
                };
                self.set(state, *dst, value);
            }
            InstKind::Load { dst, ty, ptr } => return self.load(state, *dst, *ty, ptr, span),
            InstKind::Store { ty, value, ptr } => return self.store(state, *ty, value, ptr, span),
            InstKind::FillBlock { to, byte, len } => {
                let (to, byte, len) =
                    (self.eval(state, to)?, self.eval(state, byte)?, self.eval(state, len)?);
                self.fill(state, &to, &byte, &len, span)?;
            }
            InstKind::CopyBlock { .. } => {
                return Err(Stop::new(Why::Unsupported("a copy of a structure"), span));
            }
            InstKind::ScopeStart { local } | InstKind::ScopeEnd { local } => {
                let starts = matches!(inst, InstKind::ScopeStart { .. });
                let function = state.top().function;
                let size =
                    self.program.functions[function].body.as_ref().map_or(0, |b| b.locals[*local].size);
                match state.top().locals.get(local).copied() {
                    Some(Place::Own(own)) => {
                        state.own[own.0].content.clear();
                        state.own[own.0].zeroed = false;
                        state.own[own.0].size = if starts { i128::from(size) } else { 0 };
                    }
                    Some(Place::Cell(..)) if !starts => state.cells_ended = true,
                    Some(Place::Cell(address, node)) => {
                        let junk = self.fresh();
                        self.write_cell(state, node, address, junk);
                    }
                    None => {}
                }
            }
            InstKind::Call { results, callee, args } => return self.call(state, results, callee, args, span),
            InstKind::Alloca { .. }
            | InstKind::StackSave { .. }
            | InstKind::StackRestore { .. }
            | InstKind::VaStart { .. }
            | InstKind::VaCopy { .. }
            | InstKind::VaEnd { .. } => {
                return Err(Stop::new(Why::Unsupported("this use of the stack"), span));
            }
            InstKind::Unsupported { .. } => return Err(Stop::new(Why::Unsupported("this construct"), span)),
        }
        Ok(Next::On)
    }

    fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> Value {
        let unknown = |me: &mut Self| {
            let s = me.fresh();
            Value::Bool(differs(s, Sym::ZERO))
        };
        let (a, b) = match (a, b) {
            (Value::Sym(a, _), Value::Sym(b, _)) => (a, b),
            (Value::Own(x, i), Value::Own(y, j)) if x == y => match op {
                CmpOp::Eq => return Value::Bool(Formula::Bool(i == j)),
                CmpOp::Ne => return Value::Bool(Formula::Bool(i != j)),
                _ => return unknown(self),
            },
            (Value::Own(..), Value::Sym(Sym::ZERO, _)) | (Value::Sym(Sym::ZERO, _), Value::Own(..)) => {
                match op {
                    CmpOp::Eq => return Value::Bool(Formula::Bool(false)),
                    CmpOp::Ne => return Value::Bool(Formula::Bool(true)),
                    _ => return unknown(self),
                }
            }
            _ => return unknown(self),
        };
        // Sums of addresses and numbers may wrap: only plain values are compared.
        if a.var.is_some() && a.offset != 0 || b.var.is_some() && b.offset != 0 {
            return unknown(self);
        }
        let holds = |op: Comparison| Value::Bool(Formula::Compare(op, a.term(), b.term()));
        if a.var.is_none() && b.var.is_none() {
            let truth = match op {
                CmpOp::Eq => a.offset == b.offset,
                CmpOp::Ne => a.offset != b.offset,
                CmpOp::Slt => a.offset < b.offset,
                CmpOp::Sle => a.offset <= b.offset,
                CmpOp::Sgt => a.offset > b.offset,
                CmpOp::Sge => a.offset >= b.offset,
                _ => return unknown(self),
            };
            return Value::Bool(Formula::Bool(truth));
        }
        match op {
            CmpOp::Eq => holds(Comparison::Equal),
            CmpOp::Ne => holds(Comparison::Differs),
            // The order of data matters to no node; left out, goals stay small.
            _ => unknown(self),
        }
    }

    fn cast(&mut self, state: &mut State, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        match (op, a) {
            // A value that fits keeps its number when it is widened with its sign.
            (CastOp::SExt, Value::Sym(s, _)) if from != Ty::BOOL => Value::Sym(s, Hint::None),
            (CastOp::PtrToInt | CastOp::IntToPtr, Value::Sym(s, hint)) => Value::Sym(s, hint),
            (CastOp::ZExt, Value::Bool(formula)) if to != Ty::BOOL => {
                if let Formula::Bool(b) = formula {
                    return Value::Sym(Sym { var: None, offset: i128::from(b) }, Hint::None);
                }
                let s = self.fresh();
                let one = Sym { var: None, offset: 1 };
                state.path.push(formula.clone().implies(equal(s, one)));
                state.path.push(Formula::Or(vec![formula, equal(s, Sym::ZERO)]));
                Value::Sym(s, Hint::None)
            }
            _ => Value::Sym(self.fresh(), Hint::None),
        }
    }

    fn width(&self, ty: Ty) -> i128 {
        match ty {
            Ty::Ptr => i128::from(self.program.target.pointer_bytes()),
            Ty::Int(bits) => (i128::from(bits) + 7) / 8,
            Ty::Float(_) => 0,
        }
    }

    /// Requires that the start of the node is valid.
    fn need_valid(&mut self, state: &mut State, node: NodeType, base: Sym, span: Span) -> Result<(), Stop> {
        if state.valid.contains(&(node, base)) {
            return Ok(());
        }
        let valid = is_valid(&self.nodes, node, base);
        if !self.obligation(state, &valid) {
            let null = base.var.is_none() || !self.holds(state, &differs(base, Sym::ZERO));
            return Err(Stop::new(if null { Why::MayBeNull } else { Why::NoNode }, span));
        }
        state.path.push(valid);
        state.valid.insert((node, base));
        Ok(())
    }

    fn load(&mut self, state: &mut State, dst: Reg, ty: Ty, ptr: &Operand, span: Span) -> Result<Next, Stop> {
        let size = self.width(ty);
        let pointer = self.eval(state, ptr)?;
        let value = match pointer {
            Value::Own(own, at) => self.read_own(state, own, at, size, span)?,
            Value::Sym(s, Hint::Node(node, delta)) => {
                let Some(field) = self.nodes.field(node, delta, size).cloned() else {
                    return Err(Stop::new(Why::Outside, span));
                };
                self.need_valid(state, node, s.plus(-delta), span)?;
                match field.content {
                    Content::Data => Value::Sym(self.fresh(), Hint::None),
                    Content::Link(link) => self.read_link(state, link, s.plus(-delta)),
                }
            }
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = s.plus(-self.nodes.links[link.0].offset);
                    self.read_link(state, link, base)
                }
                Some(CellOf::Outside(_)) => {
                    self.cells_usable(state, span)?;
                    let version = state.cells[node.0];
                    let value = self.read_heap(state, version, s);
                    Value::Sym(value, Hint::Node(node, 0))
                }
            },
            _ => return Err(Stop::new(Why::Wild, span)),
        };
        self.set(state, dst, value);
        Ok(Next::On)
    }

    fn read_link(&mut self, state: &mut State, link: Link, base: Sym) -> Value {
        let value = self.read_heap(state, state.links[link.0], base);
        Value::Sym(value, Hint::Node(self.nodes.links[link.0].to, 0))
    }

    fn read_heap(&mut self, state: &mut State, version: u32, at: Sym) -> Sym {
        if let Some(&value) = state.read.get(&(version, at)) {
            return value;
        }
        let value = self.fresh();
        state.path.push(Formula::holds("in", vec![heap(version), at.term(), value.term()]));
        state.read.insert((version, at), value);
        value
    }

    fn read_own(
        &mut self,
        state: &mut State,
        own: Own,
        at: i128,
        size: i128,
        span: Span,
    ) -> Result<Value, Stop> {
        let memory = &state.own[own.0];
        if at < 0 || at + size > memory.size || size == 0 {
            return Err(Stop::new(Why::Outside, span));
        }
        if let Some((stored, value)) = memory.content.get(&at)
            && *stored == size
        {
            return Ok(match value {
                Value::Own(inner, offset) => match state.own[inner.0].became {
                    Some(s) => {
                        let hint = state.own[inner.0].node.map_or(Hint::None, |n| Hint::Node(n, *offset));
                        Value::Sym(s.plus(*offset), hint)
                    }
                    None => Value::Own(*inner, *offset),
                },
                value => value.clone(),
            });
        }
        let overlaps = memory.content.iter().any(|(&o, (s, _))| o < at + size && at < o + s);
        let value = if memory.zeroed && !overlaps {
            Value::Sym(Sym::ZERO, Hint::None)
        } else {
            Value::Sym(self.fresh(), Hint::None)
        };
        if !overlaps {
            state.own[own.0].content.insert(at, (size, value.clone()));
        }
        Ok(value)
    }

    /// One state for each heap that the cell may belong to.
    fn split_cell(&mut self, state: &mut State, node: NodeType, s: Sym, span: Span) -> Result<Next, Stop> {
        let somewhere = state.is_cell(&self.nodes, node, s);
        if !self.obligation(state, &somewhere) {
            return Err(Stop::new(Why::NoCell, span));
        }
        let mut states = Vec::new();
        let mut outside = state.clone();
        outside.path.push(Formula::holds("dom", vec![heap(state.cells[node.0]), s.term()]));
        outside.cell_of.insert(s, CellOf::Outside(node));
        states.push(outside);
        for (index, link) in self.nodes.links.iter().enumerate().filter(|(_, l)| l.to == node) {
            let base = s.plus(-link.offset);
            let mut inside = state.clone();
            inside.path.push(is_valid(&self.nodes, link.of, base));
            inside.valid.insert((link.of, base));
            inside.cell_of.insert(s, CellOf::Link(Link(index)));
            states.push(inside);
        }
        // Cells whose place is known already, such as the address of a local, need only one of these.
        let mut possible = Vec::new();
        for other in states {
            if self.feasible(&other) {
                possible.push(other);
            }
        }
        Ok(Next::Again(possible))
    }

    fn store(
        &mut self,
        state: &mut State,
        ty: Ty,
        value: &Operand,
        ptr: &Operand,
        span: Span,
    ) -> Result<Next, Stop> {
        let size = self.width(ty);
        let pointer = self.eval(state, ptr)?;
        let value = self.eval(state, value)?;
        match pointer {
            Value::Own(own, at) => {
                if at < 0 || at + size > state.own[own.0].size || size == 0 {
                    return Err(Stop::new(Why::Outside, span));
                }
                let memory = &mut state.own[own.0];
                let overlapping: Vec<i128> = memory
                    .content
                    .iter()
                    .filter(|&(&o, (s, _))| o < at + size && at < o + s)
                    .map(|(&o, _)| o)
                    .collect();
                for offset in overlapping {
                    if offset != at || memory.content[&offset].0 != size {
                        // Bytes of a value that was overwritten in part are not known any more.
                        memory.zeroed = false;
                    }
                    memory.content.remove(&offset);
                }
                memory.content.insert(at, (size, value));
            }
            Value::Sym(s, Hint::Node(node, delta)) => {
                let Some(field) = self.nodes.field(node, delta, size).cloned() else {
                    return Err(Stop::new(Why::Outside, span));
                };
                let base = s.plus(-delta);
                self.need_valid(state, node, base, span)?;
                match field.content {
                    Content::Data => {
                        // An address of own memory in data would be out of sight.
                        if matches!(value, Value::Own(..)) {
                            self.publish(state, &value, span)?;
                        }
                    }
                    Content::Link(link) => self.write_link(state, link, base, &value, span)?,
                }
            }
            Value::Sym(s, Hint::Cell(node)) if ty == Ty::Ptr => match state.cell_of.get(&s).copied() {
                None => return self.split_cell(state, node, s, span),
                Some(CellOf::Link(link)) => {
                    let base = s.plus(-self.nodes.links[link.0].offset);
                    self.write_link(state, link, base, &value, span)?;
                }
                Some(CellOf::Outside(_)) => {
                    self.cells_usable(state, span)?;
                    let value = self.publish(state, &value, span)?;
                    self.write_cell(state, node, s, value);
                }
            },
            _ => return Err(Stop::new(Why::Wild, span)),
        }
        Ok(Next::On)
    }

    fn cells_usable(&self, state: &State, span: Span) -> Result<(), Stop> {
        if state.cells_ended {
            return Err(Stop::new(Why::Unsupported("a pointer to a variable whose scope may be over"), span));
        }
        Ok(())
    }

    fn write_cell(&mut self, state: &mut State, node: NodeType, at: Sym, value: Sym) {
        let old = state.cells[node.0];
        let new = self.version();
        state.cells[node.0] = new;
        state.changed_cells.insert(node);
        state.path.push(Formula::holds("assign", vec![heap(new), heap(old), at.term(), value.term()]));
        state.read.insert((new, at), value);
    }

    fn write_link(
        &mut self,
        state: &mut State,
        link: Link,
        base: Sym,
        value: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        let value = self.publish(state, value, span)?;
        self.touched.insert(link);
        self.update(state, link, base, value);
        Ok(())
    }

    fn update(&mut self, state: &mut State, link: Link, base: Sym, value: Sym) {
        let old = state.links[link.0];
        let new = self.version();
        state.links[link.0] = new;
        state.changed_links.insert(link);
        state.path.push(Formula::holds("assign", vec![heap(new), heap(old), base.term(), value.term()]));
        state.read.insert((new, base), value);
    }

    /// Makes a value known to everybody: a block whose address it is becomes a node, with all that it points to.
    pub(crate) fn publish(&mut self, state: &mut State, value: &Value, span: Span) -> Result<Sym, Stop> {
        let (own, offset) = match value {
            Value::Sym(s, _) => return Ok(*s),
            Value::Bool(_) => return Ok(self.fresh()),
            Value::Own(own, offset) => (*own, *offset),
        };
        if let Some(s) = state.own[own.0].became {
            return Ok(s.plus(offset));
        }
        if state.own[own.0].kind == Kind::Plain {
            return Err(Stop::new(
                Why::Unsupported("the address of a local that is stored or passed on"),
                span,
            ));
        }
        let Some(node) = state.own[own.0].node else {
            return Err(Stop::new(Why::Unsupported("a new block whose type is not known"), span));
        };
        if state.own[own.0].size < self.nodes.types[node.0].size {
            return Err(Stop::new(Why::TooSmall, span));
        }
        let address = self.fresh();
        state.own[own.0].became = Some(address);
        state.path.push(is_valid(&self.nodes, node, address));
        state.valid.insert((node, address));
        state.zero.insert(address, false);
        for field in self.nodes.types[node.0].fields.clone() {
            if let Content::Link(link) = field.content {
                let content = self.read_own(state, own, field.offset, field.size, span)?;
                let content = self.publish(state, &content, span)?;
                self.update(state, link, address, content);
            }
        }
        // Other memory may still name the block: registers and contents are looked up through `became`.
        Ok(address.plus(offset))
    }

    fn fill(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        len: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        let (Value::Own(own, at), Value::Sym(len, _)) = (to, len) else {
            return Err(Stop::new(Why::Unsupported("memset of a node"), span));
        };
        if len.var.is_some() || *at < 0 || len.offset < 0 || at + len.offset > state.own[own.0].size {
            return Err(Stop::new(Why::Outside, span));
        }
        let zero = matches!(byte, Value::Sym(Sym::ZERO, _));
        let memory = &mut state.own[own.0];
        let whole = *at == 0 && len.offset == memory.size;
        memory.zeroed = zero && whole;
        // What is not filled wholly is forgotten.
        memory.content.retain(|&o, (s, _)| !whole && (o + *s <= *at || o >= at + len.offset));
        Ok(())
    }

    fn call(
        &mut self,
        state: &mut State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) -> Result<Next, Stop> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(state, arg)?);
        }
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(_) => {
                // A callback touches no nodes; it must not see memory of this function either.
                let seen = |v: &Value| match v {
                    Value::Own(..) | Value::Sym(_, Hint::Cell(_)) => true,
                    Value::Sym(s, _) => state.cell_of.contains_key(s),
                    Value::Bool(_) => false,
                };
                if values.iter().any(seen) {
                    return Err(Stop::new(Why::Unsupported("own memory that is passed to a callback"), span));
                }
                for reg in results {
                    let value = Value::Sym(self.fresh(), Hint::None);
                    self.set(state, *reg, value);
                }
                return Ok(Next::On);
            }
        };
        let info = &self.program.functions[function];
        let Some(body) = &info.body else { return self.external(state, function, results, &values, span) };
        if self.can_enter(state, function) {
            let mut frame = self.new_frame(state, function);
            frame.results = results.to_vec();
            for (reg, value) in body.params.iter().zip(values) {
                frame.regs.insert(*reg, value);
            }
            state.frames.push(frame);
            return Ok(Next::On);
        }
        self.summarised_call(state, function, results, &values, span)?;
        Ok(Next::On)
    }

    /// Small functions without loops are entered.
    fn can_enter(&self, state: &State, function: FuncId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        let size: usize = body.blocks.values().map(|b| b.insts.len() + 1).sum();
        // The address of a pointer would outlive it.
        let cells = body
            .locals
            .values()
            .any(|l| matches!(self.hint_of(l.variable.as_ref().and_then(|v| v.ctype)), Hint::Node(..)));
        size <= MOST_INLINED
            && !cells
            && state.frames.len() < DEEPEST
            && state.frames.iter().all(|f| f.function != function)
            && self.loop_free.contains(&function)
    }

    fn external(
        &mut self,
        state: &mut State,
        function: FuncId,
        results: &[Reg],
        args: &[Value],
        span: Span,
    ) -> Result<Next, Stop> {
        let name = self.program.functions[function].name.as_str();
        let size = |v: Option<&Value>| match v {
            Some(Value::Sym(Sym { var: None, offset }, _)) if *offset >= 0 => Some(*offset),
            _ => None,
        };
        let new = match name {
            "malloc" => size(args.first()).map(|s| (s, false)),
            "calloc" => size(args.first())
                .zip(size(args.get(1)))
                .and_then(|(a, b)| a.checked_mul(b))
                .map(|s| (s, true)),
            "abort" | "exit" | "_exit" | "__assert_fail" => return Ok(Next::End),
            "memset" => {
                if let [to, byte, len] = args {
                    self.fill(state, to, byte, len, span)?;
                    if let Some(reg) = results.first() {
                        self.set(state, *reg, to.clone());
                    }
                    return Ok(Next::On);
                }
                None
            }
            "free" => return Err(Stop::new(Why::Frees, span)),
            _ => return Err(Stop::new(Why::External(name.to_owned()), span)),
        };
        let Some((size, zeroed)) = new else {
            return Err(Stop::new(Why::Unsupported("a block of unknown size"), span));
        };
        let Some(reg) = results.first().copied() else { return Ok(Next::On) };
        let mut failed = state.clone();
        self.set(&mut failed, reg, Value::Sym(Sym::ZERO, Hint::None));
        failed.top().next += 1;
        let mut given = state.clone();
        given.own.push(Memory {
            kind: Kind::Block,
            size,
            node: None,
            content: Default::default(),
            zeroed,
            became: None,
        });
        let own = Own(given.own.len() - 1);
        self.set(&mut given, reg, Value::Own(own, 0));
        given.top().next += 1;
        Ok(Next::Again(vec![failed, given]))
    }

    /// A call by what is known of every call: the constraint holds before and after.
    fn summarised_call(
        &mut self,
        state: &mut State,
        function: FuncId,
        results: &[Reg],
        args: &[Value],
        span: Span,
    ) -> Result<(), Stop> {
        if self.requires.contains_key(&self.program.functions[function].name) {
            return Err(Stop::new(Why::CalleeRequires(self.program.functions[function].name.clone()), span));
        }
        self.uses.insert(function);
        let types = self.parameter_types(function);
        let mut syms = Vec::new();
        let mut cells = Vec::new();
        for (position, value) in args.iter().enumerate() {
            let hint = self.hint_of(types.get(position).copied().flatten());
            if let (Value::Own(own, 0), Hint::Node(node, 0)) = (value, hint) {
                state.own[own.0].node.get_or_insert(node);
            }
            let s = self.publish(state, value, span)?;
            syms.push(s);
            match hint {
                Hint::Node(node, _) => {
                    let good = is_node(&self.nodes, node, s);
                    if !self.obligation(state, &good) {
                        return Err(Stop::new(Why::BadArgument, span));
                    }
                }
                Hint::Cell(node) => {
                    let good = state.is_cell(&self.nodes, node, s);
                    if !self.obligation(state, &good) {
                        return Err(Stop::new(Why::BadArgument, span));
                    }
                    cells.push(node);
                }
                Hint::None => {}
            }
        }
        self.constraint_holds(state, span)?;
        let summary = self.summaries[&function].clone();
        for &link in &summary.changes {
            let new = self.version();
            state.links[link.0] = new;
            state.path.push(is_closed(&self.nodes, link, new));
        }
        for node in cells {
            self.forget_cells(state, node);
        }
        let result_type = self.result_type(function);
        for (position, reg) in results.iter().enumerate() {
            let s = self.fresh();
            let hint = if position == 0 { self.hint_of(result_type) } else { Hint::None };
            if let Hint::Node(node, _) = hint {
                state.path.push(is_node(&self.nodes, node, s));
                if summary.result_not_null {
                    state.path.push(differs(s, Sym::ZERO));
                }
                for &argument in &summary.not_null_if {
                    let given = syms[argument];
                    state.path.push(Formula::Or(vec![equal(given, Sym::ZERO), differs(s, Sym::ZERO)]));
                }
            }
            let hint = if matches!(hint, Hint::Node(..)) { hint } else { Hint::None };
            self.set(state, *reg, Value::Sym(s, hint));
        }
        Ok(())
    }

    /// Cells outside of nodes may have changed; they are still there and hold nodes.
    pub(crate) fn forget_cells(&mut self, state: &mut State, node: NodeType) {
        let new = self.version();
        state.cells[node.0] = new;
        state.path.push(cells_closed(&self.nodes, node, new));
        let mut known: Vec<Sym> = Vec::new();
        for frame in &state.frames {
            for place in frame.locals.values() {
                if let Place::Cell(address, of) = place
                    && *of == node
                {
                    known.push(*address);
                }
            }
        }
        known.extend(state.cell_of.iter().filter(|(_, c)| **c == CellOf::Outside(node)).map(|(s, _)| *s));
        for s in known {
            state.path.push(Formula::holds("dom", vec![heap(new), s.term()]));
        }
    }
}

enum Left {
    Gone(Vec<(BlockId, State)>),
    Returned,
    Finished(Vec<Value>),
    Dead,
}

/// `s = 0` or `s != 0`.
fn about_zero(formula: &Formula) -> Option<(Sym, bool)> {
    use heapproof_chr::syntax::Term;
    let (op, name) = match formula {
        Formula::Compare(op, Term::Var(name), Term::Int(0)) => (*op, name),
        Formula::Not(inner) => {
            let (s, zero) = about_zero(inner)?;
            return Some((s, !zero));
        }
        _ => return None,
    };
    let var = name.strip_prefix('v')?.parse().ok()?;
    let s = Sym { var: Some(var), offset: 0 };
    match op {
        Comparison::Equal => Some((s, true)),
        Comparison::Differs => Some((s, false)),
        _ => None,
    }
}
