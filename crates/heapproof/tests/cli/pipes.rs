//! Source that comes from no regular file.

use crate::support::Desk;

const LEAK: &str = "\
#include <stdlib.h>
#include \"size.h\"
int main(void) {
    char *p = malloc(SIZE);
    return p == 0;
}
";

fn desk() -> Desk {
    let desk = Desk::with(LEAK);
    desk.file("size.h", "#define SIZE 12\n");
    desk
}

#[test]
fn standard_input_is_read_once() {
    let desk = desk();
    // The leak is at the closing brace, which clang does not tell.
    desk.shell("cat a.c | $heapproof check --leaks-at-exit error /dev/stdin")
        .expect(1, &["/dev/stdin:6:1: error: leak:"]);
    desk.shell("$heapproof check --leaks-at-exit error /dev/stdin < a.c")
        .expect(1, &["/dev/stdin:6:1: error: leak:", "6 | }"]);
    desk.shell("ln -s /dev/stdin in.c; $heapproof check --leaks-at-exit error in.c < a.c")
        .expect(1, &["in.c:6:1: error: leak:"]);
    desk.shell("cat a.c | $heapproof ir /dev/stdin").expect(0, &["/dev/stdin", "main"]);
}

#[test]
fn a_named_pipe() {
    let desk = desk();
    let output = desk
        .shell("mkfifo pipe.c; cat a.c > pipe.c & $heapproof check --leaks-at-exit error pipe.c; status=$?; wait; exit $status");
    output.expect(1, &["pipe.c:6:1: error: leak:"]);
    // Headers are looked for beside it.
    let output = desk
        .shell("mkdir in; mv size.h in; mkfifo in/pipe.c; cat a.c > in/pipe.c & $heapproof check --leaks-at-exit error in/pipe.c");
    output.expect(1, &["in/pipe.c:6:1: error: leak:"]);
}

#[test]
fn a_pipe_that_stays_silent() {
    let desk = desk();
    desk.shell("mkfifo pipe.c");
    desk.run_within(10.0, "check pipe.c --timeout 0.5").expect(3, &["time limit of 0.5 seconds"]);
    desk.run_within(10.0, "ir pipe.c --timeout 0.5").expect(3, &["time limit of 0.5 seconds"]);
}

#[test]
fn process_substitution() {
    desk()
        .shell("$heapproof check --leaks-at-exit error <(cat a.c)")
        .expect(1, &["/dev/fd/", ":6:1: error: leak:"]);
}

#[test]
fn input_without_end() {
    let desk = desk();
    desk.run_within(20.0, "check /dev/zero").expect(2, &["/dev/zero is not C source", "NUL bytes"]);
    desk.shell("$heapproof check <(yes)").expect(2, &["is not C source", "larger than 256 MiB"]);
    desk.run_within(20.0, "check /dev/null").expect(2, &["/dev/null", "defines no function"]);
}

#[test]
fn files_that_are_no_text() {
    let desk = desk();
    desk.file("nul.c", b"int main(void) { return 0; } /* \0 */\n");
    desk.run("check nul.c").expect(2, &["nul.c is not C source", "NUL bytes"]);
    desk.file("wide.c", b"\xff\xfei\0n\0t\0");
    desk.run("check wide.c").expect(2, &["wide.c is not C source", "UTF-16"]);
    // A hole in a file costs no disk.
    let file = std::fs::File::create(desk.path("huge.c")).unwrap();
    std::io::Write::write_all(&mut &file, &[b' '; 10_000]).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    desk.run("check huge.c").expect(2, &["huge.c is not C source", "larger than 256 MiB"]);
    desk.run("run huge.c").expect(2, &["larger than 256 MiB"]);
}

#[test]
fn positions_that_name_a_device() {
    let desk = Desk::with("# 1 \"/dev/zero\"\nint main(void) {\n  int *p = 0;\n  return *p;\n}\n");
    desk.run_within(10.0, "check a.c").expect(1, &["/dev/zero:3:10: error: null-deref:"]);
}
