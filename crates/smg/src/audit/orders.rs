//! Lists in order, written out: neighbours are related.

use crate::attempts::analyse_with;
use crate::care::Care;
use crate::graph::{ObjId, State, Val};
use crate::order::Order;
use heapproof_ir::Program;
use heapproof_numbers::{Constraint, Linear};
use std::rc::Rc;

/// Adds that the numbers of neighbouring nodes are in these orders.
pub fn relate(out: &mut State, nodes: &[ObjId], orders: &[Order]) {
    for order in orders {
        let number = |node: ObjId| match out.object(node).cells[&order.off].val {
            Val::Sym(id) => Linear::dimension(id),
            other => panic!("{other:?} is not ordered"),
        };
        let pairs: Vec<_> = nodes.windows(2).map(|pair| (number(pair[0]), number(pair[1]))).collect();
        for (first, second) in pairs {
            let (low, high) = if order.down { (second, first) } else { (first, second) };
            let apart = high.plus(&low, -1).expect("small factors");
            let form = apart.with_offset(-i128::from(order.strict));
            let _ = Rc::make_mut(&mut out.relations).add(Constraint::not_negative(&form));
        }
    }
}

/// The attempt that follows orders, under audit.
pub fn audit_of_orders(program: &Program, seed: u64, configurations: u64) -> (u64, Vec<String>) {
    super::audited(seed, || {
        let options = super::tests::options(program, "memsafety,assertions", configurations);
        analyse_with(program, &options, &[Care::SORTED]);
    })
}

#[test]
fn lists_in_order_lose_no_memory() {
    let mut checks = 0;
    let cases = super::cases::of(&["content"]).filter(|case| crate::order::are_compared(&case.program));
    for (seed, case) in cases.enumerate() {
        let (checked, failures) = audit_of_orders(&case.program, seed as u64, 200);
        assert!(failures.is_empty(), "{}: {}", case.name, failures[0]);
        checks += checked;
    }
    println!("{checks} memories checked");
    assert!(checks > 1000, "only {checks} memories");
}
