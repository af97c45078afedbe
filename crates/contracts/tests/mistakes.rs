//! Mistakes in annotations: each is told with its place and what to do about it.

use heapproof_contracts::{Annotations, Spec};

const IR: &str = include_str!("mistakes.ir");
const C: &str = "struct node { int data; struct node *next; unsigned bits : 3; };
struct node *top;
PREDICATE
CONTRACT
int f(struct node *p, int n)
{
    int i = 0;
    LOOP
    while (i < n) {
        i = i + 1;
    }
    STATEMENT
    top = p;
    return i;
}
";

/// The mistakes of the module with something in one of its places: line, message, suggestion.
fn mistakes(place: &str, what: &str) -> Vec<(u32, String, String)> {
    let text = ["PREDICATE", "CONTRACT", "LOOP", "STATEMENT"]
        .iter()
        .fold(C.to_owned(), |text, name| text.replace(name, if *name == place { what } else { "" }));
    let program = heapproof_ir::text::parse(IR).expect("the module");
    let annotations = Annotations::read(&program, &[("a.c", &text)]);
    let found = Spec::new(&program, &annotations).err().unwrap_or_default();
    let told = |(file, mistake): &(String, heapproof_contracts::annotation::Mistake)| {
        let shown = mistake.show(file, &text);
        assert!(shown.contains("a.c:") && shown.contains('^'), "{shown}");
        (mistake.at.line, mistake.message.clone(), mistake.suggestion.clone().unwrap_or_default())
    };
    found.iter().map(told).collect()
}

#[test]
fn right_annotations_are_accepted() {
    let right = [
        (
            "PREDICATE",
            "/*@ predicate ends(struct node *q) = q == NULL || block(q, struct node.next) == NULL; */",
        ),
        (
            "CONTRACT",
            "/*@ requires n >= 0 && (p == NULL || alloc(p)); assigns {&top}; ensures \\result == n && top == p; */",
        ),
        ("CONTRACT", "/*@ ensures \\let q = \\old(p); top == q; modifies {&top}; */"),
        ("LOOP", "//@ loop invariant 0 <= i && i <= n;"),
        ("STATEMENT", "//@ assert i >= n;"),
        ("STATEMENT", "//@ ghost BS += p;"),
    ];
    for (place, what) in right {
        assert_eq!(mistakes(place, what), [], "{what}");
    }
}

