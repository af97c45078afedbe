//! The engines, in one table. A new one is a crate and a line here; the portfolio says when it runs.

pub mod execution;
pub mod random;
pub mod search;
pub mod templates;

use heapproof_engine::{Budget, Engine, Task};
use heapproof_interp as interp;
use std::path::PathBuf;

/// What engines need to know besides their task.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Decides all random choices.
    pub seed: u64,
    /// The most steps of one of the first random executions; later ones may be longer.
    pub first_steps: u64,
    /// The most frames on the call stack of an execution.
    pub max_depth: u32,
    /// The solver that finds inputs for suspected errors.
    pub solver: String,
    /// Every question to it is written to a file in this directory.
    pub dump_queries: Option<PathBuf>,
    /// States of `symheap` are written here, as formulas of separation logic.
    pub dump_heaps: Option<PathBuf>,
    /// How `symheap` finds the cell at an address.
    pub deref: heapproof_symheap::Deref,
    /// The most bytes of memory that we and the solver may use together.
    pub memory: Option<u64>,
    /// Make pictures of invariants.
    pub draw: bool,
    /// Tell what engine `smg` spent its configurations on.
    pub profile_proof: bool,
    /// Show the formulas of programs.
    pub dump_ssa: bool,
    /// Keep the goals that the generated solver was asked.
    pub keep_goals: bool,
    /// Make a C program that shows the first error of a function.
    pub write_test: bool,
    /// What engine `contracts` showed is kept here, and not asked again.
    pub cache: Option<PathBuf>,
    /// Tell loop invariants that were found.
    pub suggest: bool,
}

/// An engine of the table.
pub struct Entry {
    /// The name by which users choose it.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    make: fn(&Settings) -> Box<dyn Engine>,
}

/// All engines, in the order of the documentation.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: "execution",
        about: "One execution: a proof where nothing in it depends on a choice",
        make: |settings| Box::new(execution::Execution { max_depth: settings.max_depth }),
    },
    Entry {
        name: "smg",
        about: "Symbolic memory graphs: proves programs with lists, suspects errors",
        make: |settings| {
            Box::new(heapproof_smg::Smg { draw: settings.draw, profile: settings.profile_proof })
        },
    },
    Entry {
        name: "symheap",
        about: "Symbolic execution over separated heaps: finds errors, proves programs with few paths",
        make: |settings| Box::new(symheap(settings)),
    },
    Entry {
        name: "templates",
        about: "Templates: invariants of numbers and of the content of lists, by a solver",
        make: |settings| Box::new(templates::Templates::new(settings)),
    },
    Entry {
        name: "contracts",
        about: "Annotated functions, each by its contract, with the low-level reachability predicate",
        make: |settings| {
            Box::new(heapproof_contracts::Contracts {
                solver: settings.solver.clone(),
                dump_queries: settings.dump_queries.clone(),
                cache: settings.cache.clone(),
                suggest: settings.suggest,
            })
        },
    },
    Entry {
        name: "integrity",
        about: "Data structures of any shape, function by function: links stay closed",
        make: |settings| {
            let (keep_goals, write_test) = (settings.keep_goals, settings.write_test);
            Box::new(heapproof_integrity::Integrity { keep_goals, write_test })
        },
    },
    Entry {
        name: "search",
        about: "Paths without abstraction to suspected errors, confirmed by executions",
        make: |settings| Box::new(search::Search::new(settings)),
    },
    Entry {
        name: "random",
        about: "Executions with random inputs: finds errors, proves nothing",
        make: |settings| Box::new(random::Random::new(settings)),
    },
];

/// Symbolic execution with the user's solver.
fn symheap(settings: &Settings) -> heapproof_symheap::Symheap {
    heapproof_symheap::Symheap {
        solver: heapproof_symheap::SolverSettings {
            dump: settings.dump_queries.clone(),
            memory: settings.memory,
            ..heapproof_symheap::SolverSettings::new(&settings.solver)
        },
        deref: settings.deref,
        dump_heaps: settings.dump_heaps.clone(),
        max_depth: settings.max_depth,
    }
}

/// The engine of this name.
pub fn engine(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    ENGINES.iter().find(|entry| entry.name == name).map(|entry| (entry.make)(settings))
}

/// How a task is executed within a budget.
pub(crate) fn executions(task: &Task<'_>, budget: &Budget, max_depth: u32) -> interp::Options {
    interp::Options {
        environment: task.environment.clone(),
        max_steps: budget.steps,
        max_memory: budget.memory,
        max_depth,
        deadline: budget.deadline,
        stop_at_choice: false,
        go_on: false,
        record_path: false,
    }
}
