//! Programs that need too much: the answer comes within the limits.

use crate::support::Desk;
use std::fmt::Write;

#[test]
fn no_time_at_all() {
    let desk = Desk::with("int main(void) { return 0; }\n");
    let output = desk.run_within(5.0, "check a.c --timeout 0");
    output.expect(3, &["unknown: memsafety+assertions without leaks at exit is not decided", "0 seconds"]);
    let output = desk.run_within(5.0, "check a.c --timeout 0 --format json");
    output.expect(3, &[]);
    assert_eq!(output.json()["verdict"], "unknown");
    desk.run_within(5.0, "check a.c --timeout 0 --format svcomp").expect(3, &["UNKNOWN"]);
    desk.run_within(5.0, "run a.c --timeout 0").expect(3, &["0 seconds"]);
    let output = desk.run_within(5.0, "check a.c --timeout 0.000001");
    output.expect(3, &["time limit"]);
}

#[test]
fn an_infinite_loop() {
    let desk = Desk::with("int main(void) { volatile int i = 0; for (;;) i++; }\n");
    desk.run_within(10.0, "check a.c --timeout 2 --engine random").expect(3, &["unknown:", "hint: "]);
    // It never ends, and it never does anything wrong.
    desk.run_within(10.0, "check a.c --timeout 20").expect(0, &["safe:"]);
    desk.run_within(10.0, "run a.c --steps 1000").expect(3, &["limit of 1000 steps"]);
    let output = desk.run_within(10.0, "run a.c --timeout 1 --steps 1000000000000 --format json");
    output.expect(3, &[]);
    let json = output.json();
    assert_eq!(json["outcome"], "stopped");
    assert!(json["reason"].as_str().unwrap().contains("time limit"), "{json}");
}

#[test]
fn an_infinite_recursion() {
    let desk = Desk::with("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n");
    desk.run_within(10.0, "check a.c --timeout 20 --engine random").expect(3, &["recursion", "unknown:"]);
    // Stacks have no end in C, and the recursion does nothing wrong.
    desk.run_within(10.0, "check a.c --timeout 20").expect(0, &["safe:"]);
    let output = desk.run_within(10.0, "check a.c --timeout 20 --format json");
    assert!(output.json()["notes"].to_string().contains("the stack is large enough"));
    desk.run_within(10.0, "run a.c").expect(3, &["recursion"]);
}

#[test]
fn a_huge_block() {
    let desk = Desk::with(
        "#include <stdlib.h>\nint main(void) { char *p = malloc(4ul << 30); p[0] = 1; p[(4ul << 30) - 1] = 2; free(p); return 0; }\n",
    );
    let output = desk.run_within(10.0, "check a.c --timeout 5 --memory 256 --engine random");
    output.expect(3, &["unknown:"]);
    desk.run_within(10.0, "check a.c --timeout 20 --memory 256").expect(0, &["safe:"]);
    // Two bytes of it are used, so an execution may come to its end.
    let output = desk.run_within(10.0, "run a.c --timeout 5 --memory 256");
    match output.status {
        Some(0) => output.expect(0, &["exit code 0"]),
        _ => output.expect(3, &["memory"]),
    }
}

#[test]
fn a_huge_array_on_the_stack() {
    let desk = Desk::with(
        "int main(void) { char a[3000000000u]; a[2999999999u] = 1; return a[2999999999u] - 1; }\n",
    );
    let output = desk.run_within(10.0, "check a.c --timeout 5 --memory 256 --engine random");
    output.expect(3, &["unknown:"]);
    desk.run_within(10.0, "check a.c --timeout 20 --memory 256").expect(0, &["safe:"]);
}

#[test]
fn blocks_without_end() {
    let desk = Desk::with(
        "#include <stdlib.h>\nint main(void) { void **l = 0; for (;;) { void **n = malloc(4096); n[0] = l; l = n; } }\n",
    );
    desk.run_within(20.0, "check a.c --timeout 10 --memory 128 --engine random").expect(3, &["unknown:"]);
    desk.run_within(20.0, "check a.c --timeout 20 --memory 128").expect(0, &["safe:"]);
}

#[test]
fn output_without_end() {
    let desk = Desk::with("#include <stdio.h>\nint main(void) { for (;;) puts(\"again and again\"); }\n");
    let output = desk.run_within(20.0, "run a.c --steps 100000");
    output.expect(3, &["again and again"]);
}

#[test]
fn clang_crashes() {
    let desk = Desk::with("#pragma clang __debug crash\nint main(void) { return 0; }\n");
    let crashed = "clang crashed while it compiled a.c";
    let output = desk.run("check a.c");
    output.expect(3, &["unknown:", crashed, "--verbose"]);
    assert!(!output.stderr.contains("Stack dump"), "{output:?}");
    desk.run("check a.c --verbose").expect(3, &[crashed, "Stack dump"]);
    desk.run("run a.c").expect(3, &[crashed]);
    desk.run("ir a.c").expect(3, &[crashed]);
    desk.file("killed", "#!/bin/sh\nkill -9 $$\n");
    desk.shell("chmod +x killed");
    desk.run("check a.c --clang ./killed").expect(3, &[crashed, "SIGKILL"]);
}

#[test]
fn clang_needs_too_much() {
    let desk = Desk::new();
    desk.file("slow", "#!/bin/sh\nexec sleep 60\n");
    desk.file("greedy", "#!/bin/sh\nexec sort -S 1G /dev/zero\n");
    desk.shell("chmod +x slow greedy");
    desk.file("a.c", "int main(void) { return 0; }\n");
    for command in ["check", "run", "ir"] {
        let output = desk.run_within(20.0, &format!("{command} a.c --clang ./slow --timeout 0.5"));
        output.expect(3, &["clang did not finish a.c within the time limit"]);
        let output = desk.run_within(20.0, &format!("{command} a.c --clang ./greedy --memory 64"));
        output.expect(3, &["clang needs more than 64 MiB of memory to compile a.c"]);
    }
}

#[test]
fn a_file_of_50_megabytes() {
    let desk = Desk::new();
    let mut source = String::with_capacity(51 << 20);
    let mut n = 0;
    while source.len() < 50 << 20 {
        let _ = writeln!(source, "int function_{n}(int *p) {{ return p ? p[{n}] + {n} : 0; }}");
        n += 1;
    }
    source.push_str("int main(void) { return 0; }\n");
    desk.file("big.c", source);
    let output = desk.run_within(20.0, "check big.c --timeout 4 --memory 1024");
    match output.status {
        // A machine that is fast enough.
        Some(0) => output.expect(0, &["safe:"]),
        _ => output.expect(3, &["unknown:", "limit"]),
    }
}
