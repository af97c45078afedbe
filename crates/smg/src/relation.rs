//! Relations between unknown numbers: linear forms of symbols, and what the configuration says about them.
//!
//! A symbol stands for a whole number: its bits in the signed view. Sums with constants, multiples and casts are kept only
//! where they do not wrap, so each symbol is a linear form of free symbols. The configuration has a system of
//! linear constraints between free symbols of level 0 (crate `numbers`); their ranges stay with the symbols.

use crate::graph::{Addr, Def, State, SymId, Tg, Val};
use crate::number::{Range, bits};
use heapproof_ir::{CmpOp, InstKind, Operand, Program, mask, sign_extend};
use heapproof_numbers::{Constraint, Least, Linear, Normal, Ranges, Relation, System};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A linear form of symbols.
pub type Form = Linear<SymId>;

/// Wider numbers have no relations.
const WIDEST: u8 = 64;

impl Ranges<SymId> for State {
    fn range(&self, id: SymId) -> (i128, i128) {
        match self.syms.get(&id) {
            Some(sym) => {
                let range = State::range(self, Val::Sym(id), sym.width);
                (range.lo, range.hi)
            }
            None => (i128::from(i64::MIN), i128::from(i64::MAX)),
        }
    }
}

/// True if a program may have blocks whose sizes are no constants.
pub fn has_blocks_of_any_size(program: &Program) -> bool {
    instructions(program).any(|inst| has_variable_size(program, inst))
}

fn instructions(program: &Program) -> impl Iterator<Item = &InstKind> {
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.insts).map(|inst| &inst.kind)
}

fn varies(operand: &Operand) -> bool {
    matches!(operand, Operand::Reg(_))
}

fn has_variable_size(program: &Program, inst: &InstKind) -> bool {
    match inst {
        InstKind::Alloca { size, .. } => varies(size),
        InstKind::Call { callee: heapproof_ir::Callee::Direct(func), args, .. } => {
            let function = &program.functions[*func];
            let number = |at: usize| function.params.get(at).is_some_and(|ty| *ty != heapproof_ir::Ty::Ptr);
            function.body.is_none() && args.iter().enumerate().any(|(at, arg)| varies(arg) && number(at))
        }
        _ => false,
    }
}

/// True if relations may help to prove a program: it has indices or sizes that are no constants.
pub fn are_useful(program: &Program) -> bool {
    instructions(program).any(|inst| match inst {
        InstKind::PtrAdd { index: Some((index, _)), .. } => varies(index),
        InstKind::CopyBlock { len, .. } | InstKind::FillBlock { len, .. } => varies(len),
        inst => has_variable_size(program, inst),
    })
}

/// A form that is the sum of a form and a multiple of another.
fn sum(a: &Form, b: &Form, times: i128) -> Option<Form> {
    a.plus(b, times)
}

impl State {
    /// A number as a linear form of free symbols; none if it is no number, or one per node.
    pub fn form(&self, val: Val, width: u8) -> Option<Form> {
        match val {
            Val::Int(number) => Some(Linear::constant(sign_extend(number & mask(width), width))),
            Val::Sym(id) => self.form_of(id),
            Val::Addr(_) | Val::Func(_) => None,
        }
    }

    /// A symbol as a linear form.
    pub fn form_of(&self, id: SymId) -> Option<Form> {
        let sym = self.syms.get(&id)?;
        if sym.level > 0 || sym.width > WIDEST || !sym.functions.is_empty() {
            return None;
        }
        match sym.def {
            Def::Free if sym.range.lo == sym.range.hi => Some(Linear::constant(sym.range.lo)),
            Def::Free => Some(Linear::dimension(id)),
            Def::Plus(source, by) => sum(&self.form_of(source)?, &Linear::constant(by), 1),
            Def::Same(source) => self.form_of(source),
            Def::Times(source, by) => self.form_of(source)?.times(by),
            Def::At(..) => None,
        }
    }

    /// The offset of an address of a region, in whole numbers.
    pub fn offset(&self, ptr: Val) -> Option<Form> {
        match ptr {
            Val::Addr(addr) => Some(Linear::constant(addr.off.into())),
            Val::Sym(id) => match self.syms.get(&id)?.def {
                Def::At(base, index, scale) => {
                    sum(&Linear::constant(base.off.into()), &self.form_of(index)?, scale.into())
                }
                _ => None,
            },
            Val::Int(_) | Val::Func(_) => None,
        }
    }

