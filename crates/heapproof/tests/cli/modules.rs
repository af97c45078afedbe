//! Files without `main`.

use crate::support::Desk;

const MODULE: &str = "struct n { struct n *next; };\nvoid add(struct n *l, struct n *x) { x->next = l; }\n";

#[test]
fn a_module_is_asked_function_by_function() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c").expect(2, &["no function `main`", "`add`", "--entry", "data-structure"]);
    let annotated = Desk::with(format!("/*@ requires l != 0; */\n{MODULE}"));
    annotated.run("check a.c").expect(2, &["no function follows this contract", "note:"]);
    desk.run("check a.c --engine smg").expect(2, &["engine smg needs a whole program"]);
    desk.run("check a.c --property memsafety").expect(2, &["no function `main`"]);
    desk.run("check a.c --property data-structure --entry nobody").expect(2, &["`nobody`"]);
}

#[test]
fn a_whole_program_starts_at_one_function() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c --entry add --entry add").expect(2, &["--entry once"]);
}
