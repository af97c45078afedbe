//! Tests of the language and of the rules for lists.

use crate::annotation::{ExprKind, Mistake, StatementKind, comments, parse_contract, parse_statement};
use std::collections::BTreeSet;

fn contract(text: &str) -> Result<usize, Mistake> {
    let comment = comments(text).into_iter().next().expect("a comment");
    parse_contract(&comment, &|name| name == "LIST_ENTRY").map(|clauses| clauses.len())
}

fn statement(text: &str) -> Result<StatementKind, Mistake> {
    let comment = comments(text).into_iter().next().expect("a comment");
    parse_statement(&comment, &|_| false)
        .map(|statements| statements.first().map_or(StatementKind::Assert, |statement| statement.kind))
}

#[test]
fn annotations_are_found_in_comments_only() {
    let text =
        "char *s = \"/*@ no */\"; // @ no\n/* no */ int x; //@ assert x == 1;\n/*@ requires\n * true; */";
    let found: Vec<(u32, u32, bool)> = comments(text)
        .iter()
        .map(|comment| (comment.start.line, comment.end_line, comment.is_block))
        .collect();
    assert_eq!(found, [(2, 2, false), (3, 4, true)]);
}

#[test]
fn contracts_are_read() {
    let text = "/*@ requires \\forall LIST_ENTRY *x \\in list(g.a.Flink, struct _LIST_ENTRY.Flink); x == &g.a || Off(x) == 8;
        requires a ==> b ==> c;
        modifies union({&p->f, *q}, decr(list(h, struct n.next), 0x10));
        frees deref(\\old(array(p, n + 1)));
        ensures \\result != NULL ==> !BS(\\result) && (int)\\result->data * 2 <= sizeof(struct n); */";
    assert_eq!(contract(text), Ok(5));
    assert_eq!(statement("//@ ghost BS -= e->next;"), Ok(StatementKind::Unblock));
    assert_eq!(statement("//@ loop invariant x < 3;"), Ok(StatementKind::LoopInvariant));
    let comment = &comments("/*@ requires a || b && c ==> d; */")[0];
    let clauses = parse_contract(comment, &|_| false).expect("a contract");
    assert!(matches!(clauses[0].expr.kind, ExprKind::Binary(crate::annotation::BinaryOp::Implies, ..)));
}

#[test]
fn mistakes_tell_what_to_do() {
    let contracts = [
        ("/*@ requires x == 1 */", "`;` is expected", "each clause ends"),
        ("/*@ requires x = 1; */", "changes nothing", "`==`"),
        ("/*@ decreases n; */", "`decreases` is not known", "termination"),
        ("/*@ assigns p \\from q; */", "a set is expected", "{p}"),
        ("/*@ assigns {p} \\from q; */", "`\\from` does not belong", "end the clause"),
        ("/*@ ensures \\exists int x; x; */", "no `\\exists`", "\\forall"),
        ("/*@ requires 0 <= x < n; */", "do not chain", "&&"),
        ("/*@ requires list(p, struct n.next); */", "is a set", "in(E, S)"),
        ("/*@ requires \\forall int x; x == 1; */", "`\\in`", "runs over a set"),
        ("/*@ requires block(p, struct n); */", "a field is expected", "struct NAME.FIELD"),
        ("/*@ invariant x; */", "`invariant` is not known", "body"),
        ("/*@ behavior ok: */", "`behavior` is not known", "==>"),
    ];
    for (text, message, suggestion) in contracts {
        let mistake = contract(text).expect_err(text);
        assert!(mistake.message.contains(message), "{text}: {mistake}");
        assert!(
            mistake.suggestion.as_ref().is_some_and(|text| text.contains(suggestion)),
            "{text}: {mistake:?}"
        );
    }
    let statements = [
        ("//@ loop variant n;", "`loop variant`", "loop invariant"),
        ("//@ ghost x = 1;", "only `BS`", "BS += E"),
        ("//@ requires x;", "belongs to the contract", "/*@"),
        ("//@ invariant x;", "is not known", "`assert`"),
    ];
    for (text, message, suggestion) in statements {
        let mistake = statement(text).expect_err(text);
        assert!(mistake.message.contains(message), "{text}: {mistake}");
        assert!(
            mistake.suggestion.as_ref().is_some_and(|text| text.contains(suggestion)),
            "{text}: {mistake:?}"
        );
    }
}

#[test]
fn a_mistake_has_a_caret() {
    let text = "int x;\n  /*@ requires y # 1; */\n";
    let comment = &comments(text)[0];
    let mistake = parse_contract(comment, &|_| false).expect_err("a mistake");
    let shown = mistake.show("a.c", text);
    assert!(shown.starts_with("a.c:2:18: error: `#` has no meaning"), "{shown}");
    assert!(shown.ends_with("    2 |   /*@ requires y # 1; */\n      |                  ^"), "{shown}");
}

