//! Calls: by contract, or entered.

use super::values::Val;
use super::{Kind, State, Stop, Verifier, position};
use crate::condition::{Heap, Mode, unsigned};
use crate::signature::odd_signature;
use crate::vacuous::Call;
use heapproof_engine::Resolution;
use heapproof_ir::{Callee, FuncId, Operand, Reg, Span};
use heapproof_logic::Term;

/// Calls of functions without a contract inside each other.
const MOST_FRAMES: usize = 8;

impl Verifier<'_> {
    pub(super) fn call(
        &mut self,
        state: &mut State,
        results: &[Reg],
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) -> Result<bool, Stop> {
        let Callee::Direct(func) = callee else { return self.beyond(span, "a call through a pointer") };
        let args: Vec<Val> = args.iter().map(|arg| self.operand(state, arg)).collect();
        let function = &self.program.functions[*func];
        if self.contract(*func).is_some() {
            if let Some(what) = odd_signature(self.program, *func) {
                return self.beyond(span, what);
            }
            return self.call_by_contract(state, results, *func, &args, span);
        }
        let bits = u32::from(self.words.word) * 8;
        let name = function.name.as_str();
        match (self.environment.resolve(function), &function.body) {
            (Resolution::Body, Some(body)) => {
                if state.frames.len() >= MOST_FRAMES {
                    return self.beyond(span, "a deep nesting of calls without contracts");
                }
                self.enter(state, *func, body, args, results.to_vec())?;
                Ok(true)
            }
            (Resolution::Pure, _) => {
                self.outcome.external.insert(*func);
                for (reg, ty) in results.iter().zip(&function.results) {
                    let val = self.fresh_val(*ty);
                    state.set(*reg, val);
                }
                Ok(true)
            }
            (Resolution::Havoc, _) => {
                let what = format!("the call of `{name}`, which may change memory as --havoc says,");
                self.beyond(span, &what)
            }
            (Resolution::Model(_), _) if name == "malloc" => {
                let size = args.first().map_or_else(|| Term::int(0), |arg| self.int(arg, bits as u8));
                self.malloc(state, results.first().copied(), unsigned(size, bits))
            }
            (Resolution::Model(_), _) if name == "free" => {
                let pointer = args.first().map_or_else(|| self.words.null(), |arg| self.pointer(arg));
                self.free(state, &pointer, span)
            }
            (Resolution::Model(_), _) if matches!(name, "abort" | "exit" | "_Exit") => Ok(false),
            (Resolution::Model(_), _) if name == "__assert_fail" => {
                self.oblige(Term::truth(false), Kind::Assert, position(span), Some(span))?;
                Ok(false)
            }
            _ => {
                let what = format!("the call of `{name}`, which has neither a body nor a contract,");
                self.beyond(span, &what)
            }
        }
    }

    fn call_by_contract(
        &mut self,
        state: &mut State,
        results: &[Reg],
        func: FuncId,
        args: &[Val],
        span: Span,
    ) -> Result<bool, Stop> {
        match self.program.functions[func].body {
            Some(_) => self.outcome.callees.insert(func),
            None => self.outcome.external.insert(func),
        };
        let Some(contract) = self.contract(func) else { return Ok(false) };
        let before = state.heap.clone();
        for clause in &contract.requires {
            let term = self.before_call(&clause.form, args, &before, Mode::Goal);
            if !fault!(26) {
                self.oblige(term, Kind::Requires, position(span), Some(span))?;
            }
        }
        for arg in args {
            self.keep(arg, span)?;
        }
        let after = Heap::base(self.words, None, None);
        let frame = self.frame_of(func, args, &before);
        self.assume([]);
        self.may_hand_over(state, &frame, span)?;
        let kept = frame.assumptions(self.formula, &before, &after);
        self.assume(kept);
        let laws = self.words.laws(self.program, &after);
        self.assume(laws);
        self.locals_live(state, &after);
        let mut values = Vec::new();
        for ty in &self.program.functions[func].results {
            values.push(self.fresh_val(*ty));
        }
        let nothing_before = self.impossible(position(span));
        for clause in &contract.ensures {
            let term = self.after_call(&clause.form, args, (&before, &after), values.first(), Mode::Fact);
            self.assume([term]);
        }
        if self.program.functions[func].body.is_none() {
            let after = self.impossible(position(span));
            self.outcome.calls.push(Call { func, before: nothing_before, after });
        }
        state.heap = after;
        for (reg, val) in results.iter().zip(values) {
            state.set(*reg, val);
        }
        Ok(true)
    }
}
