//! The program `heapproof`.

use heapproof_process::Entered;
use std::process::ExitCode;

fn main() -> ExitCode {
    // It may have been started by itself: to compile, or to watch another program.
    match heapproof_process::enter(&heapproof_frontend::MODES) {
        Entered::Main(arguments) => heapproof::cli::main(arguments),
        Entered::Done(status) => status,
    }
}
