//! The solver that is generated from the node types, as constraint handling rules.
//!
//! For each type T a heap `N_T` whose domain is the set of T nodes, for each link f a heap `F_f` that maps nodes to the value of
//! the link. The rules are those of section 4 of the paper, with a node's address in place of the addresses of its fields: a
//! node is one key of all its field heaps, so fields of one node and fields of different nodes never overlap by construction.

use crate::nodes::Nodes;
use heapproof_chr::syntax::Rules;
use heapproof_chr::{SyntaxError, parse};
use std::fmt::Write as _;

/// The rules as text.
pub fn text(nodes: &Nodes) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "// nodes(N): N holds nodes, whose addresses are not 0");
    let _ = writeln!(out, "nodes(N) /\\ dom(N, p) ==> p != 0;");
    let _ = writeln!(out, "// apart(N, M): nodes of different types");
    let _ = writeln!(out, "apart(N, M) /\\ dom(N, p) /\\ dom(M, p) ==> false;");
    for t in &nodes.types {
        let _ = writeln!(out, "// struct {}: null or the address of a node", t.name);
        let _ = writeln!(out, "node_{}(p, N) ==> p = 0 \\/ dom(N, p);", t.name);
        let _ = writeln!(out, "not node_{}(p, N) --> p != 0 /\\ not dom(N, p);", t.name);
        let _ = writeln!(out, "// pointers to struct {} outside of nodes", t.name);
        let _ = writeln!(out, "cells_{}(L, N) /\\ in(L, a, v) ==> node_{}(v, N);", t.name, t.name);
        let _ = writeln!(out, "not cells_{}(L, N) --> in(L, s, t) /\\ not node_{}(t, N);", t.name, t.name);
    }
    for link in &nodes.links {
        let to = &nodes.types[link.to.0].name;
        let _ = writeln!(out, "// closed: the link {} of every node is a node", link.name);
        let _ =
            writeln!(out, "closed_{}(F, N, M) /\\ in(F, p, v) /\\ dom(N, p) ==> node_{to}(v, M);", link.name);
        let _ = writeln!(
            out,
            "not closed_{}(F, N, M) --> dom(N, s) /\\ in(F, s, t) /\\ not node_{to}(t, M);",
            link.name
        );
    }
    out
}

/// The rules.
pub fn rules(nodes: &Nodes) -> Result<Rules, SyntaxError> {
    parse::rules(&text(nodes))
}
