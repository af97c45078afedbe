//! Analyses files one by one and prints a line for each: `prove lp64|ilp32 PROPERTY SECONDS FILE…`

use heapproof_frontend as frontend;
use heapproof_ir::Target;
use heapproof_smg::{Analysis, Options, Thresholds, analyse};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1);
    let target = if args.next().as_deref() == Some("ilp32") { Target::Ilp32 } else { Target::Lp64 };
    let properties = args.next().unwrap_or_default().parse().expect("a property");
    let seconds: f64 = args.next().unwrap_or_default().parse().expect("seconds");
    for file in args.map(PathBuf::from) {
        let options = frontend::Options { target, ..frontend::Options::default() };
        let compiled = match frontend::compile(std::slice::from_ref(&file), &options) {
            Ok(compiled) => compiled,
            Err(why) => {
                println!("refused {}: {why}", file.display());
                continue;
            }
        };
        let started = Instant::now();
        let options = Options {
            environment: heapproof_engine::Environment::usual(target, Clone::clone(&properties)),
            deadline: Some(started + Duration::from_secs_f64(seconds)),
            cancelled: None,
            max_states: 1_000_000,
            delay: 32,
            thresholds: Thresholds::default(),
            keep_invariants: false,
            profile: false,
        };
        let analysis = analyse(&compiled.program, &options);
        let spent = started.elapsed().as_millis();
        match analysis.troubles.first() {
            None => println!("SAFE    {} ({} states, {spent} ms)", file.display(), analysis.states),
            Some(t) => println!(
                "unknown {} ({} states, {spent} ms): {:?} {} at line {} of {}{}",
                file.display(),
                analysis.states,
                t.kind,
                t.message,
                t.span.line,
                compiled.program.functions[t.func].name,
                left(&analysis)
            ),
        }
    }
}

/// The lines to which it comes down, if nothing else stands in the way of a proof.
fn left(analysis: &Analysis) -> String {
    let Some(left) = &analysis.left else { return String::new() };
    let lines: Vec<String> = left.iter().map(|spot| spot.place.span.line.to_string()).collect();
    format!("; all that is left: lines {}", lines.join(", "))
}
