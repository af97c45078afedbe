//! A state from which a function breaks its contract: small states that satisfy what it requires are run and watched.

use crate::concrete::{Broken, Generated, MANY, Random, SOME, Watch, states};
use crate::execute::Kind;
use crate::signature::odd_signature;
use crate::spec::Spec;
use heapproof_engine::Environment;
use heapproof_engine::state::{Address, Argument, Content, State};
use heapproof_interp::{self as interp, Inputs, Outcome, Request, run_from_observed};
use heapproof_ir::{FuncId, Program};
use heapproof_verdict::{ErrorClass, Violation};
use std::collections::BTreeSet;
use std::time::Instant;

/// Instructions of one run.
const STEPS: u64 = 20_000;
/// Runs of one function.
pub const RUNS: u64 = 4_000;
/// Runs of a function before its loop invariants are looked for.
pub const FEW_RUNS: u64 = 200;

/// What a run showed.
pub enum Shown {
    /// A part of the contract does not hold.
    Broken(Broken),
    /// An error of memory.
    Error(Box<Violation>),
}

/// A state and what happens from it.
pub struct Refutation {
    /// The state.
    pub generated: Generated,
    /// What happens.
    pub shown: Shown,
    /// The choices on the way.
    pub inputs: Vec<interp::InputRecord>,
}

/// Choices of the environment, all equal or at random.
pub struct Choices(Random, Option<bool>);

impl Choices {
    /// By a seed; what may fail fails always, never, or at random.
    pub fn new(seed: u64, fails: Option<bool>) -> Choices {
        Choices(Random::new(seed), fails)
    }
}

/// How a function is run to see whether it keeps its contract.
pub fn options(environment: &Environment, deadline: Option<Instant>) -> Option<interp::Options> {
    let mut environment = environment.clone();
    environment.properties = "valid-deref+valid-free+assertions".parse().ok()?;
    environment.malloc_may_fail = true;
    Some(interp::Options {
        environment,
        max_steps: STEPS,
        max_memory: 16 << 20,
        max_depth: 200,
        deadline,
        stop_at_choice: false,
        go_on: false,
        record_path: false,
    })
}

impl Inputs for Choices {
    fn choose(&mut self, request: &Request) -> u128 {
        match (self.1, request.range) {
            (Some(high), None) if request.width == 1 => u128::from(high),
            (_, Some((low, high))) => low + self.0.below((high - low).min(1 << 16) as usize + 1) as u128,
            _ => self.0.below(4) as u128,
        }
    }
}

/// Looks for a state from which a function breaks its contract, given the functions that are shown.
pub fn refute(
    program: &Program,
    spec: &Spec,
    environment: &Environment,
    (func, shown): (FuncId, &BTreeSet<FuncId>),
    deadline: Option<Instant>,
    (runs, most): (&mut u64, u64),
) -> Option<Refutation> {
    if odd_signature(program, func).is_some() {
        return None;
    }
    let options = options(environment, deadline)?;
    let mut found = None;
    let last = *runs + most;
    let attempts = if most > FEW_RUNS { MANY } else { SOME };
    states(program, spec, func, attempts, |generated| {
        for fails in [Some(false), Some(true), None] {
            *runs += 1;
            let mut inputs = Choices::new(*runs, fails);
            let start = |heap: &[u32], snapshot: &interp::Snapshot| generated.ghosts(heap, snapshot);
            let mut watch = Watch::new(program, spec, func, generated.state.objects.len(), start);
            let run = run_from_observed(program, &options, func, &generated.state, &mut inputs, &mut watch);
            let Ok(run) = run else { continue };
            if watch.infeasible {
                continue;
            }
            let broken = watch.broken.take();
            drop(watch);
            let asked = run.inputs.iter().any(|record| record.width == 1);
            if let Some(shown) = judge(program, spec, (func, shown), &generated.state, broken, run.outcome) {
                found = Some(Refutation { generated: generated.clone(), shown, inputs: run.inputs });
                return false;
            }
            if !asked {
                break;
            }
        }
        *runs < last && deadline.is_none_or(|deadline| Instant::now() < deadline)
    });
    found
}

/// A state from which a function breaks its contract, in words: for tests of what was proved.
pub fn broken_state(
    program: &Program,
    spec: &Spec,
    environment: &Environment,
    func: FuncId,
) -> Option<String> {
    let refutation = refute(program, spec, environment, (func, &BTreeSet::new()), None, (&mut 0, RUNS))?;
    let what = match &refutation.shown {
        Shown::Broken(broken) => format!("line {}", broken.at.line),
        Shown::Error(violation) => format!("{} line {}", violation.class, violation.location.line),
    };
    Some(format!("{what}\n{}", crate::concrete::describe(program, func, &refutation.generated)))
}

/// What a run shows against a function: what its callees do against their own contracts is not its fault. That a variable is freed
/// or a constant is written is, where the callee keeps its contract: it may do so by what it was given.
fn judge(
    program: &Program,
    spec: &Spec,
    (func, shown): (FuncId, &BTreeSet<FuncId>),
    state: &State,
    broken: Option<Broken>,
    outcome: Outcome,
) -> Option<Shown> {
    let is_own = |other: FuncId| other == func || spec.contract(other).is_none();
    if let Some(broken) = broken {
        return (is_own(broken.func) && broken.kind != Kind::Access).then_some(Shown::Broken(broken));
    }
    let Outcome::Violation(violation) = outcome else { return None };
    let place = program.functions.iter().find(|(_, function)| function.name == violation.location.function);
    let is_given = matches!(violation.class, ErrorClass::InvalidFree | ErrorClass::ReadonlyWrite);
    if !place.is_some_and(|(other, _)| is_own(other) || (is_given && shown.contains(&other))) {
        return None;
    }
    // A contract may let a pointer to a static object be freed; that it comes from malloc is assumed.
    let is_free = matches!(violation.class, ErrorClass::InvalidFree | ErrorClass::DoubleFree);
    (!is_free || !has_static(state)).then_some(Shown::Error(violation))
}

fn has_static(state: &State) -> bool {
    let is_static = |address: &Address| matches!(address, Address::Global { .. });
    let in_content = |content: &Content| matches!(content, Content::Pointer(address) if is_static(address));
    state.objects.iter().flat_map(|block| &block.content).any(|(_, content)| in_content(content))
        || state.globals.iter().any(|(_, _, content)| in_content(content))
        || state
            .arguments
            .iter()
            .any(|argument| matches!(argument, Argument::Pointer(address) if is_static(address)))
}
