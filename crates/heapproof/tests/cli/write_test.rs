//! `--write-test`: the C program compiles, and fails in the same way at the same line.

use crate::support::Desk;

const START: &str = "#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                     extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assume(int);\nvoid reach_error(void);\n";

/// What the sanitizer says, the code of `main`; the error is in the line with `HERE`, the eighth or later.
const ERRORS: &[(&str, &str, &str)] = &[
    (
        "heap-use-after-free",
        "",
        "int *p = malloc(4);\nif (__VERIFIER_nondet_int() == 7)\nfree(p);\n*p = 1; /* HERE */\nfree(p);",
    ),
    (
        "attempting double-free",
        "",
        "int *p = malloc(4);\nfree(p);\nif (__VERIFIER_nondet_uchar() > 200)\nfree(p); /* HERE */",
    ),
    (
        "heap-buffer-overflow",
        "",
        "int n = __VERIFIER_nondet_int();\n__VERIFIER_assume(n > 0 && n < 6);\nchar *p = malloc(5);\np[n + 1] = 0; /* HERE */\nfree(p);",
    ),
    ("attempting free on address", "", "int x = 0;\nint *p = &x;\nfree(p); /* HERE */"),
    ("SEGV", "", "int *p = __VERIFIER_nondet_int() ? malloc(4) : 0;\n*p = 1; /* HERE */\nfree(p);"),
    (
        "LeakSanitizer",
        "--property memsafety",
        "int *p = malloc(4);\n*p = 1;\nif (__VERIFIER_nondet_int())\nfree(p);\nreturn 0; /* LEAK */",
    ),
    ("Assertion", "", "int n = __VERIFIER_nondet_int();\nassert(n != 12345); /* HERE */"),
    (
        "stack-buffer-overflow",
        "",
        "int a[4] = {0};\nint n = __VERIFIER_nondet_uchar() & 7;\na[n] = 1; /* HERE */",
    ),
    ("SEGV", "--malloc-may-fail", "int *p = malloc(4);\n*p = 1; /* HERE */\nfree(p);"),
    ("ABRT", "--property unreach-call", "if (__VERIFIER_nondet_int() == 99)\nreach_error(); /* HERE */"),
];

#[test]
fn the_test_fails_as_the_program_does() {
    for (words, options, body) in ERRORS {
        let source = format!("{START}int main(void) {{\n{body}\n}}\n");
        let line = source.lines().position(|line| line.contains("HERE")).map(|at| at + 1);
        let desk = Desk::with(&source);
        desk.run(&format!("check a.c {options} --write-test t.c")).expect(1, &[]);
        let output = desk.shell(
            "mkdir -p out && cd out && clang-19 -g -w -fsanitize=address ../t.c -o t && \
             ASAN_OPTIONS=handle_abort=1 ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19 ./t",
        );
        assert_ne!(output.status, Some(0), "{words}: {output:#?}");
        assert!(output.stderr.contains(words), "{words}: {output:#?}\n{source}");
        if let Some(line) = line {
            assert!(
                output.stderr.contains(&format!("a.c:{line}")),
                "{words} at {line}: {output:#?}\n{source}"
            );
        }
    }
}

#[test]
fn the_command_line_is_part_of_a_test() {
    let source = "#include <string.h>\nint main(int argc, char **argv) {\nchar b[4];\nif (argc > 1)\nstrcpy(b, argv[1]);\nreturn 0;\n}\n";
    let desk = Desk::with(source);
    desk.start(&["check", "a.c", "--argv", "much too long", "--write-test", "t.c"], &[], 60.0).expect(1, &[]);
    let output = desk.shell(
        "clang-19 -g -w -fsanitize=address t.c -o t && ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19 ./t",
    );
    assert!(
        output.stderr.contains("stack-buffer-overflow") && output.stderr.contains("a.c:5"),
        "{output:#?}"
    );
}

#[test]
fn without_an_error_there_is_no_test() {
    let desk = Desk::with("int main(void) { return 0; }\n");
    desk.run("check a.c --write-test t.c").expect(0, &["no test is written"]);
    desk.run("check a.c --write-test no/such/folder/t.c").expect(2, &["cannot write"]);
    assert!(!desk.path("t.c").exists());
}
