//! Constraint handling rules from files.

use crate::support::Desk;

#[test]
fn rules_and_goals_from_files() {
    let desk = Desk::new();
    desk.file("order.chr", "leq(x, y) /\\ leq(y, x) ==> x = y;\nleq(x, y) /\\ leq(y, z) ==> leq(x, z);\n");
    desk.file("goals", "leq(a, b) /\\ leq(b, c) /\\ leq(c, a) /\\ a != b;\n");
    desk.run("chr order.chr goals").expect(0, &["goals:1:1: unsat"]);
    desk.file("more", "a < b;\nleq(a, b) /\\ a > b;");
    desk.run("chr order.chr more").expect(3, &["more:1:1: unknown: ", "more:2:1: unknown: leq(a, b) /\\"]);
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let desk = Desk::new();
    desk.file("good", "p(x) ==> q(x);");
    desk.file("bad", "p(x) ==>\n  q(x;");
    desk.file("goal", "p(1) /\\ q(1, 2)");
    desk.run("chr bad goal").expect(2, &["bad:2:6: expected `)`, found `;`"]);
    desk.run("chr good goal").expect(2, &["goal:1:9: `q` has 2 arguments here and 1 at 1:10"]);
    desk.run("chr good nothing").expect(2, &["nothing: "]);
}
