//! Concrete states with the types of their nodes, and what a requirement says about them.

use crate::formula::{Comparison, Formula, Term};
use heapproof_engine::state::{Address, Argument, Block, Content, State};
use heapproof_ir::nodes::{Content as Holds, NodeType, Nodes};
use heapproof_ir::{CType, FuncId, Program, ctype};
use std::collections::{BTreeMap, BTreeSet};

/// What a block of a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A node.
    Node(NodeType),
    /// A variable of somebody else that holds a pointer to a node.
    Cell(NodeType),
    /// Memory that belongs to no node.
    Outside,
}

/// A state and what its blocks are.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub state: State,
    pub roles: Vec<Role>,
}

/// A value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Number(i128),
    Address(Address),
}

pub(crate) struct Look<'a> {
    pub program: &'a Program,
    pub nodes: &'a Nodes,
    pub function: FuncId,
    /// Names of the parameters.
    pub names: &'a [Option<String>],
    pub world: &'a World,
}

impl World {
    /// What a block holds at an offset.
    pub(crate) fn content(&self, index: usize, offset: u64) -> Option<&Content> {
        let block: &Block = self.state.objects.get(index)?;
        block.content.iter().find(|(at, _)| *at == offset).map(|(_, content)| content)
    }

    /// Where the pointer at an offset leads.
    pub(crate) fn pointer(&self, index: usize, offset: u64) -> Option<Address> {
        match self.content(index, offset)? {
            Content::Pointer(address) => Some(*address),
            Content::Bytes(_) => None,
        }
    }

    /// The links of a node or cell: offset and target.
    pub(crate) fn links(&self, nodes: &Nodes, index: usize) -> Vec<(u64, Address)> {
        let offsets: Vec<u64> = match self.roles.get(index) {
            Some(Role::Node(node)) => nodes.links_of(*node).iter().map(|link| link.offset as u64).collect(),
            Some(Role::Cell(_)) => vec![0],
            _ => Vec::new(),
        };
        offsets.into_iter().filter_map(|at| Some((at, self.pointer(index, at)?))).collect()
    }
}

