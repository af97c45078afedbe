//! What a small list looks like as text and as a graph.

use super::{to_dot, to_text};
use crate::{Options, Thresholds, analyse};
use heapproof_ir::Program;

const STACK: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int key; };
int main(void) {
    struct node *top = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = top;
        node->key = 7;
        top = node;
    }
    while (top) {
        struct node *next = top->next;
        free(top);
        top = next;
    }
    return 0;
}
";

fn compile(source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).unwrap();
    heapproof_frontend::compile(&[file], &heapproof_frontend::Options::default()).unwrap().program
}

fn options(keep_invariants: bool) -> Options {
    Options {
        environment: heapproof_engine::Environment::usual(
            heapproof_ir::Target::Lp64,
            "memsafety".parse().unwrap(),
        ),
        deadline: None,
        cancelled: None,
        max_states: 10_000,
        delay: 32,
        thresholds: Thresholds::default(),
        keep_invariants,
        profile: false,
    }
}

#[test]
fn a_stack_is_a_segment_at_its_loops() {
    let program = compile(STACK);
    let analysis = analyse(&program, &options(true));
    assert!(analysis.is_proof(), "{:?}", analysis.troubles);
    let lines: Vec<u32> = analysis.invariants.iter().map(|invariant| invariant.span.line).collect();
    assert_eq!(lines, [6, 12]);
    for invariant in &analysis.invariants {
        let text = to_text(&program, invariant);
        assert!(text.contains("loop in `main`"), "{text}");
        assert!(text.contains("    top -> #0\n"), "{text}");
        assert!(text.contains("    #0: SLS "), "{text}");
        assert!(
            text.contains("+, struct node, 16 bytes each\n      +0 next = 0\n      +8 key = 7\n"),
            "{text}"
        );
        assert_eq!(text, to_text(&program, invariant));
    }
}

#[test]
fn a_graph_has_the_variable_the_segment_and_its_fields() {
    let program = compile(STACK);
    let analysis = analyse(&program, &options(true));
    let dot = to_dot(&program, &analysis.invariants[0]);
    for word in ["digraph", "label=\"top\"", "<B>SLS ", "struct node", "<I>next</I>", ":t:w"] {
        assert!(dot.contains(word), "`{word}` is missing: {dot}");
    }
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
}

#[test]
fn a_second_link_is_shown_as_the_first() {
    let program =
        compile(&STACK.replace("int key", "struct node *twin").replace("node->key = 7", "node->twin = top"));
    let analysis = analyse(&program, &options(true));
    assert!(analysis.is_proof(), "{:?}", analysis.troubles);
    let text = to_text(&program, &analysis.invariants[0]);
    assert!(text.contains("      +0 next = 0\n      +8 twin = next\n"), "{text}");
}

#[test]
fn nothing_is_kept_unless_asked() {
    assert!(analyse(&compile(STACK), &options(false)).invariants.is_empty());
}
