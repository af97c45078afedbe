//! Files without `main`.

use crate::support::Desk;

const MODULE: &str =
    "struct n { struct n *next; };\nvoid add(struct n *l, struct n *x) { if (x) x->next = l; }\n";

#[test]
fn a_module_is_asked_function_by_function() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c --property data-structure").expect(0, &["safe", "add"]);
    let annotated = Desk::with(format!("/*@ requires l != 0; */\n{MODULE}"));
    annotated.run("check a.c").expect(2, &["no function follows this contract", "note:"]);
    desk.run("check a.c --engine smg").expect(2, &["engine smg needs a whole program"]);
    desk.run("check a.c --property data-structure --entry nobody").expect(2, &["`nobody`"]);
}

#[test]
fn the_generated_solver_can_be_seen_and_tried() {
    let desk = Desk::with(MODULE);
    desk.run("check a.c --property data-structure --dump-solver out --dump-vcs out").expect(0, &["safe"]);
    desk.run("chr out/solver.chr out/goals.chr").expect(0, &["unsat"]);
    desk.run("check a.c --property data-structure --dump-solver a.c/out")
        .expect(2, &["cannot create a.c/out"]);
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
    desk.run("check a.c --property data-structure --write-test t.c").expect(
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
    desk.shell(
        "$heapproof check a.c --property data-structure --requires 'second: l != NULL && l->next != NULL'",
    )
    .expect(1, &["unknown  second", "unsafe   self"]);
}

const STACK: &str = "#include <stdlib.h>\n\
    struct stack { int *data; size_t n, cap; };\n\
    struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }\n\
    void stack_free(struct stack *s) { if (s) { free(s->data); free(s); } }\n\
    int stack_push(struct stack *s, int x) {\n\
        if (s->n == s->cap) {\n\
            int *p = realloc(s->data, (s->cap + 1) * sizeof *p);\n\
            if (!p) return -1;\n\
            s->data = p;\n\
            s->cap++;\n\
        }\n\
        s->data[s->n++] = x;\n\
        return 0;\n\
    }\n\
    int stack_pop(struct stack *s) { return s->data[--s->n]; }\n";

#[test]
fn a_library_is_judged_for_all_its_clients() {
    let desk = Desk::with(STACK);
    // Nobody says that an empty stack must not be popped.
    desk.run("check a.c --budget 2000").expect(
        1,
        &["unsafe   stack_pop", "null-deref at line 15", "stack_new() = stack1", "stack_pop(stack1)"],
    );
    desk.run("harness a.c").expect(0, &["`stack_free` takes `s` over", "call_stack_push", "int main(void)"]);
    desk.run("harness a.c -o client.c").expect(0, &[]);
    desk.run("check a.c client.c --malloc-may-fail --property memsafety --budget 2000")
        .expect(1, &["null-deref", "stack_pop"]);
    let skipped = Desk::with(format!("//@ client stack_pop: skip\n{STACK}"));
    skipped.run("check a.c --budget 500").expect(3, &["unknown  stack_pop", "left out by `//@ client`"]);
    let wrong = Desk::with(format!("//@ client stack_pop: gobbles s\n{STACK}"));
    wrong.run("check a.c").expect(2, &["`gobbles` is no word of `//@ client`"]);
}

#[test]
fn a_library_is_proved_for_all_its_clients() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/api/slist.c");
    let desk = Desk::with(std::fs::read_to_string(path).unwrap());
    desk.run("check a.c --property memsafety").expect(0, &["safe     slist_split", "safe: "]);
}

#[test]
fn what_cannot_be_inferred_is_asked_for() {
    let text = "#include <stdlib.h>\n\
        struct node { struct node *next; };\n\
        struct list { struct node *first; };\n\
        struct list *list_new(void) { return calloc(1, sizeof(struct list)); }\n\
        void list_free(struct list *l) { free(l); }\n\
        struct node *node_new(void) { return calloc(1, sizeof(struct node)); }\n\
        void node_free(struct node *n) { free(n); }\n\
        void list_take_out(struct list *l, struct node *n) { l->first = n->next; free(n); }\n";
    let output = Desk::with(text).run("check a.c --budget 1000");
    output.expect(3, &["unknown  list_take_out", "`//@ client list_take_out: consumes n`"]);
}
