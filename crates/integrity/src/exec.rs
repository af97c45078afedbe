//! Strongest postconditions: symbolic execution of one path after the other from a cut point to the next ones.

use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_chr::syntax::{Comparison, Formula};
use heapproof_ir::{BlockId, Span, Terminator, sign_extend};

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

const MOST_PATHS: usize = 2_000;
/// If calls are entered, it may be better not to.
const MOST_PATHS_ENTERING: usize = 120;
const MOST_STEPS: u32 = 400;
/// Questions to the solver in one search for facts, or in one proof. The other functions shall have their turn, too.
const MOST_GOALS: u64 = 600;

impl Analysis<'_> {
    /// Executes all paths from a state to the next cut points.
    pub(crate) fn paths(&mut self, start: State, heads: &[BlockId]) -> Result<Vec<Ended>, Stop> {
        let mut todo = vec![start];
        let mut ended = Vec::new();
        let mut paths = 0;
        while let Some(mut state) = todo.pop() {
            paths += 1;
            if self.is_over() {
                return Err(Stop::new(Why::Limit("the time is up"), Span::NONE));
            }
            let most = if self.entering { MOST_PATHS_ENTERING } else { MOST_PATHS };
            if paths > most || self.goals > MOST_GOALS {
                return Err(Stop::new(Why::TooManyPaths, Span::NONE));
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
                    if self.learn(&mut other, &equal(value, number)) {
                        next.push((*to, other));
                    }
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
                let function = state.top().function;
                self.entered_returns(state, function, &mut results, span)?;
                let Some(frame) = state.frames.pop() else { return Ok(Left::Dead) };
                // Its locals are gone: an access through an address that was kept lies outside.
                for place in frame.locals.values() {
                    if let Place::Own(own) = place
                        && !fault!(41)
                    {
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
    pub(crate) fn assume(&mut self, state: &mut State, cond: &Value, sign: bool) -> bool {
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
    pub(crate) fn learn(&mut self, state: &mut State, formula: &Formula) -> bool {
        match formula {
            Formula::Bool(b) => return *b,
            Formula::And(parts) => return parts.iter().all(|p| self.learn(state, p)),
            _ => {}
        }
        if !self.learn_range(state, formula) {
            return false;
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
