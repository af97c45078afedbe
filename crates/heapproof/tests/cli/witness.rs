//! Task definitions and witnesses of SV-COMP, and the manual.

use super::support::Desk;

const BAD: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_int() == 7 && __VERIFIER_nondet_int() == -3) {
        free(p);
    }
    *p = 1;
    free(p);
    return 0;
}
";

const MEMSAFETY: &str = "\
CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memtrack) )
";

const TASK: &str = "\
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: no-overflow.prp
options:
  language: C
  data_model: ILP32
";

fn desk() -> Desk {
    let desk = Desk::with(BAD);
    desk.file("valid-memsafety.prp", MEMSAFETY);
    desk.file("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    desk.file("a.yml", TASK);
    desk
}

#[test]
fn a_task_gives_a_witness_that_is_confirmed() {
    let desk = desk();
    desk.run("check a.yml --witness w.yml --format svcomp").expect(1, &["FALSE(valid-deref)"]);
    let witness = std::fs::read_to_string(desk.path("w.yml")).unwrap();
    for words in ["violation_sequence", "ILP32", "\\result == 7", "\\result == -3", "type: target"] {
        assert!(witness.contains(words), "{words}: {witness}");
    }
    desk.run("validate w.yml a.c").expect(1, &["use-after-free", "confirmed"]);
}

#[test]
fn wrong_witnesses_are_not_confirmed() {
    let desk = desk();
    desk.run("check a.yml --witness w.yml").expect(1, &["use-after-free"]);
    let witness = std::fs::read_to_string(desk.path("w.yml")).unwrap();
    let changes = [
        ("\\result == 7", "\\result == 8", "rejected"),
        ("\\result == -3", "\\result == 3", "rejected"),
        ("\\result == 7", "\\result >= 7", "not confirmed"),
        ("line: 8", "line: 9", "rejected: the error is at"),
        ("function: main", "function: other", "rejected"),
        ("valid-deref", "valid-memcleanup", "not confirmed"),
        ("function_return", "assumption", "not confirmed"),
    ];
    for (old, new, word) in changes {
        assert!(witness.contains(old), "{old}: {witness}");
        desk.file("wrong.yml", witness.replace(old, new));
        desk.run("validate wrong.yml a.c").expect(3, &[word]);
    }
    for (old, new) in [("type: target", "type: place"), ("'2.0'", "'1.0'"), ("follow", "go")] {
        assert!(witness.contains(old), "{old}: {witness}");
        desk.file("wrong.yml", witness.replace(old, new));
        desk.run("validate wrong.yml a.c").expect(2, &["is no witness of format 2.0"]);
    }
    desk.file("b.c", format!("{BAD}/* */\n"));
    desk.run("validate w.yml b.c").expect(3, &["rejected: it was made for other files"]);
    desk.file("w.yml", "{");
    desk.run("validate w.yml a.c").expect(2, &["no YAML"]);
    desk.run("validate none.yml a.c").expect(2, &["cannot read none.yml"]);
}

#[test]
fn odd_tasks() {
    let desk = desk();
    desk.file("none.yml", "properties: []\n");
    desk.run("check none.yml").expect(2, &["names no input_files"]);
    desk.file("none.yml", "input_files: a.c\n");
    desk.run("check none.yml").expect(2, &["none of its properties can be checked"]);
    desk.run("check none.yml --property memsafety").expect(1, &["use-after-free"]);
    desk.file("java.yml", "input_files: a.c\noptions:\n  language: Java\n");
    desk.run("check java.yml").expect(2, &["only C is understood"]);
    desk.run("check a.yml a.c").expect(2, &["give it alone"]);
    desk.file("safe.c", "int main(void) { return 0; }\n");
    desk.run("check safe.c --property memsafety --witness w.yml").expect(0, &["safe"]);
    assert!(std::fs::read_to_string(desk.path("w.yml")).unwrap().contains("invariant_set"));
    desk.run("validate w.yml safe.c").expect(3, &["cannot be replayed"]);
}

#[test]
fn manual_and_completions() {
    let desk = Desk::new();
    desk.run("man").expect(0, &[".TH heapproof 1"]);
    desk.run("man --output pages").expect(0, &[]);
    assert!(std::fs::read_to_string(desk.path("pages/heapproof-check.1")).unwrap().contains("witness"));
    desk.run("completions bash").expect(0, &["_heapproof()"]);
    desk.run("completions zsh").expect(0, &["#compdef heapproof"]);
    desk.run("completions tcsh").expect(2, &["possible values"]);
}
