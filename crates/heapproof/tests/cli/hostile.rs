//! Hostile inputs: each gets one well-formed answer within its limits, nothing goes on after us, and text is text.
//!
//! The programs and tools are in `tests/hostile/`.

use crate::support::{Desk, Output};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder with all reproducers.
fn desk() -> Desk {
    let desk = Desk::new();
    let all = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/.");
    let copied = Command::new("cp").args(["-r", all]).arg(desk.path(".")).status().unwrap();
    assert!(copied.success());
    desk
}

/// An executable script.
fn script(desk: &Desk, name: &str, text: &str) {
    desk.file(name, text);
    desk.shell(&format!("chmod +x {name}"));
}

/// Fails unless the program ended by itself and said something.
#[track_caller]
fn well_formed(output: &Output) {
    assert!(matches!(output.status, Some(0..=3)), "{output:#?}");
    assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{output:#?}");
    assert!(!output.stderr.contains("panicked") && !output.stderr.contains("internal error"), "{output:#?}");
}

/// Waits until something holds, for as long as a slow machine may need.
#[track_caller]
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The process whose number a script wrote.
fn process_of(file: &Path) -> Option<u32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// True while a process runs; one that waits to be reaped does not.
fn runs(process: u32) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
        Err(_) => false,
    }
}

/// True if the command line of some process holds this text.
fn is_running(text: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(text))
}

#[test]
fn bitcode_on_which_llvm_crashes() {
    let desk = desk();
    for file in ["llvm-abort.c", "llvm-segv.c", "llvm-abort-var.c"] {
        let output = desk.run(&format!("check {file}"));
        output.expect(2, &["cannot be read", file]);
        assert_eq!(output.stdout, "");
        desk.run(&format!("ir {file}")).expect(2, &["cannot be read"]);
        desk.run(&format!("run {file}")).expect(2, &["cannot be read"]);
    }
}

#[test]
fn bitcode_with_flipped_bits() {
    let desk = desk();
    let mut refused = 0;
    for (seed, flips) in [(23, 2), (1, 3), (2, 3), (3, 8), (4, 20), (5, 60)] {
        let text = format!("#!/bin/sh\nSEED={seed} NF={flips} exec ./clang-flip \"$@\"\n");
        script(&desk, "flip", &text);
        let output = desk.run("check list.c --clang ./flip --timeout 5");
        // A few bits may leave a program of which something can be said.
        well_formed(&output);
        refused += usize::from(output.status == Some(2));
    }
    assert!(refused > 0);
}

#[test]
fn names_that_look_like_files_with_options() {
    let desk = desk();
    let output = desk.shell("cd at-file; $heapproof check @r.c");
    output.expect(1, &["@r.c:2:", "use-after-free"]);
    assert!(!output.stdout.contains("./@r.c"), "{output:#?}");
    let output = desk.shell("cd at-file; cp @r.c ./-r.c; $heapproof check ./-r.c");
    output.expect(1, &["-r.c:2:", "use-after-free"]);
}

#[test]
fn assembly_outside_functions() {
    let desk = desk();
    desk.run("check module-asm.c").expect(3, &["unknown:", "assembly outside functions", ".globl h"]);
    let json = desk.run("check module-asm.c --format json").json();
    assert!(json["assumptions"].to_string().contains("assembly outside functions"), "{json}");
    let harmless = Desk::with("__asm__(\".ident \\\"v1\\\"\");\nint main(void) { return 0; }\n");
    harmless.run("check a.c").expect(0, &["safe:"]);
}

#[test]
fn only_compiled_files_are_shown() {
    let desk = desk();
    desk.file("secret.txt", "a line that nobody shall see\n");
    desk.file("b.c", "int main(void){int*p=0;\n#line 1 \"secret.txt\"\nreturn *p;}\n");
    for command in ["check b.c", "run b.c", "check b.c --format json", "check b.c --format sarif"] {
        let output = desk.run(command);
        output.expect(1, &["secret.txt", "null-deref"]);
        assert!(!output.stdout.contains("nobody") && !output.stderr.contains("nobody"), "{output:#?}");
    }
    desk.run("check line-leak.c").expect(1, &["/etc/passwd:1:", "null-deref"]);
    // Lines of headers are shown: they were compiled.
    desk.file("h.h", "static int get(int *p) { return *p; }\n");
    desk.file("c.c", "#include \"h.h\"\nint main(void) { return get(0); }\n");
    desk.run("check c.c").expect(1, &["h.h:1:", "1 | static int get"]);
}