    /// True if a form is surely not negative.
    pub fn is_never_negative(&self, form: &Form) -> bool {
        let (lo, _) = self.bounds_by_ranges(form);
        if lo.is_some_and(|lo| lo >= 0) || self.relations.is_empty() {
            return lo.is_some_and(|lo| lo >= 0);
        }
        // Divided by what its factors have in common, less room is left between whole numbers.
        match Constraint::not_negative(form) {
            Normal::True => true,
            Normal::False => false,
            Normal::Says(constraint) => self.relations.entails(constraint.form(), self),
        }
    }

    /// True if `a` is surely at most `b`, with some distance.
    pub fn is_at_most(&self, a: &Form, b: &Form, distance: i128) -> bool {
        sum(b, a, -1)
            .and_then(|form| sum(&form, &Linear::constant(distance), -1))
            .is_some_and(|form| self.is_never_negative(&form))
    }

    fn bounds_by_ranges(&self, form: &Form) -> (Option<i128>, Option<i128>) {
        let mut ends = (Some(form.offset()), Some(form.offset()));
        for (id, factor) in form.factors() {
            let (lo, hi) = Ranges::range(self, id);
            let (lo, hi) = if factor > 0 { (lo, hi) } else { (hi, lo) };
            let add = |end: Option<i128>, to: i128| end?.checked_add(to.checked_mul(factor)?);
            ends = (add(ends.0, lo), add(ends.1, hi));
        }
        ends
    }

    /// The range of a form; none if it is not known.
    pub fn bounds(&self, form: &Form) -> Option<Range> {
        let (lo, hi) = self.bounds_by_ranges(form);
        if self.relations.is_empty() || form.is_constant() {
            return Some(Range { lo: lo?, hi: hi? });
        }
        let least = |form: &Form| match self.relations.minimum(form, self) {
            Least::Value(least) => Some(least.ceil().to_integer()),
            _ => None,
        };
        let lo = least(form).into_iter().chain(lo).max()?;
        let hi = form.times(-1).and_then(|form| Some(-least(&form)?)).into_iter().chain(hi).min()?;
        (lo <= hi).then_some(Range { lo, hi })
    }

    /// Decides a comparison of whole numbers.
    pub fn decide_forms(&self, op: CmpOp, a: &Form, b: &Form) -> Option<bool> {
        let less = |a: &Form, b: &Form| self.is_at_most(a, b, 1);
        let not_greater = |a: &Form, b: &Form| self.is_at_most(a, b, 0);
        match op {
            CmpOp::Eq | CmpOp::Ne => {
                let equal = if less(a, b) || less(b, a) {
                    Some(false)
                } else if not_greater(a, b) && not_greater(b, a) {
                    Some(true)
                } else {
                    None
                };
                equal.map(|equal| equal == (op == CmpOp::Eq))
            }
            CmpOp::Slt | CmpOp::Ult if less(a, b) => Some(true),
            CmpOp::Slt | CmpOp::Ult => not_greater(b, a).then_some(false),
            CmpOp::Sle | CmpOp::Ule if not_greater(a, b) => Some(true),
            CmpOp::Sle | CmpOp::Ule => less(b, a).then_some(false),
            CmpOp::Sgt | CmpOp::Ugt => self.decide_forms(CmpOp::Slt, b, a),
            CmpOp::Sge | CmpOp::Uge => self.decide_forms(CmpOp::Sle, b, a),
        }
    }

    /// Decides a comparison of numbers by what is known of their difference.
    pub fn decide_by_relations(&self, op: CmpOp, width: u8, a: Val, b: Val) -> Option<bool> {
        let (a, b) = (self.form(a, width)?, self.form(b, width)?);
        let apart = sum(&a, &b, -1)?;
        if self.relations.is_empty() && !apart.is_constant() {
            return None;
        }
        let unsigned = matches!(op, CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge);
        if unsigned && !(self.is_never_negative(&a) && self.is_never_negative(&b)) {
            return None;
        }
        self.decide_forms(op, &a, &b)
    }

