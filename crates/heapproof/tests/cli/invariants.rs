//! What holds at loops, as files.

use crate::support::Desk;

const QUEUE: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next, *prev; };
struct job { int id; struct link link; };
int main(void) {
    struct link head = { &head, &head };
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        job->id = 1;
        job->link.next = &head;
        job->link.prev = head.prev;
        head.prev->next = &job->link;
        head.prev = &job->link;
    }
    while (head.next != &head) {
        struct link *first = head.next;
        head.next = first->next;
        first->next->prev = &head;
        free((char *)first - 8);
    }
    return 0;
}
";

#[test]
fn every_loop_has_its_files() {
    let desk = Desk::with(QUEUE);
    let output = desk.run("check a.c --dump-invariants out/shapes");
    output.expect(0, &["the invariants of 2 loops are in out/shapes", "safe: "]);
    let read = |name: &str| std::fs::read_to_string(desk.path("out/shapes").join(name)).unwrap();
    let text = read("invariants.txt");
    for word in ["a.c:7: loop in `main`", "a.c:15: loop in `main`", "DLS ", "struct job", "link.next"] {
        assert!(text.contains(word), "`{word}` is missing: {text}");
    }
    for name in ["main-line7.dot", "main-line15.dot"] {
        let dot = read(name);
        assert!(dot.starts_with("digraph") && dot.contains("<B>DLS ") && dot.contains("head"), "{dot}");
    }
    let drawn = desk.path("out/shapes/main-line7.svg").exists();
    assert!(drawn || output.stderr.contains("no *.svg: Graphviz (`dot`) is not on the path"), "{output:#?}");
}

#[test]
fn without_graphviz_the_rest_is_written() {
    let desk = Desk::with(QUEUE);
    let line = "clang=$(command -v clang-19); PATH=/nowhere $heapproof check a.c --clang $clang --dump-invariants out";
    desk.shell(line).expect(0, &["*.dot; no *.svg: Graphviz (`dot`) is not on the path", "safe: "]);
    assert!(desk.path("out/main-line7.dot").exists() && !desk.path("out/main-line7.svg").exists());
}

#[test]
fn executions_have_no_invariants() {
    let desk = Desk::with(QUEUE);
    desk.run("check a.c --engine random --dump-invariants out")
        .expect(2, &["engine random has no invariants"]);
    assert!(!desk.path("out").exists());
    desk.run("check a.c --dump-invariants a.c/out").expect(2, &["cannot create a.c/out"]);
    desk.file("b.c", "int main(void) { int *p = 0; return *p; }");
    desk.run("check b.c --dump-invariants out").expect(1, &["no invariants are written to out"]);
}
