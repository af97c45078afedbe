//! SMT-LIB: terms as text, scripts, and what solvers write.

mod names;
mod parse;
mod script;
mod sexpr;
mod write;

pub use names::quoted;
pub(crate) use parse::{Scope, read_model, read_value};
pub use parse::{Unreadable, read_terms};
pub use script::Script;
pub use sexpr::Sexpr;
