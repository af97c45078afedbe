//! The solver that is generated from the node types, as constraint handling rules.
//!
//! For each type T a heap `N_T` whose domain is the set of T nodes, for each link f a heap `F_f` that maps nodes to the value of
//! the link. The rules are those of section 4 of the paper, with a node's address in place of the addresses of its fields: a
//! node is one key of all its field heaps, so fields of one node and fields of different nodes never overlap by construction.

use heapproof_chr::syntax::Rules;
use heapproof_chr::{SyntaxError, parse};
use heapproof_ir::nodes::{NodeType, Nodes, Part};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The rules as text.
pub fn text(nodes: &Nodes) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "// nodes(N): N holds nodes, whose addresses are not 0");
    let _ = writeln!(out, "nodes(N) /\\ dom(N, p) ==> p != 0;");
    let _ = writeln!(out, "// apart(N, M): nodes of different types");
    let _ = writeln!(out, "apart(N, M) /\\ dom(N, p) /\\ dom(M, p) ==> false;");
    let _ = writeln!(out, "// unlinked(H, a): no cell of H holds a");
    let _ = writeln!(out, "unlinked(H, a) /\\ in(H, p, v) ==> v != a;");
    let _ = writeln!(out, "not unlinked(H, a) --> in(H, s, a);");
    let _ = writeln!(out, "// the same of all cells but that of e");
    let but = if fault!(4) { "v != a" } else { "p = e \\/ v != a" };
    let _ = writeln!(out, "unlinked_but(H, a, e) /\\ in(H, p, v) ==> {but};");
    let _ = writeln!(out, "not unlinked_but(H, a, e) --> in(H, s, a) /\\ s != e;");
    let _ = writeln!(out, "// keeps(F, G): where F is not null, G is not");
    let kept = if fault!(5) { "w != 0" } else { "v = 0 \\/ w != 0" };
    let _ = writeln!(out, "keeps(F, G) /\\ in(F, p, v) /\\ in(G, p, w) ==> {kept};");
    let _ = writeln!(out, "not keeps(F, G) --> in(F, s, t) /\\ t != 0 /\\ in(G, s, 0);");
    let _ = writeln!(
        out,
        "// reach(F, N, s, t): one or more links F lead from the node s to t, through nodes of N"
    );
    let _ = writeln!(out, "reach(F, N, s, t) ==> dom(N, s);");
    let further = if fault!(6) { "" } else { " \\/ reach(F, N, v, t)" };
    let _ = writeln!(out, "reach(F, N, s, t) /\\ in(F, s, v) ==> v = t{further};");
    let _ = writeln!(out, "not reach(F, N, s, t) --> apart_way(F, N, s, t);");
    let _ = writeln!(
        out,
        "apart_way(F, N, s, t) /\\ dom(N, s) /\\ in(F, s, v) ==> v != t /\\ apart_way(F, N, v, t);"
    );
    let _ = writeln!(out, "apart_way(F, N, s, t) /\\ reach(F, N, s, m) ==> apart_way(F, N, m, t);");
    for t in &nodes.types {
        let _ = writeln!(out, "// struct {}: null or the address of a node", t.name);
        let null = if fault!(2) { "" } else { "p = 0 \\/ " };
        let _ = writeln!(out, "node_{}(p, N) ==> {null}dom(N, p);", t.name);
        let not = if fault!(3) { "p = 0" } else { "p != 0 /\\ not dom(N, p)" };
        let _ = writeln!(out, "not node_{}(p, N) --> {not};", t.name);
        let _ = writeln!(out, "// pointers to struct {} outside of nodes", t.name);
        let _ = writeln!(out, "cells_{}(L, N) /\\ in(L, a, v) ==> node_{}(v, N);", t.name, t.name);
        let _ = writeln!(out, "not cells_{}(L, N) --> in(L, s, t) /\\ not node_{}(t, N);", t.name, t.name);
    }
    for (index, t) in nodes.types.iter().enumerate() {
        for part in &t.parts {
            let inner = &nodes.types[part.node.0].name;
            let _ = writeln!(out, "// a node {} holds a node {inner} at {}", t.name, part.offset);
            let name = part_name(nodes, NodeType(index), part);
            let at = if fault!(55) { part.offset + 8 } else { part.offset };
            let _ = writeln!(out, "{name}(N, M) /\\ dom(N, p) ==> dom(M, p + {at});");
        }
    }
    cell_rules(nodes, &mut out);
    for link in nodes.links.iter().filter(|link| !link.cell) {
        let to = &nodes.types[link.to.0].name;
        let _ = writeln!(out, "// closed: the link {} of every node is a node", link.name);
        let within = if fault!(1) { "" } else { " /\\ dom(N, p)" };
        let _ = writeln!(out, "closed_{}(F, N, M) /\\ in(F, p, v){within} ==> node_{to}(v, M);", link.name);
        let _ = writeln!(
            out,
            "not closed_{}(F, N, M) --> dom(N, s) /\\ in(F, s, t) /\\ not node_{to}(t, M);",
            link.name
        );
        let _ = writeln!(out, "// cells outside of nodes are not where the link is");
        let _ = writeln!(
            out,
            "outside_{}(L, N) /\\ dom(L, p) /\\ dom(N, q) ==> p != q + {};",
            link.name,
            if fault!(8) { 0 } else { link.offset }
        );
        let _ = writeln!(out, "// the same of every node but e");
        let _ = writeln!(
            out,
            "closed_but_{}(F, N, M, e) /\\ in(F, p, v) /\\ dom(N, p) ==> {}node_{to}(v, M);",
            link.name,
            if fault!(7) { "" } else { "p = e \\/ " }
        );
        let _ = writeln!(
            out,
            "not closed_but_{}(F, N, M, e) --> dom(N, s) /\\ in(F, s, t) /\\ s != e /\\ not node_{to}(t, M);",
            link.name
        );
    }
    out
}

