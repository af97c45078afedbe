//! Branches in words.

use super::*;
use heapproof_verdict::{Fork, Location};

/// The place of the first occurrence of a text in the source; a first `|` says where in the text.
fn place(source: &str, text: &str) -> Place {
    let (before, after) = match text.split_once('|') {
        Some(_) if text.starts_with("|| ") => ("", text),
        Some((before, after)) => (before, after),
        None => ("", text),
    };
    let (inside, text) = (before.len(), format!("{before}{after}"));
    let offset = source.find(&text).unwrap_or_else(|| panic!("no `{text}`")) + inside;
    let line = source[..offset].matches('\n').count() as u32 + 1;
    let column = (offset - source[..offset].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1;
    Place { line, column }
}

/// What is told of a branch at one place that goes on at another, and not at the third.
fn told_instead(source: &str, at: &str, goes_on: &str, instead: &str) -> Option<String> {
    let fork = Fork {
        goes_on: Some(place(source, goes_on)),
        instead: if instead.is_empty() { Vec::new() } else { vec![place(source, instead)] },
    };
    let told = outline::tell(&Tokens::new(source.as_bytes()), place(source, at), &fork)?;
    Some(words(&told, 1))
}

fn told(source: &str, at: &str, goes_on: &str) -> String {
    told_instead(source, at, goes_on, "").unwrap_or_else(|| "nothing".to_owned())
}

const IFS: &str = "\
int f(int *p, int n) {
    if (!p)
        return 1;
    if (p && n > 3 || *p == 2) {
        n++;
    } else if (EMPTY(p))
        n--;
    else
        n = 7;
    return n;
}
";

#[test]
fn conditions_of_if() {
    assert_eq!(told(IFS, "!p", "return 1"), "taking the true branch of `if (!p)`");
    assert_eq!(told(IFS, "!p", "p && n"), "taking the false branch of `if (!p)`");
    let long = "`if (p && n > 3 || *p == 2)`";
    assert_eq!(told(IFS, "p && n", "n|++"), format!("taking the true branch of {long}"));
    assert_eq!(told(IFS, "|&& n", "*|p == 2"), "");
    assert_eq!(told(IFS, "||| *p", "n|++"), format!("taking the true branch of {long}, as `n > 3` is true"));
    assert_eq!(told(IFS, "p && n", "EMPTY"), format!("taking the false branch of {long}"));
    assert_eq!(told(IFS, "EMPTY", "n|--"), "taking the true branch of `if (EMPTY(p))`");
    assert_eq!(told(IFS, "EMPTY", "n = 7"), "taking the false branch of `if (EMPTY(p))`");
}

const AND: &str = "\
void g(struct list *l) {
    if (l && l->first) { }
    if (l) ; else h(l);
}
";

#[test]
fn the_operand_that_decides_is_named() {
    let head = "`if (l && l->first)`";
    assert_eq!(told(AND, "|&& l", "if (l) ;"), format!("taking the false branch of {head}, as `l` is false"));
    assert_eq!(told(AND, "l && l", "{ |}\n    if (l)"), format!("taking the true branch of {head}"));
    assert_eq!(told(AND, "l) ;", "h(l)"), "taking the false branch of `if (l)`");
}

const LOOPS: &str = "\
void g(int n, int *p) {
    while (n > 0 && *p)
        n--;
    for (int i = 0; i < 3; i++)
        n += i;
    do {
        n -= 2;
    } while (n > 7);
    while (*p++) ;
    for (;;)
        if (n) break;
    do n++; while (n < 9);
    last(n);
}
";

#[test]
fn loops() {
    let first = "the loop `while (n > 0 && *p)`";
    assert_eq!(told(LOOPS, "while (n > 0", "n|--"), format!("{first} goes round"));
    assert_eq!(told(LOOPS, "while (n > 0", "int i = 0"), format!("{first} ends"));
    assert_eq!(told(LOOPS, "&& *p", "&& |*p"), "");
    let second = "the loop `for (int i = 0; i < 3; i++)`";
    assert_eq!(told(LOOPS, "for (int", "n |+= i"), format!("{second} goes round"));
    assert_eq!(told(LOOPS, "for (int", "do {"), format!("{second} ends"));
    let third = "the loop `while (n > 7)`";
    assert_eq!(told(LOOPS, "|} while (n > 7)", "n |-= 2"), format!("{third} goes round"));
    assert_eq!(told(LOOPS, "|} while (n > 7)", "*p++"), format!("{third} ends"));
    let fourth = "the loop `while (*p++)`";
    assert_eq!(told(LOOPS, "while (*p++)", "p++"), format!("{fourth} goes round"));
    assert_eq!(told(LOOPS, "while (*p++)", "n) break"), format!("{fourth} ends"));
    assert_eq!(told(LOOPS, "n) break", "break"), "taking the true branch of `if (n)`");
    assert_eq!(told(LOOPS, "n) break", "for (;;)"), "taking the false branch of `if (n)`");
    let fifth = "the loop `while (n < 9)`";
    assert_eq!(
        told_instead(LOOPS, "n++; while", "n++; while", "last").unwrap(),
        format!("{fifth} goes round")
    );
    assert_eq!(told_instead(LOOPS, "n++; while", "last", "n++; while").unwrap(), format!("{fifth} ends"));
}

