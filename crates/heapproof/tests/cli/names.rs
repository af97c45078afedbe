//! Names of files in answers are those that the user gave, and the command line of a compiler is understood.

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
    let desk = Desk::new();
    desk.shell("mkdir -p here there/inc");
    desk.file("there/x.c", LEAK);
    desk.file("there/size.h", "#define SIZE 12\n");
    desk
}

#[test]
fn an_absolute_name_from_another_folder() {
    let desk = desk();
    let path = desk.path("there/x.c").display().to_string();
    let output = desk.shell(&format!("cd here; $heapproof check --leaks-at-exit error {path}"));
    output.expect(1, &[&format!("{path}:6:1: error: leak:"), "6 | }"]);
    let output = desk.shell("cd here; $heapproof check --leaks-at-exit error ../there/x.c");
    output.expect(1, &["../there/x.c:6:1: error: leak:", "6 | }"]);
    assert!(output.stdout.lines().all(|line| !line.starts_with("there/")), "{output:#?}");
    let output = desk.shell(&format!("cd there; $heapproof check --leaks-at-exit error {path}"));
    output.expect(1, &[&format!("{path}:6:1: error: leak:"), "6 | }"]);
}

#[test]
fn names_of_headers_can_be_opened() {
    let desk = desk();
    desk.file("there/inc/get.h", "static int get(int *p) { return *p; }\n");
    desk.file("here/y.c", "#include <get.h>\nint main(void) { return get(0); }\n");
    let folder = desk.path("there/inc").display().to_string();
    let output = desk.shell(&format!("cd here; $heapproof check y.c -I{folder}"));
    output.expect(1, &[&format!("{folder}/get.h:1:"), "1 | static int get"]);
    let output = desk.shell("cd here; $heapproof check y.c -I../there/inc");
    output.expect(1, &["../there/inc/get.h:1:", "1 | static int get"]);
}

#[test]
fn the_command_line_of_a_compiler() {
    let desk = desk();
    desk.shell("cp there/x.c there/size.h .");
    desk.run("check --leaks-at-exit error -Wall -Wextra -O2 -g3 -fPIC -c x.c")
        .expect(1, &["x.c:6:1: error: leak:"]);
    desk.run("check --leaks-at-exit error -- -Wall -O2 -c -o x.o x.c -lm")
        .expect(1, &["x.c:6:1: error: leak:"]);
    desk.run("check --leaks-at-exit error x.c -- -O0 -g0 -Werror -fsanitize=address")
        .expect(1, &["x.c:6:1: error: leak:"]);
    assert!(!desk.path("x.o").exists());
    // Before `--`, -o is where the answer goes.
    desk.run("check --leaks-at-exit error -Wall -O2 -c -o answer x.c").expect(1, &[]);
    assert!(std::fs::read_to_string(desk.path("answer")).unwrap().contains("x.c:6:1: error: leak:"));
    desk.run("check x.c -fno-such-option").expect(2, &["-fno-such-option"]);
}

#[test]
fn optimisation_does_not_hide_the_end_of_scopes() {
    let source = "int main(void) { int *p; { int x = 1; p = &x; } return *p; }\n";
    for option in ["", "-O0", "-O3", "-- -O0", "-- -O2 -g0"] {
        Desk::with(source).run(&format!("check a.c {option}")).expect(1, &["use-after-scope"]);
    }
}

#[test]
fn a_compilation_database() {
    let desk = desk();
    let root = desk.path(".").canonicalize().unwrap().display().to_string();
    desk.file("there/y.c", "#include <get.h>\nint get_it(int *p) { return VALUE + get(p); }\n");
    desk.file("there/inc/get.h", "static int get(int *p) { return *p; }\n");
    desk.file("there/z.c", "int get_it(int *);\nint main(void) { return get_it(0); }\n");
    let entry =
        |file: &str, line: &str| format!("{{\"directory\": \"{root}/there\", \"file\": \"{file}\", {line}}}");
    let y =
        entry("y.c", "\"arguments\": [\"cc\", \"-Iinc\", \"-DVALUE=1\", \"-c\", \"-o\", \"y.o\", \"y.c\"]");
    let z = entry("z.c", "\"command\": \"cc -O2 -c z.c -o z.o\"");
    desk.file("db.json", format!("[{y}, {z}]"));
    let output = desk.run("check --compile-commands db.json --no-cache");
    output.expect(1, &["there/inc/get.h:1:", "1 | static int get", "null-deref"]);
    // Named files keep the names that they were given.
    let output = desk.run("check there/y.c there/z.c --compile-commands db.json");
    output.expect(1, &["there/z.c:2:", "null-deref", "--compile-commands db.json"]);
    desk.run("check there/x.c --compile-commands db.json").expect(2, &["db.json says nothing of there/x.c"]);
    desk.file("bad.json", "[{]");
    desk.run("check --compile-commands bad.json").expect(2, &["bad.json", "no compilation database"]);
    desk.run("check --compile-commands none.json").expect(2, &["none.json"]);
    desk.run("check --compile-commands /dev/zero").expect(2, &["larger than 64 MiB"]);
}

#[test]
fn several_entries_for_one_file_are_several_programs() {
    let desk = desk();
    let root = desk.path(".").canonicalize().unwrap().display().to_string();
    let text =
        "#include <stdlib.h>\nint main(void) { int *p = malloc(N); if (p) *p = 1; free(p); return 0; }\n";
    desk.file("n.c", text);
    let entry = |options: &str| {
        format!("{{\"directory\": \"{root}\", \"file\": \"n.c\", \"command\": \"cc {options} -c n.c\"}}")
    };
    let database = |name: &str, options: &[&str]| {
        let entries: Vec<String> = options.iter().map(|options| entry(options)).collect();
        desk.file(name, format!("[{}]", entries.join(", ")));
    };
    database("same.json", &["-DN=4 -o a.o", "-DN=4 -o b.o"]);
    desk.run("check n.c --compile-commands same.json").expect(0, &["safe"]);
    database("two.json", &["-DN=4 -o a.o", "-DN=1 -o b.o"]);
    desk.run("check n.c --compile-commands two.json").expect(3, &["several entries", "-DN=1", "unknown"]);
    // Without names the whole project is checked, in all its configurations.
    desk.run("check --compile-commands two.json --no-cache").expect(1, &["out-of-bounds-write"]);
    database("first.json", &["-DN=1 -o a.o", "-DN=4 -o b.o"]);
    desk.run("check n.c --compile-commands first.json").expect(1, &["out-of-bounds-write"]);
}