#[test]
fn nonsense_is_a_mistake_and_no_panic() {
    for text in [
        "",
        "(",
        ")",
        "requires",
        "requires ;",
        "requires ((((",
        "requires \\",
        "requires 99999999999999999999999999999999999999999;",
        "frees {",
        "ensures a.",
        "ensures (int",
        "ensures \\old(",
    ] {
        let _ = contract(&format!("/*@ {text} */"));
        let _ = statement(&format!("//@ {text}"));
    }
    let deep = format!("/*@ requires {}1{}; */", "(".repeat(100_000), ")".repeat(100_000));
    assert!(contract(&deep).is_err());
    assert!(contract(&format!("/*@ requires {}x; */", "!".repeat(100_000))).is_err());
}

/// A small heap: where each pointer leads, if it is a link, and which pointers are blocking.
type Heap = (Vec<Option<usize>>, BTreeSet<usize>);
const POINTERS: usize = 3;

/// The list and the block of each pointer; none if a list has no end.
fn lists((next, blocking): &Heap) -> Option<Vec<(BTreeSet<usize>, Option<usize>)>> {
    let list = |from: usize| {
        let (mut seen, mut at) = (BTreeSet::from([from]), from);
        loop {
            match next[at] {
                None => return Some((seen, None)),
                Some(to) if blocking.contains(&to) => return Some((seen, Some(to))),
                Some(to) => at = to,
            }
            if !seen.insert(at) {
                return None;
            }
        }
    };
    (0..POINTERS).map(list).collect()
}

fn heaps() -> Vec<Heap> {
    let mut all = Vec::new();
    for code in 0..(POINTERS + 1).pow(POINTERS as u32) * (1 << POINTERS) {
        let (mut links, bits) = (code >> POINTERS, code % (1 << POINTERS));
        let mut next = Vec::new();
        for _ in 0..POINTERS {
            next.push((links % (POINTERS + 1)).checked_sub(1));
            links /= POINTERS + 1;
        }
        all.push((next, (0..POINTERS).filter(|pointer| bits >> pointer & 1 == 1).collect()));
    }
    all
}

/// The updates of `condition/update.rs` on all small heaps, against their definition; and what they need is no more than
/// what keeps lists well founded.
#[test]
fn updates_of_lists_are_exact() {
    for heap in heaps() {
        let Some(old) = lists(&heap) else { continue };
        let (next, blocking) = &heap;
        for a in 0..POINTERS {
            for y in 0..POINTERS {
                let mut new = heap.clone();
                new.0[a] = Some(y);
                let allowed = blocking.contains(&y) || !old[y].0.contains(&a);
                assert_eq!(allowed, lists(&new).is_some(), "{heap:?} {a} {y}");
                let Some(new) = lists(&new) else { continue };
                for u in 0..POINTERS {
                    let expected = if old[u].0.contains(&a) {
                        let mut list: BTreeSet<usize> = old[u].0.difference(&old[a].0).copied().collect();
                        list.insert(a);
                        if !blocking.contains(&y) {
                            list.extend(&old[y].0);
                        }
                        (list, if blocking.contains(&y) { Some(y) } else { old[y].1 })
                    } else {
                        old[u].clone()
                    };
                    assert_eq!(new[u], expected, "{heap:?} {a} {y} {u}");
                }
            }
        }
        for e in 0..POINTERS {
            let mut more = heap.clone();
            more.1.insert(e);
            let new = lists(&more).expect("more blocking pointers keep lists founded");
            for u in 0..POINTERS {
                let expected = if u != e && old[u].0.contains(&e) {
                    (old[u].0.difference(&old[e].0).copied().collect(), Some(e))
                } else {
                    old[u].clone()
                };
                assert_eq!(new[u], expected, "{heap:?} += {e}");
            }
            let less: Heap =
                (next.clone(), blocking.iter().copied().filter(|pointer| *pointer != e).collect());
            if blocking.contains(&e) {
                assert_eq!(old[e].1 != Some(e), lists(&less).is_some(), "{heap:?} -= {e}");
            }
            let Some(new) = lists(&less) else { continue };
            for u in 0..POINTERS {
                let expected = if old[u].1 == Some(e) {
                    (old[u].0.union(&old[e].0).copied().collect(), old[e].1)
                } else {
                    old[u].clone()
                };
                assert_eq!(new[u], expected, "{heap:?} -= {e}");
            }
        }
    }
}

/// Lists without a changed cell, pointer or block stay as they are: the rule of `condition/frame.rs`.
#[test]
fn frames_keep_lists() {
    let founded: Vec<_> = heaps().into_iter().filter_map(|heap| Some((lists(&heap)?, heap))).collect();
    for (old, before) in &founded {
        for (new, after) in &founded {
            let cells: BTreeSet<usize> = (0..POINTERS).filter(|at| before.0[*at] != after.0[*at]).collect();
            let ghosts: BTreeSet<usize> = before.1.symmetric_difference(&after.1).copied().collect();
            for u in 0..POINTERS {
                let (list, block) = &old[u];
                let is_touched = list.iter().any(|y| cells.contains(y) || (*y != u && ghosts.contains(y)))
                    || block.is_some_and(|block| ghosts.contains(&block));
                assert!(is_touched || new[u] == old[u], "{before:?} {after:?} {u}");
            }
        }
    }
}
