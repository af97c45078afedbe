//! The program as a user meets it: answers, messages, exit statuses and limits.

mod answers;
mod bad_input;
mod chr;
mod environment;
mod hostile;
mod invariants;
mod limits;
mod names;
mod pipes;
mod support;
