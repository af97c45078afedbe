//! Functions that are known to be right or wrong: `ok_` must be proved, `bad_` never.
//!
//! The modules are C files with the program representation beside them (`heapproof ir FILE.c`), so that the engine is tested without a compiler.

use heapproof_engine::Environment;
use heapproof_integrity::{Report, analyse};
use std::path::Path;

fn report(module: &str, keep_goals: bool) -> Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules").join(module).with_extension("ir");
    let program = heapproof_ir::text::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let environment = Environment::usual(program.target, "data-structure".parse().unwrap());
    analyse(&program, &environment, keep_goals, None).unwrap()
}

fn check(module: &str) -> (Vec<String>, Vec<String>) {
    let (mut wrong, mut missed) = (Vec::new(), Vec::new());
    for function in &report(module, false).functions {
        match &function.result {
            Ok(()) if function.name.starts_with("bad_") => wrong.push(function.name.clone()),
            Err(stop) if function.name.starts_with("ok_") => {
                missed.push(format!("{}: {}", function.name, stop.why))
            }
            _ => {}
        }
    }
    (wrong, missed)
}

#[test]
fn lists() {
    assert_eq!(check("list"), (vec![], vec![]));
}

#[test]
fn trees() {
    assert_eq!(check("tree"), (vec![], vec![]));
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
