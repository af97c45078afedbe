//! Lists in order: numbers in a field of the nodes of a segment that do not decrease, or do not increase, along the links.
//!
//! A segment of the top level may know that of any two neighbours the first has the smaller number, or the greater one, in a field.
//! Numbers are compared in the signed view, as all relations do. How the numbers of the nodes compare with others, those of nodes
//! beside the segment among them, is said by what holds in each node ([`Object::each`]). That is all that is needed: of a node
//! that is taken out of an end, all that are left have numbers on one side of its own, and two neighbouring pieces are in order together
//! if they are in order, and all numbers of the first piece are on one side of those of the second.
//!
//! An empty segment says nothing, so nothing is to be watched there. Where two segments lie side by side, a number *between* them
//! is kept even if no node has it any more: it is the one that what holds in the nodes of both speaks of.

use crate::graph::{Def, ObjId, Object, Seg, State, Storage, SymId, Val};
use crate::relation::Form;
use crate::tree::Kids;
use heapproof_ir::{CmpOp, InstKind, Operand, Program, Reg};
use heapproof_numbers::{Constraint, Linear, Normal};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// The widest number that is compared, in bytes.
const WIDEST: u64 = 8;

/// More numbers between segments than these are not kept.
const MOST_BETWEEN: usize = 6;

/// An order of the nodes of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Order {
    /// The offset of the field.
    pub off: u64,
    /// Its length in bytes.
    pub len: u64,
    /// Numbers do not increase; otherwise they do not decrease.
    pub down: bool,
    /// No two neighbours have the same number.
    pub strict: bool,
}

impl Order {
    /// True if nodes in this order are in the other one, too.
    pub fn implies(self, other: Order) -> bool {
        Order { strict: other.strict, ..self } == other && (self.strict || !other.strict)
    }

    /// The same where neighbours may have the same number.
    pub fn weak(self) -> Order {
        Order { strict: false, ..self }
    }

    /// How far neighbours are apart at least.
    fn gap(self) -> i128 {
        i128::from(self.strict)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match (self.down, self.strict) {
            (false, false) => "does not decrease",
            (false, true) => "increases",
            (true, false) => "does not increase",
            (true, true) => "decreases",
        };
        write!(f, "+{} {how}", self.off)
    }
}

impl Object {
    /// Which segments may be in order: lists of the top level, with one kind of nodes.
    pub fn may_be_in_order(&self) -> bool {
        let list = self.seg.is_some_and(|seg| seg.kids == Kids::NONE);
        list && self.level == 0 && self.storage == Storage::Heap && self.kinds.is_empty()
    }
}

impl State {
    /// True if the nodes of an object are in an order. One node is, and so are nodes that have the same number.
    pub fn is_in_order(&self, object: &Object, order: Order) -> bool {
        let same = |val: Val| match val {
            Val::Int(_) => true,
            Val::Sym(id) => self.syms[&id].level == 0 && self.is_number(val),
            Val::Addr(_) | Val::Func(_) => false,
        };
        object.seg.is_none()
            || object.orders.iter().any(|known| known.implies(order))
            || !order.strict && object.peek(order.off, order.len).is_some_and(same)
    }

    /// The number in a field of an object, or of each node of a segment.
    pub fn number_in(&self, object: &Object, off: u64, len: u64) -> Option<Form> {
        let val = object.peek(off, len).filter(|val| len <= WIDEST && self.is_number(*val))?;
        self.form_within(object.seg.is_some(), val, (8 * len) as u8)
    }