impl Look<'_> {
    /// Whether the formula holds; none if that cannot be told.
    pub(crate) fn holds(&self, formula: &Formula, bound: &BTreeMap<String, Address>) -> Option<bool> {
        Some(match formula {
            Formula::Implies(a, b) => !self.holds(a, bound)? || self.holds(b, bound)?,
            Formula::Or(a, b) => self.holds(a, bound)? || self.holds(b, bound)?,
            Formula::And(a, b) => self.holds(a, bound)? && self.holds(b, bound)?,
            Formula::Not(a) => !self.holds(a, bound)?,
            Formula::ForAll(of, name, inside) => {
                let node = self.named_type(of)?;
                let all = (0..self.world.roles.len()).filter(|&i| self.world.roles[i] == Role::Node(node));
                for index in all {
                    let mut bound = bound.clone();
                    bound.insert(name.clone(), Address::Object { index, offset: 0 });
                    if !self.holds(inside, &bound)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Compare(op, a, b) => {
                let (a, b) = (self.value(a, bound)?, self.value(b, bound)?);
                compare(*op, a, b)?
            }
            Formula::Shape(name, args) => self.shape(name, args, bound)?,
        })
    }

    fn named_type(&self, name: &str) -> Option<NodeType> {
        let known = self.nodes.types.iter().position(|t| t.name == name).map(NodeType);
        let typedef = || {
            let mut types = self.program.types.iter();
            types.find_map(|(id, t)| match t {
                CType::Typedef { name: of, .. } if of == name => self.nodes.struct_type(self.program, id),
                _ => None,
            })
        };
        known.or_else(typedef)
    }

    fn value(&self, term: &Term, bound: &BTreeMap<String, Address>) -> Option<Value> {
        Some(match term {
            Term::Null => Value::Address(Address::Null),
            Term::Number(n) => Value::Number(*n),
            Term::Name(name) => match bound.get(name) {
                Some(address) => Value::Address(*address),
                None => self.argument(name)?,
            },
            Term::Deref(of) => {
                let Value::Address(Address::Object { index, offset }) = self.value(of, bound)? else {
                    return None;
                };
                Value::Address(self.world.pointer(index, u64::try_from(offset).ok()?)?)
            }
            Term::Field(of, name) => {
                let Value::Address(Address::Object { index, offset: 0 }) = self.value(of, bound)? else {
                    return None;
                };
                let Role::Node(node) = *self.world.roles.get(index)? else { return None };
                let field = self.nodes.types[node.0].fields.iter().find(|f| f.name == *name)?;
                match (self.world.content(index, field.offset as u64)?, field.content) {
                    (Content::Pointer(address), _) => Value::Address(*address),
                    (Content::Bytes(bytes), Holds::Data) => {
                        let signed = field.signed && bytes.last().is_some_and(|b| b & 0x80 != 0);
                        let mut all = [if signed { 0xff } else { 0 }; 16];
                        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
                        Value::Number(i128::from_le_bytes(all))
                    }
                    _ => return None,
                }
            }
        })
    }

    fn argument(&self, name: &str) -> Option<Value> {
        let index = self.names.iter().position(|n| n.as_deref() == Some(name))?;
        let function = &self.program.functions[self.function];
        Some(match self.world.state.arguments.get(index)? {
            Argument::Pointer(address) => Value::Address(*address),
            Argument::Number(bits) => {
                let params =
                    match function.ctype.map(|t| &self.program.types[ctype::strip(&self.program.types, t)]) {
                        Some(CType::Function { params, .. }) => params,
                        _ => return None,
                    };
                let of = ctype::strip(&self.program.types, *params.get(index)?);
                let CType::Int { size, signed, .. } = self.program.types[of] else { return None };
                let width = (size * 8) as u8;
                Value::Number(if signed {
                    heapproof_ir::sign_extend(*bits, width)
                } else {
                    (*bits & heapproof_ir::mask(width)) as i128
                })
            }
        })
    }

    fn shape(&self, name: &str, args: &[Term], bound: &BTreeMap<String, Address>) -> Option<bool> {
        let first = self.value(args.first()?, bound)?;
        let Value::Address(address) = first else { return None };
        let start = match address {
            Address::Null => return Some(name != "outside"),
            Address::Object { index, offset: 0 } => index,
            _ => return Some(false),
        };
        Some(match name {
            "owned" => self.incoming(start) == self.ways_to(&args[0], bound),
            "outside" => self.world.roles.get(start) == Some(&Role::Outside),
            "reach" => {
                let Value::Address(Address::Object { index, offset: 0 }) = self.value(args.get(1)?, bound)?
                else {
                    return Some(false);
                };
                self.reached(start).contains(&index)
            }
            "tree" => {
                let ways = self.ways_to(&args[0], bound);
                let all = self.reached(start);
                all.iter().all(|&i| self.incoming(i) == if i == start { ways } else { 1 })
            }
            "dlist" => self.is_dlist(start)?,
            _ => return None,
        })
    }

    /// How many links lead to what a term names because of how it is named: `*link` is itself one.
    fn ways_to(&self, term: &Term, _: &BTreeMap<String, Address>) -> usize {
        usize::from(matches!(term, Term::Deref(_) | Term::Field(..)))
    }

    fn incoming(&self, index: usize) -> usize {
        let all = (0..self.world.roles.len()).flat_map(|i| self.world.links(self.nodes, i));
        all.filter(|(_, to)| matches!(to, Address::Object { index: i, .. } if *i == index)).count()
    }

    fn reached(&self, start: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut work = vec![start];
        while let Some(index) = work.pop() {
            if found.insert(index) {
                let links = self.world.links(self.nodes, index);
                work.extend(links.iter().filter_map(|(_, to)| match to {
                    Address::Object { index, .. } => Some(*index),
                    _ => None,
                }));
            }
        }
        found
    }

    /// Two links of the type are each other's inverse, without a cycle, and nothing else leads to the list.
    fn is_dlist(&self, start: usize) -> Option<bool> {
        let Role::Node(node) = *self.world.roles.get(start)? else { return None };
        let own: Vec<u64> =
            self.nodes.links_of(node).iter().filter(|l| l.to == node).map(|l| l.offset as u64).collect();
        let [next, prev] = own[..] else { return None };
        let to = |i: usize, at: u64| match self.world.pointer(i, at) {
            Some(Address::Object { index, .. }) => Some(index),
            _ => None,
        };
        let all = self.reached(start);
        let inverse = |a: u64, b: u64| all.iter().all(|&i| to(i, a).is_none_or(|j| to(j, b) == Some(i)));
        let mut at = start;
        for _ in 0..all.len() {
            match to(at, next) {
                Some(further) if further == start => return Some(false),
                Some(further) => at = further,
                None => break,
            }
        }
        let alone = all.iter().all(|&i| {
            self.incoming(i) == usize::from(to(i, next).is_some()) + usize::from(to(i, prev).is_some())
        });
        Some(inverse(next, prev) && inverse(prev, next) && alone)
    }
}

fn compare(op: Comparison, a: Value, b: Value) -> Option<bool> {
    let (a, b) = match (a, b) {
        (Value::Address(a), Value::Address(b)) => {
            return match op {
                Comparison::Equal => Some(a == b),
                Comparison::Differs => Some(a != b),
                _ => None,
            };
        }
        // `0` and `NULL` are the same.
        (Value::Address(a), Value::Number(0)) | (Value::Number(0), Value::Address(a)) => {
            (i128::from(a != Address::Null), 0)
        }
        (Value::Number(a), Value::Address(Address::Null)) => (a, 0),
        (Value::Address(Address::Null), Value::Number(b)) => (0, b),
        (Value::Number(a), Value::Number(b)) => (a, b),
        _ => return None,
    };
    Some(op.is_true(a, b))
}
