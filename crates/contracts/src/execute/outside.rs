//! Pointers that may lie outside of their objects, and objects that nobody may write or free.
//!
//! Pointers that are kept (in memory, in variables of loops, as arguments and results by contract) lie in their object or at its end, or
//! are numbers: that is shown where they are kept. So they are null only if they are the number 0. What is computed from them may
//! lie anywhere, and may have the number of anything, null included.

use super::values::Val;
use super::{Kind, State, Stop, Verifier, position};
use crate::condition::{Frame, Part, Pointer};
use crate::spec::ContractSpec;
use crate::typed::{Form, Int, Ptr, Set};
use heapproof_ir::{BlockId, FuncId, GlobalId, InstKind, Operand, Span};
use heapproof_logic::{Kind as TermKind, Op, Sort, Term};
use std::collections::BTreeSet;

/// No object lies in the first or the last page.
const PAGE: i128 = 4096;

/// The two arms of a choice.
fn arms(term: &Term) -> Option<(&Term, &Term, &Term)> {
    match term.as_op() {
        Some((Op::Ite, [condition, then, otherwise])) => Some((condition, then, otherwise)),
        _ => None,
    }
}

impl Verifier<'_> {
    /// How far a pointer surely is from one that was kept, which lies in its object or at its end.
    fn distance_from_kept(&self, pointer: &Pointer) -> Option<i128> {
        let Pointer { object, offset } = pointer;
        if *object == self.words.null_object {
            return Some(0);
        }
        if let Some((condition, a, b)) = arms(offset) {
            let (x, y) = match arms(object) {
                Some((same, x, y)) if same == condition => (x, y),
                _ => (object, object),
            };
            let far = |object: &Term, offset: &Term| {
                self.distance_from_kept(&Pointer { object: object.clone(), offset: offset.clone() })
            };
            return Some(far(x, a)?.max(far(y, b)?));
        }
        if let Some((_, x, y)) = arms(object) {
            let far = |object: &Term| {
                self.distance_from_kept(&Pointer { object: object.clone(), offset: offset.clone() })
            };
            return Some(far(x)?.max(far(y)?));
        }
        let (constant, parts) = offset.linear()?;
        match parts.as_slice() {
            [] => Some(constant.abs()),
            [(part, 1)] if is_pair(object, part) => Some(constant.abs()),
            _ => None,
        }
    }

    /// A pointer is about to be kept: it lies in its object or at its end, or is a number.
    pub(super) fn keep(&mut self, val: &Val, span: Span) -> Result<(), Stop> {
        let Val::Pointer(pointer) = val else { return Ok(()) };
        if self.distance_from_kept(pointer) == Some(0) {
            return Ok(());
        }
        let goal = self.is_kept(pointer);
        self.oblige(goal, Kind::Outside, position(span), Some(span))
    }

    /// A pointer lies in its object or at its end, or is a number.
    pub(super) fn is_kept(&self, pointer: &Pointer) -> Term {
        let is_number = Term::eq(pointer.object.clone(), self.words.null_object.clone());
        Term::or([is_number, self.within(pointer, 0)])
    }

    /// A pointer lies in its object or at most some bytes away from it.
    fn within(&self, pointer: &Pointer, slack: i128) -> Term {
        let end = Term::int_add(self.words.size(&pointer.object), Term::int(slack));
        Term::and([
            Term::int_le(Term::int(-slack), pointer.offset.clone()),
            Term::int_le(pointer.offset.clone(), end),
        ])
    }

    /// Two pointers to different objects, or a number and a pointer to an object, may have the same number.
    pub(super) fn may_agree(&mut self, state: &State, p: &Pointer, q: &Pointer) -> Term {
        if p.object == q.object {
            return Term::truth(false);
        }
        let null = &self.words.null_object;
        let is_number = |pointer: &Pointer| Term::eq(pointer.object.clone(), null.clone());
        let inside = |pointer: &Pointer| state.heap.valid(self.words, pointer, Term::int(1));
        let one = |number: &Pointer, address: &Pointer| {
            let is_zero = Term::eq(number.offset.clone(), Term::int(0));
            let far = match self.distance_from_kept(address) {
                Some(distance) if distance < PAGE => Term::truth(false),
                _ => self.within(address, PAGE - 1).not(),
            };
            Term::and([is_number(number), is_number(address).not(), Term::or([is_zero.not(), far])])
        };
        let addresses = Term::and([
            is_number(p).not(),
            is_number(q).not(),
            Term::ne(p.object.clone(), q.object.clone()),
            Term::or([inside(p).not(), inside(q).not()]),
        ]);
        let possible = Term::or([addresses, one(p, q), one(q, p)]);
        Term::and([possible, self.words.fresh("b", Sort::Bool)])
    }

    /// The variables of pointers that a loop changes are kept.
    pub(super) fn keep_at_loop(
        &mut self,
        state: &State,
        (func, header): (FuncId, BlockId),
        span: Span,
    ) -> Result<(), Stop> {
        let assigned = self.assigned(func, header)?;
        for reg in self.live(func, header) {
            if assigned.contains(&reg)
                && let Some(val) = state.top().regs.get(&reg).cloned()
            {
                self.keep(&val, span)?;
            }
        }
        Ok(())
    }

    /// Globals whose address is a value in the functions that run, or in their contracts and those that they call by.
    fn exposed(&self, state: &State, with_modifies: bool) -> BTreeSet<GlobalId> {
        let mut all = BTreeSet::new();
        let mut contracts: BTreeSet<FuncId> = BTreeSet::from([self.root]);
        for frame in &state.frames {
            let Some(body) = &self.program.functions[frame.func].body else { continue };
            for inst in body.blocks.values().flat_map(|block| &block.insts) {
                let mut note = |operand: &Operand| {
                    if let Operand::Global(id) = operand {
                        all.insert(*id);
                    }
                };
                match &inst.kind {
                    InstKind::Load { .. } => {}
                    InstKind::Store { value, .. } => note(value),
                    other => other.for_each_use(note),
                }
                if let InstKind::Call { callee: heapproof_ir::Callee::Direct(callee), .. } = &inst.kind {
                    contracts.insert(*callee);
                }
            }
        }
        for contract in contracts.into_iter().filter_map(|func| self.contract(func)) {
            named_globals(contract, with_modifies, &mut all);
        }
        all
    }

    /// What is written is no constant.
    pub(super) fn writable(&mut self, state: &State, at: &Pointer, span: Span) -> Result<(), Stop> {
        let goal = self.is_writable(state, at);
        self.oblige(goal, Kind::Constant, position(span), Some(span))
    }

    /// A place is in no constant of which the functions that run may have an address. What the function may change by its contract is
    /// no constant either, unless the contract itself names it: the caller has to see to that.
    fn is_writable(&mut self, state: &State, at: &Pointer) -> Term {
        let constants: Vec<GlobalId> =
            self.exposed(state, true).into_iter().filter(|id| self.program.globals[*id].constant).collect();
        if constants.is_empty() || self.made.contains(&at.object) {
            return Term::truth(true);
        }
        let mut named = BTreeSet::new();
        if let Some(contract) = self.contract(self.root) {
            named_globals(contract, true, &mut named);
        }
        let (args, entry) = (self.entry_args.clone(), self.entry_heap.clone());
        let frame = self.frame_of(self.root, &args, &entry);
        self.assume([]);
        let is_allowed = frame.covers(at, 1);
        Term::and(constants.into_iter().map(|id| {
            let other = Term::ne(at.object.clone(), self.words.global(&self.program.globals[id].name));
            if named.contains(&id) { other } else { Term::or([other, is_allowed.clone()]) }
        }))
    }

    /// An object is no variable: those of the functions that run, and globals whose addresses they have.
    pub(super) fn is_no_variable(&self, state: &State, object: &Term) -> Term {
        let locals = state.frames.iter().flat_map(|frame| frame.locals.values().cloned());
        let globals = self.exposed(state, false).into_iter();
        let globals = globals.map(|id| self.words.global(&self.program.globals[id].name));
        Term::and(locals.chain(globals).map(|known| Term::ne(object.clone(), known)))
    }

    /// What a callee may change and free by its contract may be changed and freed.
    pub(super) fn may_hand_over(&mut self, state: &State, frame: &Frame, span: Span) -> Result<(), Stop> {
        for part in &frame.modifies {
            let (guard, element) = self.some_element(part);
            let goal = self.is_writable(state, &element);
            self.oblige(Term::implies(guard, goal), Kind::Constant, position(span), Some(span))?;
        }
        for part in &frame.frees {
            let (guard, element) = self.some_element(part);
            let object = element.object.clone();
            let goal = Term::or([
                state.heap.alloc(&object).not(),
                Term::ne(element.offset.clone(), Term::int(0)),
                self.is_no_variable(state, &object),
            ]);
            self.oblige(Term::implies(guard, goal), Kind::Free, position(span), Some(span))?;
        }
        Ok(())
    }

    /// An element of a part of a set that is not known further, and when it is one.
    fn some_element(&mut self, part: &Part) -> (Term, Pointer) {
        let replace = part.vars.iter().flat_map(|var| {
            let one = self.words.fresh_pointer("some");
            var.parts().into_iter().zip(one.parts())
        });
        let replace = replace.collect();
        let element = Pointer {
            object: part.element.object.substituted(&replace),
            offset: part.element.offset.substituted(&replace),
        };
        (part.guard.substituted(&replace), self.formula.named(element))
    }
}

