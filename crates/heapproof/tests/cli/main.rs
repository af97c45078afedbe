//! The program as a user meets it: answers, messages, exit statuses and limits.

mod answers;
mod bad_input;
mod book;
mod chr;
mod contracts;
mod documents;
mod environment;
mod execution;
mod growth;
mod hostile;
mod invariants;
mod known;
mod limits;
mod modules;
mod names;
mod page;
mod pipes;
mod projects;
mod same;
mod several;
mod states;
mod support;
mod witness;
mod write_test;