#[test]
fn forty_kinds_of_mistakes() {
    let wrong = [
        ("CONTRACT", "/*@ requires n == 1 */", "`;` is expected", "each clause ends"),
        ("CONTRACT", "/*@ requires n = 1; */", "changes nothing", "`==`"),
        ("CONTRACT", "/*@ requires 0 <= n < 9; */", "do not chain", "&&"),
        ("CONTRACT", "/*@ decreases n; */", "`decreases` is not known", "termination"),
        ("CONTRACT", "/*@ behavior ok: */", "`behavior` is not known", "==>"),
        ("CONTRACT", "/*@ invariant n; */", "`invariant` is not known", "body"),
        ("CONTRACT", "/*@ reads p; */", "`reads` is not known", "`requires`"),
        ("CONTRACT", "/*@ assigns p; */", "a set is expected", "{p}"),
        ("CONTRACT", "/*@ assigns {p} \\from n; */", "`\\from` does not belong", "end the clause"),
        ("CONTRACT", "/*@ ensures \\exists int x; x; */", "no `\\exists`", "\\forall"),
        ("CONTRACT", "/*@ ensures \\separated(p, p); */", "`\\separated` is not known", "known are"),
        ("CONTRACT", "/*@ requires \\forall int x; x == 1; */", "`\\in`", "runs over a set"),
        ("CONTRACT", "/*@ requires list(p, struct node.next); */", "is a set", "in(E, S)"),
        ("CONTRACT", "/*@ requires in(p, p); */", "a set is expected", "{p}"),
        ("CONTRACT", "/*@ requires g(n); */", "cannot be called", "`alloc`"),
        (
            "CONTRACT",
            "/*@ requires block(p, struct node) == NULL; */",
            "a field is expected",
            "struct NAME.FIELD",
        ),
        ("CONTRACT", "/*@ requires block(p, struct node.data) == NULL; */", "is no pointer", "pointers"),
        ("CONTRACT", "/*@ requires block(p, struct node.last) == NULL; */", "has no field `last`", "`next`"),
        (
            "CONTRACT",
            "/*@ requires block(p, struct list.next) == NULL; */",
            "`struct list` is not known",
            "types",
        ),
        ("CONTRACT", "/*@ requires block(p, int.next) == NULL; */", "is no structure", "struct NAME.FIELD"),
        ("CONTRACT", "/*@ requires m == 1; */", "`m` is not known", "did you mean"),
        ("CONTRACT", "/*@ requires i == 1; */", "`i` is not known", "did you mean"),
        ("CONTRACT", "/*@ requires something == 1; */", "`something` is not known", "parameters"),
        ("CONTRACT", "/*@ requires p->last == NULL; */", "no field `last`", "`next`"),
        ("CONTRACT", "/*@ requires p->bits == 1; */", "bit-field", "bit-fields"),
        ("CONTRACT", "/*@ requires p.data == 1; */", "`.` needs a structure", "->data"),
        ("CONTRACT", "/*@ requires n->data == 1; */", "`->` needs a pointer", "`.`"),
        ("CONTRACT", "/*@ requires *n == 1; */", "can be dereferenced", "cast"),
        ("CONTRACT", "/*@ requires &n != NULL; */", "has no address", "memory"),
        ("CONTRACT", "/*@ requires \\result == 1; */", "no `\\result`", "ensures"),
        ("CONTRACT", "/*@ requires \\old(n) == 1; */", "`\\old` has no meaning", "leave"),
        ("CONTRACT", "/*@ requires alloc(n); */", "needs a pointer", "alloc(&x)"),
        ("CONTRACT", "/*@ requires Obj(p) == p; */", "an object is compared", "Obj(E)"),
        ("CONTRACT", "/*@ requires p < p; */", "only numbers", "Off(p)"),
        ("CONTRACT", "/*@ requires n / n == 1; */", "positive constant", "number"),
        ("CONTRACT", "/*@ requires (float)n == 1; */", "`float` is not known", "types"),
        ("CONTRACT", "/*@ modifies incr({p}, n); */", "number of bytes", ""),
        ("CONTRACT", "/*@ requires n # 1; */", "has no meaning", ""),
        (
            "PREDICATE",
            "/*@ predicate list(struct node *q) = q == NULL; */",
            "has a meaning already",
            "another name",
        ),
        (
            "PREDICATE",
            "/*@ predicate e(struct node *q) = q == NULL; requires 1; */",
            "holds nothing else",
            "own",
        ),
        ("PREDICATE", "/*@ requires n > 0; */ int other;", "no function follows", "directly before"),
        (
            "PREDICATE",
            "/*@ requires n > 0; */ int f(struct node *p, int n);",
            "is defined in this program",
            "before its definition",
        ),
        ("PREDICATE", "/*@ requires n > 0; */ int (*other)(int n);", "no function follows", "declared"),
        ("LOOP", "//@ loop variant n;", "`loop variant`", "loop invariant"),
        ("LOOP", "//@ invariant n > 0;", "is not known", "`loop invariant`"),
        ("LOOP", "//@ requires n > 0;", "belongs to the contract", "/*@"),
        ("STATEMENT", "//@ loop invariant n > 0;", "no loop follows", "before a loop"),
        ("STATEMENT", "//@ ghost x = 1;", "only `BS`", "BS += E"),
        ("STATEMENT", "//@ ghost BS += n + ;", "a value is expected", ""),
    ];
    assert!(wrong.len() >= 40);
    let mut missed = Vec::new();
    for (place, what, message, suggestion) in wrong {
        let found = mistakes(place, what);
        let is_told =
            |(_, text, help): &(u32, String, String)| text.contains(message) && help.contains(suggestion);
        if !found.iter().any(is_told) {
            missed.push(format!("{what}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
