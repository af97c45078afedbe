//! A second opinion. Another solver process, which knows nothing of how the invariants were found, is asked whether they are some, and
//! whether what is said to follow from them does. Of a template it takes only what is claimed of the loop-back variables.

use crate::Templates;
use crate::domain::Side;
use crate::prove::second_solver;
use crate::ssa::{Loop, LoopVar, Obligation, Ssa};
use crate::strategy::Template;
use heapproof_engine::Budget;
use heapproof_logic::{Answer, Failure, Process, Solver, Term};
use std::collections::HashMap;

/// True if all claims of all levels hold at the end of every iteration, and none of some errors can happen.
pub fn confirms(
    engine: &Templates,
    budget: &Budget,
    ssa: &Ssa,
    levels: &[Vec<Template>],
    excluded: &[Obligation],
) -> Result<bool, Failure> {
    let mut solver = second_solver(engine, budget, ssa)?;
    for templates in levels {
        let all: Vec<Vec<(Term, Term)>> = templates.iter().map(claims).collect();
        for (l, claims) in ssa.loops.iter().zip(&all) {
            let back = Term::and([l.guard.clone(), l.select.clone()]);
            for (claim, _) in claims {
                solver.assert(&Term::implies(back.clone(), claim.clone()));
            }
        }
        for (l, claims) in ssa.loops.iter().zip(&all) {
            if !never(&mut solver, claims.iter().map(|(claim, hits)| broken(l, claim, hits)))? {
                return Ok(false);
            }
        }
    }
    never(&mut solver, excluded.iter().map(|o| ssa.examined(o)))
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

/// None of some conditions can hold: asked at once, and one by one where the solver gives up on that.
fn never(solver: &mut Process, conditions: impl Iterator<Item = Term> + Clone) -> Result<bool, Failure> {
    match solver.check(&[Term::or(conditions.clone())])? {
        Answer::Unsat => return Ok(true),
        Answer::Sat => return Ok(false),
        Answer::Unknown(_) => {}
    }
    for condition in conditions {
        if solver.check(&[condition])? != Answer::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
}
