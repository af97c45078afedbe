//! `heapproof ir`: the program as the engines see it.

use super::Status;
use super::args::Ir;
use super::{output, setup};
use crate::check::Failure;
use heapproof_frontend as frontend;

/// Compiles and prints.
pub fn main(args: Ir, clang: Vec<String>) -> Status {
    let options =
        frontend::Options { promote: !args.no_promote, ..setup::frontend_options(&args.source, clang) };
    match frontend::compile(&args.source.files, &options) {
        Ok(compiled) => {
            setup::tell_warnings(&args.source, &compiled.diagnostics);
            output::out(compiled.program.to_string().as_bytes());
            Status::Safe
        }
        Err(error) => setup::tell_failure(&Failure::Frontend(error), &args.source),
    }
}
