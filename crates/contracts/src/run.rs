//! A whole program that is run while its contracts are evaluated (`heapproof run --contracts`).

use crate::concrete::Watch;
use crate::engine::told;
use crate::sources::Texts;
use heapproof_engine::Source;
use heapproof_interp::{Inputs, Options, Run, run_observed};
use heapproof_ir::Program;
use heapproof_verdict::Violation;
use std::collections::BTreeMap;

/// How a run went.
pub struct Watched {
    /// The run.
    pub run: Run,
    /// The first part of a contract that it broke.
    pub broken: Option<Violation>,
    /// How many formulas had no value.
    pub undecided: u64,
}

/// Runs a program. Contracts, loop invariants, assertions and frames of all its functions are evaluated on the way; the mistakes in
/// them, as a compiler tells them, if there are any.
pub fn run_with_contracts(
    program: &Program,
    sources: &[Source],
    options: &Options,
    inputs: &mut dyn Inputs,
) -> Result<Watched, Vec<String>> {
    let (_, spec) = Texts::read(program, sources).spec(program, &BTreeMap::new())?;
    let main = options.environment.entries.first().map_or("main", String::as_str);
    let Some(main) = program.function(main) else {
        return Err(vec!["there is no function to start at".to_owned()]);
    };
    let mut watch = Watch::of_program(program, &spec, main);
    let run = run_observed(program, options, inputs, &mut watch);
    let broken = watch.broken.take().map(|broken| told(program, &broken));
    Ok(Watched { run, broken, undecided: watch.undecided })
}
