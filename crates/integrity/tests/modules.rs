//! Functions that are known to be right or wrong: `ok_` must be proved, `bad_` never; no run may refute `ok_` or `fine_`.
//!
//! The modules are C files with the program representation beside them (`heapproof ir FILE.c`), so that the engine is tested without a compiler.
//! A line `// requires: NAME: F` says what a function may assume.

mod common;

use common::{MODULES, check, report};

#[test]
fn no_answer_is_wrong() {
    let found: Vec<_> = MODULES.iter().map(|module| (*module, check(module))).collect();
    let wrong: Vec<_> = found.iter().filter(|(_, found)| *found != (vec![], vec![])).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_generated_solver_is_one_that_can_be_read() {
    let report = report("tree", true);
    let rules = heapproof_chr::parse::rules(&report.rules).unwrap();
    assert!(
        report
            .rules
            .contains("closed_tree_child_1(F, N, M) /\\ in(F, p, v) /\\ dom(N, p) ==> node_tree(v, M);")
    );
    let mut solver = heapproof_chr::Solver::new(&rules, heapproof_chr::Options::default()).unwrap();
    let goals = report.goals.unwrap();
    assert!(goals.len() > 10);
    for text in &goals {
        let goal = &heapproof_chr::parse::goals(text).unwrap()[0];
        let unsat = solver.solve(goal).unwrap() == heapproof_chr::Answer::Unsat;
        assert_eq!(unsat, text.starts_with("// unsat"), "{text}");
    }
}
