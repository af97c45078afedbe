//! Constraint handling rules with search: satisfiability modulo rules.
//!
//! A solver is a set of rules (`closed(F, G) /\ in(G, p, v) ==> node(v, F, G);`) over built-in solvers for equality, linear
//! integer arithmetic and heaps. A goal is a formula without quantifiers; the answer says that it has no solution, or that nothing
//! contradicts it. The theory is that of Duck, "SMCHR: Satisfiability modulo constraint handling rules", and of the paper on shape
//! neutral analysis that engine `integrity` follows.
//!
//! This crate knows no programs: it could be used for anything that rules can say.
//!
//! ```
//! use heapproof_chr::{Answer, Options, Solver, parse};
//!
//! let rules = parse::rules("leq(x, y) /\\ leq(y, x) ==> x = y; leq(x, y) /\\ leq(y, z) ==> leq(x, z);")?;
//! let mut solver = Solver::new(&rules, Options::default())?;
//! let goals = parse::goals("leq(a, b) /\\ leq(b, c) /\\ leq(c, a) /\\ a != b")?;
//! assert_eq!(solver.solve(&goals[0])?, Answer::Unsat);
//! # Ok::<(), heapproof_chr::SyntaxError>(())
//! ```

mod compile;
mod equality;
pub mod heap;
mod lex;
mod linear;
mod matching;
pub mod parse;
mod sat;
mod solver;
mod store;
pub mod syntax;

pub use parse::SyntaxError;
pub use solver::{Answer, Limit, Options, Solver, Statistics};