/// True if two terms are the parts of one pointer that has a name, or that lies in memory.
fn is_pair(object: &Term, offset: &Term) -> bool {
    match (object.kind(), offset.kind()) {
        (TermKind::Var(a), TermKind::Var(b)) => {
            let (a, b) = (a.to_string(), b.to_string());
            matches!((a.strip_suffix('o'), b.strip_suffix('i')), (Some(a), Some(b)) if a == b)
        }
        (TermKind::Call(_), TermKind::Call(_)) => {
            object.args().len() == 1 && offset.args().len() == 1 && object.args() == offset.args()
        }
        _ => false,
    }
}

/// The globals whose addresses are values in a contract.
fn named_globals(contract: &ContractSpec, with_modifies: bool, all: &mut BTreeSet<GlobalId>) {
    for claim in contract.requires.iter().chain(&contract.ensures) {
        in_form(&claim.form, all);
    }
    let modifies = contract.modifies.iter().filter(|_| with_modifies);
    for cells in contract.frees.iter().chain(modifies) {
        in_set(&cells.set, all);
    }
}

fn in_form(form: &Form, all: &mut BTreeSet<GlobalId>) {
    match form {
        Form::Not(a) | Form::Old(a) => in_form(a, all),
        Form::And(a, b) | Form::Or(a, b) | Form::Implies(a, b) | Form::Same(a, b) => {
            in_form(a, all);
            in_form(b, all);
        }
        Form::PtrEq(a, b) | Form::ObjEq(a, b) => {
            in_ptr(a, all);
            in_ptr(b, all);
        }
        Form::IntEq(a, b) | Form::IntLt(a, b) | Form::IntLe(a, b) => {
            in_int(a, all);
            in_int(b, all);
        }
        Form::In(ptr, set) => {
            in_ptr(ptr, all);
            in_set(set, all);
        }
        Form::Forall(_, set, body) => {
            in_set(set, all);
            in_form(body, all);
        }
        Form::Alloc(..) | Form::Blocking(_) | Form::Truth(_) => {}
    }
}

