//! A second opinion. Another solver process, which knows nothing of how the invariants were found, is asked whether they are some, and
//! whether what is said to follow from them does. Of a template it takes only what is claimed of the loop-back variables.

use crate::Templates;
use crate::domain::Side;
use crate::prove::fresh_solver;
use crate::ssa::{Loop, LoopVar, Obligation, Ssa};
use crate::strategy::Template;
use heapproof_engine::Budget;
use heapproof_logic::{Answer, Failure, Solver, Term};
use std::collections::HashMap;

/// True if all claims of all levels hold at the end of every iteration, and none of some errors can happen.
///
/// Together the levels are one invariant, so all of it may be assumed of the loop-back variables.
pub fn confirms(
    engine: &Templates,
    budget: &Budget,
    ssa: &Ssa,
    levels: &[Vec<Template>],
    excluded: &[Obligation],
) -> Result<bool, Failure> {
    let mut assumed = Vec::new();
    let mut wrong = Vec::new();
    for (l, template) in levels.iter().flat_map(|templates| ssa.loops.iter().zip(templates)) {
        let back = Term::and([l.guard.clone(), l.select.clone()]);
        for (claim, hits) in claims(template) {
            wrong.push(broken(l, &claim, &hits));
            assumed.push(Term::implies(back.clone(), claim));
        }
    }
    wrong.extend(excluded.iter().map(|o| ssa.examined(o)));
    never(engine, budget, ssa, &assumed, &wrong)
}

/// What a template claims of the loop-back variables, each with what may be assumed while it is examined.
fn claims(template: &Template) -> Vec<(Term, Term)> {
    if !template.reached {
        return vec![(Term::truth(false), Term::truth(true))];
    }
    let each = template.domains.iter().zip(&template.hits);
    each.filter_map(|(domain, hits)| Some((domain.claim(Side::Back)?, hits.clone()))).collect()
}

/// A claim does not hold of the values at the end of an iteration.
fn broken(l: &Loop, claim: &Term, hits: &Term) -> Term {
    // At the head, where an iteration came back, a variable is its loop-back variable.
    let names = |v: &LoopVar| [(v.back.clone(), v.latch.clone()), (v.phi.clone(), v.latch.clone())];
    let end: HashMap<Term, Term> = l.vars.iter().flat_map(names).collect();
    Term::and([l.latch.clone(), hits.clone(), Term::not(claim.substituted(&end))])
}

/// None of some conditions can hold: asked at once, and in halves where the solver gives up on that.
fn never(
    engine: &Templates,
    budget: &Budget,
    ssa: &Ssa,
    assumed: &[Term],
    wrong: &[Term],
) -> Result<bool, Failure> {
    let mut solver = fresh_solver(engine, budget, ssa)?;
    assumed.iter().for_each(|claim| solver.assert(claim));
    solver.assert(&Term::or(wrong.iter().cloned()));
    match solver.check(&[])? {
        Answer::Unsat => Ok(true),
        Answer::Sat => Ok(false),
        Answer::Unknown(_) if wrong.len() < 2 => Ok(false),
        Answer::Unknown(_) => {
            let (some, others) = wrong.split_at(wrong.len() / 2);
            Ok(never(engine, budget, ssa, assumed, some)? && never(engine, budget, ssa, assumed, others)?)
        }
    }
}