    /// Takes a comparison of whole numbers as true; false if it cannot be.
    pub fn assume_forms(&mut self, op: CmpOp, a: &Form, b: &Form) -> bool {
        if !self.relates {
            return true;
        }
        let gap = |a: &Form, b: &Form, gap: i128| {
            sum(b, a, -1).and_then(|form| sum(&form, &Linear::constant(gap), -1))
        };
        let normal = match op {
            CmpOp::Eq => gap(a, b, 0).map(|form| Constraint::zero(&form)),
            CmpOp::Ne if self.is_at_most(a, b, 0) => gap(a, b, 1).map(|form| Constraint::not_negative(&form)),
            CmpOp::Ne if self.is_at_most(b, a, 0) => gap(b, a, 1).map(|form| Constraint::not_negative(&form)),
            CmpOp::Ne => None,
            CmpOp::Slt | CmpOp::Ult => {
                gap(a, b, 1 + i128::from(fault!(47))).map(|form| Constraint::not_negative(&form))
            }
            CmpOp::Sle | CmpOp::Ule => gap(a, b, 0).map(|form| Constraint::not_negative(&form)),
            CmpOp::Sgt | CmpOp::Ugt => return self.assume_forms(CmpOp::Slt, b, a),
            CmpOp::Sge | CmpOp::Uge => return self.assume_forms(CmpOp::Sle, b, a),
        };
        normal.is_none_or(|normal| self.add_constraint(normal))
    }

    /// Takes a comparison of numbers, whose ranges it has narrowed already, as a relation; false if it cannot be one.
    pub fn assume_by_relations(&mut self, op: CmpOp, width: u8, a: Val, b: Val) -> bool {
        let (Some(a), Some(b)) = (self.form(a, width), self.form(b, width)) else { return true };
        let unsigned = matches!(op, CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge);
        if unsigned && !(self.is_never_negative(&a) && self.is_never_negative(&b)) && !fault!(48) {
            return true;
        }
        self.assume_forms(op, &a, &b)
    }

    /// Adds a constraint. What speaks of one symbol only narrows its range. False if it cannot hold.
    fn add_constraint(&mut self, normal: Normal<SymId>) -> bool {
        let constraint = match normal {
            Normal::True => return true,
            Normal::False => return false,
            Normal::Says(constraint) => constraint,
        };
        let form = constraint.form().clone();
        let mut factors = form.factors();
        if let (Some((id, factor)), None) = (factors.next(), factors.next()) {
            // factor * id + offset is 0, or not negative; factors are 1 or -1 then.
            let end = -form.offset() * factor;
            let range = match (constraint.relation(), factor > 0) {
                (Relation::Zero, _) => Range::one(end),
                (Relation::NotNegative, true) => Range { lo: end, hi: i128::MAX },
                (Relation::NotNegative, false) => Range { lo: i128::MIN, hi: end },
            };
            return self.restrict(id, range) && self.hand_on_values();
        }
        Rc::make_mut(&mut self.relations).add(Normal::Says(constraint)).is_ok() && self.hand_on_values()
    }

    /// Where an equality speaks of one number whose value is not known yet, it has that value; false if it cannot have it.
    pub fn hand_on_values(&mut self) -> bool {
        const ROUNDS: usize = 4;
        for _ in 0..ROUNDS {
            let relations = Rc::clone(&self.relations);
            let mut changed = false;
            for constraint in relations.constraints().filter(|c| c.relation() == Relation::Zero) {
                let Some((id, value)) = self.only_unknown(constraint.form()) else { continue };
                if !self.restrict(id, Range::one(value)) {
                    return false;
                }
                changed = true;
            }
            if !changed {
                break;
            }
        }
        true
    }

    /// The only symbol of an equality that may have several values, and the value that the equality gives it.
    fn only_unknown(&self, form: &Form) -> Option<(SymId, i128)> {
        let (mut unknown, mut rest) = (None, form.offset());
        for (id, factor) in form.factors() {
            let (lo, hi) = Ranges::range(self, id);
            if lo == hi {
                rest = rest.checked_add(lo.checked_mul(factor)?)?;
            } else if unknown.replace((id, factor)).is_some() {
                return None;
            }
        }
        let (id, factor) = unknown?;
        let value = if fault!(103) { rest / factor } else { -rest / factor };
        (rest % factor == 0).then_some((id, value))
    }

    /// Adds a constraint whose symbols are other numbers here; one that is not a linear form makes it void.
    pub fn adopt(&mut self, constraint: &Constraint<SymId>, number: impl Fn(&State, SymId) -> Option<Form>) {
        // It holds of the same numbers elsewhere, so it does not contradict what is known here.
        self.take(constraint, number);
    }

