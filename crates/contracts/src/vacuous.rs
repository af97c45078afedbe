//! Contracts that nothing satisfies: they would prove anything.
//!
//! A state that satisfies what a function requires is generated, or the solver has one. Where neither is the case the function is not
//! decided, whether or not the solver sees the contradiction. A contract on a prototype is believed, so what it ensures has to be
//! possible where it is used.

use crate::annotation::Position;
use crate::assumed::Obligation;
use crate::concrete::has_state;
use crate::condition::{Formula, Words};
use crate::execute::{Question, Verifier};
use crate::ladder::{self, Prover, QUICK};
use crate::typed::{Form, Int, IntOp, Ptr};
use crate::verify::Checked;
use heapproof_ir::FuncId;
use heapproof_logic::{Answer, Failure, Process, Solver, Statistics, Term};
use std::collections::BTreeMap;

/// Why what was shown of a function says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// The clause or the call.
    pub at: Position,
    /// In words.
    pub why: String,
}

/// Looks for functions that are shown only because nothing satisfies a contract.
pub fn look_for_contradictions(
    checked: &mut Checked,
    question: Question<'_>,
    prover: &Prover,
) -> Result<(), Failure> {
    let is_shown = |checked: &Checked, func: &FuncId| checked.functions[func].is_shown();
    let shown: Vec<FuncId> =
        checked.functions.keys().copied().filter(|func| is_shown(checked, func)).collect();
    let mut prototypes = BTreeMap::new();
    for func in shown {
        let mut found = of_requires(question, prover, func, &mut checked.solver)?;
        if found.is_none() {
            let calls = checked.functions[&func].calls.clone();
            found = of_calls(question, prover, calls, (&mut prototypes, &mut checked.solver))?;
        }
        if let Some(outcome) = checked.functions.get_mut(&func) {
            outcome.vacuous = found;
        }
    }
    Ok(())
}

/// Is there a state that satisfies what a function requires?
fn of_requires(
    question: Question<'_>,
    prover: &Prover,
    func: FuncId,
    solver: &mut Statistics,
) -> Result<Option<Vacuous>, Failure> {
    let (program, spec) = (question.program, question.spec);
    if has_state(program, spec, func, true) {
        return Ok(None);
    }
    let words = Words::new(program, &spec.fields);
    let formula = Formula::new(program, &words);
    let all = Verifier::contradictions(question, &formula, &words.axioms(program), func);
    let Some(last) = all.last() else { return Ok(None) };
    // Most can hold; only if all together cannot, the first that is too much is looked for.
    for pass in QUICK {
        let answers = prover.ask(pass, &[last], question.deadline)?;
        ladder::add(solver, &answers.statistics);
        if answers.why == [None] {
            let asked: Vec<&Obligation> = all.iter().collect();
            let answers = prover.ask(pass, &asked, question.deadline)?;
            let first = all.iter().zip(&answers.why).find(|(_, why)| why.is_none());
            let at = first.map_or(last.failure.at, |(obligation, _)| obligation.failure.at);
            let why = "no state satisfies what the function requires up to here".to_owned();
            return Ok(Some(Vacuous { at, why }));
        }
    }
    let contract = spec.contract(func);
    let forms: Vec<&Form> =
        contract.iter().flat_map(|contract| &contract.requires).map(|claim| &claim.form).collect();
    let is_possible = || holds_together(question, prover, func, &forms);
    if has_state(program, spec, func, false)
        || (forms.iter().all(|form| is_arithmetic(form)) && is_possible()?)
    {
        return Ok(None);
    }
    let why = "no state was found that satisfies what the function requires".to_owned();
    Ok(Some(Vacuous { at: last.failure.at, why }))
}

/// Is what prototypes ensure possible where they are called?
fn of_calls(
    question: Question<'_>,
    prover: &Prover,
    calls: Vec<Call>,
    (prototypes, solver): (&mut BTreeMap<FuncId, bool>, &mut Statistics),
) -> Result<Option<Vacuous>, Failure> {
    for call in calls {
        let name = &question.program.functions[call.func].name;
        let at = call.after.failure.at;
        let is_possible = match prototypes.get(&call.func) {
            Some(known) => *known,
            None => {
                let found = is_possible(question, prover, call.func)?;
                prototypes.insert(call.func, found);
                found
            }
        };
        if !is_possible {
            let why = format!("nothing was found that satisfies what `{name}` ensures");
            return Ok(Some(Vacuous { at, why }));
        }
        let answers = prover.ask(QUICK[0], &[&call.after], question.deadline)?;
        ladder::add(solver, &answers.statistics);
        if answers.why != [None] {
            continue;
        }
        // A path that nothing takes says nothing about the callee.
        let answers = prover.ask(QUICK[0], &[&call.before], question.deadline)?;
        ladder::add(solver, &answers.statistics);
        if answers.why != [None] {
            return Ok(Some(Vacuous { at, why: format!("nothing satisfies what `{name}` ensures here") }));
        }
    }
    Ok(None)
}

