//! Files without `main`.

use crate::support::Desk;

const MODULE: &str =
    "struct n { struct n *next; };\nvoid add(struct n *l, struct n *x) { if (x) x->next = l; }\n";

#[test]
fn a_module_is_asked_function_by_function() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c").expect(0, &["safe", "add"]);
    let annotated = Desk::with(format!("/*@ requires l != 0; */\n{MODULE}"));
    annotated.run("check a.c").expect(2, &["no function follows this contract", "note:"]);
    desk.run("check a.c --engine smg").expect(2, &["engine smg needs a whole program"]);
    desk.run("check a.c --property memsafety").expect(2, &["no function `main`"]);
    desk.run("check a.c --property data-structure --entry nobody").expect(2, &["`nobody`"]);
}

#[test]
fn the_generated_solver_can_be_seen_and_tried() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c --dump-solver out --dump-vcs out").expect(0, &["safe"]);
    desk.run("chr out/solver.chr out/goals.chr").expect(0, &["unsat"]);
    desk.run("check a.c --dump-solver a.c/out").expect(2, &["cannot create a.c/out"]);
}

#[test]
fn a_whole_program_starts_at_one_function() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c --entry add --entry add --property memsafety").expect(2, &["--entry once"]);
}

const FAULTY: &str = "struct n { int v; struct n *next; };\n\
    int second(struct n *l) { return l->next->v; }\n\
    struct n *self(struct n *l) { if (l) l->next = (struct n *)&l->next; return l; }\n";

#[test]
fn an_error_of_a_function_comes_with_the_nodes_that_show_it() {
    let desk = Desk::with(FAULTY);
    desk.run("check a.c --write-test t.c").expect(
        1,
        &[
            "unsafe   second",
            "null-deref at line 2",
            "l = NULL",
            "excluded by --requires 'second: l != NULL'",
            "unsafe   self",
            "data-structure at line 3",
        ],
    );
    let test = std::fs::read_to_string(desk.path("t.c")).unwrap();
    assert!(test.contains("second("), "{test}");
    // With more required, there is less to show.
    desk.shell("$heapproof check a.c --requires 'second: l != NULL && l->next != NULL'")
        .expect(1, &["unknown  second", "unsafe   self"]);
}
