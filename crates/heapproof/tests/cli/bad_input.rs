//! Input that is no C program, and wrong use: a clear message and status 2.

use crate::support::Desk;

const MAIN: &str = "int main(void) { return 0; }\n";

#[test]
fn text_that_is_not_c() {
    let desk = Desk::with("Dear Sir or Madam,\n");
    let output = desk.run("check a.c");
    output.expect(2, &["a.c:1:", "error:", "heapproof: error: a.c does not compile"]);
    assert_eq!(output.stdout, "");
    desk.run("run a.c").expect(2, &["does not compile"]);
    desk.run("ir a.c").expect(2, &["does not compile"]);
}

#[test]
fn an_empty_file_has_no_main() {
    Desk::with("").run("check a.c").expect(2, &["a.c", "no function `main`", "defines no function"]);
}

#[test]
fn no_main() {
    let desk = Desk::with(
        "int push(void) { return 1; }\nstatic int pop(void) { return push(); }\nint (*p)(void) = pop;\n",
    );
    desk.run("run a.c").expect(2, &["a.c: there is no function `main`", "`push`", "`pop`", "--entry"]);
    desk.run("run a.c --entry push").expect(0, &[]);
    desk.run("check a.c --entry pull").expect(2, &["no function `pull`", "`push`"]);
}

#[test]
fn a_missing_include() {
    Desk::with("#include \"nowhere.h\"\nint main(void) { return 0; }\n")
        .run("check a.c")
        .expect(2, &["a.c:1:10:", "'nowhere.h' file not found", "does not compile"]);
}

#[test]
fn files_that_cannot_be_read() {
    let desk = Desk::with(MAIN);
    desk.run("check missing.c").expect(2, &["missing.c", "cannot read"]);
    desk.run("check a.c/b.c").expect(2, &["a.c/b.c"]);
    desk.run("check a.c missing.c").expect(2, &["missing.c"]);
    std::fs::create_dir(desk.path("folder.c")).unwrap();
    desk.run("check folder.c").expect(2, &["folder.c", "directory"]);
    desk.run("run missing.c").expect(2, &["missing.c"]);
    desk.run("ir missing.c").expect(2, &["missing.c"]);
}

#[test]
fn bitcode_is_not_source() {
    let desk = Desk::new();
    desk.file("a.bc", b"BC\xc0\xde\x35\x14\x00\x00\x05\x00\x00\x00\x62\x0c\x30\x24");
    desk.run("check a.bc").expect(2, &["a.bc"]);
    desk.file("b.c", b"BC\xc0\xde\x35\x14\x00\x00\x05\x00\x00\x00\x62\x0c\x30\x24");
    desk.run("check b.c").expect(2, &["b.c"]);
    desk.file("c.c", [0u8; 4096]);
    let output = desk.run("check c.c");
    assert!(matches!(output.status, Some(2 | 3)), "{output:?}");
}

#[test]
fn invalid_utf8_is_no_obstacle() {
    let desk = Desk::with(
        b"char *s = \"caf\xe9\"; // \xff\xfe\nint main(void) { int *p = 0; return *p; } /* \xe9 */\n",
    );
    desk.run("check a.c").expect(1, &["a.c:2:", "null-deref", "return *p"]);
    desk.run("run a.c").expect(1, &["null-deref"]);
}

#[test]
fn options_that_do_not_exist() {
    let desk = Desk::with(MAIN);
    desk.run("check a.c --frobnicate").expect(2, &["--frobnicate", "Usage"]);
    desk.run("check").expect(2, &["FILE"]);
    desk.run("").expect(2, &["check", "run", "explain"]);
    desk.run("verify a.c").expect(2, &["verify"]);
    desk.run("check a.c --engine magic").expect(2, &["magic", "random"]);
    desk.run("check a.c --target pdp11").expect(2, &["pdp11", "ilp32"]);
    desk.run("check a.c --format xml").expect(2, &["xml", "sarif"]);
    desk.run("check a.c --memory 0").expect(2, &["--memory"]);
    desk.run("check a.c -D").expect(2, &["-D"]);
    desk.run("run a.c --input 1 --random 3").expect(2, &["--random"]);
}

#[test]
fn numbers_that_are_none() {
    let desk = Desk::with(MAIN);
    for text in ["-1", "NaN", "inf", "soon", "", "1e999"] {
        let output = desk.start(&["check", "a.c", "--timeout", text], &[], 60.0);
        output.expect(2, &["--timeout", "seconds"]);
    }
    for text in ["x", "1,2,zwei", "0x", "1:99999999999999"] {
        desk.start(&["run", "a.c", "--input", text], &[], 60.0).expect(2, &["input"]);
    }
    desk.run("check a.c --seed x").expect(2, &["--seed"]);
}

#[test]
fn clang_is_missing() {
    let desk = Desk::with(MAIN);
    // A clang in its usual folder is found without a path.
    let output = desk.start(&["check", "a.c"], &[("PATH", "")], 60.0);
    match output.status {
        Some(0 | 3) => {}
        _ => output.expect(2, &["clang-19", "--clang"]),
    }
    desk.run("check a.c --clang no/such/clang").expect(2, &["no/such/clang", "clang"]);
    desk.file("not-clang", "#!/bin/sh\nexit 0\n");
    let output = desk.run("check a.c --clang ./not-clang");
    assert_eq!(output.status, Some(2), "{output:?}");
}

#[test]
fn properties_that_are_none() {
    let desk = Desk::with(MAIN);
    desk.run("check a.c --property safety").expect(2, &["unknown property `safety`", "memsafety"]);
    desk.run("check a.c --property none.prp").expect(2, &["none.prp", "cannot read"]);
    desk.file("bad.prp", "CHECK( init(main()), LTL(F end) )\n");
    desk.run("check a.c --property bad.prp").expect(2, &["bad.prp", "line 1", "LTL(F end)"]);
    desk.file("empty.prp", "");
    desk.run("check a.c --property empty.prp").expect(2, &["empty.prp", "no property"]);
    desk.file("binary.prp", b"\xff\x00\xfe");
    desk.run("check a.c --property binary.prp").expect(2, &["binary.prp", "not text"]);
}

#[test]
fn answers_that_have_no_place() {
    let desk = Desk::with(MAIN);
    desk.run("check a.c --output no/such/folder/x").expect(2, &["no/such/folder"]);
    desk.run("check a.c --output .").expect(2, &["directory"]);
    desk.run("check a.c --output /dev/full").expect(2, &["cannot write /dev/full"]);
}

#[test]
fn classes_that_do_not_exist() {
    let desk = Desk::new();
    desk.run("explain duble-free")
        .expect(2, &["unknown error class `duble-free`", "did you mean `double-free`?"]);
    desk.run("explain xyzzy").expect(2, &["unknown error class `xyzzy`", "heapproof explain"]);
}
