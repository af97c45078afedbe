//! Answers and executions in every form.

use crate::support::Desk;
use heapproof_verdict::ErrorClass;
use serde_json::Value;

const QUEUE: &str = include_str!("../../../../cases/tutorial/first.c");
const SUM: &str = "\
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    printf(\"%d\\n\", a + b);
    return a - b;
}
";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Without the time, the only part that may differ.
fn timeless(text: &str) -> String {
    let time = |line: &str| line.contains("elapsed_ms") || line.contains(" s)");
    text.lines().filter(|line| !time(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_error_as_text() {
    let desk = Desk::with(QUEUE);
    let output = desk.run("check a.c");
    output.expect(
        1,
        &[
            "a.c:36:",
            "error: use-after-free:",
            "[CWE-416]",
            "   36 |         queue->last->next = job;",
            "note: see it happen: heapproof run a.c --input ",
            "unsafe: an execution violates memsafety+assertions without leaks at exit (engine random, ",
        ],
    );
    assert_eq!(output.stderr, "");
    assert!(!output.stdout.contains('\u{1b}'));
}

#[test]
fn the_replay_command_replays() {
    let desk = Desk::with(QUEUE.replace("sizeof *job", "SIZE"));
    let output = desk.start(&["check", "a.c", "-DSIZE=sizeof *job", "--property", "memsafety"], &[], 60.0);
    output.expect(1, &[]);
    let line = output.stdout.lines().find_map(|l| l.split_once("see it happen: heapproof ")).unwrap().1;
    let line = line.replace("'-DSIZE=sizeof *job'", "-DSIZE=sizeof\u{a0}*job");
    let args: Vec<String> = line.split(' ').map(|word| word.replace('\u{a0}', " ")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    desk.start(&args, &[], 60.0).expect(1, &["a.c:36:", "use-after-free"]);
}

#[test]
fn an_error_after_a_leak_is_told_too() {
    let text =
        "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    p = NULL;\n    return *p;\n}\n";
    let desk = Desk::with(text);
    for command in ["check a.c", "run a.c"] {
        desk.run(command).expect(1, &["a.c:4:", "error: leak:", "a.c:5:", "error: null-deref:"]);
    }
    for command in ["check a.c --format json", "run a.c --format json"] {
        let answer = desk.run(command).json();
        let found = answer["violations"].as_array().unwrap();
        let found: Vec<_> = found.iter().map(|v| (v["class"].as_str(), v["line"].as_u64())).collect();
        assert_eq!(found, [(Some("leak"), Some(4)), (Some("null-deref"), Some(5))]);
        assert!(answer["violations"].as_array().unwrap().iter().all(|v| v["inputs"].is_string()));
    }
}

#[test]
fn an_error_as_json() {
    let desk = Desk::with(QUEUE);
    let output = desk.run("check a.c --format json");
    output.expect(1, &[]);
    let json = output.json();
    assert_eq!(
        keys(&json),
        [
            "verdict",
            "property",
            "engine",
            "files",
            "violations",
            "suspicions",
            "reason",
            "obstacles",
            "proofs",
            "functions",
            "assumptions",
            "notes",
            "statistics",
            "elapsed_ms",
            "errors"
        ]
    );
    assert_eq!(json["verdict"], "unsafe");
    let violation = &json["violations"][0];
    for key in ["class", "cwe", "file", "line", "column", "function", "message", "path", "inputs"] {
        assert!(!violation[key].is_null(), "{key}: {violation:#}");
    }
    assert_eq!((&violation["class"], &violation["line"]), (&"use-after-free".into(), &36.into()));
    assert_eq!(violation["function"], "put");
    let inputs = violation["inputs"].as_str().unwrap();
    let replay = desk.start(&["run", "a.c", "--format", "json", "--input", inputs], &[], 60.0);
    replay.expect(1, &[]);
    let again = replay.json();
    assert_eq!(again["violations"][0]["line"], 36);
    assert_eq!(again["inputs"], inputs);
}

#[test]
fn inputs_are_made_simple() {
    let output = Desk::with(QUEUE).run("check a.c --format json --seed 7");
    assert_eq!(output.json()["violations"][0]["inputs"], "1,-1,1");
}

#[test]
fn the_other_forms() {
    let desk = Desk::with(QUEUE);
    let output = desk.run("check a.c --format svcomp");
    output.expect(1, &[]);
    assert_eq!(output.stdout, "FALSE(valid-deref)\n");
    let output = desk.run("check a.c --format sarif --output x.sarif");
    output.expect(1, &[]);
    assert_eq!(output.stdout, "");
    let text = std::fs::read_to_string(desk.path("x.sarif")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["runs"][0]["results"][0]["ruleId"], "use-after-free");
}

#[test]
fn colours_only_when_asked_for() {
    let desk = Desk::with(QUEUE);
    assert!(desk.run("check a.c --color always").stdout.contains("\u{1b}[31m"));
    let forced = desk.start(&["check", "a.c"], &[("NO_COLOR", "1")], 60.0);
    assert!(!forced.stdout.contains('\u{1b}'));
}

#[test]
fn nothing_found_is_not_safe() {
    let desk = Desk::with("int main(void) { return 0; }\n");
    let output = desk.run("check a.c --engine random");
    output.expect(3, &["reason:", "unknown: memsafety+assertions without leaks at exit is not decided"]);
}

#[test]
fn a_proof_is_safe() {
    let desk = Desk::with("int main(void) { return 0; }\n");
    desk.run("check a.c").expect(
        0,
        &["safe: no execution violates memsafety+assertions without leaks at exit (engine execution"],
    );
    desk.run("check a.c --engine smg --format svcomp").expect(0, &["TRUE"]);
}

#[test]
fn a_long_execution_without_inputs_is_followed_to_its_end() {
    let desk =
        Desk::with("int a[9];\nint main(void) { int i = 0; while (i < 300000) i++; return a[i % 9]; }\n");
    desk.run("check a.c --engine random").expect(3, &["reads no input and its one execution has no error"]);
    let desk = Desk::with("int a[9];\nint main(void) { int i = 0; while (i < 300000) i++; return a[i]; }\n");
    desk.run("check a.c").expect(1, &["out-of-bounds-read"]);
}

#[test]
fn an_external_function_is_named() {
    let desk = Desk::with("int read_sensor(int);\nint main(void) { return read_sensor(3); }\n");
    desk.run("check a.c").expect(3, &["a.c:2:", "`read_sensor` has no model", "--assume-pure read_sensor"]);
    desk.run("run a.c").expect(3, &["`read_sensor` has no model"]);
    let output = desk.run("run a.c --assume-pure read_sensor --input 5,e5 --format json");
    output.expect(0, &[]);
}

#[test]
fn equal_runs_give_equal_answers() {
    let desk = Desk::with(QUEUE);
    for args in ["check a.c --format json", "check a.c", "check a.c --format sarif --seed 3"] {
        let (first, second) = (desk.run(args), desk.run(args));
        assert_eq!(timeless(&first.stdout), timeless(&second.stdout));
        assert_eq!((first.status, first.stderr), (second.status, second.stderr));
    }
}

#[test]
fn a_run_with_inputs() {
    let desk = Desk::with(SUM);
    let output = desk.run("run a.c --input 40,2");
    output.expect(0, &[]);
    assert_eq!(output.stdout, "42\n");
    assert!(output.stderr.contains("finished with exit code 38"), "{output:?}");
    let json = desk.run("run a.c --input -1,0x10 --format json").json();
    assert_eq!(
        keys(&json),
        ["outcome", "exit_code", "stdout", "stderr", "violations", "reason", "steps", "inputs"]
    );
    assert_eq!((&json["outcome"], &json["stdout"]), (&"finished".into(), &"15\n".into()));
    assert_eq!((&json["inputs"], &json["reason"]), (&"-1,16".into(), &Value::Null));
}

#[test]
fn a_run_says_when_inputs_are_missing_or_left() {
    let desk = Desk::with(SUM);
    desk.run("run a.c").expect(0, &["2 more inputs were asked for than given; they were 0"]);
    desk.run("run a.c --input 1,2,3").expect(0, &["1 of the given inputs were not asked for"]);
}

#[test]
fn runs_with_random_inputs() {
    let desk = Desk::with(QUEUE);
    desk.run("run a.c --random 500").expect(1, &["a.c:36:", "use-after-free"]);
    let (a, b) = (desk.run("run a.c --random 500 --seed 4"), desk.run("run a.c --random 500 --seed 4"));
    assert_eq!(a, b);
}

#[test]
fn arguments_of_the_program() {
    let desk = Desk::with(
        "#include <stdio.h>\nint main(int argc, char **argv) { for (int i = 1; i < argc; i++) puts(argv[i]); return argc; }\n",
    );
    let output = desk.run("run a.c --args -x --input b");
    output.expect(0, &["exit code 4"]);
    assert_eq!(output.stdout, "-x\n--input\nb\n");
    assert_eq!(desk.start(&["run", "a.c", "--argv", "p 'q r'"], &[], 60.0).stdout, "p\nq r\n");
}

#[test]
fn compiler_options_reach_clang() {
    let desk = Desk::with("#include \"value.h\"\nint main(void) { return VALUE + MORE - ZERO; }\n");
    std::fs::create_dir(desk.path("inc")).unwrap();
    desk.file("inc/value.h", "#define VALUE 40\n");
    desk.file("more.h", "#define MORE 2\n");
    desk.run("run a.c -Iinc -include more.h -DZERO=0 -std=c99").expect(0, &["exit code 42"]);
    desk.run("run a.c -I inc -include more.h -D ZERO=0 -- -w").expect(0, &["exit code 42"]);
    desk.run("check a.c -Iinc").expect(2, &["MORE"]);
}

#[test]
fn several_files_are_one_program() {
    let desk = Desk::with("int twice(int);\nint main(void) { return twice(21); }\n");
    desk.file("b.c", "int twice(int n) { return 2 * n; }\n");
    desk.run("run a.c b.c").expect(0, &["exit code 42"]);
}

#[test]
fn the_program_as_ir() {
    let desk = Desk::with(SUM);
    let promoted = desk.run("ir a.c");
    promoted.expect(0, &["main", "printf"]);
    let in_memory = desk.run("ir a.c --no-promote");
    in_memory.expect(0, &["main"]);
    assert_ne!(promoted.stdout, in_memory.stdout);
}

#[test]
fn warnings_only_when_asked_for() {
    let desk = Desk::with("int main(void) { int x; x == 1; return 0; }\n");
    assert_eq!(desk.run("check a.c").stderr, "");
    assert!(desk.run("check a.c --verbose").stderr.contains("warning"));
}

#[test]
fn every_class_is_explained() {
    let desk = Desk::new();
    let list = desk.run("explain");
    list.expect(0, &[]);
    for class in ErrorClass::ALL {
        assert!(list.stdout.contains(class.name()));
        desk.run(&format!("explain {class}")).expect(0, &[class.name(), "Example:", "The usual fix:"]);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::with(QUEUE);
    let script =
        format!("'{}' check a.c --format json | true; '{0}' explain | true", env!("CARGO_BIN_EXE_heapproof"));
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(desk.path(".")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn help_and_version() {
    let desk = Desk::new();
    desk.run("--help").expect(0, &["check", "Exit status"]);
    desk.run("check --help").expect(0, &["--property", "-I DIR", "Exit status: 0 safe"]);
    desk.run("run --help").expect(0, &["--input", "u7"]);
    desk.run("--version").expect(0, &["heapproof "]);
}

/// The sum is one value in four billion, so only a solver finds the inputs.
const HIDDEN: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(4);
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 0 && x < 9000 && y > 0 && y < 9000 && x * y == 7919 * 7907)
        free(p);
    free(p);
    return 0;
}
";

#[test]
fn a_suspicion_is_confirmed_with_a_solver() {
    let desk = Desk::with(HIDDEN);
    let output = desk.run("check a.c");
    output.expect(1, &["error: double-free", "unsafe:", "(engine symheap"]);
    let replay = output.stdout.lines().find_map(|line| line.split("--input ").nth(1)).expect("a replay");
    desk.run(&format!("run a.c --input {replay}")).expect(1, &["double-free"]);
}

#[test]
fn a_suspicion_without_a_solver_stays_one() {
    let desk = Desk::with(HIDDEN);
    let output = desk.run("check a.c --solver no-such-solver");
    output.expect(
        3,
        &["are suspected and could not be confirmed; --suspicions shows them", "reason: no proof: a.c:8: "],
    );
    assert!(!output.stdout.contains("warning"), "{output:?}");
    let output = desk.run("check a.c --solver no-such-solver --suspicions");
    output.expect(3, &["the solver `no-such-solver` cannot be started", "double-free"]);
    output.expect(3, &["note: taking the true branch of `if (x > 0 && "]);
}

#[test]
fn a_malloc_that_may_fail() {
    let careful = "#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    if (!p) return 1;
    char *q = realloc(p, 8);
    free(q ? q : p);
    return 0;
}
";
    let desk = Desk::with(careful);
    desk.run("check a.c --malloc-may-fail").expect(0, &["safe:"]);
    let desk = Desk::with(careful.replace("q ? q : p", "q"));
    desk.run("check a.c").expect(0, &["safe:"]);
    let output = desk.run("check a.c --malloc-may-fail --leaks-at-exit error --engine smg");
    output.expect(1, &["error: leak", "--malloc-may-fail --input e0,e1"]);
}

#[test]
fn long_inputs_go_to_a_file() {
    let desk = Desk::with(
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[64], sum = 0;
    for (int i = 0; i < 64; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] < 1000000 * (i + 1)) return 0;
        sum += a[i] & 1;
    }
    return a[64];
}
",
    );
    // Inputs that no random execution finds: they come from a file.
    let values: Vec<String> = (1..=64).map(|n| (1_000_000 * n).to_string()).collect();
    desk.file("in.txt", values.join(",\n"));
    desk.run("run a.c --input-file in.txt").expect(1, &["out-of-bounds-read", "goes round 64 times"]);
    desk.run("run a.c --input-file none.txt").expect(2, &["cannot read the inputs none.txt"]);
    desk.file("bad.txt", "1,x");
    desk.run("run a.c --input-file bad.txt").expect(2, &["bad.txt: "]);
    desk.run("run a.c --input 1 --input-file in.txt").expect(2, &["cannot be used with"]);
}

#[test]
fn the_inputs_of_an_error_are_written_where_it_is_asked() {
    let desk = Desk::with(QUEUE);
    let output = desk.run("check a.c --write-inputs in.txt");
    output.expect(1, &["see it happen: heapproof run a.c --input-file in.txt\n"]);
    assert_eq!(std::fs::read_to_string(desk.path("in.txt")).unwrap(), "1,-1,1\n");
    desk.run("run a.c --input-file in.txt").expect(1, &["a.c:36:", "use-after-free"]);
    desk.run("check a.c --write-inputs no/such/folder").expect(2, &["cannot write"]);
    let fine = Desk::with("int main(void) { return 0; }\n");
    fine.run("check a.c --write-inputs in.txt").expect(0, &["safe:"]);
    assert!(!fine.path("in.txt").exists());
}

#[test]
fn what_an_entry_returns_is_not_lost() {
    let text = "#include <stdlib.h>
struct node { struct node *next; };
extern int __VERIFIER_nondet_int(void);
struct node *build(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    return list;
}
void forget(void) {
    struct node *list = build();
}
";
    let desk = Desk::with(text);
    desk.run("check a.c --entry build").expect(0, &["safe:"]);
    desk.run("check a.c --entry build --engine random").expect(3, &["unknown:"]);
    desk.run("check a.c --entry forget").expect(1, &["error: leak:", "a.c:15:1"]);
    desk.run("check a.c --entry forget --engine smg").expect(1, &["error: leak:"]);
}

#[test]
fn branches_are_told_as_they_stand_in_the_source() {
    let text = "#include <stdlib.h>
#define EMPTY(p) (!(p))
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = NULL, n = __VERIFIER_nondet_int();
    if (!n)
        return 0;
    for (int i = 0; i < 7; i++)
        n &= 3;
    switch (n) {
    case 1:
    case 2: break;
    default: return 0;
    }
    do n--; while (n > 0);
    int *q = p;
    if (EMPTY(q) && n == 0)
        return *q;
    return 0;
}
";
    let output = Desk::with(text).run("check a.c");
    output.expect(
        1,
        &[
            "a.c:6:9: note: taking the false branch of `if (!n)`\n",
            "a.c:8:5: note: the loop `for (int i = 0; i < 7; i++)` goes round 7 times\n",
            "a.c:8:5: note: the loop `for (int i = 0; i < 7; i++)` ends\n",
            "a.c:10:5: note: `switch (n)` goes to `case 2:`\n",
            "note: the loop `while (n > 0)` ends\n",
            "note: taking the true branch of `if (EMPTY(q) && n == 0)`\n",
        ],
    );
    assert!(!output.stdout.contains("goes on"), "{output:#?}");
}
