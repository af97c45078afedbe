//! The program `heapproof`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapproof::cli::main()
}
