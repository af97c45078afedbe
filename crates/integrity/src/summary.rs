//! What is known of every call of a function: the links that it may change, and when its result is not null.

use crate::state::Hint;
use crate::{Analysis, Summary};
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::{Link, NodeType};
use heapproof_ir::{Callee, FuncId, InstKind, Reg};
use std::collections::{BTreeMap, BTreeSet};

impl Analysis<'_> {
    /// Which links a function may change, and the facts about its result that are believed at first.
    pub(crate) fn first_summaries(&mut self, functions: &[FuncId]) {
        let mut changes: BTreeMap<FuncId, BTreeSet<Link>> = BTreeMap::new();
        for &function in functions {
            changes.insert(function, self.own_changes(function));
        }
        loop {
            let mut grown = false;
            for &function in functions {
                let Some(body) = &self.program.functions[function].body else { continue };
                let mut all = changes[&function].clone();
                for inst in body.blocks.values().flat_map(|b| &b.insts) {
                    if let InstKind::Call { callee: Callee::Direct(f), .. } = inst.kind
                        && let Some(more) = changes.get(&f)
                    {
                        all.extend(more);
                    }
                }
                grown |= all.len() > changes[&function].len();
                changes.insert(function, all);
            }
            if !grown {
                break;
            }
        }
        for &function in functions {
            let node = self.result_node(function);
            let types = self.parameter_types(function);
            let pointers = (0..types.len()).filter(|&i| matches!(self.hint_of(types[i]), Hint::Node(..)));
            let changes_of = changes.get(&function).cloned().unwrap_or_default();
            let keeps = if self.loop_free.contains(&function) { changes_of } else { BTreeSet::new() };
            let summary = Summary {
                keeps,
                changes: changes.remove(&function).unwrap_or_default(),
                result_not_null: node.is_some(),
                not_null_if: if node.is_some() { pointers.collect() } else { BTreeSet::new() },
            };
            self.summaries.insert(function, summary);
        }
    }

    /// Links that the function's own stores may change.
    pub(crate) fn own_changes(&self, function: FuncId) -> BTreeSet<Link> {
        let all: BTreeSet<Link> = (0..self.nodes.links.len()).map(Link).collect();
        let Some(body) = &self.program.functions[function].body else { return all };
        let mut changes = BTreeSet::new();
        let mut fields: BTreeMap<Reg, Option<(NodeType, i128)>> = BTreeMap::new();
        for inst in body.blocks.values().flat_map(|b| &b.insts) {
            for &reg in inst.kind.defs() {
                let field = match &inst.kind {
                    InstKind::PtrAdd { offset, index: None, within: Some(t), .. } => {
                        let node = self.nodes.struct_type(self.program, *t);
                        node.map(|n| self.nodes.innermost(n, i128::from(*offset)))
                    }
                    _ => None,
                };
                fields
                    .entry(reg)
                    .and_modify(|f| *f = if *f == field { field } else { None })
                    .or_insert(field);
            }
        }
        for inst in body.blocks.values().flat_map(|b| &b.insts) {
            match &inst.kind {
                InstKind::Store { ptr: Operand::Local(_), .. } => {}
                InstKind::Store { ptr: Operand::Reg(reg), .. } => match fields.get(reg).copied().flatten() {
                    Some((node, offset)) => {
                        let at = |l: &&Link| {
                            self.nodes.links[l.0].of == node && self.nodes.links[l.0].offset == offset
                        };
                        changes.extend(all.iter().filter(at));
                    }
                    None => changes.extend(&all),
                },
                InstKind::Store { .. } | InstKind::CopyBlock { .. } | InstKind::FillBlock { .. } => {
                    changes.extend(&all)
                }
                _ => {}
            }
        }
        changes
    }
}
