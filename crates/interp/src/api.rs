//! What a run needs and what it gives.

use crate::feedback::Feedback;
use crate::snapshot::Observer;
use heapproof_engine::Environment;
use heapproof_ir::{Program, Span};
use heapproof_verdict::{Ledger, Violation};
use std::time::Instant;

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the program runs in. A violation of properties that it does not ask about ends the run as
    /// [`Stop::OtherError`], except leaks, after which the execution goes on.
    pub environment: Environment,
    /// The most instructions.
    pub max_steps: u64,
    /// The most bytes of host memory for objects: what was touched of them and a record for each.
    pub max_memory: u64,
    /// The most frames on the call stack.
    pub max_depth: u32,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// End the run as [`Stop::Choice`] as soon as something depends on a choice.
    pub stop_at_choice: bool,
    /// Go on after an error as if the bad access had not been made, and look for others ([`Run::further`]).
    pub go_on: bool,
    /// Gather the steps of the path of a violation (where objects were allocated and freed is always known).
    pub record_path: bool,
}

/// What kind of input is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A call that gives an arbitrary value: `__VERIFIER_nondet_int`, `rand`, `getchar`, …
    Call,
    /// Bytes that were never written, or a variable that was never assigned.
    Uninitialised,
    /// Anything else that the environment decides: argc, a failing malloc, the content of an external object.
    Environment,
}

/// A question to the inputs.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What it is for.
    pub source: Source,
    /// How many bits.
    pub width: u8,
    /// The type is signed; only for showing the value.
    pub signed: bool,
    /// Smallest and largest allowed value of a bounded choice (unsigned); all values of the width otherwise.
    pub range: Option<(u128, u128)>,
    /// Smallest and largest value of a choice whose smallest value is negative.
    pub signed_range: Option<(i64, i64)>,
    /// What the value is about to be compared with, if that is why it is asked for.
    pub hint: Option<u8>,
    /// Where it is read.
    pub span: Span,
}

/// Decides every choice of a run.
pub trait Inputs {
    /// The value for a request. Bits above the width are ignored; a value outside the range is brought into it.
    fn choose(&mut self, request: &Request) -> u128;
}

/// A choice that was made. The records of a run are its replay vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRecord {
    /// What it was for.
    pub source: Source,
    /// How many bits.
    pub width: u8,
    /// Show it signed.
    pub signed: bool,
    /// The value.
    pub value: u128,
    /// The function that gave it (`__VERIFIER_nondet_int`), or the variable or object that was not initialised.
    pub name: String,
    /// Where it was read.
    pub span: Span,
}

/// Something that another execution of the same program could decide otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What was decided, in a few words.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// Why a run ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Stop {
    /// The limit on instructions.
    #[error("the limit of {0} steps was reached")]
    Steps(u64),
    /// The limit on memory.
    #[error("the program needs more than the {0} bytes of memory allowed to it")]
    Memory(u64),
    /// The limit on the call stack.
    #[error("the recursion is deeper than {0} calls")]
    Depth(u32),
    /// The time limit.
    #[error("the time limit was reached")]
    Deadline,
    /// A choice was made, and the run was to end there.
    #[error("what happens next depends on {0}")]
    Choice(String),
    /// A construct without meaning here.
    #[error("{what} is not supported")]
    Unsupported { what: String },
    /// An external function without a model.
    #[error("the external function `{name}` has no model")]
    External { name: String },
    /// An error that the properties do not ask about.
    #[error("an error of another kind ended the execution: {0}")]
    OtherError(String),
    /// An assumption of the program does not hold (`__VERIFIER_assume`): no execution.
    #[error("an assumption does not hold")]
    Infeasible,
    /// The program waits for ever or calls a function wrongly, and what happens then is not defined here.
    #[error("{0}")]
    Other(String),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Outcome {
    /// The program ended.
    Finished { exit_code: i32, aborted: bool },
    /// The program violated one of the properties.
    Violation(Box<Violation>),
    /// Neither.
    Stopped { why: Stop, at: Span, function: String },
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Violations of the asked properties that the same execution shows after the one in `outcome`, oldest first.
    /// After a leak an execution goes on; after other errors only if [`Options::go_on`] says so.
    pub further: Vec<Violation>,
    /// What the program wrote to its standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to its standard error.
    pub stderr: Vec<u8>,
    /// Instructions executed.
    pub steps: u64,
    /// The values that were asked for, in order.
    pub inputs: Vec<InputRecord>,
    /// The first choice of any kind. Without one this is the only execution that the program has.
    pub choice: Option<Choice>,
    /// The most frames that were on the call stack at once.
    pub depth: usize,
    /// Models used, external functions met, …
    pub ledger: Ledger,
}

/// Runs the program.
pub fn run(program: &Program, options: &Options, inputs: &mut dyn Inputs) -> Run {
    crate::run::run(program, options, inputs, crate::run::Company::default())
}

/// Runs the program while somebody looks on.
pub fn run_observed(
    program: &Program,
    options: &Options,
    inputs: &mut dyn Inputs,
    observer: &mut dyn Observer,
) -> Run {
    let company = crate::run::Company { observer: Some(observer), ..Default::default() };
    crate::run::run(program, options, inputs, company)
}

/// Runs the program and gathers what a search can learn from.
pub fn run_with_feedback(
    program: &Program,
    options: &Options,
    inputs: &mut dyn Inputs,
    feedback: &mut Feedback,
) -> Run {
    let company = crate::run::Company { feedback: Some(feedback), ..Default::default() };
    crate::run::run(program, options, inputs, company)
}
