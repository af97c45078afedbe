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

#[test]
fn what_is_overwritten_is_no_string_of_known_length() {
    let text = "#include <stdlib.h>\n#include <string.h>\nvoid frob(char *p);\nint main(void) {\n    char b[8], c[4];\n    \
                char *e = getenv(\"A\");\n    if (!e || strlen(e) > 3)\n        return 0;\n    strcpy(b, e);\n    frob(b);\n    \
                strcpy(c, b);\n    return 0;\n}\n";
    let desk = Desk::with(text);
    assert_ne!(desk.run("check a.c --engine smg --havoc frob").status, Some(0));
    desk.run("check a.c --assume-pure frob").expect(0, &["safe"]);
}

/// What is asked twice, with what happens in between, and whether the answers are the same.
const QUESTIONS: &[(&str, &str, bool)] = &[
    ("getpid()", "", true),
    ("getpid()", "printf(\"x\")", true),
    ("getpid()", "fork()", false),
    ("getuid()", "", true),
    ("isatty(0)", "", true),
    ("isatty(0)", "close(0)", false),
    ("ferror(stdin)", "", true),
    ("ferror(stdin)", "strlen(\"x\")", true),
    ("ferror(stdin)", "getchar()", false),
    ("feof(stdin)", "getchar()", false),
    ("ferror(stdout)", "puts(\"x\")", false),
    ("ferror(stdout)", "fflush(0)", false),
    ("feof(stdin)", "clearerr(stdin)", false),
    ("getenv(\"A\")", "", true),
    ("getenv(\"A\")", "getenv(\"B\")", true),
    ("getenv(\"A\")", "unsetenv(\"A\")", false),
    ("getppid()", "", false),
    ("rand()", "", false),
];

#[test]
fn the_environment_answers_as_a_real_one_does() {
    for (question, between, same) in QUESTIONS {
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nint main(void) {{\n    \
             int t[1] = {{0}};\n    __typeof__({question}) a = {question}, x = {question};\n    {between};\n    \
             __typeof__({question}) b = {question}, y = {question};\n    return t[a != b || x != y];\n}}\n"
        );
        let desk = Desk::with(text);
        let proof = desk.run("check a.c --engine smg --solver /none");
        assert_eq!(proof.status, Some(if *same { 0 } else { 3 }), "{question}; {between}: {proof:#?}");
        let executed = desk.run("check a.c --engine random");
        assert!(executed.status != Some(1) || !same, "{question}; {between}: {executed:#?}");
    }
}

#[test]
fn entries_of_the_command_line_below_argc_are_strings() {
    let program = |body: &str| {
        Desk::with(format!(
            "int main(int argc, char **argv) {{\n    int n = 0;\n    {body}\n    return n;\n}}\n"
        ))
    };
    program("for (int i = 0; i < argc; i++) n += argv[i][0];").run("check a.c").expect(0, &["safe"]);
    let too_far = program("for (int i = 0; i <= argc; i++) n += argv[i][0];");
    too_far.run("check a.c").expect(1, &["a.c:3:", "null-deref"]);
    let after = program("for (int i = 0; i < argc; i++) n += argv[i + 2] != 0;");
    assert_ne!(after.run("check a.c --engine smg --solver /none").status, Some(0));
}
