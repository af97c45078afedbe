//! The program `heapproof`.

use heapproof_process::Entered;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A build that is recorded starts it by the name of a compiler.
    if let Some(status) = heapproof::project::capture::shim() {
        return status;
    }
    // It may have been started by itself: to compile, to analyse a unit, or to watch another program.
    let [front_end, clang] = heapproof_frontend::MODES;
    match heapproof_process::enter(&[front_end, clang, heapproof::project::UNIT]) {
        Entered::Main(arguments) => heapproof::cli::main(arguments),
        Entered::Done(status) => status,
    }
}
