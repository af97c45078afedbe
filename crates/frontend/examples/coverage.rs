//! Lowers many files, checks the result and its text form, and tells what did not lower: `coverage lp64|ilp32 [--list] FILE…`

use heapproof_frontend::{Options, compile};
use heapproof_ir::{InstKind, Program, Target};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
struct Tally {
    clean: usize,
    refused: Vec<(PathBuf, String)>,
    partly: Vec<(PathBuf, BTreeMap<String, usize>)>,
}

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    let target = if args.next().as_deref() == Some("ilp32") { Target::Ilp32 } else { Target::Lp64 };
    let list = args.next_if(|a| a == "--list").is_some();
    let files: Vec<PathBuf> = args.map(PathBuf::from).collect();
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    one(file, target, &tally);
                }
            });
        }
    });
    let mut tally = tally.into_inner().expect("no thread panicked");
    tally.partly.sort();
    println!(
        "{} files: {} lower completely, {} in part, {} refused by clang",
        files.len(),
        tally.clean,
        tally.partly.len(),
        tally.refused.len()
    );
    let mut reasons: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (file, whats) in &tally.partly {
        if list {
            println!("{}: {whats:?}", file.display());
        }
        for (what, count) in whats {
            let entry = reasons.entry(what).or_default();
            *entry = (entry.0 + 1, entry.1 + count);
        }
    }
    for (what, (files, places)) in reasons {
        println!("{files:5} files {places:6} places  {what}");
    }
    for (file, why) in &tally.refused {
        println!("refused {}: {}", file.display(), why.lines().find(|l| l.contains("error")).unwrap_or(why));
    }
}

fn one(file: &PathBuf, target: Target, tally: &Mutex<Tally>) {
    let options = Options { target, ..Options::default() };
    let result = compile(std::slice::from_ref(file), &options);
    let mut tally = tally.lock().expect("no thread panicked");
    match result {
        Err(why) => tally.refused.push((file.clone(), why.to_string())),
        Ok(compiled) => {
            let mut whats = unsupported(&compiled.program);
            for error in heapproof_ir::check::check(&compiled.program) {
                *whats.entry(format!("INVALID: {error}")).or_default() += 1;
            }
            let text = compiled.program.to_string();
            if text.parse::<Program>().as_ref() != Ok(&compiled.program) {
                *whats.entry("NO ROUND TRIP".to_owned()).or_default() += 1;
            }
            if whats.is_empty() {
                tally.clean += 1;
            } else {
                tally.partly.push((file.clone(), whats));
            }
        }
    }
}

fn unsupported(program: &Program) -> BTreeMap<String, usize> {
    let mut whats = BTreeMap::new();
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    for inst in bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts) {
        if let InstKind::Unsupported { what, .. } = &inst.kind {
            *whats.entry(what.clone()).or_default() += 1;
        }
    }
    whats
}
