//! What users see.

use super::*;
use crate::samples;
use heapproof_verdict::ErrorClass;

fn plain(answer: &Answer) -> String {
    let replay = Replay { command: "heapproof run list.c".to_owned(), ..Replay::default() };
    let options = Options { replay: Some(replay), verbose: true, suspicions: true, ..Options::default() };
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
    list.c:4:9: note: the condition holds
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
    hint: add the file that defines `read_sensor`, or say what it does: --assume-pure read_sensor (changes no memory), --havoc read_sensor (may change what its arguments point to)
    hint: executions cannot show that there is no error; --engine auto also tries a proof
    a.c:7:3: note: the external function `read_sensor` has no model
    note: a limit was reached: 20000 steps in one execution
    note: accepted by option: --assume-pure log_line
    note: malloc never fails
    reason: 1834 executions found no error; random execution cannot prove its absence
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
    hint: see whether the error at gone/list.c:6 can happen; if it cannot, a check in front of it that ends the program (`if (…) abort();`) tells why
    hint: executions cannot show that there is no error; --engine auto also tries a proof
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
    assert!(text.contains("… 994 steps (--steps all shows them)") && text.contains("freed here"), "{text}");
    assert!(text.lines().count() < 50, "{text}");
}

#[test]
fn suspicions_are_shown_on_demand() {
    let mut answer = samples::unknown();
    answer.suspicions = samples::use_after_free("gone/list.c").violations;
    let text = render(&answer, &Options::default());
    assert!(!text.contains("warning:") && text.contains("1 error is suspected"), "{text}");
    answer.reason = Some(format!("no proof: a.c:7: words{BESIDES}9 executions found no error"));
    let text = render(&answer, &Options::default());
    assert!(text.contains("reason: no proof: a.c:7: words\nreason: 9 executions"), "{text}");
}

#[test]
fn equal_suspicions_are_told_once() {
    let mut answer = samples::unknown();
    let suspicion = samples::use_after_free("gone/list.c").violations.remove(0);
    for line in 6..12 {
        let mut other = suspicion.clone();
        other.location.line = line;
        answer.suspicions.push(other);
    }
    let mut others = suspicion;
    for line in 20..26 {
        others.location.line = line;
        others.message = format!("something else {line}");
        answer.suspicions.push(others.clone());
    }
    let text = plain(&answer);
    assert_eq!(text.matches("warning: not confirmed:").count(), MOST_SUSPICIONS, "{text}");
    let places = "gone/list.c:7:15, gone/list.c:8:15, gone/list.c:9:15 and at 2 more places";
    assert!(text.contains(&format!("note: the same is suspected at {places}\n")), "{text}");
    assert!(text.contains("note: 2 more things are suspected; --format json has them\n"), "{text}");
}

#[test]
fn long_inputs_go_to_a_file() {
    let mut answer = samples::use_after_free("gone/list.c");
    answer.violations[0].inputs = Some("12345,".repeat(100));
    answer.violations.push(answer.violations[0].clone());
    let text = plain(&answer);
    assert_eq!(text.matches("--write-inputs FILE").count(), 1, "{text}");
    assert!(!text.contains("12345"), "{text}");
    let replay = Replay {
        command: "heapproof run list.c".to_owned(),
        compiler: " -- -DX".to_owned(),
        file: Some("in.txt".to_owned()),
    };
    let text = render(&answer, &Options { replay: Some(replay), ..Options::default() });
    assert!(text.contains("see it happen: heapproof run list.c --input-file in.txt -- -DX\n"), "{text}");
}
