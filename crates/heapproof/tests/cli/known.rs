//! Errors that are known (suppressed by comments, in a baseline), the difference of two reports.

use crate::support::Desk;

const ERROR: &str =
    "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  return *p;\n}\n";

fn suppressed(comment: &str) -> String {
    ERROR.replace("  return *p;", &format!("{comment}\n  return *p;"))
}

#[test]
fn a_suppressed_error_never_makes_safe() {
    let desk = Desk::with(suppressed("  // heapproof: allow use-after-free: it is a test"));
    desk.run("check a.c").expect(3, &["a.c:6: use-after-free is suppressed: it is a test", "known errors"]);
    desk.run("check a.c --fail-on errors").expect(0, &[]);
    let json = desk.run("check a.c --format json").json();
    assert_eq!(
        (&json["verdict"], &json["errors"][0]["suppressed"]),
        (&"unknown".into(), &"it is a test".into())
    );
    assert!(!desk.run("check a.c --format sarif").stdout.contains("\"ruleId\""));
    desk.run("check . --no-cache").expect(3, &["1 errors suppressed", "is suppressed: it is a test"]);
    desk.run("check . --no-cache --format json --fail-on errors").expect(0, &["only known errors"]);
    // Another class, no class, no reason: the error counts.
    for (comment, words) in [
        ("  // heapproof: allow leak: other", "error: use-after-free"),
        ("  // heapproof: allow use-after-fre: typo", "is no class of errors"),
        ("  // heapproof: allow use-after-free", "without a reason"),
    ] {
        desk.file("a.c", suppressed(comment));
        desk.run("check a.c").expect(1, &[words]);
        desk.run("check . --no-cache").expect(1, &[words]);
    }
}

#[test]
fn a_stale_suppression_is_reported() {
    let desk = Desk::with("int main(void) {\n  return 0; // heapproof: allow leak: once\n}\n");
    desk.run("check a.c").expect(0, &["a.c:2: `allow leak` is stale"]);
    desk.run("check . --no-cache").expect(0, &["a.c:2: `allow leak` is stale"]);
}

#[test]
fn only_errors_that_are_not_in_the_baseline_count() {
    let desk = Desk::with(ERROR);
    desk.run("check a.c --baseline b.json").expect(2, &["cannot read the baseline"]);
    desk.run("check a.c --baseline b.json --update-baseline").expect(3, &["b.json: 1 errors"]);
    desk.run("check a.c --baseline b.json").expect(3, &["1 errors are in the baseline"]);
    desk.run("check . --no-cache --baseline b.json").expect(3, &["1 errors in the baseline"]);
    // Lines move, and the file is renamed.
    std::fs::remove_file(desk.path("a.c")).unwrap();
    desk.file("other.c", format!("/* moved */\n\n{}", ERROR.replace("  return", "\treturn")));
    desk.run("check other.c --baseline b.json --fail-on errors").expect(0, &[]);
    // A second error with the same text is a new one.
    desk.file("third.c", ERROR);
    desk.run("check . --no-cache --baseline b.json").expect(1, &["(1 error)", "1 errors in the baseline"]);
    desk.run("check . --no-cache --baseline b.json --update-baseline").expect(3, &["2 errors"]);
    // It is mended.
    std::fs::remove_file(desk.path("third.c")).unwrap();
    desk.file("other.c", "int main(void) { return 0; }\n");
    desk.run("check . --no-cache --baseline b.json").expect(0, &["are not there any more"]);
    desk.run("check . --no-cache --baseline b.json --update-baseline").expect(0, &["b.json: 0 errors"]);
    for (text, words) in [("{", "is no baseline"), ("{\"version\": 9, \"errors\": []}", "is of version 9")] {
        desk.file("b.json", text);
        desk.run("check other.c --baseline b.json").expect(2, &[words]);
        desk.run("check . --no-cache --baseline b.json").expect(2, &[words]);
    }
    desk.run("check . --no-cache --baseline b.json --shard 1/2").expect(2, &["heapproof merge --baseline"]);
    desk.run("check other.c --update-baseline").expect(2, &["--baseline"]);
}

#[test]
fn the_difference_of_two_reports() {
    let desk = Desk::with(ERROR);
    desk.run("check . --no-cache --format json --output old.json");
    desk.file("a.c", format!("\n{ERROR}"));
    desk.run("check . --no-cache --format json --output moved.json");
    desk.run("diff old.json moved.json").expect(0, &["0 new, 0 gone, 1 in both"]);
    desk.file("a.c", ERROR.replace("return *p", "free(p); return 0"));
    desk.run("check . --no-cache --format json --output new.json");
    desk.run("diff old.json new.json")
        .expect(1, &["new    a.c:5: double-free", "gone   a.c: use-after-free"]);
    desk.run("diff old.json a.c").expect(2, &["is no report"]);
    desk.run("diff none.json new.json").expect(2, &["cannot read none.json"]);
}
