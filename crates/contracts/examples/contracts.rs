//! Checks the contracts of a program given as text of `ir` and as C: `contracts FILE.ir FILE.c`.

use heapproof_contracts::{Annotations, Spec, check};
use heapproof_logic::{Config, Limits};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ir = std::fs::read_to_string(&args[1]).expect("a file of ir");
    let text = std::fs::read_to_string(&args[2]).expect("a file of C");
    let program = heapproof_ir::text::parse(&ir).expect("ir");
    let name = program.files.values().next().expect("a file").clone();
    let annotations = Annotations::read(&program, &[(&name, &text)]);
    let spec = match Spec::new(&program, &annotations) {
        Ok(spec) => spec,
        Err(mistakes) => {
            mistakes.iter().for_each(|(file, mistake)| println!("{}", mistake.show(file, &text)));
            return;
        }
    };
    let seconds = std::env::var("SECONDS_EACH").ok().and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let limits = Limits { time: Duration::from_secs_f64(seconds), ..Limits::default() };
    let config = Config::new("z3").with_limits(limits).with_dump(args.get(3).map(Into::into));
    let start = Instant::now();
    let checked = check(&program, &spec, config, None).expect("a solver");
    for (func, outcome) in &checked.functions {
        let name = &program.functions[*func].name;
        println!("{name}: {} of {} failed {:?}", outcome.failures.len(), outcome.obligations, outcome.limits);
        for failure in &outcome.failures {
            let span = failure.span.map(|span| span.line);
            println!("   line {} {:?} at {:?}: {}", failure.at.line, failure.kind, span, failure.why);
        }
    }
    println!("{:.2} s, {:?}", start.elapsed().as_secs_f64(), checked.solver);
}
