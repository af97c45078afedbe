//! Whole projects: units, configurations, the cache, shards, and builds that are recorded.

use crate::support::{Desk, Output};
use serde_json::{Value, json};
use std::path::Path;

const GOOD: &str = "#include <stdlib.h>\n#include \"list.h\"\nint main(void) { return use(0); }\n";
const BAD: &str = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }\n";

/// A folder `p` with files; the cache is in the folder, too.
fn project(files: &[(&str, &str)]) -> Desk {
    let desk = Desk::new();
    for (name, content) in files {
        put(&desk, name, content);
    }
    desk
}

fn put(desk: &Desk, name: &str, content: &str) {
    let path = desk.path("p").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Two programs, a module that both could use, and a header.
fn two_programs() -> Desk {
    project(&[
        ("src/good.c", GOOD),
        ("src/bad.c", BAD),
        ("src/list.c", "#include \"list.h\"\nint use(int x) { return x; }\n"),
        ("include/list.h", "int use(int x);\n"),
    ])
}

fn check(desk: &Desk, options: &str) -> Output {
    desk.run(&format!("check p --cache cache --format json {options}"))
}

/// The report without what differs between equal runs, and how many units were kept and files compiled.
#[track_caller]
fn report(output: &Output) -> (Value, u64, u64) {
    let mut report = output.json();
    let times = report.as_object_mut().unwrap().shift_remove("times").unwrap();
    (report, times["cached"].as_u64().unwrap(), times["compiled"].as_u64().unwrap())
}

fn names(report: &Value) -> Vec<&str> {
    report["units"].as_array().unwrap().iter().map(|unit| unit["name"].as_str().unwrap()).collect()
}

fn entry(desk: &Desk, file: &str, words: &[&str]) -> Value {
    let mut arguments = vec!["cc"];
    arguments.extend(words);
    arguments.extend(["-c", file]);
    json!({"directory": desk.path("p").canonicalize().unwrap(), "file": file, "arguments": arguments})
}

fn database(desk: &Desk, entries: &[Value]) {
    put(desk, "compile_commands.json", &Value::from(entries).to_string());
}

#[test]
fn every_main_is_a_program_and_reports_are_equal() {
    let desk = two_programs();
    let cold = check(&desk, "-j1");
    cold.expect(1, &["use-after-free"]);
    let (first, cached, compiled) = report(&cold);
    assert_eq!(names(&first), ["src/bad.c", "src/good.c"]);
    assert_eq!((cached, compiled), (0, 3));
    assert_eq!(first["units"][1]["files"], json!(["src/good.c", "src/list.c"]));
    assert_eq!(first["units"][1]["answer"]["verdict"], "safe");
    // Warm: nothing is compiled or analysed, and the report is the same.
    let (warm, cached, compiled) = report(&check(&desk, "-j2"));
    assert_eq!((cached, compiled), (2, 0));
    assert_eq!(warm.to_string(), first.to_string());
    // Anew, two at a time.
    let (anew, cached, _) = report(&check(&desk, "-j2 --no-cache"));
    assert_eq!((anew.to_string(), cached), (first.to_string(), 0));
    let text = desk.run("check p --cache cache");
    text.expect(
        1,
        &["p/src/bad.c:2:", "use-after-free", "in src/bad.c", "2 units: 1 proved, 1 with errors (1 error)"],
    );
}

#[test]
fn a_copy_elsewhere_has_the_same_report_from_the_cache() {
    let desk = two_programs();
    let (first, ..) = report(&check(&desk, ""));
    desk.shell("cp -r p q").expect(0, &[]);
    let (copy, cached, compiled) = report(&desk.run("check q --cache cache --format json"));
    assert_eq!((copy, cached, compiled), (first, 2, 0));
}

#[test]
fn an_edit_is_done_anew_and_nothing_else() {
    let desk = two_programs();
    check(&desk, "").expect(1, &[]);
    // A comment counts: contracts are comments.
    put(&desk, "include/list.h", "int use(int x); /* changed */\n");
    let (edited, cached, compiled) = report(&check(&desk, ""));
    assert_eq!((cached, compiled), (1, 2));
    assert_eq!(report(&check(&desk, "--no-cache")).0, edited);
    // A header that is now found before the other one.
    put(
        &desk,
        "src/list.h",
        "#include <stdlib.h>\nint use(int x);\n#define main(x) main(void) { return *(int *)0; } int f(x)\n",
    );
    let (shadowed, ..) = report(&check(&desk, ""));
    assert_eq!(shadowed["units"][1]["answer"]["verdict"], "unsafe", "{shadowed:#}");
}

#[test]
fn every_configuration_is_analysed() {
    let source = "int main(void) {\n#ifdef WRONG\n  return *(int *)0;\n#else\n  return 0;\n#endif\n}\n";
    let desk = project(&[("a.c", source)]);
    database(&desk, &[entry(&desk, "a.c", &[]), entry(&desk, "a.c", &["-DWRONG"])]);
    let output = check(&desk, "");
    output.expect(1, &["null-deref"]);
    let (report, ..) = report(&output);
    assert_eq!(names(&report), ["a.c [-DWRONG]", "a.c [no options of its own]"]);
    let verdicts: Vec<_> = (0..2).map(|at| report["units"][at]["answer"]["verdict"].clone()).collect();
    assert_eq!(verdicts, ["unsafe", "safe"]);
    // The same by naming the database.
    desk.run("check --compile-commands p/compile_commands.json --cache cache")
        .expect(1, &["null-deref", "p/a.c:3"]);
    desk.run("check -p p --cache cache").expect(1, &["null-deref"]);
}

#[test]
fn what_was_not_analysed_stands_in_the_way_of_safe() {
    let good = "int main(void) { return 0; }\n";
    let desk = project(&[
        ("a.c", good),
        ("b.c", "#include \"made.h\"\n"),
        ("c.c", "int x = ;\n"),
        ("d.cpp", ""),
        ("loop", "@loop"),
    ]);
    let all = |more: Value| database(&desk, &[entry(&desk, "a.c", &[]), more]);
    all(entry(&desk, "b.c", &[]));
    check(&desk, "").expect(3, &["missing-header", "b.c includes made.h", "build the project first"]);
    all(entry(&desk, "c.c", &[]));
    check(&desk, "").expect(3, &["does-not-compile"]);
    all(entry(&desk, "d.cpp", &[]));
    check(&desk, "").expect(3, &["other-language"]);
    all(entry(&desk, "none.c", &[]));
    check(&desk, "").expect(3, &["none.c", "cannot read"]);
    all(entry(&desk, "a.c", &["@loop"]));
    check(&desk, "").expect(3, &["contains itself"]);
    all(json!({"file": "x.c"}));
    check(&desk, "").expect(3, &["entry 2 of", "neither `arguments` nor a `command`"]);
    all(json!(7));
    check(&desk, "").expect(3, &["broken-entry"]);
    all(entry(&desk, "a.c", &["-funsigned-bitfields"]));
    check(&desk, "").expect(3, &["other-compiler"]);
    check(&desk, "--fail-on errors").expect(0, &["other-compiler"]);
    // What the user excludes is accepted.
    all(entry(&desk, "c.c", &[]));
    put(&desk, "heapproof.toml", "exclude = [\"c.c\"]\n");
    check(&desk, "").expect(0, &["excluded"]);
}

#[test]
fn options_that_clang_does_not_know_are_left_out_with_a_note() {
    let desk = project(&[("a.c", "int main(void) { return 0; }\n"), ("args", "-fno-such-thing -DX=1")]);
    database(&desk, &[entry(&desk, "a.c", &["@args", "-fipa-pta", "-Wno-such", "-march=zen99"])]);
    for _ in 0..2 {
        check(&desk, "").expect(0, &["clang does not know `-fno-such-thing`", "`-march=zen99`"]);
    }
}

#[test]
fn mistakes_have_one_clear_message() {
    let desk = project(&[("a.c", "int main(void) { return 0; }\n"), ("empty/readme", "")]);
    check(&desk, "--shard 3/2").expect(2, &["K/N is needed"]);
    check(&desk, "--only [").expect(2, &["no pattern"]);
    check(&desk, "--only nothing").expect(2, &["no unit fits"]);
    check(&desk, "--changed-since nothing").expect(2, &["git"]);
    check(&desk, "--write-test x.c").expect(2, &["for one program"]);
    desk.run("check p/empty").expect(2, &["has no C file"]);
    desk.run("check -p p/empty").expect(2, &["neither"]);
    put(&desk, "heapproof.toml", "exlude = []\n");
    check(&desk, "").expect(2, &["heapproof.toml", "no key `exlude`"]);
    put(&desk, "heapproof.toml", "property = \"nothing\"\n");
    check(&desk, "").expect(3, &["wrong-use"]);
    desk.run("merge p/a.c").expect(2, &["no report of a shard"]);
    desk.run("merge none.json").expect(2, &["cannot read none.json"]);
}

#[test]
fn shards_are_the_whole() {
    let desk = two_programs();
    let whole = check(&desk, "");
    for number in 1..=3 {
        check(&desk, &format!("--no-cache --shard {number}/3 --output {number}.json"));
    }
    let merged = desk.run("merge 3.json 1.json 2.json --format json");
    assert_eq!(report(&merged).0.to_string(), report(&whole).0.to_string());
    assert_eq!(merged.status, Some(1));
    desk.run("merge 1.json 2.json --format json").expect(1, &["missing-shard"]);
}

#[test]
fn damaged_entries_of_the_cache_are_done_anew() {
    let desk = two_programs();
    let (first, ..) = report(&check(&desk, ""));
    for damage in [
        "printf x | dd of=$f bs=1 seek=90 conv=notrunc 2>/dev/null",
        ": > $f",
        "echo other > $f",
        "cp $f $f.1; rm $f",
    ] {
        desk.shell(&format!("for f in $(find cache -type f); do {damage}; done")).expect(0, &[]);
        assert_eq!(report(&check(&desk, "")).0, first, "{damage}");
    }
    desk.run("cache --cache cache").expect(0, &["entries"]);
    desk.run("cache --cache cache --clear").expect(0, &["cache: 0 entries"]);
    assert_eq!(report(&check(&desk, "")).1, 0);
    // A place that takes nothing costs only the cache.
    let full = desk.run("check p --cache /dev/full/x --format json");
    full.expect(1, &["could not be written to the cache"]);
    assert_eq!(report(&full).0, first);
}

#[test]
fn two_runs_at_once() {
    let desk = two_programs();
    let both =
        "for i in 1 2 3; do $heapproof check p --cache cache --format json --output $i.json & done; wait";
    desk.shell(both).expect(0, &[]);
    let read = |name: &str| {
        let mut report: Value = serde_json::from_slice(&std::fs::read(desk.path(name)).unwrap()).unwrap();
        report.as_object_mut().unwrap().shift_remove("times");
        report
    };
    assert_eq!((read("1.json"), read("2.json")), (read("2.json"), read("3.json")));
}

#[test]
fn a_recorded_build_says_what_programs_are_made_of() {
    let desk = project(&[
        ("main.c", "int f(void);\nint main(void) { return f(); }\n"),
        ("right.c", "int f(void) { return 0; }\n"),
        ("wrong.c", "int f(void) { return *(int *)0; }\n"),
        (
            "Makefile",
            "all:\n\tgcc -c main.c\n\techo '-c wrong.c' > args; cc @args; rm args\n\tcc -c right.c\n\tar rcs libf.a right.o\n\
                      \tcc -o one main.o wrong.o\n\tcc -o two main.o -L. -lf\n",
        ),
    ]);
    // Without a record it is not known which `f` is meant.
    let guessed = check(&desk, "--no-cache");
    assert!(report(&guessed).0["units"].to_string().contains("heapproof capture records it"), "{guessed:#?}");
    desk.shell("cd p && $heapproof capture -- make").expect(0, &["6 calls were recorded"]);
    let output = check(&desk, "");
    output.expect(1, &["null-deref"]);
    let (report, ..) = report(&output);
    assert_eq!(names(&report), ["libf.a", "one", "two"]);
    assert_eq!(report["units"][1]["answer"]["verdict"], "unsafe");
    assert_eq!(report["units"][2]["answer"]["verdict"], "safe");
    desk.shell("cd p && $heapproof capture -- false").expect(1, &["nothing was recorded"]);
    desk.shell("cd p && $heapproof capture -- ./no-such-program").expect(2, &["cannot start"]);
}

#[test]
fn only_what_changed() {
    let desk = two_programs();
    let git = "git -c user.name=x -c user.email=x@x";
    desk.shell(&format!("cd p && git init -q && git add . && {git} commit -qm x")).expect(0, &[]);
    let (nothing, ..) = report(&check(&desk, "--changed-since HEAD"));
    assert!(names(&nothing).is_empty());
    put(&desk, "include/list.h", "int use(int x);\n\n");
    let (changed, ..) = report(&check(&desk, "--changed-since HEAD"));
    assert_eq!(names(&changed), ["src/good.c"]);
    let (only, ..) = report(&check(&desk, "--only src/b*"));
    assert_eq!(names(&only), ["src/bad.c"]);
}

#[test]
fn budgets_and_options_are_part_of_the_question() {
    let desk = two_programs();
    check(&desk, "").expect(1, &[]);
    let (_, cached, compiled) = report(&check(&desk, "--malloc-may-fail"));
    assert_eq!((cached, compiled), (0, 0));
    put(&desk, "heapproof.toml", "[[unit]]\nname = \"src/good.c\"\nbudget = 7\n");
    let (_, cached, _) = report(&check(&desk, ""));
    assert_eq!(cached, 1);
    assert!(Path::new(&desk.path("cache")).is_dir());
}
