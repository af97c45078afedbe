//! What the user says about the environment reaches every engine.

use crate::support::Desk;

/// An error if `frob` overwrites `n`, or if it is not 0 that comes back.
const INDEX: &str = "\
#include <stdlib.h>
int frob(int *n);
int main(void) {
    int n = 0;
    int r = frob(&n);
    char *p = malloc(4);
    p[WHAT] = 1;
    free(p);
    return 0;
}
";

#[test]
fn a_proof_knows_what_havoc_may_overwrite() {
    let desk = Desk::with(INDEX.replace("WHAT", "n"));
    for engine in ["auto", "smg", "random"] {
        let output = desk.run(&format!("check a.c --havoc frob --engine {engine}"));
        output.expect(1, &["a.c:7:", "out-of-bounds-write", "`frob`"]);
    }
    desk.run("run a.c --havoc frob --input 0,e9").expect(1, &["a.c:7:", "out-of-bounds-write"]);
}

#[test]
fn a_pure_function_overwrites_nothing() {
    let desk = Desk::with(INDEX.replace("WHAT", "n"));
    desk.run("check a.c --assume-pure frob").expect(0, &["safe", "`frob`"]);
    let desk = Desk::with(INDEX.replace("WHAT", "r"));
    desk.run("check a.c --assume-pure frob").expect(1, &["a.c:7:", "out-of-bounds-write"]);
}

#[test]
fn the_word_of_the_user_beats_the_model() {
    let text = INDEX.replace("int frob(int *n);", "#include <string.h>").replace("WHAT", "n");
    let desk = Desk::with(text.replace("int r = frob(&n)", "memset(&n, 0, sizeof n)"));
    desk.run("check a.c -- -fno-builtin").expect(0, &["safe"]);
    desk.run("check a.c --havoc memset -- -fno-builtin").expect(1, &["a.c:7:", "out-of-bounds-write"]);
}

#[test]
fn what_is_unknown_may_be_overwritten_too() {
    let text = "#include <stdlib.h>\nvoid frob(void *p);\nvoid *any(void);\nint main(void) {\n    int n = 0;\n    \
                frob(any());\n    char *p = malloc(4);\n    p[n] = 1;\n    free(p);\n    return 0;\n}\n";
    let desk = Desk::with(text);
    desk.run("check a.c --engine smg --havoc frob --assume-pure any").expect(3, &["`frob` may overwrite"]);
}

#[test]
fn every_end_counts_for_the_property_of_the_competition() {
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
                char *p = malloc(4);\n    if (__VERIFIER_nondet_int())\n        abort();\n    free(p);\n    return 0;\n}\n";
    let desk = Desk::with(text);
    desk.file("c.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )\n");
    desk.run("check a.c --property c.prp --format svcomp").expect(1, &["FALSE(valid-memcleanup)"]);
    desk.run("check a.c --property c.prp --engine smg").expect(1, &["a.c:6:"]);
    desk.run("check a.c --property memcleanup").expect(0, &["safe"]);
    let desk = Desk::with(text.replace("abort()", "exit(1)"));
    desk.run("check a.c --property memcleanup").expect(1, &["a.c:6:"]);
}

#[test]
fn requirements_name_a_function() {
    let desk = Desk::with("int main(void) { return 0; }\n");
    desk.start(&["check", "a.c", "--requires", "n > 0"], &[], 60.0).expect(2, &["--requires"]);
    desk.start(&["check", "a.c", "--presuppose", "lunch"], &[], 60.0).expect(2, &["lunch"]);
}
