//! Every case of `cases/` is a test of its own, named like the case: its answer against the truth in its header.
//!
//! `cargo test --release -p heapproof --test cases -- lang/` runs a folder. `UPDATE_CASES=1` records what is undecided.
//! At the end the slowest are listed, by the time that passed.

mod header;
mod judge;
mod record;

use header::Case;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What all tests add to.
#[derive(Default)]
struct Seen {
    run: BTreeSet<String>,
    undecided: BTreeSet<String>,
    times: Vec<(Duration, String)>,
}

/// Folders whose modules are also checked with memory that the allocator has cleared, and the macro for it.
const VARIANTS: [(&str, &str, &str); 1] = [("dsic/lib_", "-DZMALLOC", "dsic/lib_dlist_copy_unsafe")];

/// One of so many graphs of `smg` is looked at for consistency.
const GRAPHS: u64 = 7;

fn main() {
    heapproof_smg::check_graphs(GRAPHS);
    let arguments = Arguments::from_args();
    let seen: Arc<Mutex<Seen>> = Arc::default();
    // Each case runs on a thread of its own with a large stack, so that the harness needs no more of its own.
    let conclusion = libtest_mimic::run(&arguments, trials(&seen));
    let seen = seen.lock().unwrap();
    if std::env::var_os("UPDATE_CASES").is_some() {
        record::update(&seen.run, &seen.undecided);
    }
    println!(
        "{} of {} graphs of `smg` were looked at for consistency",
        heapproof_smg::graphs_met() / GRAPHS,
        heapproof_smg::graphs_met()
    );
    let mut times = seen.times.clone();
    times.sort_unstable_by(|a, b| b.cmp(a));
    println!("{} cases, {} undecided; the slowest:", seen.run.len(), seen.undecided.len());
    for (time, name) in times.iter().take(10) {
        println!("{:8.2} s  {name}", time.as_secs_f64());
    }
    conclusion.exit();
}

fn trials(seen: &Arc<Mutex<Seen>>) -> Vec<Trial> {
    let known = Arc::new(record::load());
    let mut files = Vec::new();
    header::c_files(&header::folder(), &mut files);
    let mut trials = vec![
        Trial::test("there-are-cases", {
            let count = files.len();
            move || if count > 200 { Ok(()) } else { Err(Failed::from("where are the cases?")) }
        }),
        Trial::test("the-record-is-read-back", || {
            if record::is_read_back() { Ok(()) } else { Err(Failed::from("it is not")) }
        }),
    ];
    for path in &files {
        match header::read(path) {
            Err(error) => {
                trials.push(Trial::test(path.display().to_string(), move || Err(Failed::from(error))));
            }
            Ok(case) => {
                for case in variants(case) {
                    let (seen, known) = (Arc::clone(seen), Arc::clone(&known));
                    trials.push(Trial::test(case.name.clone(), move || test(case, &known, &seen)));
                }
            }
        }
    }
    trials
}

/// The case, and the same with macros defined.
fn variants(case: Case) -> Vec<Case> {
    let mut all = vec![case];
    for (prefix, define, except) in VARIANTS {
        let case = &all[0];
        if case.name.starts_with(prefix) && case.name != except {
            let mut variant = case.clone();
            variant.name = format!("{} {define}", case.name);
            variant.defines.push(define.to_owned());
            all.push(variant);
        }
    }
    all
}

/// Checks a case on a thread of its own, because a proof may need a large stack.
fn test(case: Case, known: &BTreeSet<String>, seen: &Mutex<Seen>) -> Result<(), Failed> {
    let name = case.name.clone();
    let begun = Instant::now();
    let work = move || judge::judge(&case);
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap();
    let joined = thread.join();
    let mut seen = seen.lock().unwrap();
    seen.run.insert(name.clone());
    let outcome = joined.map_err(|_| Failed::from("panic"))?;
    seen.times.push((begun.elapsed(), name.clone()));
    let mut wrong = outcome.wrong;
    if std::env::var_os("UPDATE_CASES").is_none() {
        wrong.extend(changes(&name, &outcome.undecided, known));
    }
    seen.undecided.extend(outcome.undecided);
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// Where the answer is not as decided as the record says.
fn changes(name: &str, undecided: &[String], known: &BTreeSet<String>) -> Vec<String> {
    let is_ours = |known: &&String| {
        known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    let better = known.iter().filter(is_ours).filter(|known| !undecided.contains(known));
    let worse = undecided.iter().filter(|name| !known.contains(*name));
    worse
        .map(|name| format!("{name}: has become unknown"))
        .chain(
            better.map(|name| {
                format!("{name}: is decided now, well done; update the record with UPDATE_CASES=1")
            }),
        )
        .collect()
}
