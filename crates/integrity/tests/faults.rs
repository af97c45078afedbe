//! Deliberate faults, one at a time: which tests notice?
//!
//! `cargo test --release -p heapproof-integrity --features faults --test faults -- --ignored --nocapture`. With `FAULT=N` only that one;
//! with `UPDATE_FAULTS=1` the table of `FAULTS.md` is written; `FAULT_PROGRAMS=N` says how many random programs are looked at.

#![cfg(feature = "faults")]

mod common;
mod random;
mod semantics;

use heapproof_engine::Environment;
use heapproof_integrity::{FAULT, analyse, rules, search};
use heapproof_ir::nodes::Nodes;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is wrong, by number from 1 on.
const FAULTS: [&str; 65] = [
    "rule: what lies outside of nodes is closed as well",
    "rule: a pointer to a node is never null",
    "rule: what is no node is null",
    "rule: no cell holds an address, not even the excepted one",
    "rule: what is kept was never null",
    "rule: what is reached is reached by one link",
    "rule: all links are closed, also in the excepted node",
    "rule: links lie at the start of their nodes",
    "witness: a block that is too small becomes a node",
    "witness: a link of a new node that was never set is null",
    "witness: what is written to a link need not be shown to be good",
    "witness: no link holds the address of a new node, not even junk",
    "witness: another name of a node on the stack stays valid when its scope ends",
    "witness: a value that was partly filled with zeros is zero",
    "witness: a copy may read behind its source",
    "witness: data is remembered though another node was written",
    "witness: a value that was partly written over is zero as before",
    "witness: a node on the stack is valid when its scope is over",
    "cut point: locals are there at a loop head though their scope is over",
    "cut point: a block that two variables name is two blocks at a loop head",
    "cut point: links of a new block are good at a loop head though one way sets none",
    "cut point: a variable is not null at a loop head though it is on one way",
    "cut point: the same under the condition that an argument is not null",
    "cut point: two variables differ at a loop head though they do not on one way",
    "cut point: open links are closed at a loop head",
    "cut point: the result is not null though it is on one way",
    "cut point: links that are not null stay so though one way clears them",
    "cut point: a variable is a function at a loop head though it is not on one way",
    "cut point: the constraint is not shown at loop heads",
    "cut point: variables are not shown to be nodes at loop heads",
    "cut point: the constraint is not shown at returns",
    "cut point: the result is not shown to be a node",
    "cut point: pointers outside of nodes are not shown to be good at returns",
    "cut point: the constraint is not shown at calls",
    "cut point: arguments are not shown to be nodes",
    "cut point: a call changes no link",
    "cut point: data is remembered over a call",
    "cut point: what a callee requires is not shown",
    "witness: `malloc` never fails",
    "witness: a freed block stays as it is",
    "witness: locals of a function that was entered live on",
    "cut point: everything may be called as a function",
    "cut point: every function of the module may be handed on",
    "cut point: a callee need not be proved",
    "witness: an index that is at most the number of elements is inside",
    "witness: a number that is cut off stays the same",
    "cut point: a node on the stack may be dead at a loop head",
    "witness: a variable may be used when its scope is over",
    "witness: a node on the stack may be linked when its scope ends",
    "cut point: a node is reached at a loop head though it is not on one way",
    "witness: a link of a node that is there no longer may be used by its address",
    "cut point: a call through a pointer changes no link",
    "cut point: the range of a number at a loop head is that of the first time",
    "rule: nodes of different types never begin at the same place, not even one inside of the other",
    "rule: nodes inside of nodes lie eight bytes further on",
    "cut point: a call changes no slot of an array",
    "witness: data of a node inside of another one is known by two names",
    "witness: data is remembered though an element of an array was written",
    "witness: an array of links of a new node need not be set",
    "witness: a node on the stack may be freed",
    "cut point: links may lead to a node that was freed",
    "cut point: a callee frees no node",
    "witness: a copy writes the fields that its source has",
    "witness: a pointer in a node may lead to a variable whose scope is over",
    "rule: links whose address is known lie at the start of their nodes",
];

/// Faults that do not show, with the reason.
const HARMLESS: [(u32, &str); 3] = [
    (21, "the proof shows these links once more"),
    (25, "the proof shows the constraint at loop heads once more"),
    (62, "only a node that nobody else knows can be shown to be led to by nothing"),
];

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The first rule that is wrong on small heaps.
fn wrong_rule() -> Option<String> {
    let types = "type t0 = int \"long\" size 8 signed
        type t1 = struct \"item\" size 16 { 0 \"key\" t0; 64 \"next\" t2 }
        type t2 = pointer t1
        type t3 = struct \"outer\" size 32 { 0 \"n\" t0; 64 \"in\" t1; 192 \"at\" t4 }
        type t4 = pointer t2";
    let nodes = Nodes::new(&heapproof_ir::text::parse(types).unwrap());
    let all = rules::rules(&nodes).unwrap().rules;
    let wrong = all.iter().find(|rule| semantics::counterexample(&nodes, rule, 3).is_some());
    wrong.map(ToString::to_string)
}

/// The first function of a module that is proved though it goes wrong.
fn wrong_module() -> Option<String> {
    common::MODULES.iter().find_map(|module| {
        let bad = common::proved_though_bad(module);
        bad.first().map(|name| format!("`{name}` of `{module}`"))
    })
}

/// The first random function that is proved though it goes wrong.
fn wrong_random() -> Option<String> {
    (0..number("FAULT_PROGRAMS", 60)).find_map(|seed| {
        let program = heapproof_ir::text::parse(&random::program(seed)).unwrap();
        let mut environment = Environment::usual(program.target, "data-structure".parse().unwrap());
        environment.malloc_may_fail = true;
        let report = analyse(&program, &environment, false, None).unwrap();
        let proved = report.functions.iter().filter(|f| f.result.is_ok());
        let wrong = proved.into_iter().find(|f| {
            let runs = AtomicU32::new(0);
            let over = || runs.fetch_add(1, Ordering::Relaxed) >= 200;
            !search(&program, &environment, f.function, &over).is_empty()
        });
        wrong.map(|f| format!("`{}` of program {seed}", f.name))
    })
}

#[test]
#[ignore = "takes minutes"]
fn every_fault_is_noticed() {
    let only = number("FAULT", 0) as u32;
    let (mut table, mut missed) = (String::new(), Vec::new());
    for (index, what) in FAULTS.iter().enumerate() {
        let fault = index as u32 + 1;
        if only != 0 && only != fault {
            continue;
        }
        FAULT.store(fault, Ordering::Relaxed);
        let found = [wrong_rule(), wrong_module(), wrong_random()];
        FAULT.store(0, Ordering::Relaxed);
        let harmless = HARMLESS.iter().find(|(n, _)| *n == fault);
        if found.iter().all(Option::is_none) && harmless.is_none() {
            missed.push(fault);
        }
        let none = harmless.map(|(_, why)| format!("cannot show: {why}"));
        let mut cells: Vec<String> = found.into_iter().map(Option::unwrap_or_default).collect();
        if cells.iter().all(String::is_empty) {
            cells[1] = none.unwrap_or_default();
        }
        let line = format!("| {fault} | {what} | {} |\n", cells.join(" | "));
        eprint!("{line}");
        table.push_str(&line);
    }
    if std::env::var_os("UPDATE_FAULTS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/FAULTS.md");
        let text = std::fs::read_to_string(path).unwrap();
        let start = text.find("| | fault").unwrap();
        let head = "| | fault | rules | modules | random functions |\n|---|---|---|---|---|\n";
        std::fs::write(path, format!("{}{head}{table}", &text[..start])).unwrap();
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
