//! Nothing is `safe` that a run breaks: programs that try, and random annotated functions against the interpreter.
//!
//! `RANDOM_FUNCTIONS=5000 cargo test --release -p heapproof-contracts --test sound random` looks at more functions. With the feature
//! `faults`, `-- --ignored --nocapture faults` switches on one deliberate fault after the other (`FAULT=N`: only that one).

#[path = "sound/generate.rs"]
mod generate;

use generate::module;
use heapproof_contracts::{Annotations, FAULT, Question, Spec, broken_state, check};
use heapproof_engine::Environment;
use heapproof_ir::{FuncId, Program, Target};
use heapproof_logic::{Config, Limits};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Functions of one module.
const FUNCTIONS: u64 = 10;

fn compile(text: &str, name: &str) -> Result<Program, String> {
    let path = std::env::temp_dir().join(format!("heapproof-sound-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).map_err(|why| why.to_string())?;
    let options = heapproof_frontend::Options { target: Target::Lp64, ..Default::default() };
    let result =
        heapproof_frontend::compile(std::slice::from_ref(&path), &options).map_err(|why| why.to_string());
    let _ = std::fs::remove_file(&path);
    Ok(result?.program)
}

/// What came out for a module: which functions are proven together with all whose contracts they use.
struct Seen {
    program: Program,
    spec: Spec,
    environment: Environment,
    proven: BTreeSet<FuncId>,
    functions: usize,
}

/// None if there is a mistake in the annotations.
fn look(text: &str, name: &str) -> Option<Seen> {
    let program = compile(text, name).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let file = program.files.values().next().expect("a file").clone();
    let annotations = Annotations::read(&program, &[(&file, text)]);
    let spec = Spec::new(&program, &annotations).ok()?;
    let environment = Environment::usual(program.target, "contracts".parse().expect("a property"));
    // Steps alone decide when the solver gives up: the same in every run.
    let limits = Limits { time: Duration::from_secs(86_400), steps: Some(1_500_000), ..Limits::default() };
    let config = Config::new("z3").with_limits(limits);
    let question = Question { program: &program, spec: &spec, environment: &environment, deadline: None };
    let checked = check(question, &config).expect("a solver");
    let usable = |outcome: &heapproof_contracts::Outcome| outcome.is_shown() && !outcome.assumes;
    let mut proven: BTreeMap<FuncId, _> = checked
        .functions
        .iter()
        .filter(|(_, outcome)| usable(outcome))
        .map(|(func, outcome)| (*func, outcome))
        .collect();
    loop {
        let before = proven.len();
        let known: BTreeSet<FuncId> = proven.keys().copied().collect();
        proven.retain(|_, outcome| outcome.callees.is_subset(&known));
        if proven.len() == before {
            break;
        }
    }
    let (proven, functions) = (proven.keys().copied().collect(), checked.functions.len());
    Some(Seen { proven, functions, program, spec, environment })
}

fn is_proven(seen: &Seen, name: &str) -> Option<bool> {
    let func = seen.program.functions.iter().find(|(_, function)| function.name == name)?.0;
    Some(seen.proven.contains(&func))
}

fn attacks() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attack");
    let files = std::fs::read_dir(folder).expect("the programs").map(|entry| entry.expect("a file").path());
    let mut all: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .map(|path| {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    all.sort();
    all
}

/// The first attack that succeeds.
fn first_success(attacks: &[(String, String)]) -> Option<String> {
    let succeeds = |(name, text): &&(String, String)| {
        look(text, name).is_some_and(|seen| is_proven(&seen, "bad") == Some(true))
    };
    attacks.iter().find(succeeds).map(|(name, _)| name.clone())
}

/// The attacks that succeed, and the good neighbours that are not proven.
fn tried(attacks: &[(String, String)]) -> (Vec<String>, Vec<String>) {
    let (mut wrong, mut weak) = (Vec::new(), Vec::new());
    for (name, text) in attacks {
        let Some(seen) = look(text, name) else { continue };
        if is_proven(&seen, "bad") == Some(true) {
            wrong.push(name.clone());
        }
        if is_proven(&seen, "good") == Some(false) {
            weak.push(name.clone());
        }
    }
    (wrong, weak)
}

#[test]
fn attacks_fail() {
    let all = attacks();
    assert!(all.len() >= 50);
    let (wrong, weak) = tried(&all);
    assert!(wrong.is_empty(), "called safe: {wrong:?}");
    assert!(weak.is_empty(), "not proved: {weak:?}");
}

/// What random functions showed: how many there were, how many are proven, and those that a run breaks nevertheless.
#[derive(Default)]
struct Random {
    functions: usize,
    proven: usize,
    broken: Vec<String>,
}

fn random(first: u64, count: u64) -> Random {
    let mut all = Random::default();
    for seed in first..first + count.div_ceil(FUNCTIONS) {
        let text = module(seed, FUNCTIONS);
        let seen = look(&text, &format!("random{seed}")).unwrap_or_else(|| panic!("a mistake in\n{text}"));
        all.functions += seen.functions;
        all.proven += seen.proven.len();
        for func in &seen.proven {
            if let Some(state) = broken_state(&seen.program, &seen.spec, &seen.environment, *func) {
                all.broken.push(format!(
                    "{} of module {seed}: {state}\n{text}",
                    seen.program.functions[*func].name
                ));
            }
        }
        if !all.broken.is_empty() {
            break;
        }
    }
    all
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_functions_keep_proven_contracts() {
    let count = number("RANDOM_FUNCTIONS").unwrap_or(40);
    let all = random(number("RANDOM_FIRST").unwrap_or(1), count);
    println!("{} functions, {} proven", all.functions, all.proven);
    assert!(all.broken.is_empty(), "{}", all.broken.join("\n"));
    assert!(all.proven * 20 > all.functions, "too few are proven: {} of {}", all.proven, all.functions);
}

/// What is wrong, by number from 1 on, and the attack that succeeds then.
const FAULTS: [(&str, &str); 26] = [
    ("a store into a link keeps the old tail of the list", "list-loses-tail"),
    ("a list goes on through a blocking pointer that a store leads to", "store-leads-to-blocking"),
    ("a store that leads to a blocking pointer does not stop there", "store-stops-at-blocking"),
    ("`BS += e` does not cut lists", "block-cuts"),
    ("`BS -= e` does not make lists longer", "unblock-joins"),
    ("a store of a number does not end the link", "number-ends-link"),
    ("a store of a number does not cut the list", "number-cuts-list"),
    ("a copied structure does not copy its link", "copy-ends-link"),
    ("a list that leads through a freed block is kept over a call", "call-frees-a-member"),
    ("a list is kept over a change of `BS` in it", "call-blocks-a-member"),
    ("a frame covers only cells at the same address", "call-changes-a-part"),
    ("a change of `BS` needs no `modifies`", "ghost-not-modified"),
    ("freeing needs no `frees`", "frees-nothing"),
    ("a change of a link needs no `modifies`", "link-ends-unsaid"),
    ("no list leads back to where it began, blocking or not", "ring-of-one"),
    ("of two members of a list the first leads to the second", "order-of-members"),
    ("a part of a number is taken from its low end", "part-of-number"),
    ("a store that overlaps a read in part does not change it", "byte-at-unknown-place"),
    ("freeing a block does not cut lists", "free-cuts"),
    ("`malloc` never fails", "malloc-fails"),
    ("a store may close a cycle", "make-a-cycle"),
    ("a loop does not change variables", "loop-changes-variables"),
    ("a loop may change what is not in `modifies`", "loop-leaves-frame"),
    ("numbers do not wrap", "overflow"),
    ("`BS -= e` may leave a ring without a blocking pointer", "unblock-a-ring"),
    ("a call needs not what the callee requires", "call-without-requires"),
];

#[test]
#[ignore = "needs the feature `faults`"]
fn faults_are_noticed() {
    let attacks = attacks();
    let mut missed = Vec::new();
    for (index, (what, name)) in FAULTS.iter().enumerate() {
        let fault = index as u32 + 1;
        if number("FAULT").is_some_and(|only| only != u64::from(fault)) {
            continue;
        }
        FAULT.store(fault, Ordering::Relaxed);
        let named: Vec<_> = attacks.iter().filter(|(known, _)| known == name).cloned().collect();
        // Another attack or a random function is good enough, too.
        let by = first_success(&named).or_else(|| first_success(&attacks)).or_else(|| {
            let found = random(1, number("FAULT_FUNCTIONS").unwrap_or(0)).broken;
            found.first().and_then(|found| found.lines().next()).map(str::to_owned)
        });
        println!("| {fault} | {what} | {} |", by.clone().unwrap_or_default());
        if by.is_none() {
            missed.push(fault);
        }
    }
    FAULT.store(0, Ordering::Relaxed);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
