//! The built-in heap solver, as rules.
//!
//! A heap is a finite partial map from addresses to values. The rules are those of Duck, Jaffar and Koh, "Constraint-based Program
//! Reasoning with Heaps and Separation", extended by `dom`, `sub`, `alloc`, `assign`, and by partitions into any number of
//! heaps. Each rule is a statement about all heaps, checked by enumeration in `tests/brute_force.rs`.
//!
//! | constraint | meaning |
//! |---|---|
//! | `in(H, p, v)` | H maps p to v |
//! | `dom(H, p)` | H maps p to something |
//! | `emp(H)` | H is empty |
//! | `one(H, p, v)` | H maps p to v and nothing else |
//! | `eq(H, I)` or `H = I` | the same heap |
//! | `sub(H, I)` | I maps all that H maps, to the same values |
//! | `domsub(H, I)` | I maps all addresses that H maps |
//! | `sep(H, A, B, …)` or `H ~= A * B * …` | H is the union of A, B, …, whose addresses are apart |
//! | `alloc(H, G, p, v)` | H is G and one new address p with v |
//! | `assign(H, G, p, v)` | H is G with the value of p, which G maps, replaced by v |

use std::fmt::Write as _;

/// The sorts of the constraints with a fixed number of arguments: `h` for a heap, `n` for a number.
pub(crate) const SORTS: &[(&str, &str)] = &[
    ("in", "hnn"),
    ("dom", "hn"),
    ("emp", "h"),
    ("one", "hnn"),
    ("eq", "hh"),
    ("sub", "hh"),
    ("domsub", "hh"),
    ("alloc", "hhnn"),
    ("assign", "hhnn"),
];

/// The rules for all but partitions.
pub const RULES: &str = "\
in(H, p, v) ==> dom(H, p);
in(H, p, v) /\\ in(H, p, w) ==> v = w;
emp(H) /\\ dom(H, p) ==> false;
not emp(H) --> in(H, s, t);
one(H, p, v) ==> in(H, p, v);
one(H, p, v) /\\ dom(H, q) ==> q = p;
not one(H, p, v) --> not in(H, p, v) \\/ in(H, s, t) /\\ s != p;
not eq(H, I) --> in(H, s, t) /\\ not in(I, s, t) \\/ not in(H, s, t) /\\ in(I, s, t);
sub(H, I) /\\ in(H, p, v) ==> in(I, p, v);
sub(H, I) /\\ dom(H, p) ==> dom(I, p);
sub(H, I) /\\ dom(H, p) /\\ in(I, p, v) ==> in(H, p, v);
not sub(H, I) --> in(H, s, t) /\\ not in(I, s, t);
domsub(H, I) /\\ dom(H, p) ==> dom(I, p);
not domsub(H, I) --> dom(H, s) /\\ not dom(I, s);
alloc(H, G, p, v) ==> in(H, p, v) /\\ not dom(G, p);
alloc(H, G, p, v) /\\ in(G, q, w) ==> in(H, q, w);
alloc(H, G, p, v) /\\ dom(G, q) ==> dom(H, q);
alloc(H, G, p, v) /\\ dom(G, q) /\\ in(H, q, w) ==> in(G, q, w);
alloc(H, G, p, v) /\\ in(H, q, w) ==> q = p \\/ in(G, q, w);
alloc(H, G, p, v) /\\ dom(H, q) ==> q = p \\/ dom(G, q);
not alloc(H, G, p, v) --> dom(G, p) \\/ not in(H, p, v) \\/ s != p /\\ in(H, s, t) /\\ not in(G, s, t) \\/ s != p /\\ not in(H, s, t) /\\ in(G, s, t);
assign(H, G, p, v) ==> in(H, p, v) /\\ dom(G, p);
assign(H, G, p, v) /\\ dom(G, q) ==> dom(H, q);
assign(H, G, p, v) /\\ dom(H, q) ==> dom(G, q);
assign(H, G, p, v) /\\ in(G, q, w) ==> q = p \\/ in(H, q, w);
assign(H, G, p, v) /\\ in(H, q, w) ==> q = p \\/ in(G, q, w);
not assign(H, G, p, v) --> not dom(G, p) \\/ not in(H, p, v) \\/ s != p /\\ in(H, s, t) /\\ not in(G, s, t) \\/ s != p /\\ not in(H, s, t) /\\ in(G, s, t);
";

/// The rules for a partition into `parts` heaps.
pub fn partition_rules(parts: usize) -> String {
    let names: Vec<String> = (1..=parts).map(|i| format!("F{i}")).collect();
    let head = format!("sep(H, {})", names.join(", "));
    let join = |of: &dyn Fn(&String) -> String, by: &str| names.iter().map(of).collect::<Vec<_>>().join(by);
    let mut text = String::new();
    for part in &names {
        let _ = writeln!(text, "{head} /\\ in({part}, p, v) ==> in(H, p, v);");
        let _ = writeln!(text, "{head} /\\ dom({part}, p) ==> dom(H, p);");
        let _ = writeln!(text, "{head} /\\ dom({part}, p) /\\ in(H, p, v) ==> in({part}, p, v);");
    }
    for (position, first) in names.iter().enumerate() {
        for second in &names[position + 1..] {
            let _ = writeln!(text, "{head} /\\ dom({first}, p) /\\ dom({second}, p) ==> false;");
        }
    }
    let _ = writeln!(text, "{head} /\\ in(H, p, v) ==> {};", join(&|f| format!("in({f}, p, v)"), " \\/ "));
    let _ = writeln!(text, "{head} /\\ dom(H, p) ==> {};", join(&|f| format!("dom({f}, p)"), " \\/ "));
    let mut cases = vec![format!("in(H, s, t) /\\ {}", join(&|f| format!("not in({f}, s, t)"), " /\\ "))];
    cases.extend(names.iter().map(|f| format!("in({f}, s, t) /\\ not in(H, s, t)")));
    for (position, first) in names.iter().enumerate() {
        cases.extend(
            names[position + 1..].iter().map(|second| format!("dom({first}, s) /\\ dom({second}, s)")),
        );
    }
    let _ = writeln!(text, "not {head} --> {};", cases.join(" \\/ "));
    text
}
