//! Annotations with their types: what provers and runs work with.

use crate::annotation::{ClauseKind, Mistake, Position, StatementKind};
use crate::place::Annotations;
use crate::typed::{BodyScope, ContractScope, Elaborator, Form, LinkField, Ptr, Set};
use heapproof_ir::{BlockId, FuncId, Program};
use std::collections::BTreeMap;

/// A formula with its place in the source.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Where it begins.
    pub at: Position,
    /// What it says.
    pub form: Form,
}

/// A set with its place in the source.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Where it begins.
    pub at: Position,
    /// The set.
    pub set: Set,
}

/// The contract of a function.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct ContractSpec {
    pub requires: Vec<Claim>,
    pub ensures: Vec<Claim>,
    pub modifies: Vec<Cells>,
    pub frees: Vec<Cells>,
}

/// A statement of an annotation.
#[derive(Clone, Debug)]
pub enum Ghost {
    /// The pointer becomes blocking.
    Block(Position, Ptr),
    /// The pointer is blocking no longer.
    Unblock(Position, Ptr),
    /// It holds here, and has to be shown.
    Assert(Claim),
    /// It is taken to hold here.
    Assume(Claim),
}

/// What is said of a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionSpec {
    /// Its contract, if it has one.
    pub contract: Option<ContractSpec>,
    /// Invariants of loops, by the block at their head.
    pub invariants: BTreeMap<BlockId, Vec<Claim>>,
    /// Statements, by the instruction before which they stand.
    pub ghosts: BTreeMap<(BlockId, usize), Vec<Ghost>>,
}

/// What is said of a program.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// By function.
    pub functions: BTreeMap<FuncId, FunctionSpec>,
    /// The link fields.
    pub fields: Vec<LinkField>,
}

impl Spec {
    /// Types the annotations of a program; mistakes with the file that they are in.
    pub fn new(program: &Program, annotations: &Annotations) -> Result<Spec, Vec<(String, Mistake)>> {
        let elaborator = Elaborator::new(program, &annotations.fields, &annotations.predicates);
        let mut spec = Spec { functions: BTreeMap::new(), fields: annotations.fields.clone() };
        let mut mistakes = annotations.mistakes.clone();
        for (func, annotated) in &annotations.functions {
            let mut function = FunctionSpec::default();
            let file = program.files.get(program.functions[*func].span.file).cloned().unwrap_or_default();
            let file = annotated.file.clone().unwrap_or(file);
            let mut note = |mistake: Mistake| mistakes.push((file.clone(), mistake));
            if let Some(contract) = &annotated.contract {
                let mut typed = ContractSpec::default();
                let known = program.files.iter().find(|(_, name)| **name == file).map(|(id, _)| id);
                let place = (&annotations.codes, known.unwrap_or(program.functions[*func].span.file));
                let before = ContractScope::before(program, place, *func, &contract.names);
                let after = ContractScope::after(program, place, *func, &contract.names);
                for clause in &contract.clauses {
                    let at = clause.at;
                    let result = match clause.kind {
                        ClauseKind::Requires => elaborator
                            .formula(&clause.expr, &before)
                            .map(|form| typed.requires.push(Claim { at, form })),
                        ClauseKind::Ensures => elaborator
                            .formula(&clause.expr, &after)
                            .map(|form| typed.ensures.push(Claim { at, form })),
                        ClauseKind::Modifies => elaborator
                            .set(&clause.expr, &before)
                            .map(|set| typed.modifies.push(Cells { at, set })),
                        ClauseKind::Frees => elaborator
                            .set(&clause.expr, &before)
                            .map(|set| typed.frees.push(Cells { at, set })),
                    };
                    if let Err(mistake) = result {
                        note(mistake);
                    }
                }
                function.contract = Some(typed);
            }
            if let Some(body) = &program.functions[*func].body {
                for (header, statements) in &annotated.invariants {
                    for statement in statements {
                        let place = (statement.at, *header);
                        let scope = BodyScope::at_loop(program, &annotations.codes, *func, body, place);
                        match elaborator.formula(&statement.expr, &scope) {
                            Ok(form) => {
                                function
                                    .invariants
                                    .entry(*header)
                                    .or_default()
                                    .push(Claim { at: statement.at, form });
                            }
                            Err(mistake) => note(mistake),
                        }
                    }
                }
                for (place, statements) in &annotated.statements {
                    for statement in statements {
                        let scope = BodyScope::new(program, &annotations.codes, *func, body, statement.at);
                        let at = statement.at;
                        let ghost = match statement.kind {
                            StatementKind::Block => {
                                elaborator.pointer(&statement.expr, &scope).map(|ptr| Ghost::Block(at, ptr))
                            }
                            StatementKind::Unblock => {
                                elaborator.pointer(&statement.expr, &scope).map(|ptr| Ghost::Unblock(at, ptr))
                            }
                            StatementKind::Assume => elaborator
                                .formula(&statement.expr, &scope)
                                .map(|form| Ghost::Assume(Claim { at, form })),
                            StatementKind::Assert | StatementKind::LoopInvariant => elaborator
                                .formula(&statement.expr, &scope)
                                .map(|form| Ghost::Assert(Claim { at, form })),
                        };
                        match ghost {
                            Ok(ghost) => function.ghosts.entry(*place).or_default().push(ghost),
                            Err(mistake) => note(mistake),
                        }
                    }
                }
            }
            spec.functions.insert(*func, function);
        }
        if mistakes.is_empty() { Ok(spec) } else { Err(mistakes) }
    }

    /// The contract of a function.
    pub fn contract(&self, func: FuncId) -> Option<&ContractSpec> {
        self.functions.get(&func)?.contract.as_ref()
    }
}
