//! Comparisons of addresses. What depends on where objects lie, or on which of several objects is meant, may turn out either way.

use crate::build::Builder;
use crate::plan::{Key, ObjKind};
use crate::state::State;
use crate::value::{NULL, Obj, Offsets, Pointer, UNKNOWN, WILD};
use heapproof_ir::CmpOp;
use heapproof_logic::{BvOp, BvRel, Sort, Term};

/// No object lies in the first or last page, so addresses so near to an object do not wrap.
const PAGE: u64 = 4096;

impl Builder<'_> {
    /// The condition that a pointer leads to an object which stands for one object only.
    pub fn is_one_object(&self, pointer: &Pointer) -> Term {
        let many = pointer.may.iter().filter(|o| {
            **o == UNKNOWN
                || **o == WILD
                || matches!(self.plan.kind(**o), Some(ObjKind::Rest(..)))
                || self.plan.is_reborn(**o) && !fault!(1)
        });
        Term::and(many.map(|o| Term::not(pointer.is(*o))))
    }

    /// The condition that a pointer leads to a literal: literals may share memory, and one may be several of the source.
    pub fn is_literal(&self, pointer: &Pointer) -> Term {
        let is_nameless = |o: &&Obj| {
            !fault!(9)
                && matches!(self.plan.kind(**o), Some(ObjKind::Global(g)) if self.program.globals[g].anonymous)
        };
        Term::or(pointer.may.iter().filter(is_nameless).map(|o| pointer.is(*o)))
    }

    /// A comparison of pointers.
    pub fn compare_pointers(&mut self, state: &State, op: CmpOp, a: &Pointer, b: &Pointer) -> Term {
        let unsure = self.ssa.fresh("ptrcmp", Sort::Bool);
        let literals = Term::and([self.is_literal(a), self.is_literal(b)]);
        let precise = Term::and([self.is_one_object(a), self.is_one_object(b), Term::not(literals)]);
        let together = self.compare_inside(state, op, a, b, &unsure);
        let apart = match op {
            CmpOp::Eq | CmpOp::Ne => {
                let differ = Term::truth(op == CmpOp::Ne);
                let certain = Term::and([self.is_proper(state, a), self.is_proper(state, b)]);
                // Null is no address of an object, whatever became of that.
                let null = Term::or([a.is(NULL), b.is(NULL)]);
                let starts = Term::truth(a.offsets.single() == Some(0) && b.offsets.single() == Some(0));
                Term::ite(Term::or([certain, Term::and([null, starts])]), differ, unsure.clone())
            }
            _ => unsure.clone(),
        };
        let same_object = Term::eq(a.obj.clone(), b.obj.clone());
        Term::ite(precise, Term::ite(same_object, together, apart), self.rest_comparison(op, a, b, unsure))
    }

    /// A comparison of two places of one object.
    fn compare_inside(&mut self, state: &State, op: CmpOp, a: &Pointer, b: &Pointer, unsure: &Term) -> Term {
        match op {
            CmpOp::Eq | CmpOp::Ne => crate::inst::compare(op, a.off.clone(), b.off.clone()),
            CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => {
                if is_small(&a.offsets) && is_small(&b.offsets) {
                    return crate::inst::compare(op, a.off.clone(), b.off.clone());
                }
                let page = Term::bits(u128::from(PAGE), self.width);
                let moved = |p: &Pointer| Term::bv(BvOp::Add, p.off.clone(), page.clone());
                let order = crate::inst::compare(op, moved(a), moved(b));
                let near = Term::and([self.is_near(state, a), self.is_near(state, b)]);
                Term::ite(near, order, unsure.clone())
            }
            // Whether an address is negative is not known.
            _ => unsure.clone(),
        }
    }

    /// The condition that a pointer is less than a page away from its object, so that its address does not wrap.
    fn is_near(&mut self, state: &State, p: &Pointer) -> Term {
        if is_small(&p.offsets) {
            return Term::truth(true);
        }
        let page = Term::bits(u128::from(PAGE), self.width);
        let moved = Term::bv(BvOp::Add, p.off.clone(), page.clone());
        let mut near = Vec::new();
        for obj in &p.may {
            let size = match self.plan.kind(*obj) {
                // Null is the first address.
                None => {
                    let small = Term::rel(BvRel::Ult, p.off.clone(), page.clone());
                    near.push(Term::implies(p.is(*obj), small));
                    continue;
                }
                Some(ObjKind::Function(_) | ObjKind::Rest(..)) => Term::bits(0, self.width),
                Some(_) => self.number_of(state, Key::Size(*obj)),
            };
            let end = Term::bv(BvOp::Add, size.clone(), Term::bits(u128::from(2 * PAGE), self.width));
            let wraps = Term::rel(BvRel::Ult, end.clone(), size);
            let inside = Term::and([Term::rel(BvRel::Ult, moved.clone(), end), Term::not(wraps)]);
            near.push(Term::implies(p.is(*obj), inside));
        }
        Term::and(near)
    }

    /// A comparison where a pointer leads to one of many blocks: with null it is certain.
    fn rest_comparison(&mut self, op: CmpOp, a: &Pointer, b: &Pointer, unsure: Term) -> Term {
        if !matches!(op, CmpOp::Eq | CmpOp::Ne) {
            return unsure;
        }
        let plain = |p: &Pointer| {
            let loose = [UNKNOWN, WILD].iter().map(|o| Term::not(p.is(*o)));
            Term::and(loose)
        };
        let starts = Term::truth(a.offsets.single() == Some(0) && b.offsets.single() == Some(0));
        let null = Term::or([Term::and([a.is(NULL), plain(b)]), Term::and([b.is(NULL), plain(a)])]);
        Term::ite(Term::and([null, starts]), Term::truth(op == CmpOp::Ne), unsure)
    }

    /// The condition that the address of a pointer is that of no other object: its object lives, and it is inside.
    fn is_proper(&mut self, state: &State, p: &Pointer) -> Term {
        let mut proper = Vec::new();
        for obj in &p.may {
            let fine = match self.plan.kind(*obj) {
                // A distance from null may be any address.
                None => {
                    let start = Term::eq(p.off.clone(), Term::bits(0, self.width));
                    Term::and([Term::truth(*obj == NULL), start])
                }
                Some(ObjKind::Function(_)) => Term::eq(p.off.clone(), Term::bits(0, self.width)),
                Some(ObjKind::Rest(..)) => Term::truth(!self.plan.is_freed(*obj)),
                Some(_) => {
                    let size = self.number_of(state, Key::Size(*obj));
                    let inside = Term::rel(BvRel::Ult, p.off.clone(), size);
                    Term::and([self.lives(state, *obj), inside])
                }
            };
            proper.push(Term::implies(p.is(*obj), fine));
        }
        Term::and(proper)
    }
}

/// True if all offsets are constants at the start of an object: they are in order.
fn is_small(offsets: &Offsets) -> bool {
    matches!(offsets, Offsets::Set(set) if set.iter().all(|o| *o < PAGE))
}
