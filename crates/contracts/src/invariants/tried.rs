//! Candidates on runs: what does not hold in some run from a small state is no invariant.

use super::Candidates;
use crate::concrete::{SOME, Watch, states};
use crate::refute::{Choices, options};
use crate::spec::Spec;
use heapproof_engine::Environment;
use heapproof_interp::{Snapshot, run_from_observed};
use heapproof_ir::{FuncId, Program};
use std::time::Instant;

/// States that are run.
const STATES: u64 = 120;

/// Takes out the candidates that some run refutes; the number of runs.
pub fn keep_what_holds(
    program: &Program,
    spec: &Spec,
    environment: &Environment,
    (func, deadline): (FuncId, Option<Instant>),
    candidates: &mut Candidates,
) -> u64 {
    let Some(options) = options(environment, deadline) else { return 0 };
    let mut runs = 0;
    states(program, spec, func, SOME, |generated| {
        for fails in [Some(false), None] {
            runs += 1;
            let start = |heap: &[u32], snapshot: &Snapshot| generated.ghosts(heap, snapshot);
            let claims = candidates.claims();
            let count = generated.state.objects.len();
            let mut watch = Watch::new(program, spec, func, count, start).with_candidates(&claims);
            let mut inputs = Choices::new(runs, fails);
            let run = run_from_observed(program, &options, func, &generated.state, &mut inputs, &mut watch);
            let refuted = std::mem::take(&mut watch.refuted);
            drop(watch);
            let asked = run.is_ok_and(|run| run.inputs.iter().any(|record| record.width == 1));
            candidates.drop(&refuted);
            if !asked {
                break;
            }
        }
        runs < STATES && deadline.is_none_or(|deadline| Instant::now() < deadline)
    });
    runs
}
