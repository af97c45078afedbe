//! Strategy iteration (paper, section II-B): ask the solver for a counterexample to induction, join it into the parameters of the
//! templates, until there is none.

use crate::domain::{Domain, Search, Side};
use crate::ssa::{Loop, Ssa};
use heapproof_logic::{Answer, Failure, Model, Solver, Term};

/// Questions to the solver in one attempt.
const MOST_QUERIES: u64 = 800;

/// Numbers of the program at which a bound that moves on is tried to stay.
const MOST_NUMBERS: usize = 16;

/// The template of one loop: a product of domains.
pub struct Template {
    /// What it claims, part by part.
    pub domains: Vec<Box<dyn Domain>>,
    /// What may be assumed of reads where a part is examined.
    pub hits: Vec<Term>,
    /// The end of the loop was reached in some model; before that the claim is false.
    pub reached: bool,
}

/// Why there is no invariant.
#[derive(Clone, Debug)]
pub enum NoInvariant {
    /// The solver failed.
    Solver(Failure),
    /// The time is over.
    Time,
}

impl From<Failure> for NoInvariant {
    fn from(failure: Failure) -> Self {
        NoInvariant::Solver(failure)
    }
}

/// What the templates claim of the loop-back variables, as conditions.
pub fn invariants(ssa: &Ssa, templates: &[Template]) -> Vec<Term> {
    let each = ssa.loops.iter().zip(templates).flat_map(|(l, template)| {
        let back = Term::and([l.guard.clone(), l.select.clone()]);
        claims(template, Side::Back).into_iter().map(move |claim| Term::implies(back.clone(), claim))
    });
    each.collect()
}

fn claims(template: &Template, side: Side) -> Vec<Term> {
    if !template.reached {
        return vec![Term::truth(false)];
    }
    template.domains.iter().filter_map(|domain| domain.claim(side)).collect()
}

/// The conditions that a claim does not hold at the end of a loop, part by part.
pub fn broken_parts(l: &Loop, template: &Template) -> Vec<Term> {
    if !template.reached {
        return vec![l.latch.clone()];
    }
    let each = template.domains.iter().zip(&template.hits).filter_map(|(domain, hits)| {
        let claim = domain.claim(Side::End)?;
        if fault!(21) {
            return None;
        }
        Some(Term::and([l.latch.clone(), hits.clone(), Term::not(claim)]))
    });
    each.collect()
}

/// Finds the parameters. The solver holds the formula.
pub fn solve(
    ssa: &Ssa,
    templates: &mut [Template],
    solver: &mut dyn Solver,
    is_time_over: &dyn Fn() -> bool,
) -> Result<u64, NoInvariant> {
    let mut rounds = 0;
    loop {
        rounds += 1;
        if is_time_over() || solver.statistics().calls > MOST_QUERIES {
            return Err(NoInvariant::Time);
        }
        let counterexample =
            Term::or(ssa.loops.iter().zip(&*templates).flat_map(|(l, t)| broken_parts(l, t)));
        solver.push();
        invariants(ssa, templates).iter().for_each(|claim| solver.assert(claim));
        solver.assert(&counterexample);
        let answer = solver.check(&[]);
        let model = match answer {
            Ok(Answer::Sat) => Some(solver.model()),
            _ => None,
        };
        solver.pop();
        match answer? {
            Answer::Unsat => return Ok(rounds),
            Answer::Sat if fault!(25) && rounds > 2 => return Ok(rounds),
            Answer::Sat => {
                let model = model.expect("it was asked for")?;
                join(ssa, templates, &model);
                search_bounds(ssa, templates, solver, is_time_over)?;
            }
            Answer::Unknown(_) => {
                if give_up_hard(ssa, templates, solver, is_time_over)? {
                    return Ok(rounds);
                }
            }
        }
    }
}

/// Joins a model into all templates whose loop it ends.
fn join(ssa: &Ssa, templates: &mut [Template], model: &Model) {
    for (l, template) in ssa.loops.iter().zip(templates) {
        if !model.satisfies(&l.latch) {
            continue;
        }
        template.reached = true;
        for (domain, hits) in template.domains.iter_mut().zip(&template.hits) {
            let breaks = domain.claim(Side::End).is_some_and(|claim| !model.satisfies(&claim));
            if breaks && model.satisfies(hits) {
                domain.join(model);
            }
        }
    }
}

