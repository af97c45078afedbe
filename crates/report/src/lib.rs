//! Answers for people and for programs: text in GCC's style, JSON, SARIF, SV-COMP's one line, explanations.
//!
//! Everything here is made from `verdict` alone; no engine is known.

mod advice;
pub mod escape;
pub mod explain;
pub mod fingerprint;
mod functions;
pub mod html;
pub mod json;
pub mod known;
pub mod picture;
pub mod sarif;
pub mod source;
pub mod story;
pub mod svcomp;
pub mod text;

#[cfg(test)]
mod samples;
