//! Clauses, frames and annotations of bodies in the states of a path.

use super::values::Val;
use super::{Kind, State, Stop, Verifier};
use crate::annotation::Position;
use crate::condition::{Frame, FrameKind, Heap, Mode, Pointer, Step, Variables, View};
use crate::spec::Ghost;
use crate::typed::{Form, Ptr, Var};
use heapproof_ir::{FuncId, LocalId, Reg, Span};
use heapproof_logic::{Sort, Term};
use std::collections::BTreeMap;

/// The variables of a state, as far as annotations can ask for them.
#[derive(Default)]
struct Values {
    args: Vec<(Pointer, Term)>,
    regs: BTreeMap<Reg, (Pointer, Term)>,
    locals: BTreeMap<LocalId, Term>,
    result: Option<(Pointer, Term)>,
    /// What is not known.
    unknown: Option<(Pointer, Term)>,
}

impl Values {
    fn get(&self, var: Var) -> &(Pointer, Term) {
        let found = match var {
            Var::Param(index) => self.args.get(index),
            Var::Reg(reg) => self.regs.get(&reg),
        };
        found.or(self.unknown.as_ref()).expect("there is something unknown")
    }
}

impl Variables for Values {
    fn pointer(&self, var: Var) -> Pointer {
        self.get(var).0.clone()
    }

    fn number(&self, var: Var) -> Term {
        self.get(var).1.clone()
    }

    fn local(&self, local: LocalId) -> Term {
        match self.locals.get(&local) {
            Some(object) => object.clone(),
            None => self.get(Var::Param(usize::MAX)).0.object.clone(),
        }
    }

    fn result_pointer(&self) -> Pointer {
        self.result.as_ref().or(self.unknown.as_ref()).expect("there is something unknown").0.clone()
    }

    fn result_number(&self) -> Term {
        self.result.as_ref().or(self.unknown.as_ref()).expect("there is something unknown").1.clone()
    }
}

