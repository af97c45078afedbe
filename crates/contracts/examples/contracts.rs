//! Checks the contracts of a program given as text of `ir` and as C: `contracts FILE.ir FILE.c [DIRECTORY FOR QUESTIONS]`.

use heapproof_contracts::{Annotations, Contracts, Question, Spec, broken_state, check};
use heapproof_engine::{Budget, Engine, Environment, NoProgress, Source, Task};
use heapproof_logic::{Config, Limits};
use heapproof_verdict::Verdict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ir = std::fs::read_to_string(&args[1]).expect("a file of ir");
    let text = std::fs::read_to_string(&args[2]).expect("a file of C");
    let program = heapproof_ir::text::parse(&ir).expect("ir");
    let name = program.files.values().next().expect("a file").clone();
    if args.get(3).is_some_and(|arg| arg == "engine") {
        return engine(&program, &name, &text);
    }
    let annotations = Annotations::read(&program, &[(&name, &text)]);
    let spec = match Spec::new(&program, &annotations) {
        Ok(spec) => spec,
        Err(mistakes) => {
            mistakes.iter().for_each(|(file, mistake)| println!("{}", mistake.show(file, &text)));
            return;
        }
    };
    let steps = std::env::var("STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000_000);
    let limits = Limits { time: Duration::from_secs(60), steps: Some(steps), ..Limits::default() };
    let config = Config::new("z3").with_limits(limits).with_dump(args.get(3).map(Into::into));
    let start = Instant::now();
    let environment = Environment::usual(program.target, "contracts".parse().expect("a property"));
    let question = Question { program: &program, spec: &spec, environment: &environment, deadline: None };
    let checked = check(question, &config).expect("a solver");
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

/// Runs the whole engine.
fn engine(program: &heapproof_ir::Program, name: &str, text: &str) {
    let sources = [Source::with_text(name, text)];
    let environment = Environment::usual(program.target, "contracts".parse().expect("a property"));
    let task = Task::new(program, &sources, &environment);
    let budget = Budget {
        deadline: None,
        states: 1_000,
        executions: 1_000,
        steps: 1_000_000,
        memory: 1 << 30,
        cancelled: Arc::new(AtomicBool::new(false)),
    };
    let findings = Contracts { solver: "z3".to_owned(), dump_queries: None, cache: None, suggest: false }
        .run(&task, &budget, &NoProgress);
    for function in &findings.functions {
        println!("{}: {:?} {}", function.name, function.verdict, function.reason.clone().unwrap_or_default());
        for violation in &function.violations {
            println!("   {} line {}: {}", violation.class, violation.location.line, violation.message);
        }
        if let Some(state) = &function.state {
            println!("      {}", state.replace('\n', "\n      "));
        }
        // What was proved is tried out.
        let func = program.functions.iter().find(|(_, known)| known.name == function.name).map(|(id, _)| id);
        let annotations = Annotations::read(program, &[(name, text)]);
        if let (Some(func), Ok(spec), Verdict::Safe) =
            (func, Spec::new(program, &annotations), function.verdict)
            && let Some(state) = broken_state(program, &spec, &environment, func)
        {
            println!("CONTRADICTION {state}");
        }
    }
    println!("{:?} {:?}", findings.statistics, findings.obstacles);
}