const SWITCH: &str = "\
void g(int n, int k) {
    switch (n) {
    case RED: n = 2; break;
    case 2:
    case 'x' ... 'z': n = 3;
        switch (k) { case 9: return; }
        k = 4;
        break;
    default: n = 5;
    }
    switch (k) {
    case 1: n = 6;
    }
    last(n);
}
";

#[test]
fn cases() {
    assert_eq!(told(SWITCH, "switch (n)", "n |= 2"), "`switch (n)` goes to `case RED:`");
    assert_eq!(told(SWITCH, "switch (n)", "n |= 3"), "`switch (n)` goes to `case 'x' ... 'z':`");
    assert_eq!(told(SWITCH, "switch (n)", "k |= 4"), "`switch (n)` goes to `case 'x' ... 'z':`");
    assert_eq!(told(SWITCH, "switch (n)", "n |= 5"), "`switch (n)` goes to `default:`");
    assert_eq!(told(SWITCH, "switch (k) {\n", "last"), "`switch (k)` has no case for the value");
}

const VALUES: &str = "\
int g(int n, int *p) {
    int z = n > 2 ? *p : 4;
    int y = p && f(z);
    y = n == 1 || h(z);
    assert(y >= 0);
    FOREACH(x, p) y = n ? 1 : 2;
    last(n);
}
";

#[test]
fn operands() {
    assert_eq!(told(VALUES, "n > 2 ?", "*p : 4"), "`n > 2` is true");
    // The constant has no place of its own.
    assert_eq!(told_instead(VALUES, "n > 2 ?", "n > 2 ?", "*p : 4").unwrap(), "`n > 2` is false");
    assert_eq!(told_instead(VALUES, "&& f", "f(z)", "&& f").unwrap(), "`p` is true");
    assert_eq!(told_instead(VALUES, "&& f", "&& f", "f(z)").unwrap(), "`p` is false");
    assert_eq!(told_instead(VALUES, "|| h", "h(z)", "|| h").unwrap(), "`n == 1` is false");
    assert_eq!(told_instead(VALUES, "|| h", "|| h", "h(z)").unwrap(), "`n == 1` is true");
    assert_eq!(told(VALUES, "assert", "FOREACH"), "`assert(y >= 0)` holds");
}

#[test]
fn macros_with_statements_claim_nothing() {
    assert_eq!(told(VALUES, "FOREACH", "y = n"), "nothing");
    assert_eq!(told(VALUES, "FOREACH", "last"), "nothing");
    assert_eq!(
        macro_call(&Tokens::new(VALUES.as_bytes()), place(VALUES, "FOREACH")).unwrap(),
        "FOREACH(x, p)"
    );
}

#[test]
fn odd_sources_do_no_harm() {
    let nested = format!("{} x;", "if (a) ".repeat(50_000));
    let open = "if (".repeat(50_000);
    for source in
        [nested.as_str(), open.as_str(), "while", "do while (", "for (;;", "switch (x) { case", "if (a)"]
    {
        for column in [1, 5, 8, 12, 15] {
            let at = Place { line: 1, column };
            let fork = Fork { goes_on: Some(Place { line: 1, column: 9 }), instead: vec![at] };
            let _ = outline::tell(&Tokens::new(source.as_bytes()), at, &fork);
        }
    }
}

#[test]
fn steps_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, LOOPS).unwrap();
    let step = |text: &str, goes_on: &str, times| {
        let at = place(LOOPS, text);
        let file = path.to_str().unwrap().to_owned();
        let location = Location { file, line: at.line, column: at.column, function: "g".to_owned() };
        let fork = Fork { goes_on: Some(place(LOOPS, goes_on)), instead: Vec::new() };
        PathStep { times, ..PathStep::branch(location, fork) }
    };
    let mut story = Story::default();
    let mut tell = |mut step: PathStep| story.step(&mut step).then_some((step.kind, step.message));
    let words = "the loop `for (int i = 0; i < 3; i++)` goes round 12 times".to_owned();
    assert_eq!(tell(step("for (int", "n |+= i", 12)), Some((StepKind::Loop, words)));
    let words = "taking the false branch of `if (n)` (3 times)".to_owned();
    assert_eq!(tell(step("n) break", "for (;;)", 3)), Some((StepKind::Branch, words)));
    assert_eq!(tell(step("&& *p", "&& |*p", 3)), None);
}