impl Verifier<'_> {
    /// A value as a pointer and as a number.
    fn both(&mut self, val: &Val) -> (Pointer, Term) {
        match val {
            Val::Pointer(pointer) => (pointer.clone(), self.words.num(pointer)),
            Val::Int(term) => (self.words.number(term.clone()), term.clone()),
            Val::Bit(term) => {
                let number = Term::ite(term.clone(), Term::int(1), Term::int(0));
                (self.words.number(number.clone()), number)
            }
            Val::Unknown => self.nothing_known(),
        }
    }

    fn nothing_known(&self) -> (Pointer, Term) {
        (self.words.fresh_pointer("u"), self.words.fresh("u", Sort::Int))
    }

    fn of_call(&mut self, args: &[Val], result: Option<&Val>) -> Values {
        let args = args.iter().map(|arg| self.both(arg)).collect();
        let result = result.map(|val| self.both(val));
        Values { args, result, unknown: Some(self.nothing_known()), ..Values::default() }
    }

    /// A formula, with what follows from it by induction if it is assumed.
    fn read(&self, form: &Form, view: &View<'_>, mode: Mode) -> Term {
        let term = self.formula.truth(form, view, mode);
        if mode != Mode::Fact {
            return term;
        }
        Term::and([term].into_iter().chain(self.formula.induction(form, view)))
    }

    /// A formula before a call.
    pub(super) fn before_call(&mut self, form: &Form, args: &[Val], heap: &Heap, mode: Mode) -> Term {
        let variables = self.of_call(args, None);
        self.read(form, &View { heap, variables: &variables, old: None }, mode)
    }

    /// A formula after a call.
    pub(super) fn after_call(
        &mut self,
        form: &Form,
        args: &[Val],
        (before, after): (&Heap, &Heap),
        result: Option<&Val>,
        mode: Mode,
    ) -> Term {
        let variables = self.of_call(args, result);
        let old = View { heap: before, variables: &variables, old: None };
        self.read(form, &View { heap: after, variables: &variables, old: Some(&old) }, mode)
    }

    /// What the function may assume at its entry.
    pub(super) fn assume_requires(&mut self) -> Result<(), Stop> {
        let (args, entry) = (self.entry_args.clone(), self.entry_heap.clone());
        for clause in self.contract(self.root).map_or(&[][..], |contract| &contract.requires) {
            let term = self.before_call(&clause.form, &args, &entry, Mode::Fact);
            self.assume([term]);
        }
        Ok(())
    }

    /// The variables of a running function.
    fn of_body(&mut self, state: &State) -> Values {
        let frame = state.top();
        let mut values =
            Values { locals: frame.locals.clone(), unknown: Some(self.nothing_known()), ..Values::default() };
        for (reg, val) in &frame.regs {
            values.regs.insert(*reg, self.both(val));
        }
        values.args = frame.args.iter().map(|arg| self.both(arg)).collect();
        values
    }

    fn with_body<T>(&mut self, state: &State, read: impl FnOnce(&Self, &View<'_>) -> T) -> T {
        let variables = self.of_body(state);
        let old = View { heap: &state.top().entry, variables: &variables, old: None };
        read(self, &View { heap: &state.heap, variables: &variables, old: Some(&old) })
    }

    /// A formula in a body.
    pub(super) fn in_body(&mut self, state: &State, form: &Form, mode: Mode) -> Term {
        self.with_body(state, |this, view| this.read(form, view, mode))
    }

    fn pointer_in_body(&mut self, state: &State, ptr: &Ptr) -> Pointer {
        self.with_body(state, |this, view| this.formula.pointer(ptr, view))
    }

    /// The frame of a function for given arguments.
    pub(super) fn frame_of(&mut self, func: FuncId, args: &[Val], heap: &Heap) -> Frame {
        let variables = self.of_call(args, None);
        let view = View { heap, variables: &variables, old: None };
        let Some(contract) = self.contract(func) else { return Frame::default() };
        Frame {
            modifies: contract
                .modifies
                .iter()
                .flat_map(|cells| self.formula.set(&cells.set, &view))
                .collect(),
            frees: contract.frees.iter().flat_map(|cells| self.formula.set(&cells.set, &view)).collect(),
        }
    }

    /// The frame of the whole function has to be kept so far.
    pub(super) fn oblige_frame(&mut self, state: &State, span: Option<Span>) -> Result<(), Stop> {
        let entry = self.entry_heap.clone();
        if state.heap == entry {
            return Ok(());
        }
        let frame = self.frame_of(self.root, &self.entry_args.clone(), &entry);
        self.assume([]);
        for (which, goal) in frame.obligations(self.formula, &entry, &state.heap) {
            let contract = self.contract(self.root);
            let (kind, clauses) = match which {
                FrameKind::Modifies => (Kind::Modifies, contract.map(|contract| &contract.modifies)),
                FrameKind::Frees => (Kind::Frees, contract.map(|contract| &contract.frees)),
            };
            let at = clauses.and_then(|clauses| clauses.first()).map(|clause| clause.at);
            let line = self.program.functions[self.root].span.line;
            self.oblige(goal, kind, at.unwrap_or(Position { line, column: 1 }), span)?;
        }
        Ok(())
    }

    pub(super) fn ghost(&mut self, state: &mut State, ghost: &Ghost) -> Result<(), Stop> {
        match ghost {
            Ghost::Assert(claim) => {
                let goal = self.in_body(state, &claim.form, Mode::Goal);
                self.oblige(goal, Kind::Assert, claim.at, None)?;
                let fact = self.in_body(state, &claim.form, Mode::Fact);
                self.assume([fact]);
            }
            Ghost::Assume(claim) => {
                self.outcome.assumes = true;
                let fact = self.in_body(state, &claim.form, Mode::Fact);
                self.assume([fact]);
            }
            Ghost::Block(_, ptr) => {
                let e = self.pointer_in_body(state, ptr);
                self.assume([]);
                state.heap = state.heap.after(self.words, Step::Block(e));
            }
            Ghost::Unblock(at, ptr) => {
                let e = self.pointer_in_body(state, ptr);
                self.assume([]);
                let words = self.words;
                let fields = 0..words.fields.len();
                let founded = fields.map(|field| state.heap.block(words, field, &e).equals(&e).not());
                if !fault!(25) {
                    self.oblige(Term::and(founded), Kind::Founded, *at, None)?;
                }
                state.heap = state.heap.after(self.words, Step::Unblock(e));
            }
        }
        Ok(())
    }

    /// The end of the function.
    pub(super) fn finish(&mut self, state: &State, result: Option<&Val>, span: Span) -> Result<(), Stop> {
        let (args, entry) = (self.entry_args.clone(), self.entry_heap.clone());
        for clause in self.contract(self.root).map_or(&[][..], |contract| &contract.ensures) {
            let heaps = (&entry, &state.heap);
            let term = self.after_call(&clause.form, &args, heaps, result, Mode::Goal);
            self.oblige(term, Kind::Ensures, clause.at, Some(span))?;
        }
        self.oblige_frame(state, Some(span))
    }
}