    /// The symbol in a field of which each node of a segment has its own number.
    pub fn own_key(&self, object: &Object, off: u64, len: u64) -> Option<SymId> {
        match object.cells.get(&off) {
            Some(cell) if cell.len == len && len <= WIDEST => match cell.val {
                Val::Sym(id) if self.is_own(id) && self.syms[&id].def == Def::Free => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The orders of the segment that two neighbouring nodes or segments become.
    pub fn orders_of_both(&self, first: ObjId, second: ObjId, shape: Seg) -> Vec<Order> {
        let (x, y) = (self.object(first), self.object(second));
        let merged = Object { seg: Some(shape), kinds: Vec::new(), ..x.clone() };
        if !self.sorts || self.kinds.is_some() || !merged.may_be_in_order() {
            return Vec::new();
        }
        let Some(seen) = self.seen_from_both(first, second) else { return Vec::new() };
        let ptr = self.pointer_bytes();
        let is_link = |off: u64, len: u64| shape.linked(ptr).any(|link| off < link + ptr && link < off + len);
        let mut orders = Vec::new();
        let cells = x.cells.iter().chain(&y.cells);
        let fields: BTreeSet<(u64, u64)> = cells.map(|(off, cell)| (*off, cell.len)).collect();
        for (off, len) in fields.into_iter().filter(|(off, len)| !is_link(*off, *len)) {
            let (Some(a), Some(b)) = (self.number_in(x, off, len), self.number_in(y, off, len)) else {
                continue;
            };
            for down in [false, true] {
                let (low, high) = if down { (&b, &a) } else { (&a, &b) };
                let fits = |order: &Order| {
                    let apart = seen.is_at_most(low, high, order.gap()) || fault!(113);
                    self.is_in_order(x, *order) && self.is_in_order(y, *order) && apart
                };
                let strict = Order { off, len, down, strict: true };
                orders.extend([strict, strict.weak()].into_iter().find(fits));
            }
        }
        orders
    }

    /// A segment is in these orders, as far as each of its nodes has a number of its own.
    pub fn set_orders(&mut self, id: ObjId, mut orders: Vec<Order>) {
        orders.retain(|order| self.own_key(self.object(id), order.off, order.len).is_some());
        self.object_mut(id).orders = orders;
    }

    /// The configuration as it looks from a node of either of two objects; none if these have the same number in both.
    fn seen_from_both(&self, first: ObjId, second: ObjId) -> Option<State> {
        let own = |id: ObjId| match self.object(id).seg {
            Some(_) => self.own_numbers(id),
            None => BTreeSet::new(),
        };
        let mut seen = self.seen_from(first);
        if let Some(each) = &self.object(second).each {
            crate::each::add_all(Rc::make_mut(&mut seen.relations), each);
        }
        own(first).is_disjoint(&own(second)).then_some(seen)
    }

    /// What is left of a segment in order has numbers on one side of that of a node that was before it, or after it.
    pub fn put_in_order(&mut self, rest: ObjId, node: ObjId, before: bool) {
        let object = self.object(rest);
        let mut each = object.each.as_deref().cloned().unwrap_or_default();
        for &order in &object.orders {
            let own = self.own_key(object, order.off, order.len).map(Linear::dimension);
            let key = self.number_in(self.object(node), order.off, order.len);
            let (Some(own), Some(key)) = (own, key) else { continue };
            let above = (before != order.down) != fault!(114);
            let apart = if above { own.plus(&key, -1) } else { key.plus(&own, -1) };
            let form = apart.and_then(|form| form.plus(&Linear::constant(order.gap()), -1));
            if let Some(Normal::Says(constraint)) = form.map(|form| Constraint::not_negative(&form)) {
                let _ = each.add(Normal::Says(constraint));
            }
        }
        let each = self.about_nodes(&each);
        self.object_mut(rest).each = each;
    }

    /// The numbers between segments: what holds in the nodes of two lists in order speaks of them.
    pub fn between(&self) -> BTreeSet<SymId> {
        let mut seen: BTreeMap<SymId, u32> = BTreeMap::new();
        if self.sorts {
            let sorted = self.objects.values().filter(|object| !object.orders.is_empty());
            for id in sorted.flat_map(|object| object.each_dimensions()).filter(|id| !self.is_own(*id)) {
                *seen.entry(id).or_default() += 1;
            }
        }
        seen.into_iter().filter(|(_, count)| *count > 1).map(|(id, _)| id).take(MOST_BETWEEN).collect()
    }
}

/// True if a program compares numbers of nodes: which is the smaller one of two that are no constants, and one was just loaded.
pub fn are_compared(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    bodies.into_iter().any(|body| {
        let insts = || body.blocks.values().flat_map(|block| &block.insts).map(|inst| &inst.kind);
        let mut loaded: BTreeSet<Reg> = BTreeSet::new();
        for inst in insts() {
            match inst {
                InstKind::Load { dst, .. } => {
                    loaded.insert(*dst);
                }
                InstKind::Cast { dst, a: Operand::Reg(reg), .. } if loaded.contains(reg) => {
                    loaded.insert(*dst);
                }
                _ => {}
            }
        }
        insts().any(|inst| match inst {
            InstKind::Cmp { op, a: Operand::Reg(a), b: Operand::Reg(b), .. } => {
                !matches!(op, CmpOp::Eq | CmpOp::Ne) && (loaded.contains(a) || loaded.contains(b))
            }
            _ => false,
        })
    })
}
