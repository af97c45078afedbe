//! The engines that answer, and their choice.

pub mod random;
pub mod smg;

/// An engine, or the choice among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Engine {
    /// Random executions to find an error, then symbolic memory graphs for a proof.
    #[default]
    Auto,
    /// Concrete executions with random inputs: finds errors, proves nothing.
    Random,
    /// Symbolic memory graphs: proves programs with lists, confirms no errors.
    Smg,
}
