//! What the constraints of the generated solver mean, on heaps of at most five cells.
//!
//! Addresses are 0, 8, …, 40 and are counted in steps of eight. A rule is true if its body holds for some values of its new variables
//! whenever its heads hold; that is looked at in all states, or in very many.

use heapproof_chr::syntax::{Constraint, Formula, Rule, Term};
use heapproof_ir::nodes::{NodeType, Nodes};

/// Cells of the largest heaps.
pub const MOST_CELLS: usize = 5;

/// Where there are more combinations of heaps, so many random ones are looked at.
const MOST_STATES: usize = 150_000;

/// A heap: the value at each address.
pub type Heap = [Option<u8>; MOST_CELLS + 1];

/// Values of the variables of a rule.
#[derive(Clone, Debug)]
pub struct State {
    pub heaps: Vec<Heap>,
    pub numbers: Vec<i64>,
}

/// The variables of a rule.
#[derive(Clone, Debug, Default)]
struct Names {
    heaps: Vec<String>,
    /// Heaps of which more than the domain matters.
    valued: Vec<String>,
    /// Numbers that the heads bind, then new ones.
    numbers: Vec<String>,
    bound: usize,
}

/// The sort of each argument: a heap with values, a set of addresses, a number; `*` for a heap of any kind.
fn sorts(constraint: &Constraint) -> String {
    let name = constraint.name.as_str();
    let sets = |but: usize| "d".repeat(constraint.args.len() - but);
    match name {
        _ if name.starts_with("cell_") => return format!("n{}", sets(1)),
        _ if name.starts_with("closed_but_") => return format!("h{}n", sets(2)),
        _ if name.starts_with("closed_") => return format!("h{}", sets(1)),
        "in" => "hnn",
        "dom" => "*n",
        "nodes" => "d",
        "apart" => "dd",
        "unlinked" => "hn",
        "unlinked_but" => "hnn",
        "keeps" => "hh",
        "reach" | "apart_way" => "hdnn",
        _ if name.starts_with("node_") => "nd",
        _ if name.starts_with("cells_") => "hd",
        _ if name.starts_with("outside_") || name.starts_with("part_") => "dd",
        _ => panic!("{name} has no meaning"),
    }
    .to_owned()
}

fn push(list: &mut Vec<String>, name: &str) {
    if !list.iter().any(|n| n == name) {
        list.push(name.to_owned());
    }
}

