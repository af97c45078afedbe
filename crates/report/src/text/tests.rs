//! What users see.

use super::*;
use crate::samples;
use heapproof_verdict::ErrorClass;

fn plain(answer: &Answer) -> String {
    let replay = Replay { command: "heapproof run list.c".to_owned(), compiler: String::new() };
    let options = Options { replay: Some(replay), verbose: true, ..Options::default() };
    render(answer, &options)
}

/// Renders with the program in a file, whose directory is not shown.
fn with_source(content: &[u8], change: impl FnOnce(&mut Answer)) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("list.c");
    std::fs::write(&path, content).unwrap();
    let mut answer = samples::use_after_free(path.to_str().unwrap());
    change(&mut answer);
    plain(&answer).replace(&format!("{}/", dir.path().display()), "")
}

#[test]
fn an_error_with_source() {
    insta::assert_snapshot!(with_source(samples::LIST_C.as_bytes(), |_| {}), @r#"
    list.c: In function 'main':
    list.c:6:15: error: use-after-free: reading 4 bytes of a heap block of 16 bytes that was freed [CWE-416]
        6 |     return n->value;
          |               ^~~~~
    list.c:3:22: note: the block is allocated here
        3 |     struct node *n = malloc(sizeof *n);
          |                      ^~~~~~
    list.c:5:2: note: the block is freed here
        5 |         free(n);
          |         ^~~~
    list.c:4:9: note: the input is 1
    list.c:4:9: note: the condition holds: if (nondet())
    note: see it happen: heapproof run list.c --input 1,-1
    unsafe: an execution violates memsafety+assertions (engine random, 12 executions, 1.23 s)
    "#);
}

#[test]
fn an_error_without_source() {
    insta::assert_snapshot!(plain(&samples::use_after_free("gone/list.c")), @r#"
    gone/list.c: In function 'main':
    gone/list.c:6:15: error: use-after-free: reading 4 bytes of a heap block of 16 bytes that was freed [CWE-416]
    gone/list.c:3:22: note: the block is allocated here
    gone/list.c:5:2: note: the block is freed here
    gone/list.c:4:9: note: the input is 1
    gone/list.c:4:9: note: the condition holds
    note: see it happen: heapproof run list.c --input 1,-1
    unsafe: an execution violates memsafety+assertions (engine random, 12 executions, 1.23 s)
    "#);
}

#[test]
fn not_decided() {
    insta::assert_snapshot!(plain(&samples::unknown()), @r#"
    a.c:7:3: note: the external function `read_sensor` has no model
    note: a limit was reached: 20000 steps in one execution
    note: accepted by option: --assume-pure log_line
    note: malloc never fails
    reason: 1834 executions found no error; random execution cannot prove its absence
    hint: add the file that defines `read_sensor`, or say what it does: --assume-pure read_sensor (changes no memory), --havoc read_sensor (may change what its arguments point to)
    unknown: memsafety+assertions is not decided (engine random, 1.23 s)
    "#);
}

#[test]
fn limits_of_the_user_are_named() {
    let mut answer = samples::unknown();
    for (limit, option) in [("5 seconds", "hint: --timeout"), ("64 MiB", "hint: --memory")] {
        answer.ledger.assumptions[1].subject = limit.to_owned();
        let text = plain(&answer);
        assert!(text.contains(option) && text.matches("hint: --").count() == 1, "{text}");
    }
}

#[test]
fn a_suspicion() {
    let mut answer = samples::unknown();
    answer.suspicions = samples::use_after_free("gone/list.c").violations;
    answer.suspicions[0].inputs = None;
    answer.ledger = Default::default();
    insta::assert_snapshot!(plain(&answer), @r#"
    gone/list.c: In function 'main':
    gone/list.c:6:15: warning: not confirmed: use-after-free: reading 4 bytes of a heap block of 16 bytes that was freed [CWE-416]
    gone/list.c:3:22: note: the block is allocated here
    gone/list.c:5:2: note: the block is freed here
    gone/list.c:4:9: note: the input is 1
    gone/list.c:4:9: note: the condition holds
    reason: 1834 executions found no error; random execution cannot prove its absence
    unknown: memsafety+assertions is not decided (engine random, 1.23 s)
    "#);
}

#[test]
fn safe() {
    insta::assert_snapshot!(plain(&samples::safe()), @"safe: no execution violates memsafety+assertions (engine random, 1.23 s)");
}

#[test]
fn colours() {
    let text = render(&samples::safe(), &Options { colour: true, ..Options::default() });
    assert!(text.starts_with("\u{1b}[1m\u{1b}[32msafe:\u{1b}[0m "), "{text:?}");
    assert!(!plain(&samples::safe()).contains('\u{1b}'));
}

#[test]
fn odd_sources_do_not_break_it() {
    let long = "x".repeat(1 << 20);
    let contents: [&[u8]; 6] = [
        b"",
        b"\n\n\n\n\n\n\n",
        &[0xff; 4096],
        &[0; 4096],
        long.as_bytes(),
        b"a\n\xe2\x82\n\x1b[31m\n\t\t\n\t\n\t",
    ];
    for content in contents {
        let text = with_source(content, |_| {});
        assert!(text.contains("list.c:6:15: error: use-after-free:"), "{text}");
        assert!(text.ends_with("1.23 s)\n"), "{text}");
        assert!(!text.contains('\u{1b}') && text.len() < 4096, "{text}");
    }
}

#[test]
fn unknown_positions() {
    let text = with_source(b"", |answer| {
        let place = &mut answer.violations[0].location;
        (place.line, place.column, place.function) = (0, 0, String::new());
        answer.violations[0].class = ErrorClass::Leak;
    });
    assert!(text.contains("list.c: error: leak:"), "{text}");
}

#[test]
fn long_paths_keep_what_matters() {
    let text = with_source(samples::LIST_C.as_bytes(), |answer| {
        let path = &mut answer.violations[0].path;
        let (input, branch, freed) = (path[1].clone(), path[2].clone(), path.pop().unwrap());
        for _ in 0..500 {
            path.extend([input.clone(), branch.clone()]);
        }
        path.insert(500, freed);
    });
    assert!(text.contains("978 more steps") && text.contains("freed here"), "{text}");
    assert!(text.lines().count() < 50, "{text}");
}

#[test]
fn conditions_are_quoted_without_their_surroundings() {
    let line = "static void f(char *s) { for (; *s; s++) g(s); }";
    assert_eq!(statement(line, 25), "for (; *s; s++) g(s);");
    assert_eq!(statement("    } else if (a) {", 11), "else if (a)");
    assert_eq!(statement("    while (a && b) {", 16), "while (a && b)");
    assert_eq!(statement("é", 9), "é");
}

#[test]
fn equal_steps_are_told_once() {
    let text = with_source(samples::LIST_C.as_bytes(), |answer| {
        let path = &mut answer.violations[0].path;
        let input = path[1].clone();
        path.extend(vec![input; 300]);
    });
    assert!(text.contains("note: the input is 1 (300 times)\n"), "{text}");
}