/// A call of a prototype by its contract: that nothing holds before it, and after it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function that is called.
    pub func: FuncId,
    /// Before the call.
    pub before: Obligation,
    /// After it.
    pub after: Obligation,
}

/// As far as a prototype speaks of numbers only, the solver has numbers for which its contract holds; products of what memory holds are
/// more than it can be asked.
fn is_possible(question: Question<'_>, prover: &Prover, func: FuncId) -> Result<bool, Failure> {
    let Some(contract) = question.spec.contract(func) else { return Ok(true) };
    let claims = contract.requires.iter().chain(&contract.ensures);
    let forms: Vec<&Form> = claims.flat_map(|claim| conjuncts(&claim.form)).collect();
    let (plain, others): (Vec<&Form>, Vec<&Form>) = forms.into_iter().partition(|form| is_arithmetic(form));
    if others.into_iter().any(has_product) {
        return Ok(false);
    }
    Ok(plain.is_empty() || holds_together(question, prover, func, &plain)?)
}

/// The solver has numbers for which some formulas without memory hold.
fn holds_together(
    question: Question<'_>,
    prover: &Prover,
    func: FuncId,
    forms: &[&Form],
) -> Result<bool, Failure> {
    let words = Words::new(question.program, &question.spec.fields);
    let formula = Formula::new(question.program, &words);
    let terms: Vec<Term> = Verifier::arithmetic(question, &formula, func, forms);
    let mut process = Process::start(prover.config.clone())?;
    terms.iter().for_each(|term| process.assert(term));
    Ok(matches!(process.check(&[]), Ok(Answer::Sat)))
}

/// The parts of a conjunction.
fn conjuncts(form: &Form) -> Vec<&Form> {
    match form {
        Form::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        other => vec![other],
    }
}

/// True for a formula about numbers that does not depend on memory.
fn is_arithmetic(form: &Form) -> bool {
    match form {
        Form::Truth(_) => true,
        Form::Not(a) | Form::Old(a) => is_arithmetic(a),
        Form::And(a, b) | Form::Or(a, b) | Form::Implies(a, b) | Form::Same(a, b) => {
            is_arithmetic(a) && is_arithmetic(b)
        }
        Form::IntEq(a, b) | Form::IntLt(a, b) | Form::IntLe(a, b) => is_number(a) && is_number(b),
        Form::PtrEq(a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

fn is_number(int: &Int) -> bool {
    match int {
        Int::Const(_) | Int::Var(..) | Int::Result(..) => true,
        Int::Op(_, a, b) => is_number(a) && is_number(b),
        Int::Cast(a, ..) | Int::Enum(a, _) | Int::Old(a) => is_number(a),
        Int::Truth(form) => is_arithmetic(form),
        Int::Bound(..) | Int::Load(..) | Int::Off(_) | Int::Num(_) => false,
    }
}

fn is_plain(ptr: &Ptr) -> bool {
    match ptr {
        Ptr::Var(_) | Ptr::Result => true,
        Ptr::Number(int) => is_number(int),
        Ptr::Old(inner) => is_plain(inner),
        _ => false,
    }
}

/// True if two numbers that are not constants are multiplied.
fn has_product(form: &Form) -> bool {
    match form {
        Form::Not(a) | Form::Old(a) | Form::Forall(_, _, a) => has_product(a),
        Form::And(a, b) | Form::Or(a, b) | Form::Implies(a, b) | Form::Same(a, b) => {
            has_product(a) || has_product(b)
        }
        Form::IntEq(a, b) | Form::IntLt(a, b) | Form::IntLe(a, b) => multiplies(a) || multiplies(b),
        _ => false,
    }
}

fn multiplies(int: &Int) -> bool {
    let is_constant = |int: &Int| matches!(int, Int::Const(_));
    match int {
        Int::Op(op, a, b) => {
            (*op == IntOp::Mul && !is_constant(a) && !is_constant(b)) || multiplies(a) || multiplies(b)
        }
        Int::Cast(a, ..) | Int::Enum(a, _) | Int::Old(a) => multiplies(a),
        Int::Truth(form) => has_product(form),
        _ => false,
    }
}