    /// Takes a constraint whose symbols are other numbers here as true; false if it cannot be.
    pub fn take(
        &mut self,
        constraint: &Constraint<SymId>,
        number: impl Fn(&State, SymId) -> Option<Form>,
    ) -> bool {
        let start = Linear::constant(constraint.form().offset());
        let form = constraint
            .form()
            .factors()
            .try_fold(start, |form: Form, (id, factor)| sum(&form, &number(self, id)?, factor));
        let Some(form) = form else { return true };
        self.add_constraint(match constraint.relation() {
            Relation::Zero => Constraint::zero(&form),
            Relation::NotNegative => Constraint::not_negative(&form),
        })
    }

    /// A number that equals a form; any number if it may not fit the width.
    pub fn number_of(&mut self, form: &Form, width: u8) -> Val {
        let Some(range) = self.range_within(form, width) else { return self.unknown(width) };
        if range.lo == range.hi {
            return Val::Int(bits(range.lo, width));
        }
        let mut factors = form.factors();
        if let (Some((id, factor @ 1..)), None) = (factors.next(), factors.next()) {
            let fits = Range::full(width).covers(State::range(self, Val::Sym(id), width));
            let wide = if self.syms[&id].width == width {
                Some(Val::Sym(id))
            } else {
                fits.then(|| self.derived(width, State::range(self, Val::Sym(id), width), Def::Same(id)))
            };
            if let Some(wide) = wide {
                use heapproof_ir::BinOp::{Add, Mul};
                let multiple = self.arithmetic(Mul, width, wide, Val::Int(bits(factor, width)));
                let found = self.arithmetic(Add, width, multiple, Val::Int(bits(form.offset(), width)));
                if self.form(found, width).as_ref() == Some(form) {
                    return found;
                }
            }
        }
        let val = self.derived(width, range, Def::Free);
        if let (Val::Sym(id), true) = (val, self.relates) {
            self.assume_forms(CmpOp::Eq, &Linear::dimension(id), form);
        }
        val
    }

    /// `a op b` as a number that is tied to both, for sums and differences that do not wrap.
    pub fn tied_sum(&mut self, width: u8, a: Val, b: Val, times: i128) -> Option<Val> {
        if !self.relates || width > WIDEST {
            return None;
        }
        let form = sum(&self.form(a, width)?, &self.form(b, width)?, times)?;
        self.range_within(&form, width)?;
        Some(self.number_of(&form, width))
    }

    /// Remembers that a number is at most another one less a distance; both are known as numbers.
    pub fn note_at_most(&mut self, a: Val, b: Val, width: u8, distance: i128) {
        if let (Some(a), Some(b)) = (self.form(a, width), self.form(b, width))
            && let Some(a) = sum(&a, &Linear::constant(distance), 1)
        {
            self.assume_forms(CmpOp::Sle, &a, &b);
        }
    }

    /// `q = a / by` for a number that is not negative.
    pub fn note_quotient(&mut self, quotient: Val, a: Val, by: i128, width: u8) {
        let (Some(q), Some(a)) = (self.form(quotient, width), self.form(a, width)) else { return };
        let Some(product) = q.times(by) else { return };
        let Some(most) = sum(&product, &Linear::constant(by - 1), 1) else { return };
        self.assume_forms(CmpOp::Sle, &product, &a);
        self.assume_forms(CmpOp::Sle, &a, &most);
    }

    /// The address at an offset of an object that is a form: a constant multiple of a number behind a constant.
    pub fn address_at(&mut self, obj: crate::graph::ObjId, offset: &Form) -> Val {
        let width = self.pointer_bits();
        let scale = offset.factors().fold(0, |all: i128, (_, factor)| gcd(all, factor.abs()));
        let base = |off: i128| Addr { obj, off: off as i64, tg: Tg::Region };
        if scale == 0 {
            return Val::Addr(base(offset.offset()));
        }
        let start = offset.offset().rem_euclid(scale);
        let mut index = Linear::constant((offset.offset() - start) / scale);
        for (id, factor) in offset.factors() {
            match index.plus(&Linear::dimension(id), factor / scale) {
                Some(sum) => index = sum,
                None => return self.unknown(width),
            }
        }
        match self.number_of(&index, width) {
            Val::Int(n) => Val::Addr(base(start + scale * sign_extend(n, width))),
            Val::Sym(id) if self.form_of(id).is_some_and(|form| form == index) || self.ties(id, &index) => {
                self.derived(width, Range::full(width), Def::At(base(start), id, scale as i64))
            }
            _ => self.unknown(width),
        }
    }