/// Pointers to pointers to nodes: they lead to links of these nodes, or to variables.
fn cell_rules(nodes: &Nodes, out: &mut String) {
    let led: BTreeSet<NodeType> = nodes.links.iter().filter(|l| l.cell).map(|l| l.to).collect();
    for to in led {
        let name = &nodes.types[to.0].name;
        let links: Vec<i128> = nodes.links_to(to).map(|(_, link)| link.offset).collect();
        let sets: String = (0..links.len()).map(|i| format!(", N{i}")).collect();
        let at = |i: usize| {
            if fault!(65) { format!("dom(N{i}, p)") } else { format!("dom(N{i}, p - {})", links[i]) }
        };
        let inside: String = (0..links.len()).map(|i| format!(" \\/ {}", at(i))).collect();
        let nowhere: String = (0..links.len()).map(|i| format!(" /\\ not {}", at(i))).collect();
        let _ =
            writeln!(out, "// null or the address of a pointer to struct {name}: a variable of L, or a link");
        let _ = writeln!(out, "cell_{name}(p, L{sets}) ==> p = 0 \\/ dom(L, p){inside};");
        let _ = writeln!(out, "not cell_{name}(p, L{sets}) --> p != 0 /\\ not dom(L, p){nowhere};");
        for (_, link) in nodes.cell_links_to(to) {
            let field = &link.name;
            let _ = writeln!(out, "// closed: {field} of every node is such an address");
            let held = "in(F, p, v) /\\ dom(N, p)";
            let _ = writeln!(out, "closed_{field}(F, N, L{sets}) /\\ {held} ==> cell_{name}(v, L{sets});");
            let found = format!("dom(N, s) /\\ in(F, s, t) /\\ not cell_{name}(t, L{sets})");
            let _ = writeln!(out, "not closed_{field}(F, N, L{sets}) --> {found};");
            let but = format!("closed_but_{field}(F, N, L{sets}, e)");
            let _ = writeln!(out, "{but} /\\ {held} ==> p = e \\/ cell_{name}(v, L{sets});");
            let _ = writeln!(out, "not {but} --> s != e /\\ {found};");
        }
    }
}

/// What says that nodes of a type hold nodes of another one.
pub fn part_name(nodes: &Nodes, of: NodeType, part: &Part) -> String {
    format!("part_{}_{}_{}", part.offset, nodes.types[of.0].name, nodes.types[part.node.0].name)
}

/// The rules.
pub fn rules(nodes: &Nodes) -> Result<Rules, SyntaxError> {
    parse::rules(&text(nodes))
}
