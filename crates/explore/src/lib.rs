//! The reachability algorithm of configurable program analysis, over any [`Domain`].
//!
//! It knows neither programs nor heaps: a domain brings its states, the transfer relation and the merge, says where
//! states can meet and in which order they are to be executed. A domain may explore within its transfer relation, for
//! example a called function.

mod algorithm;
mod budget;
mod domain;
mod trail;
mod waitlist;

pub use algorithm::{Meeting, Reached, explore};
pub use budget::{Budget, Exhausted};
pub use domain::{Domain, Merge};
pub use trail::Trail;

#[cfg(test)]
mod tests;