/// Bounds that no number of the program stops are found by binary search.
fn search_bounds(
    ssa: &Ssa,
    templates: &mut [Template],
    solver: &mut dyn Solver,
    is_time_over: &dyn Fn() -> bool,
) -> Result<(), NoInvariant> {
    let mut growing = Vec::new();
    for (n, template) in templates.iter_mut().enumerate() {
        for (m, domain) in template.domains.iter_mut().enumerate() {
            if domain.bound().is_some_and(|bound| bound.search == Search::Now) {
                growing.push((n, m));
            }
        }
    }
    if growing.is_empty() {
        return Ok(());
    }
    // Rows that grow together hold each other back, so all of them are left out while each is searched for.
    let mut others = Vec::new();
    for (n, (l, template)) in ssa.loops.iter().zip(&*templates).enumerate() {
        let back = Term::and([l.guard.clone(), l.select.clone()]);
        if !template.reached {
            others.push(Term::not(back));
            continue;
        }
        let kept = template.domains.iter().enumerate().filter(|(m, _)| !growing.contains(&(n, *m)));
        for (_, domain) in kept {
            others.extend(domain.claim(Side::Back).map(|claim| Term::implies(back.clone(), claim)));
        }
    }
    solver.push();
    others.iter().for_each(|claim| solver.assert(claim));
    let mut found = Ok(());
    for (n, m) in growing {
        found = if is_time_over() { Err(NoInvariant::Time) } else { Ok(()) };
        found = found.and_then(|()| search_bound(&ssa.loops[n], &mut templates[n], m, solver));
        if found.is_err() {
            break;
        }
    }
    solver.pop();
    found
}

fn search_bound(
    l: &Loop,
    template: &mut Template,
    at: usize,
    solver: &mut dyn Solver,
) -> Result<(), NoInvariant> {
    let hits = template.hits[at].clone();
    let (when_back, when_end) = (template.domains[at].when(Side::Back), template.domains[at].when(Side::End));
    let Some(bound) = template.domains[at].bound() else { return Ok(()) };
    let Some(value) = bound.value else { return Ok(()) };
    let back = Term::and([l.guard.clone(), l.select.clone(), when_back]);
    let end = Term::and([l.latch.clone(), when_end, hits]);
    let mut is_kept = |candidate: i128, bound: &crate::domain::Bound| -> Result<bool, NoInvariant> {
        let before = Term::implies(back.clone(), bound.below(Side::Back, candidate));
        let after = Term::not(bound.below(Side::End, candidate));
        Ok(solver.check(&[before, end.clone(), after])? == Answer::Unsat)
    };
    bound.search = Search::Done;
    // A loop may stop just at a number of the program, and at none beyond it: a search by halves would not see that.
    let numbers: Vec<i128> =
        bound.thresholds.iter().copied().filter(|t| *t > value && *t < bound.greatest).collect();
    for number in numbers.into_iter().take(MOST_NUMBERS) {
        if is_kept(number, bound)? {
            // What else is claimed may still grow, so this may be broken again: then the next number is looked for.
            bound.value = Some(number);
            bound.search = Search::Later;
            return Ok(());
        }
    }
    let mut high = bound.greatest - 1;
    if !is_kept(high, bound)? {
        bound.top = true;
        return Ok(());
    }
    let mut low = value;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_kept(middle, bound)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    bound.value = Some(high);
    Ok(())
}

/// The solver gave up on everything at once: claims on which it gives up alone are dropped. True if each claim alone is kept.
fn give_up_hard(
    ssa: &Ssa,
    templates: &mut [Template],
    solver: &mut dyn Solver,
    is_time_over: &dyn Fn() -> bool,
) -> Result<bool, NoInvariant> {
    solver.push();
    invariants(ssa, templates).iter().for_each(|claim| solver.assert(claim));
    let mut hard = Vec::new();
    let mut found = None;
    'all: for (n, (l, template)) in ssa.loops.iter().zip(&*templates).enumerate() {
        if !template.reached {
            match solver.check(std::slice::from_ref(&l.latch)) {
                Ok(Answer::Unsat) => continue,
                Ok(Answer::Sat) => {
                    found = solver.model().ok();
                    break 'all;
                }
                // Nothing can be said of it.
                _ => hard.extend((0..template.domains.len()).map(|m| (n, m))),
            }
            continue;
        }
        for (m, domain) in template.domains.iter().enumerate() {
            let Some(claim) = domain.claim(Side::End) else { continue };
            if is_time_over() {
                break 'all;
            }
            match solver.check(&[l.latch.clone(), template.hits[m].clone(), Term::not(claim)]) {
                Ok(Answer::Unsat) => {}
                Ok(Answer::Sat) => {
                    found = solver.model().ok();
                    break 'all;
                }
                _ => hard.push((n, m)),
            }
        }
    }
    solver.pop();
    if is_time_over() {
        return Err(NoInvariant::Time);
    }
    let done = found.is_none() && hard.is_empty();
    if let Some(model) = found {
        join(ssa, templates, &model);
    }
    for (n, m) in hard {
        templates[n].reached = true;
        templates[n].domains[m].give_up();
    }
    Ok(done)
}