/// Starts a check with a clang that never ends, sends a signal, and sees that nothing is left.
fn killed_with_all_children(signal: &str) {
    let desk = desk();
    script(&desk, "slow", "#!/bin/sh\nsleep 600 &\necho $! > grandchild\necho $$ > child\nwait\n");
    // Whoever started the tests in the background may have them ignore signals.
    let mut heapproof = Command::new("env")
        .args(["--default-signal=INT,HUP", env!("CARGO_BIN_EXE_heapproof")])
        .args(["check", "list.c", "--clang", "./slow", "--timeout", "300"])
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = |name: &str| process_of(&desk.path(name));
    wait_until("clang starts", || file("child").is_some() && file("grandchild").is_some());
    let sent = Command::new("kill").args([signal, &heapproof.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let status = heapproof.wait().unwrap();
    assert!(!status.success());
    for name in ["child", "grandchild"] {
        let process = file(name).unwrap();
        wait_until("clang ends", || !runs(process));
    }
}

#[test]
fn children_end_with_us() {
    for signal in ["-TERM", "-INT", "-HUP", "-KILL"] {
        killed_with_all_children(signal);
    }
}

#[test]
fn children_of_clang_end_at_the_limits() {
    let desk = desk();
    let source = desk.path("orphan-clang.c").display().to_string();
    let args = ["check", &source, "--timeout", "2", "--memory", "400", "--", "-fno-integrated-cc1"];
    let output = desk.start(&args, &[], 60.0);
    output.expect(3, &["unknown:", "clang"]);
    wait_until("clang ends", || !is_running(&source));
}

#[test]
fn property_files_that_do_not_end() {
    let desk = desk();
    desk.run("check list.c --property /dev/zero").expect(2, &["/dev/zero", "larger than 1 MiB"]);
    desk.shell("mkfifo pipe.prp");
    desk.run("check list.c --property pipe.prp --timeout 0.5").expect(2, &["pipe.prp", "time limit"]);
    desk.run("run list.c --property pipe.prp --timeout 0.5").expect(2, &["pipe.prp", "time limit"]);
}

#[test]
fn answers_that_nobody_takes() {
    let desk = desk();
    desk.shell("mkfifo out; mkdir D; mkfifo D/invariants.txt");
    desk.run("check list.c -o out --timeout 3").expect(2, &["cannot write out", "time limit"]);
    let output = desk.run("check list.c --dump-invariants D");
    output.expect(0, &["safe:", "invariants.txt is not a regular file"]);
}

#[test]
fn the_answer_comes_before_pictures() {
    let desk = desk();
    fs::create_dir(desk.path("bin")).unwrap();
    script(&desk, "bin/dot", "#!/bin/sh\necho $$ > dot-started\nexec sleep 600\n");
    let output = desk.shell("PATH=$PWD/bin:$PATH $heapproof check list.c --dump-invariants D --timeout 6");
    output.expect(0, &["safe:", "the invariants of 2 loops are in D"]);
    let process = process_of(&desk.path("dot-started"));
    assert!(!process.is_some_and(runs));
}

#[test]
fn solvers_that_do_not_answer() {
    let desk = desk();
    script(&desk, "solver", "#!/bin/sh\necho $$ > solver-started\nexec ./z3-hang\n");
    let output = desk.run("check --engine smg --solver ./solver susp.c --timeout 4 --suspicions");
    output.expect(3, &["unknown:", "not confirmed: double-free", "the solver"]);
    let process = process_of(&desk.path("solver-started")).unwrap();
    wait_until("the solver ends", || !runs(process));
}

#[test]
fn solvers_that_need_too_much() {
    let desk = desk();
    script(&desk, "solver", "#!/bin/sh\necho $$ > solver-started\nexec ./z3-eat\n");
    let output =
        desk.run("check --engine smg --solver ./solver susp.c --memory 512 --timeout 20 --suspicions");
    output.expect(3, &["unknown:", "not confirmed: double-free"]);
    let process = process_of(&desk.path("solver-started")).unwrap();
    wait_until("the solver ends", || !runs(process));
}

#[test]
fn control_characters_are_shown_escaped() {
    let desk = desk();
    for file in ["esc-symbol.c", "esc-line.c"] {
        for args in
            ["check FILE", "check FILE --color always", "run FILE", "ir FILE", "check FILE --format json"]
        {
            let output = desk.run(&args.replace("FILE", file));
            well_formed(&output);
            let all = format!("{}\n{}", output.stdout, output.stderr);
            assert!(!all.lines().any(|line| line.starts_with("safe:")), "{output:#?}");
            assert!(
                !all.contains("\x1b[31mpwn") && !all.contains("\x1b]") && !all.contains('\x07'),
                "{output:#?}"
            );
            assert!(args.contains("always") || !all.contains('\x1b'), "{output:#?}");
        }
    }
    // What clang says is text, too.
    desk.file("bad.c", "#line 1 \"x\\033]0;pwn\\007\"\nint main(void) { return }\n");
    let output = desk.run("check bad.c");
    output.expect(2, &["does not compile", "\\x1b"]);
    assert!(!output.stderr.contains('\x1b'), "{output:#?}");
}

#[test]
fn the_environment_does_not_reach_clang() {
    let desk = desk();
    let hostile = [("CCC_OVERRIDE_OPTIONS", "x-disable-llvm-passes x-Xclang")];
    desk.start(&["check", "ccc-override.c"], &hostile, 60.0).expect(1, &["null-deref"]);
    desk.file("value.h", "#define VALUE 1\n");
    desk.file("v.c", "#include <value.h>\nint main(void) { return VALUE; }\n");
    let folder = desk.path(".").display().to_string();
    desk.start(&["check", "v.c"], &[("CPATH", &folder)], 60.0).expect(2, &["value.h", "not found"]);
}

#[test]
fn code_for_another_machine() {
    let desk = desk();
    desk.run("check target-mismatch.c").expect(0, &["safe:"]);
    // The option of the compiler is the same as our own.
    let ours = desk.run("check target-mismatch.c --target ilp32");
    let compilers = desk.run("check target-mismatch.c -- -m32");
    assert_eq!(ours.status, compilers.status);
    assert_ne!(compilers.status, Some(1), "{compilers:#?}");
    for (option, found) in [
        ("--target=s390x-linux-gnu", "s390x"),
        ("--target=i386-linux-gnu", "i386"),
        ("--target=x86_64-linux-gnux32", "x32"),
    ] {
        let output = desk.run(&format!("check target-mismatch.c -- {option}"));
        output.expect(2, &["was compiled for", found, "the target is lp64"]);
    }
}

#[test]
fn limits_of_the_system() {
    let desk = desk();
    for limit in ["-v 600000", "-v 300000", "-v 100000", "-u 3", "-n 16", "-n 8"] {
        let output = desk.shell(&format!("ulimit {limit}; $heapproof check grow.c --timeout 10"));
        well_formed(&output);
        if output.status == Some(2) {
            assert!(!output.stderr.contains("was not found"), "another cause: {output:#?}");
        }
    }
}

#[test]
fn files_that_may_not_be_written() {
    let desk = desk();
    desk.shell("ulimit -f 0; $heapproof check list.c -o answer").expect(2, &["cannot write answer"]);
    desk.shell("ulimit -f 0; $heapproof check list.c > answer")
        .expect(2, &["cannot write to the standard output"]);
    desk.shell("ulimit -f 0; $heapproof check list.c").expect(0, &["safe:"]);
}

#[test]
fn a_standard_output_that_is_full() {
    let desk = desk();
    for command in
        ["check list.c", "check list.c --format json", "ir list.c", "run list.c --format json", "explain"]
    {
        let output = desk.shell(&format!("$heapproof {command} > /dev/full"));
        output.expect(2, &["cannot write to the standard output"]);
    }
    desk.shell("$heapproof --help > /dev/full").expect(2, &["cannot write"]);
}

#[test]
fn inputs_are_not_overwritten() {
    let desk = desk();
    let text = fs::read(desk.path("list.c")).unwrap();
    desk.shell("ln -s list.c link.c; ln list.c hard.c; echo 'int x;' > x.h; printf 'memsafety' > p.prp");
    for place in ["list.c", "./list.c", "link.c", "hard.c"] {
        desk.run(&format!("check -o {place} list.c")).expect(2, &["cannot write", "it is the input list.c"]);
    }
    assert_eq!(fs::read(desk.path("list.c")).unwrap(), text);
    desk.file("h.h", "static int get(int *p) { return *p; }\n");
    desk.file("c.c", "#include \"h.h\"\nint main(void) { return get(0); }\n");
    desk.run("check -o h.h c.c").expect(2, &["cannot write h.h", "it is the input"]);
    assert!(fs::read_to_string(desk.path("h.h")).unwrap().contains("get"));
}

#[test]
fn the_modes_of_children_are_no_way_in() {
    let desk = desk();
    for args in ["--child", "--child compile", "--child exec 1 - - true", "--child what 1 - -"] {
        let output = desk.run(args);
        assert!(output.status.is_some_and(|status| status != 0), "{output:#?}");
    }
}
