//! The rules that are generated from node types, against the meaning of their constraints on heaps of up to five cells: on all of four, and where there are not too many on all of five.

mod semantics;

use heapproof_chr::syntax::Rule;
use heapproof_integrity::rules;
use heapproof_ir::nodes::Nodes;
use semantics::{MOST_CELLS, counterexample, wrong_twins};

const LIST: &str = "
type t0 = int \"long\" size 8 signed
type t1 = struct \"item\" size 16 { 0 \"key\" t0; 64 \"next\" t2 }
type t2 = pointer t1
";

const TWO: &str = "
type t0 = struct \"tree\" size 32 { 0 \"left\" t1; 64 \"right\" t1; 128 \"items\" t3; 192 \"n\" t4 }
type t1 = pointer t0
type t2 = struct \"item\" size 16 { 0 \"owner\" t1; 64 \"next\" t3 }
type t3 = pointer t2
type t4 = int \"long\" size 8 signed
";

/// A list inside of items, and these inside of something else.
const PARTS: &str = "
type t0 = struct \"list\" size 16 { 0 \"next\" t1; 64 \"prev\" t1 }
type t1 = pointer t0
type t2 = struct \"item\" size 32 { 0 \"n\" t4; 64 \"link\" t0; 192 \"peer\" t3 }
type t3 = pointer t2
type t4 = int \"long\" size 8 signed
type t5 = struct \"outer\" size 32 { 0 \"item\" t2 }
";

/// Nodes that know the pointer which leads to them.
const BACK: &str = "
type t0 = struct \"hook\" size 16 { 0 \"next\" t1; 64 \"back\" t2 }
type t1 = pointer t0
type t2 = pointer t1
type t3 = struct \"head\" size 16 { 0 \"n\" t4; 64 \"first\" t1 }
type t4 = int \"long\" size 8 signed
";

fn generated(types: &str) -> (Nodes, Vec<Rule>) {
    let program = heapproof_ir::text::parse(types).unwrap();
    let nodes = Nodes::new(&program);
    let rules = rules::rules(&nodes).unwrap();
    (nodes, rules.rules)
}

#[test]
fn every_rule_is_true_on_heaps_of_five_cells() {
    let (nodes, rules) = generated(LIST);
    assert!(rules.len() > 18, "{}", rules.len());
    for rule in &rules {
        for cells in [4, MOST_CELLS] {
            if let Some(state) = counterexample(&nodes, rule, cells) {
                panic!("{rule} is wrong in {state:?}");
            }
        }
    }
}

#[test]
fn every_rule_for_two_types_is_true_on_heaps_of_three_cells() {
    let (nodes, rules) = generated(TWO);
    assert_eq!((nodes.types.len(), nodes.links.len()), (2, 5));
    for rule in &rules {
        if let Some(state) = counterexample(&nodes, rule, 3) {
            panic!("{rule} is wrong in {state:?}");
        }
    }
}

#[test]
fn every_rule_for_nodes_inside_of_nodes_is_true_on_heaps_of_five_cells() {
    let (nodes, rules) = generated(PARTS);
    let parts: Vec<usize> = nodes.types.iter().map(|t| t.parts.len()).collect();
    assert_eq!((parts, nodes.links.len()), (vec![0, 1, 2], 3));
    let of_parts: Vec<&Rule> = rules.iter().filter(|r| r.to_string().starts_with("part_")).collect();
    assert_eq!(of_parts.len(), 3);
    for rule in of_parts {
        if let Some(state) = counterexample(&nodes, rule, MOST_CELLS) {
            panic!("{rule} is wrong in {state:?}");
        }
    }
}

#[test]
fn every_rule_for_pointers_to_links_is_true_on_heaps_of_three_cells() {
    let (nodes, rules) = generated(BACK);
    assert_eq!(nodes.links.iter().filter(|l| l.cell).count(), 1);
    let of_cells: Vec<&Rule> = rules.iter().filter(|r| r.to_string().contains("hook_back")).collect();
    assert_eq!(of_cells.len(), 4);
    for rule in rules.iter().filter(|r| r.to_string().contains("cell_")).chain(of_cells) {
        if let Some(state) = counterexample(&nodes, rule, 3) {
            panic!("{rule} is wrong in {state:?}");
        }
    }
}

/// The enumeration sees that a rule is wrong.
#[test]
fn wrong_rules_are_seen() {
    let (nodes, rules) = generated(LIST);
    let (mut count, mut missed) = (0, Vec::new());
    for (what, twin) in rules.iter().flat_map(wrong_twins) {
        count += 1;
        if counterexample(&nodes, &twin, 3).is_none() {
            missed.push(format!("{what}: {twin}"));
        }
    }
    assert!(count > 25, "{count}");
    assert!(missed.is_empty(), "{missed:#?}");
}