    /// An address of a region moved by a constant and a multiple of a number.
    pub fn moved_by(&mut self, obj: crate::graph::ObjId, ptr: Val, by: i64, index: Val, scale: i64) -> Val {
        let width = self.pointer_bits();
        let moved = self.offset(ptr).and_then(|offset| {
            let index = if self.is_number(index) { self.form(index, width)? } else { return None };
            sum(&sum(&offset, &index, scale.into())?, &Linear::constant(by.into()), 1)
        });
        match moved {
            Some(offset) => self.address_at(obj, &offset),
            None => self.unknown(width),
        }
    }

    /// The distance between two addresses of one object in bytes; any number if they may be of different ones.
    pub fn distance(&mut self, a: Val, b: Val, width: u8) -> Val {
        let (Some((x, lo, hi)), Some((y, low, high))) = (self.place(a), self.place(b)) else {
            return self.unknown(width);
        };
        if x != y {
            return self.unknown(width);
        }
        let apart = |a: Form, b: Form| sum(&a, &b, -1);
        if let Some(form) = self.offset(a).zip(self.offset(b)).and_then(|(a, b)| apart(a, b))
            && self.bounds(&form).is_some_and(|range| Range::full(width).covers(range))
        {
            return self.number_of(&form, width);
        }
        let range = Range { lo: lo - high, hi: hi - low };
        match Range::full(width).covers(range) {
            true => self.derived(width, range, Def::Free),
            false => self.unknown(width),
        }
    }

    /// True if a symbol was just made for a form.
    fn ties(&self, id: SymId, form: &Form) -> bool {
        let own = Linear::dimension(id);
        self.is_at_most(&own, form, 0) && self.is_at_most(form, &own, 0)
    }

    /// Forgets all symbols but these in relations; what follows for the others stays.
    pub fn keep_relations(&mut self, used: &BTreeSet<SymId>) {
        if self.relations.is_empty() {
            return;
        }
        let gone: Vec<SymId> =
            self.relations.dimensions().into_iter().filter(|id| !used.contains(id)).collect();
        if gone.is_empty() {
            return;
        }
        gone.iter().for_each(|id| self.hand_on_range(*id, used));
        let value = |id: &SymId| {
            let (lo, hi) = Ranges::range(self, *id);
            Linear::dimension(*id).plus(&Linear::constant(lo), -1).filter(|_| lo == hi)
        };
        let values: Vec<Form> = gone.iter().filter_map(value).collect();
        let mut relations: System<SymId> = (*self.relations).clone();
        for value in values {
            let _ = relations.add(Constraint::zero(&value));
        }
        gone.into_iter().for_each(|id| relations.forget_within(id, self));
        self.relations = Rc::new(relations);
    }

    /// The range of a number that is forgotten goes to those that it is the sum of.
    fn hand_on_range(&mut self, id: SymId, used: &BTreeSet<SymId>) {
        let (lo, hi) = Ranges::range(self, id);
        let is_sum = |constraint: &&Constraint<SymId>| {
            let form = constraint.form();
            constraint.relation() == Relation::Zero
                && form.factor(id).abs() == 1
                && form.factors().all(|(other, _)| other == id || used.contains(&other))
        };
        let Some(equality) = self.relations.constraints().find(is_sum).map(|c| c.form().clone()) else {
            return;
        };
        // id = id - factor * equality, where it has no factor any more.
        let Some(form) = Linear::dimension(id).plus(&equality, -equality.factor(id)) else { return };
        let (least, most) = self.bounds_by_ranges(&form);
        if least.is_none_or(|least| least < lo) {
            self.assume_forms(CmpOp::Sle, &Linear::constant(lo), &form);
        }
        if most.is_none_or(|most| most > hi) {
            self.assume_forms(CmpOp::Sle, &form, &Linear::constant(hi));
        }
    }

    /// True if a relation speaks of both symbols.
    pub fn are_related(&self, a: SymId, b: SymId) -> bool {
        let (Some(a), Some(b)) = (self.form_of(a), self.form_of(b)) else { return false };
        let speaks = |constraint: &Constraint<SymId>, form: &Form| {
            form.factors().any(|(id, _)| constraint.form().factor(id) != 0)
        };
        self.relations.constraints().any(|c| speaks(c, &a) && speaks(c, &b))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
