//! `--html`: the page of a run.

use super::support::Desk;

const QUEUE: &str = "\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct queue { struct item *first, *last; };
static void put(struct queue *q, int key) {
    struct item *new = malloc(sizeof *new);
    new->key = key;
    new->next = NULL;
    if (q->last)
        q->last->next = new;
    else
        q->first = new;
    q->last = new;
}
static void take(struct queue *q) {
    struct item *old = q->first;
    q->first = old->next;
    free(old);
}
int main(void) {
    struct queue q = { NULL, NULL };
    put(&q, 5);
    take(&q);
    put(&q, 7);
    return 0;
}
";

/// The steps of the first error.
fn steps(page: &str) -> Vec<String> {
    page.split("<article class=\"step")
        .skip(1)
        .map(|step| step.split("</article>").next().unwrap().to_owned())
        .collect()
}

#[test]
fn an_error_is_shown_step_by_step() {
    let desk = Desk::with(QUEUE);
    desk.run("check a.c --html page").expect(1, &["use-after-free", "the page is page/index.html"]);
    let page = std::fs::read_to_string(desk.path("page/index.html")).unwrap();
    let steps = steps(&page);
    assert!(steps.len() > 10 && page.len() < 500_000, "{} steps, {} bytes", steps.len(), page.len());
    assert!(steps[0].contains("line 20 in main") && !steps[0].contains("struct item<"));
    // The block is seen as soon as it is there, with what lies in it, and the pointers to it.
    let filled = steps.iter().find(|step| step.contains("line 8 in put")).unwrap();
    for part in ["#1 struct item", ">5<", ">NULL<", "main()", "put()", ">new<", "q of main"] {
        assert!(filled.contains(part), "{part}: {filled}");
    }
    let last = steps.last().unwrap();
    assert!(last.contains("line 9 in put") && last.contains("that was freed"));
    for part in ["class=\"block gone bad\"", "class=\"cross\"", "arrow dangling bad", "#2 struct item", ">7<"]
    {
        assert!(last.contains(part), "{part}: {last}");
    }
    assert!(steps.iter().any(|step| step.contains("block #1 is freed")));
}

#[test]
fn a_leak_a_proof_and_no_answer() {
    let desk = Desk::with(
        "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    *p = 3;\n    p = NULL;\n    return 0;\n}\n",
    );
    desk.run("check a.c --html leak").expect(1, &["leak"]);
    let page = std::fs::read_to_string(desk.path("leak/index.html")).unwrap();
    let last = steps(&page).pop().unwrap();
    assert!(last.contains("class=\"block lost bad\"") && last.contains(">3<"), "{last}");
    desk.file(
        "list.c",
        "#include <stdlib.h>\nstruct n { struct n *next; };\nint __VERIFIER_nondet_int(void);\nint main(void) {\n    struct n *head = NULL;\n\
         while (__VERIFIER_nondet_int()) { struct n *p = malloc(sizeof *p); p->next = head; head = p; }\n\
         while (head) { struct n *p = head->next; free(head); head = p; }\n    return 0;\n}\n",
    );
    desk.run("check list.c --html proof").expect(0, &["safe"]);
    let page = std::fs::read_to_string(desk.path("proof/index.html")).unwrap();
    assert!(page.contains("<code>head</code> points to a list of 0 or more struct n"), "{page}");
    assert!(page.contains("class=\"block many\""));
    desk.run("check list.c --html none --timeout 0").expect(3, &["unknown"]);
    assert!(std::fs::read_to_string(desk.path("none/index.html")).unwrap().contains("class=\"advice\""));
    desk.run("check list.c --html list.c").expect(2, &["cannot be made"]);
}

#[test]
fn steps_are_folded() {
    let desk = Desk::with(
        "int __VERIFIER_nondet_int(void);\nint main(void) {\n    int sum = 0;\n    for (int i = 0; i < 3; i++) {\n        if (i == 0) sum++;\n\
         if (i == 1) sum++;\n        if (i == 2) sum++;\n        if (sum == 9) sum++;\n        if (sum == 8) sum++;\n    }\n\
         int *p = 0;\n    return *p + sum;\n}\n",
    );
    desk.run("check a.c").expect(1, &["null-deref", "steps (--steps all shows them)"]);
    let all = desk.run("check a.c --steps all");
    all.expect(1, &["null-deref"]);
    assert!(!all.stdout.contains("--steps all"), "{all:#?}");
    desk.run("check a.c --steps some").expect(2, &["a number or `all`"]);
}