fn in_int(int: &Int, all: &mut BTreeSet<GlobalId>) {
    match int {
        Int::Op(_, a, b) => {
            in_int(a, all);
            in_int(b, all);
        }
        Int::Cast(a, ..) | Int::Enum(a, _) | Int::Old(a) => in_int(a, all),
        Int::Truth(form) => in_form(form, all),
        Int::Num(ptr) => in_ptr(ptr, all),
        _ => {}
    }
}

fn in_ptr(ptr: &Ptr, all: &mut BTreeSet<GlobalId>) {
    match ptr {
        Ptr::Global(id) => drop(all.insert(*id)),
        Ptr::Plus(base, _) | Ptr::Old(base) => in_ptr(base, all),
        _ => {}
    }
}

fn in_set(set: &Set, all: &mut BTreeSet<GlobalId>) {
    match set {
        Set::Elements(elements) => elements.iter().for_each(|(ptr, _)| in_ptr(ptr, all)),
        Set::Array(ptr, ..) => in_ptr(ptr, all),
        Set::Shift(a, _) | Set::Sized(a, _) | Set::Old(a) => in_set(a, all),
        Set::Union(a, b) | Set::Inter(a, b) | Set::Diff(a, b) => {
            in_set(a, all);
            in_set(b, all);
        }
        Set::Nothing | Set::Blocking | Set::List(..) | Set::Deref(_) => {}
    }
}
