//! Compares `heapproof run` with AddressSanitizer on random programs.

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use heapproof_progen::Fault;
use heapproof_progen::asan::Sanitizer;
use heapproof_progen::compare::{Options, Outcome, Plan, compare_all};

/// Compare `heapproof run` with AddressSanitizer on random C programs.
///
/// Without --heapproof the generator itself is checked: correct programs must be clean under the address and
/// undefined-behaviour sanitizers, faulty ones must be reported as planted.
#[derive(Parser)]
#[command(name = "progen-compare")]
struct Arguments {
    /// The heapproof executable.
    #[arg(long, value_name = "PATH")]
    heapproof: Option<PathBuf>,
    /// The seeds, from A up to but without B.
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "0..100")]
    seeds: Range<u64>,
    /// Every K-th program commits an error, the classes taking turns; 0: none does.
    #[arg(long, value_name = "K", default_value_t = 2)]
    fault_every: u64,
    /// Every program commits an error of this class (may be repeated); overrides --fault-every.
    #[arg(long, value_name = "CLASS")]
    class: Vec<Fault>,
    /// Every program commits an error, all known ways to commit one taking turns; overrides --class.
    #[arg(long)]
    every_variation: bool,
    /// Programs in work at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Keep disagreeing programs here, each with what was seen.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// The compiler.
    #[arg(long, value_name = "PATH", default_value = "clang-19")]
    clang: PathBuf,
    /// A second compiler, whose programs have to do the same if they commit no error.
    #[arg(long, value_name = "PATH")]
    second: Option<PathBuf>,
    /// Print the program of the first seed and stop.
    #[arg(long)]
    print: bool,
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |digits: &str| digits.parse::<u64>().map_err(|error| format!("{error}: `{digits}`"));
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..number(to)?),
        None => number(text).map(|seed| seed..seed + 1),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let plan = if arguments.every_variation {
        Plan::Variations
    } else if arguments.class.is_empty() {
        Plan::Every(arguments.fault_every)
    } else {
        Plan::Classes(arguments.class)
    };
    if arguments.print {
        let seed = arguments.seeds.start;
        print!("{}", plan.program(seed).source);
        return ExitCode::SUCCESS;
    }
    let options = Options {
        heapproof: arguments.heapproof,
        second: arguments.second,
        seeds: arguments.seeds,
        plan,
        jobs: arguments.jobs,
        keep: arguments.keep,
        sanitizer: Sanitizer { clang: arguments.clang, ..Sanitizer::default() },
    };
    let summary = compare_all(&options, |seed, program, outcome| {
        let class = program.fault.as_ref().map_or("none", |planted| planted.class.name());
        let host = program.fault.as_ref().map_or("", |planted| planted.scenario);
        let (word, detail) = match outcome {
            Outcome::Agreed => return,
            Outcome::Disagreed(detail) => ("disagreed", detail),
            Outcome::Stopped(detail) => ("stopped", detail),
            Outcome::Misplanted(detail) => ("misplanted", detail),
        };
        println!("seed {seed} {class} {host}: {word}: {}", detail.trim());
    });
    match summary {
        Ok(summary) => {
            print!("{}", summary.table());
            ExitCode::from(u8::from(!summary.all_agreed()))
        }
        Err(error) => {
            eprintln!("progen-compare: {error}");
            ExitCode::from(2)
        }
    }
}
