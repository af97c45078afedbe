//! Engine `random`: concrete executions with random inputs. It finds errors and proves nothing.
//!
//! The search is determined by the seed: limits are counted in executions and steps, and the clock only ends it.

mod constants;
mod genome;
mod inputs;
mod learn;
mod mutate;
pub mod others;
mod search;
mod solve;
mod stops;

use super::{Settings, executions};
use constants::Constants;
use heapproof_engine::{Engine, Findings, Progress, Scope, Task};
use heapproof_interp::{self as interp, Run};
use heapproof_ir::Program;
use heapproof_verdict::{ErrorClass, Property};
use inputs::RandomInputs;
use std::time::Instant;

/// How long to search and how.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Decides all random choices.
    pub seed: u64,
    /// The most executions.
    pub executions: u64,
    /// The most steps of all executions together.
    pub steps: u64,
    /// The most steps of one of the first executions; later ones may be longer.
    pub first_steps: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { seed: 1, executions: 200_000, steps: 100_000_000, first_steps: 20_000, deadline: None }
    }
}

/// The engine.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    first_steps: u64,
    max_depth: u32,
}

impl Random {
    /// With the user's seed.
    pub fn new(settings: &Settings) -> Self {
        let Settings { seed, first_steps, max_depth, .. } = *settings;
        Random { seed, first_steps, max_depth }
    }
}

impl Engine for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn scope(&self) -> Scope {
        Scope::Program
    }

    fn proves(&self) -> &'static [Property] {
        &[]
    }

    fn refutes(&self) -> &'static [Property] {
        &Property::OF_PROGRAMS
    }

    fn run(&self, task: &Task<'_>, budget: &heapproof_engine::Budget, progress: &dyn Progress) -> Findings {
        let mut options = executions(task, budget, self.max_depth);
        if task.known.iter().any(|violation| violation.class == ErrorClass::Leak) {
            // Leaks are known: an execution goes on after one and may show something else.
            options.environment.properties.members.retain(|property| !property.is_about_leaks());
        }
        let budget = Budget {
            seed: self.seed,
            executions: budget.executions,
            steps: budget.steps,
            first_steps: self.first_steps,
            deadline: budget.deadline,
        };
        search::search(task.program, &options, &budget, progress)
    }
}

/// Single executions with random inputs, one after the other.
#[derive(Debug)]
pub struct Generator {
    constants: Constants,
    seed: u64,
    number: u64,
}

impl Generator {
    /// For the program, determined by the seed.
    pub fn new(program: &Program, seed: u64) -> Self {
        Generator { constants: Constants::of(program), seed, number: 0 }
    }

    /// The next execution.
    pub fn run(&mut self, program: &Program, options: &interp::Options) -> Run {
        let mut inputs = RandomInputs::new(self.seed, self.number, &self.constants);
        self.number += 1;
        interp::run(program, options, &mut inputs)
    }
}
