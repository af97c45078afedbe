//! The program as a user meets it: answers, messages, exit statuses and limits.

mod answers;
mod bad_input;
mod chr;
mod environment;
mod invariants;
mod limits;
mod pipes;
mod support;
