//! Asks the engine alone about some files, and can leave parts of it out:
//! `prove_content [--seconds N] [--unreach] [--memory] [--ilp32] [--show] [--trial WITNESSES,COPIES,TURNS] [--no-unwinding]
//! [--no-induction] [--one-witness] [--without ROWS] FILE…`.

use heapproof_engine::{Budget, Engine, Environment, NoProgress, Task};
use heapproof_frontend as frontend;
use heapproof_ir::Target;
use heapproof_templates::{Level, Templates, Trial, Tuning};
use heapproof_verdict::{Property, PropertySet};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let mut seconds = 20;
    let mut asked = vec![Property::Assertions];
    let mut target = Target::Lp64;
    let mut show = false;
    let mut tuning = Tuning::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = args.next().and_then(|n| n.parse().ok()).unwrap_or(seconds),
            "--unreach" => asked = vec![Property::UnreachCall],
            "--memory" => asked = vec![Property::ValidDeref, Property::ValidFree],
            "--ilp32" => target = Target::Ilp32,
            "--show" => show = true,
            "--no-unwinding" => tuning.unwinds = false,
            "--no-induction" => tuning.trials.retain(|trial| trial.turns == 1),
            "--one-witness" => tuning.trials.retain(|trial| trial.witnesses == 1),
            "--without" => tuning.without.extend(args.next().as_deref().and_then(level)),
            "--trial" => {
                let text = args.next().unwrap_or_default();
                let mut numbers = text.split(',').map(|n| n.parse::<u32>().unwrap_or(0)).chain([0, 0, 0]);
                let mut next = || numbers.next().unwrap_or(0);
                let (witnesses, copies, turns) = (next().max(1) as u8, next(), next().max(1));
                tuning.trials = vec![Trial { witnesses, copies, turns }];
            }
            file => one(file, seconds, (&asked, target), show, &tuning),
        }
    }
}

fn level(name: &str) -> Option<Level> {
    Some(match name {
        "conditions" => Level::Conditions,
        "numbers" => Level::Numbers,
        "pairs" => Level::Pairs,
        "elements" => Level::Elements,
        "branches" => Level::Branches,
        "shapes" => Level::Shapes,
        "blocks" => Level::Blocks,
        _ => return None,
    })
}

fn one(file: &str, seconds: u64, (asked, target): (&[Property], Target), show: bool, tuning: &Tuning) {
    let options = frontend::Options { target, ..frontend::Options::default() };
    let Ok(compiled) = frontend::compile(&[file.into()], &options) else {
        return println!("{file}: does not compile");
    };
    let mut environment = Environment::usual(target, PropertySet::new("asked", asked.iter().copied()));
    if !asked.contains(&Property::ValidDeref) {
        environment.presupposed.extend(PropertySet::memsafety().members);
    }
    let start = Instant::now();
    let budget = Budget {
        deadline: Some(start + Duration::from_secs(seconds)),
        states: u64::MAX,
        executions: 1,
        steps: 1_000,
        memory: 1 << 28,
        cancelled: Arc::default(),
    };
    let engine = Templates {
        solver: "z3".to_owned(),
        dump_queries: std::env::var_os("QUERIES").map(Into::into),
        draw: show,
        dump: show,
        tuning: tuning.clone(),
    };
    let findings = engine.run(&Task::new(&compiled.program, &[], &environment), &budget, &NoProgress);
    let said = match (&findings.proof, findings.suspicions.first()) {
        (Some(_), _) => "proved".to_owned(),
        (None, Some(s)) if s.candidate.is_some() => "error with inputs".to_owned(),
        _ => format!("{:?}", findings.obstacles),
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{file}: {said} ({seconds:.1} s, {:?})", findings.statistics);
    for artefact in findings.artefacts {
        println!("--- {}\n{}", artefact.name, artefact.text);
    }
}
