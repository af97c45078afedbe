//! Join of the orders of segments, and of the numbers that lie between segments in order.

use super::relations::Tie;
use super::{Input, Joiner, Side};
use crate::graph::{Def, ObjId, Object, State, Sym, Val};
use crate::number::Range;
use crate::order::Order;
use crate::relation::Form;
use heapproof_numbers::Linear;
use std::collections::{BTreeMap, BTreeSet};

/// The length of the widest numbers that have relations, in bytes.
const WIDE: u64 = 8;

/// A list of the result, and what it is on the sides; none where a side has no node there.
#[derive(Clone, Copy)]
struct Part {
    out: ObjId,
    left: Option<ObjId>,
    right: Option<ObjId>,
}

impl Part {
    fn on(self, side: Side) -> Option<ObjId> {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

impl Joiner<'_> {
    /// The segments of the result are in the orders in which they are on both sides.
    pub(super) fn orders(&mut self) {
        if !self.out.sorts {
            return;
        }
        for part in self.lists() {
            let orders = self.common_orders(part);
            let known = |state: &State, id: Option<ObjId>| id.map(|id| state.object(id).orders.clone());
            if let (Some(x), Some(y)) =
                (known(self.left.state, part.left), known(self.right.state, part.right))
            {
                let kept = |side: &[Order]| side.iter().all(|o| orders.iter().any(|kept| kept.implies(*o)));
                let (left, right) = (kept(&x), kept(&y));
                self.differences.orders |= !left || !right;
                self.left.keeps &= left || fault!(117);
                self.right.keeps &= right;
            }
            self.out.object_mut(part.out).orders = orders;
        }
    }

    /// Orders are known only when all numbers are. Below other nodes they are not kept.
    pub(super) fn forget_orders(&mut self, object: &mut Object, x: &Object, y: &Object) {
        object.orders = Vec::new();
        if object.level > 0 || self.merging.is_some() {
            self.left.keeps &= x.orders.is_empty();
            self.right.keeps &= y.orders.is_empty();
        }
    }

    /// A merged segment that has lost an order says less.
    pub(super) fn lose_orders(&mut self, x: &Object, y: &Object, merged: &[Order]) {
        let kept = |side: &Object| side.orders.iter().all(|o| merged.iter().any(|kept| kept.implies(*o)));
        self.left.keeps &= kept(x);
        self.right.keeps &= kept(y);
    }

    /// The lists of the top level that may be in order.
    fn lists(&self) -> Vec<Part> {
        let back = |map: &BTreeMap<ObjId, ObjId>| -> BTreeMap<ObjId, ObjId> {
            map.iter().map(|(own, out)| (*out, *own)).collect()
        };
        let (lefts, rights) = (back(&self.left.map), back(&self.right.map));
        let lists = self.out.objects.iter().filter(|(_, object)| object.may_be_in_order());
        let part =
            |out: ObjId| Part { out, left: lefts.get(&out).copied(), right: rights.get(&out).copied() };
        lists.map(|(out, _)| part(*out)).collect()
    }

    fn common_orders(&self, part: Part) -> Vec<Order> {
        let (x, y) = (
            part.left.map(|id| self.left.state.object(id)),
            part.right.map(|id| self.right.state.object(id)),
        );
        let top = |object: Option<&Object>| object.is_none_or(|object| object.level == 0 && !object.maybe);
        if !top(x) || !top(y) {
            return Vec::new();
        }
        let in_order = |state: &State, object: Option<&Object>, order: Order| {
            object.is_none_or(|object| state.is_in_order(object, order))
        };
        let fits = |order: &Order| {
            in_order(self.left.state, x, *order) && (in_order(self.right.state, y, *order) || fault!(115))
        };
        let out = self.out.object(part.out);
        let known = x.into_iter().chain(y).flat_map(|object| object.orders.iter().copied());
        let kept = known.filter_map(|order| [order, order.weak()].into_iter().find(fits));
        let own = |order: &Order| self.out.own_key(out, order.off, order.len).is_some();
        let all: BTreeSet<Order> = kept.filter(own).collect();
        let least = |order: &Order| !all.iter().any(|other| other != order && other.implies(*order));
        all.iter().copied().filter(least).collect()
    }

    /// Adds the numbers between lists of the result, with what they are on either side.
    pub(super) fn add_between(&mut self, ties: &mut Vec<Tie>) {
        if !self.out.sorts || !self.out.relates {
            return;
        }
        let lists = self.lists();
        for &low in &lists {
            for &high in lists.iter().filter(|high| high.out != low.out) {
                let orders = &self.out.object(low.out).orders;
                let others = &self.out.object(high.out).orders;
                let field = |order: &&Order| others.iter().any(|o| (o.off, o.len) == (order.off, order.len));
                if let Some(order) = orders.iter().find(field).copied() {
                    self.tie_between(low, high, order, ties);
                }
            }
        }
    }

    fn tie_between(&mut self, low: Part, high: Part, order: Order, ties: &mut Vec<Tie>) {
        let form = |side: Side| {
            let state = self.side(side).state;
            number_between(state, low.on(side), high.on(side), order)
        };
        let (Some(left), Some(right)) = (form(Side::Left), form(Side::Right)) else { return };
        let known = ties.iter().any(|tie| (&tie.left, &tie.right) == (&left, &right));
        if left.is_constant() && right.is_constant() || known {
            return;
        }
        let (Some(x), Some(y)) = (self.left.state.bounds(&left), self.right.state.bounds(&right)) else {
            return;
        };
        let width = (8 * WIDE) as u8;
        let range = self.grown(x, y, width);
        let sym = Sym {
            width,
            range,
            not: BTreeSet::new(),
            def: Def::Free,
            functions: BTreeSet::new(),
            level: 0,
            uninit: false,
            depth: 0,
        };
        self.left.keeps &= self.says_no_more_of(Side::Left, &left, y);
        self.right.keeps &= self.says_no_more_of(Side::Right, &right, x);
        let id = self.out.add_sym(sym);
        if self.out.form_of(id).is_some_and(|form| !form.is_constant()) {
            ties.push(Tie { id, left, right });
        }
    }

    /// True if a number that no node of a side has may be any of those that it is on the other side.
    fn says_no_more_of(&self, side: Side, form: &Form, other: Range) -> bool {
        let Input { state, partners, .. } = self.side(side);
        form.factors().all(|(id, _)| {
            let met = partners.contains_key(&Val::Sym(id));
            met || state.range(Val::Sym(id), state.syms[&id].width).covers(other)
                && state.syms[&id].not.is_empty()
        })
    }
}

/// A number that is not below those of the nodes of one object, and not above those of another. Either may have no nodes.
fn number_between(state: &State, low: Option<ObjId>, high: Option<ObjId>, order: Order) -> Option<Form> {
    let full = Range::full((8 * order.len) as u8);
    // Beyond all numbers of the field, where there are any.
    let beyond = i128::from(order.len < WIDE);
    match (low, high) {
        (None, None) => None,
        (None, Some(_)) => Some(Linear::constant(full.lo - beyond)),
        (Some(_), None) => Some(Linear::constant(full.hi + beyond)),
        (Some(low), Some(high)) => known_between(state, low, high, order),
    }
}

/// The number of a node, or one that was kept, if it lies between two objects.
fn known_between(state: &State, low: ObjId, high: ObjId, order: Order) -> Option<Form> {
    let (x, y) = (state.object(low), state.object(high));
    let (a, b) = (state.number_in(x, order.off, order.len)?, state.number_in(y, order.off, order.len)?);
    let forms: Vec<Form> = match (x.seg, y.seg) {
        (None, _) => vec![a.clone()],
        (_, None) => vec![b.clone()],
        _ => {
            let (mine, theirs) = (x.each_dimensions(), y.each_dimensions());
            let shared = mine.intersection(&theirs).copied().filter(|id| !state.is_own(*id));
            shared.filter_map(|id| state.form_of(id)).collect()
        }
    };
    if forms.is_empty() {
        return None;
    }
    let (below, above) = (state.seen_from(low), state.seen_from(high));
    let lies_between = |form: &Form| below.is_at_most(&a, form, 0) && above.is_at_most(form, &b, 0);
    forms.into_iter().find(lies_between)
}