impl Names {
    fn term(&mut self, term: &Term) {
        match term {
            Term::Var(name) => push(&mut self.numbers, name),
            Term::Add(a, b) | Term::Sub(a, b) | Term::Mul(a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Int(_) | Term::Any => {}
        }
    }

    fn constraint(&mut self, constraint: &Constraint) {
        for (term, sort) in constraint.args.iter().zip(sorts(constraint).chars()) {
            match (sort, term) {
                ('n', term) => self.term(term),
                (sort, Term::Var(name)) => {
                    push(&mut self.heaps, name);
                    if sort == 'h' {
                        push(&mut self.valued, name);
                    }
                }
                _ => panic!("{constraint} is no constraint of heaps"),
            }
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Bool(_) => {}
            Formula::Holds(constraint) => self.constraint(constraint),
            Formula::Compare(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Formula::Not(inner) => self.formula(inner),
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|f| self.formula(f)),
            Formula::Iff(a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn of(rule: &Rule) -> Names {
        let mut names = Names::default();
        rule.kept.iter().chain(&rule.removed).for_each(|h| names.constraint(&h.constraint));
        names.bound = names.numbers.len();
        names.formula(&rule.body);
        names
    }

    fn heap(&self, state: &State, term: &Term) -> Heap {
        match term {
            Term::Var(name) => state.heaps[self.heaps.iter().position(|n| n == name).unwrap()],
            _ => panic!("{term} is no heap"),
        }
    }

    fn number(&self, state: &State, term: &Term) -> i64 {
        match term {
            Term::Var(name) => state.numbers[self.numbers.iter().position(|n| n == name).unwrap()],
            Term::Int(n) => i64::try_from(*n).unwrap() / 8,
            Term::Add(a, b) => self.number(state, a) + self.number(state, b),
            Term::Sub(a, b) => self.number(state, a) - self.number(state, b),
            Term::Mul(..) | Term::Any => panic!("{term} has no value"),
        }
    }

    fn eval(&self, nodes: &Nodes, state: &State, formula: &Formula) -> bool {
        formula.is_true(&|c| self.holds(nodes, state, c), &|op, a, b| {
            op.is_true(self.number(state, a).into(), self.number(state, b).into())
        })
    }

    fn holds(&self, nodes: &Nodes, state: &State, constraint: &Constraint) -> bool {
        let args = &constraint.args;
        let heap = |i: usize| self.heap(state, &args[i]);
        let number = |i: usize| self.number(state, &args[i]);
        let name = constraint.name.as_str();
        match name {
            "in" => value(&heap(0), number(1)) == Some(number(2)),
            "dom" => value(&heap(0), number(1)).is_some(),
            "nodes" => heap(0)[0].is_none(),
            "apart" => cells(&heap(0)).all(|(p, _)| value(&heap(1), p).is_none()),
            "unlinked" => cells(&heap(0)).all(|(_, v)| v != number(1)),
            "unlinked_but" => cells(&heap(0)).all(|(p, v)| p == number(2) || v != number(1)),
            "keeps" => cells(&heap(0)).all(|(p, v)| v == 0 || value(&heap(1), p) != Some(0)),
            "reach" => reach(&heap(0), &heap(1), number(2), number(3)),
            "apart_way" => !reach(&heap(0), &heap(1), number(2), number(3)),
            _ if name.starts_with("node_") => is_node(number(0), &heap(1)),
            _ if name.starts_with("cells_") => cells(&heap(0)).all(|(_, v)| is_node(v, &heap(1))),
            _ if name.starts_with("cell_") => {
                let to = nodes.types.iter().position(|t| Some(t.name.as_str()) == name.strip_prefix("cell_"));
                let sets: Vec<Heap> = (1..args.len()).map(heap).collect();
                is_cell(nodes, NodeType(to.unwrap()), number(0), &sets)
            }
            _ if name.starts_with("closed_") => {
                let last = args.len() - 1;
                let but = name.strip_prefix("closed_but_");
                let link = but.or(name.strip_prefix("closed_"));
                let link = nodes.links.iter().find(|l| Some(l.name.as_str()) == link).unwrap();
                let sets: Vec<Heap> = (2..if but.is_some() { last } else { last + 1 }).map(heap).collect();
                let good = |v: i64| match link.cell {
                    true => is_cell(nodes, link.to, v, &sets),
                    false => is_node(v, &sets[0]),
                };
                let excepted = |p: i64| but.is_some() && p == number(last);
                let of = heap(1);
                cells(&heap(0)).all(|(p, v)| excepted(p) || value(&of, p).is_none() || good(v))
            }
            _ if name.starts_with("part_") => {
                let offset: i64 = name.split('_').nth(1).unwrap().parse().unwrap();
                cells(&heap(0)).all(|(p, _)| value(&heap(1), p + offset / 8).is_some())
            }
            _ => {
                let link = name.strip_prefix("outside_").unwrap();
                let offset = nodes.links.iter().find(|l| l.name == link).unwrap().offset as i64 / 8;
                cells(&heap(1)).all(|(q, _)| value(&heap(0), q + offset).is_none())
            }
        }
    }
}

fn value(heap: &Heap, at: i64) -> Option<i64> {
    usize::try_from(at).ok().and_then(|at| heap.get(at).copied().flatten()).map(i64::from)
}

fn cells(heap: &Heap) -> impl Iterator<Item = (i64, i64)> {
    heap.iter().enumerate().filter_map(|(p, v)| v.map(|v| (p as i64, i64::from(v))))
}

/// Null, a variable, or a link to nodes of the type.
fn is_cell(nodes: &Nodes, to: NodeType, p: i64, sets: &[Heap]) -> bool {
    let mut inside = nodes.links_to(to).zip(&sets[1..]);
    p == 0
        || value(&sets[0], p).is_some()
        || inside.any(|((_, link), of)| value(of, p - link.offset as i64 / 8).is_some())
}

fn is_node(p: i64, nodes: &Heap) -> bool {
    p == 0 || value(nodes, p).is_some()
}

/// One or more links lead from a node to `to`, through nodes.
fn reach(links: &Heap, nodes: &Heap, from: i64, to: i64) -> bool {
    let mut at = from;
    for _ in 0..=MOST_CELLS {
        match (value(nodes, at), value(links, at)) {
            (Some(_), Some(next)) if next == to => return true,
            (Some(_), Some(next)) => at = next,
            _ => return false,
        }
    }
    false
}

/// All heaps with that many cells at most: with all values below `values`.
fn pool(cells: usize, first: usize, values: u8) -> Vec<Heap> {
    let mut all = vec![[None; MOST_CELLS + 1]];
    for address in first..=cells {
        for heap in all.clone() {
            for value in 0..values {
                let mut more = heap;
                more[address] = Some(value);
                all.push(more);
            }
        }
    }
    all
}

/// A state in which the heads of a rule hold and its body does not, whatever its new variables are.
pub fn counterexample(nodes: &Nodes, rule: &Rule, cells: usize) -> Option<State> {
    let names = Names::of(rule);
    let values = if names.valued.len() < 2 { cells as u8 + 1 } else { 2 };
    // Only one set of addresses at a time has 0 among them: there are many states already.
    let sets = names.heaps.len() - names.valued.len();
    let domains = pool(cells, usize::from(sets > 1), 1);
    let valued = pool(cells, 1, values);
    let heads: Vec<(bool, &Constraint)> =
        rule.kept.iter().chain(&rule.removed).map(|h| (h.negated, &h.constraint)).collect();
    let of_heaps = |c: &Constraint| !sorts(c).contains('n');
    let holds = |state: &State, heaps: bool| {
        heads.iter().filter(|(_, c)| of_heaps(c) == heaps).all(|(n, c)| names.holds(nodes, state, c) != *n)
    };
    let top = cells as i64 + 1;
    let count = names.numbers.len();
    let mut state = State { heaps: vec![[None; MOST_CELLS + 1]; names.heaps.len()], numbers: vec![0; count] };
    let pools: Vec<&[Heap]> = names
        .heaps
        .iter()
        .map(|n| if names.valued.contains(n) { &valued[..] } else { &domains[..] })
        .collect();
    let mut found = None;
    let mut look = |state: &mut State| {
        if found.is_some() || !holds(state, true) {
            return;
        }
        each_number(0..names.bound, top, state, &mut |state| {
            if found.is_none() && holds(state, false) {
                let mut saved = false;
                each_number(names.bound..count, top, &mut state.clone(), &mut |inner| {
                    saved = saved || names.eval(nodes, inner, &rule.body);
                });
                if !saved {
                    found = Some(state.clone());
                }
            }
        });
    };
    let all: usize = pools.iter().map(|pool| pool.len()).product();
    if all <= MOST_STATES {
        each_heap(&pools, 0, &mut state, &mut look);
    } else {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..MOST_STATES {
            for (heap, pool) in state.heaps.iter_mut().zip(&pools) {
                *heap = pool[random.usize(0..pool.len())];
            }
            look(&mut state);
        }
    }
    found
}

fn each_heap(pools: &[&[Heap]], at: usize, state: &mut State, visit: &mut dyn FnMut(&mut State)) {
    if at == pools.len() {
        return visit(state);
    }
    for heap in pools[at] {
        state.heaps[at] = *heap;
        each_heap(pools, at + 1, state, visit);
    }
}

fn each_number(
    range: std::ops::Range<usize>,
    top: i64,
    state: &mut State,
    visit: &mut dyn FnMut(&mut State),
) {
    if range.is_empty() {
        return visit(state);
    }
    for n in 0..top {
        state.numbers[range.start] = n;
        each_number(range.start + 1..range.end, top, state, visit);
    }
}

/// Rules with one head or case less, or with the opposite body.
pub fn wrong_twins(rule: &Rule) -> Vec<(&'static str, Rule)> {
    let mut twins = Vec::new();
    for position in 0..rule.kept.len() {
        let mut twin = rule.clone();
        twin.kept.remove(position);
        let (old, new) = (Names::of(rule), Names::of(&twin));
        // Without a head some variables would not be bound.
        if !twin.kept.is_empty() && new.bound == old.bound {
            twins.push(("one head less", twin));
        }
    }
    if let Formula::Or(parts) = &rule.body {
        for position in 0..parts.len() {
            let mut fewer = parts.clone();
            fewer.remove(position);
            twins.push(("one case less", Rule { body: Formula::Or(fewer), ..rule.clone() }));
        }
    } else if !matches!(rule.body, Formula::Bool(false))
        && Names::of(rule).bound == Names::of(rule).numbers.len()
    {
        twins.push(("body negated", Rule { body: rule.body.clone().negated(), ..rule.clone() }));
    }
    twins
}
