//! One instruction: values, comparisons, casts.

use crate::exec::Next;
use crate::ranges::Range;
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::{Comparison, Formula};
use heapproof_ir::inst::{CmpOp, Operand};
use heapproof_ir::{BinOp, CastOp, InstKind, Reg, Span, Ty, sign_extend};

/// Whether an address is so near to its memory that it is surely not null: nothing lies in the first or the last page.
fn is_near(memory: &Memory, at: i128) -> bool {
    const PAGE: i128 = 4096;
    -PAGE < at && at < memory.size + PAGE
}

/// Whether a number has room in a type.
fn fits(state: &State, s: Sym, to: Ty) -> bool {
    match (state.range(s), to) {
        (Some(range), Ty::Int(width @ 2..=64)) => {
            let half = 1i128 << (width - 1);
            range.low >= -half && range.high < half
        }
        _ => false,
    }
}

impl Analysis<'_> {
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

    pub(crate) fn set(&mut self, state: &mut State, reg: Reg, value: Value) {
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
                Some(Value::Own(own, offset)) => state.own_value(own, offset),
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
                Some(&Place::Own(own)) => state.own_value(own, 0),
                Some(Place::Cell(address, node)) => Value::Sym(*address, Hint::Cell(*node)),
                None => return Err(Stop::new(Why::Unsupported("this local"), Span::NONE)),
            },
            Operand::Func(function) => self.function_value(state, *function),
            Operand::Global(global) => self.global_value(*global),
            Operand::Float { .. } | Operand::Undef(_) => Value::Sym(self.fresh(), Hint::None),
        })
    }

    pub(crate) fn step(&mut self, state: &mut State, inst: &InstKind, span: Span) -> Result<Next, Stop> {
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
                    // A shift by too much gives any value, each time another.
                    (_, BinOp::Shl | BinOp::LShr | BinOp::AShr, _, Value::Sym(b, _))
                        if b.var.is_some() || !(0..i128::from(*width)).contains(&b.offset) =>
                    {
                        Value::Sym(self.fresh(), Hint::None)
                    }
                    // Arithmetic wraps, so nothing is known about its result but that it depends on nothing else.
                    (_, op, Value::Sym(a, _), Value::Sym(b, _)) => {
                        let name = format!("{op:?} {width}");
                        let range = self.computed_range(state, *op, *width, a, b);
                        if let Some(offset) = range.and_then(Range::value) {
                            let number = Value::Sym(Sym { var: None, offset }, Hint::None);
                            self.set(state, *dst, number);
                            return Ok(Next::On);
                        }
                        let result = self.function_of(name, &[a, b]);
                        if let Some(range) = range {
                            state.ranges.insert(result, range);
                        }
                        // One less than what is not 0 does not wrap.
                        if *op == BinOp::Add
                            && b == (Sym { var: None, offset: -1 })
                            && state.known_zero(a) == Some(false)
                            && let Some(below) = state.below.get(&a).copied()
                            && below.width == *width
                        {
                            state.below.insert(result, Below { less: true, ..below });
                        }
                        Value::Sym(result, Hint::None)
                    }
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
            InstKind::Cmp { dst, op, ty, a, b } => {
                let (a, b) = (self.eval(state, a)?, self.eval(state, b)?);
                let word = Ty::Int(self.program.target.pointer_bits());
                let value = match (&a, &b) {
                    // The address of what was freed may be that of something new.
                    (Value::Sym(x, _), Value::Sym(y, _))
                        if state.freed
                            && (*ty == Ty::Ptr || *ty == word)
                            && x.var.is_some()
                            && y.var.is_some() =>
                    {
                        Value::Bool(differs(self.fresh(), Sym::ZERO))
                    }
                    _ => self.compare(state, *op, *ty, a, b),
                };
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
                if let Some((index, scale)) = index
                    && let Some(next) =
                        self.indexed(state, *dst, base, i128::from(*offset), (index, *scale), span)?
                {
                    return Ok(next);
                }
                let base = self.eval(state, base)?;
                let mut offset = i128::from(*offset);
                let mut known = true;
                let mut element = None;
                if let Some((index, scale)) = index {
                    match self.eval(state, index)? {
                        Value::Sym(s, _) if let Some(i) = state.range(s).and_then(Range::value) => {
                            offset += i * i128::from(*scale);
                        }
                        Value::Sym(s, _) => {
                            known = false;
                            if offset == 0 {
                                element = self.element(state, &base, s, i128::from(*scale));
                            }
                        }
                        _ => known = false,
                    }
                }
                let node = within.and_then(|t| self.nodes.struct_type(self.program, t));
                let value = match base {
                    _ if element.is_some() => element.unwrap_or(base),
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
                            (Hint::Data(global, low, high), _) => {
                                Hint::Data(global, low + offset, high + offset)
                            }
                            (Hint::Area(area), _) => {
                                let (low, high) = (area.low + offset, area.high + offset);
                                Hint::Area(Area { low, high, ..area })
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
            InstKind::CopyBlock { to, from, len, .. } => {
                let (to, from, len) =
                    (self.eval(state, to)?, self.eval(state, from)?, self.eval(state, len)?);
                self.copy(state, &to, &from, &len, span)?;
            }
            InstKind::ScopeStart { local } | InstKind::ScopeEnd { local } => {
                let starts = matches!(inst, InstKind::ScopeStart { .. });
                let function = state.top().function;
                let size =
                    self.program.functions[function].body.as_ref().map_or(0, |b| b.locals[*local].size);
                match state.top().locals.get(local).copied() {
                    Some(Place::Own(own)) if starts => {
                        if state.own[own.0].became.is_some() {
                            let why = Why::Unsupported("a node on the stack that is made again");
                            return Err(Stop::new(why, span));
                        }
                        state.own[own.0].content.clear();
                        state.own[own.0].zeroed = false;
                        state.own[own.0].size = i128::from(size);
                    }
                    Some(Place::Own(own)) => self.end_local(state, own, span)?,
                    Some(Place::Cell(address, node)) if !starts => {
                        self.end_cell(state, address, node, span)?;
                        state.cells_ended = true;
                    }
                    Some(Place::Cell(address, node)) => {
                        let junk = self.fresh();
                        self.write_cell(state, node, address, junk);
                    }
                    None => {}
                }
            }
            // A constant local may only be read from here on.
            InstKind::Seal { local } => match state.top().locals.get(local).copied() {
                Some(Place::Own(own)) if state.own[own.0].became.is_none() => state.own[own.0].sealed = true,
                _ => return Err(Stop::new(Why::Unsupported("a constant on the stack"), span)),
            },
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

    pub(crate) fn compare(&mut self, state: &State, op: CmpOp, ty: Ty, a: Value, b: Value) -> Value {
        let unknown = |me: &mut Self| {
            let s = me.fresh();
            Value::Bool(differs(s, Sym::ZERO))
        };
        let (a, b) = match (a, b) {
            (Value::Sym(a, _), Value::Sym(b, _)) => (a, b),
            (Value::Own(x, i), Value::Own(y, j)) if x == y => {
                // Addresses wrap.
                let same = (i - j) % (1i128 << self.program.target.pointer_bits()) == 0;
                match op {
                    CmpOp::Eq => return Value::Bool(Formula::Bool(same)),
                    CmpOp::Ne => return Value::Bool(Formula::Bool(!same)),
                    _ => return unknown(self),
                }
            }
            (Value::Own(own, at), Value::Sym(Sym::ZERO, _))
            | (Value::Sym(Sym::ZERO, _), Value::Own(own, at))
                if is_near(&state.own[own.0], at) =>
            {
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
        // The order of data matters to no node; it is only the same whenever it is asked for.
        let order = |me: &mut Self| {
            let (op, a, b, sign) = match op {
                CmpOp::Sgt => (CmpOp::Slt, b, a, true),
                CmpOp::Sle => (CmpOp::Slt, b, a, false),
                CmpOp::Sge => (CmpOp::Slt, a, b, false),
                CmpOp::Ugt => (CmpOp::Ult, b, a, true),
                CmpOp::Ule => (CmpOp::Ult, b, a, false),
                CmpOp::Uge => (CmpOp::Ult, a, b, false),
                _ => (op, a, b, true),
            };
            // Without a sign, only 0 is not above 0.
            if op == CmpOp::Ult && a == Sym::ZERO {
                return Value::Bool(if sign { differs(b, Sym::ZERO) } else { equal(b, Sym::ZERO) });
            }
            let s = me.function_of(format!("{op:?} {ty:?}"), &[a, b]);
            if let Ty::Int(width @ 2..=64) = ty {
                me.comparisons.insert(s, (op, width, a, b));
            }
            Value::Bool(if sign { differs(s, Sym::ZERO) } else { equal(s, Sym::ZERO) })
        };
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
            _ => order(self),
        }
    }

    pub(crate) fn cast(&mut self, state: &mut State, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        match (op, a) {
            // A value that fits keeps its number when it is widened with its sign.
            (CastOp::SExt, Value::Sym(s, _)) if from != Ty::BOOL => Value::Sym(s, Hint::None),
            (CastOp::Trunc, Value::Sym(s, _)) if fault!(46) && to != Ty::BOOL => Value::Sym(s, Hint::None),
            (CastOp::ZExt, Value::Sym(s @ Sym { var: None, offset: 0.. }, _)) => Value::Sym(s, Hint::None),
            // So does one that has room in fewer bits.
            (CastOp::Trunc, Value::Sym(s, _)) if fits(state, s, to) => Value::Sym(s, Hint::None),
            (CastOp::PtrToInt | CastOp::IntToPtr, Value::Sym(s, hint))
                if self.width(from) == self.width(to) =>
            {
                Value::Sym(s, hint)
            }
            (CastOp::ZExt, Value::Bool(formula)) if to != Ty::BOOL => {
                if let Formula::Bool(b) = formula {
                    return Value::Sym(Sym { var: None, offset: i128::from(b) }, Hint::None);
                }
                let s = self.fresh();
                state.ranges.insert(s, Range { low: 0, high: 1 });
                let one = Sym { var: None, offset: 1 };
                state.path.push(formula.clone().implies(equal(s, one)));
                state.path.push(Formula::Or(vec![formula, equal(s, Sym::ZERO)]));
                Value::Sym(s, Hint::None)
            }
            (op, Value::Sym(s, _)) => {
                let below =
                    state.below.get(&s).copied().filter(|b| op == CastOp::ZExt && from == Ty::Int(b.width));
                let result = self.function_of(format!("{op:?} {from:?} {to:?}"), &[s]);
                if let (CastOp::ZExt, Ty::Int(bits @ 1..=32)) = (op, from) {
                    let all = Range { low: 0, high: (1 << bits) - 1 };
                    state.ranges.insert(result, state.range(s).filter(|r| r.low >= 0).unwrap_or(all));
                }
                if let (Some(below), Ty::Int(width)) = (below, to) {
                    state.below.insert(result, Below { width, ..below });
                }
                if to == Ty::BOOL {
                    Value::Bool(differs(result, Sym::ZERO))
                } else {
                    Value::Sym(result, Hint::None)
                }
            }
            _ => Value::Sym(self.fresh(), Hint::None),
        }
    }

    /// The element of memory outside of nodes at an index that is surely below their number.
    fn element(&self, state: &State, base: &Value, index: Sym, scale: i128) -> Option<Value> {
        let Value::Own(own, 0) = base else { return None };
        let (element, count, size) = state.own[own.0].elements?;
        let wide = self.program.target.pointer_bits();
        let inside = |below: &Below| (below.less || fault!(45)) && below.of == count && below.width == wide;
        (state.below.get(&index).is_some_and(inside) && scale == size).then_some(Value::Own(element, 0))
    }

    /// What depends on nothing but these values: the same variable whenever it is asked for.
    pub(crate) fn function_of(&mut self, name: String, of: &[Sym]) -> Sym {
        if let Some(&known) = self.computed.get(&(name.clone(), of.to_vec())) {
            return known;
        }
        let result = self.fresh();
        self.computed.insert((name, of.to_vec()), result);
        result
    }

    /// An address in an array at an index that is not known: states for its values, or the area that is meant.
    fn indexed(
        &mut self,
        state: &mut State,
        dst: Reg,
        base: &Operand,
        offset: i128,
        (index, scale): (&Operand, i64),
        span: Span,
    ) -> Result<Option<Next>, Stop> {
        let (base, index) = (self.eval(state, base)?, self.eval(state, index)?);
        let Value::Sym(index, _) = index else { return Ok(None) };
        let Some(range) = state.range(index).filter(|r| r.value().is_none()) else { return Ok(None) };
        let step = i128::from(scale);
        let (low, high) = match step >= 0 {
            true => (offset + range.low * step, offset + range.high * step),
            false => (offset + range.high * step, offset + range.low * step),
        };
        let value = match base {
            Value::Own(..) => return Ok(self.split_index(state, index)),
            Value::Sym(s, Hint::Node(node, at)) => {
                let start = s.plus(-at);
                let area = Area { node, base: start, low: at + low, high: at + high, step: step.abs() };
                match self.area_content(&area, step.abs()) {
                    // Links are told apart by their offsets.
                    None => return Ok(self.split_index(state, index)),
                    Some(heapproof_ir::nodes::Content::Slot(to)) => {
                        self.need_valid(state, node, start, span)?;
                        let s = self.function_of(format!("{offset} {step}"), &[s, index]);
                        self.outside_cell(state, to, s);
                        Value::Sym(s, Hint::Cell(to))
                    }
                    Some(_) => {
                        let s = self.function_of(format!("{offset} {step}"), &[s, index]);
                        Value::Sym(s, Hint::Area(area))
                    }
                }
            }
            Value::Sym(s, Hint::Data(global, least, most)) if least == most => {
                let element = self.function_of(format!("{offset} {step}"), &[s, index]);
                self.global_element(state, global, element, (least + low, least + high, step.abs()))
            }
            _ => return Ok(None),
        };
        self.set(state, dst, value);
        Ok(Some(Next::On))
    }

    pub(crate) fn width(&self, ty: Ty) -> i128 {
        i128::from(ty.bytes(self.program.target))
    }
}
