//! The engines that answer, and their choice.

pub mod random;

/// An engine, or the choice among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Engine {
    /// Whatever suits the program.
    #[default]
    Auto,
    /// Concrete executions with random inputs: finds errors, proves nothing.
    Random,
}
