//! More than one error, leaks at exit, and executions in a world that is given.

use crate::support::Desk;

const THREE: &str = "\
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
static int first(struct node *list) {
    return list->value;
}
static void fill(int *marks, int n) {
    for (int i = 0; i <= n; i++)
        marks[i] = i;
}
static void greet(const char *name) {
    char buffer[8];
    strcpy(buffer, name);
}
int main(void) {
    int *marks = malloc(5 * sizeof *marks);
    int v = first(NULL);
    fill(marks, 5);
    greet(\"much too long\");
    free(marks);
    return v;
}
";

#[test]
fn a_program_with_three_errors() {
    let desk = Desk::with(THREE);
    let answer = desk.run("check a.c --format json").json();
    let mut found: Vec<_> = answer["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| (v["line"].as_u64().unwrap(), v["class"].as_str().unwrap(), v["later"].as_bool()))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            (5, "null-deref", None),
            (9, "out-of-bounds-write", Some(true)),
            (13, "out-of-bounds-write", Some(true))
        ]
    );
    let output = desk.run("check a.c");
    output.expect(1, &["3 errors", "the null-deref here is passed over", "run a.c --go-on"]);
    desk.run("run a.c --go-on").expect(1, &["a.c:5:", "a.c:9:", "a.c:13:"]);
    desk.run("run a.c").expect(1, &["a.c:5:"]);
}

#[test]
fn one_mistake_is_one_error() {
    // Who uses the same null pointer again makes the same mistake, and so does who uses what was not read.
    let desk = Desk::with(
        "struct n { struct n *next; int a, b; };\n\
         int main(void) {\n    struct n *p = 0;\n    p->a = 1;\n    p->b = 2;\n    return p->next->a / p->b;\n}\n",
    );
    let answer = desk.run("check a.c --format json").json();
    assert_eq!(answer["violations"].as_array().unwrap().len(), 1, "{answer:#?}");
}

#[test]
fn leaks_at_exit() {
    let desk = Desk::with(
        "#include <stdlib.h>\nstatic void f(void) {\n    char *q = malloc(3);\n    q[0] = 0;\n}\n\
         int main(void) {\n    char *p = malloc(4);\n    if (!p)\n        return 1;\n    p[0] = 0;\n    return 0;\n}\n",
    );
    desk.run("check a.c").expect(0, &["a.c:12:1: note: leak at exit", "without leaks at exit"]);
    desk.run("run a.c").expect(0, &["a.c:12:1: note: leak at exit"]);
    let output = desk.run("check a.c --leaks-at-exit ignore");
    output.expect(0, &["safe:"]);
    assert!(!output.stdout.contains("leak at exit:"), "{output:#?}");
    desk.run("check a.c --leaks-at-exit error").expect(1, &["a.c:12:1: error: leak:"]);
    desk.run("check a.c --property memsafety").expect(1, &["a.c:12:1: error: leak:"]);
    // Another leak hides nothing and is hidden by nothing.
    let text = std::fs::read_to_string(desk.path("a.c")).unwrap().replace("p[0] = 0;", "f(); f();");
    desk.file("b.c", &text);
    desk.run("check b.c").expect(1, &["b.c:5:1: error: leak:", "b.c:12:1: note: leak at exit"]);
    desk.run("check b.c --leaks-at-exit error")
        .expect(1, &["b.c:5:1: error: leak:", "b.c:12:1: error: leak:"]);
}

#[test]
fn a_handler_at_exit_sees_that_variables_of_main_are_gone() {
    let desk = Desk::with(
        "#include <stdlib.h>\nstatic int *kept;\nstatic int seen;\nstatic void end(void) { seen = *kept; }\n\
         int main(void) {\n    int x = 1;\n    kept = &x;\n    atexit(end);\n    return 0;\n}\n",
    );
    desk.run("check a.c").expect(1, &["use-after-scope"]);
}

#[test]
fn an_index_that_leaves_a_member_or_a_row() {
    let start = "extern int __VERIFIER_nondet_int(void);\nstruct s { int id, marks[5], total, last[1]; };\nint main(void) {\n    static struct s s;\n    static int m[3][4];\n    int n = __VERIFIER_nondet_int();\n";
    for (body, class) in [
        ("    if (n >= 0 && n < 6)\n        s.marks[n] = 1;\n", "out-of-bounds-write"),
        ("    s.total = 3;\n    return s.marks[5];\n", "out-of-bounds-read"),
        ("    return n < 2 || n > 4 ? 0 :\n        m[1][n];\n", "out-of-bounds-read"),
    ] {
        let desk = Desk::with(format!("{start}{body}}}\n"));
        desk.run("check a.c --property memsafety+bounds").expect(1, &["a.c:8:", class, "which has"]);
        desk.run("check a.c --property memsafety").expect(0, &["safe:"]);
    }
    let fine = "    int *end = &s.marks[5], sum = 0;\n    for (int *p = s.marks; p < end; p++)\n        sum += *p;\n    for (int i = 0; i < 5; i++)\n        s.marks[i] = i;\n    if (n >= 0 && n < 4)\n        m[2][n] = sum;\n    return 0;\n}\n";
    let desk = Desk::with(format!("{start}{fine}"));
    desk.run("check a.c --property memsafety+bounds").expect(0, &["safe:"]);
}

const READER: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[64];
    int lines = 0, number = 0, c;
    while (fgets(line, sizeof line, stdin))
        lines++;
    FILE *file = fopen(\"numbers\", \"r\");
    if (!file || fopen(\"missing\", \"r\"))
        return 2;
    int sum = 0;
    while (fscanf(file, \"%d\", &number) == 1)
        sum += number;
    rewind(file);
    c = getc(file);
    ungetc(c, file);
    size_t n = fread(line, 1, 3, file);
    fclose(file);
    const char *name = getenv(\"NAME\");
    printf(\"%d %d %c %zu %s %d\\n\", lines, sum, c, n, name ? name : \"-\", argc);
    return 0;
}
";

#[test]
fn an_execution_in_a_given_world() {
    let desk = Desk::with(READER);
    desk.file("in", "one\ntwo\nthree");
    desk.file("list", "12 30\n-2");
    let output = desk.start(
        &["run", "a.c", "--stdin", "in", "--file", "numbers=list", "--env", "NAME=you", "--args", "x"],
        &[],
        60.0,
    );
    output.expect(0, &["3 40 1 3 you 2"]);
    let args = [
        "check",
        "a.c",
        "--engine",
        "execution",
        "--stdin",
        "in",
        "--file",
        "numbers=list",
        "--env",
        "A=b",
        "--argv",
        "x",
    ];
    desk.start(&args, &[], 60.0).expect(0, &["safe:", "engine execution"]);
    desk.run("run a.c --file numbers").expect(2, &["NAME=PATH"]);
    desk.run("run a.c --stdin nothing-there").expect(2, &["cannot read nothing-there"]);
}
