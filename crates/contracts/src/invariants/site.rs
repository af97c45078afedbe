//! A loop as candidates for its invariants need it: where it stands, its variables, its guard.

use crate::annotation::{BinaryOp, Comment, Expr, ExprKind, Position, parse_contract};
use crate::code::Codes;
use crate::place::{first_line, loops};
use crate::typed::{BodyScope, Int, Ptr, Scope, Shown, Value, Var, is_type};
use heapproof_ir::{BlockId, Body, FuncId, InstKind, Program, Reg, TypeId};
use std::collections::BTreeSet;

/// A pointer variable that the loop assigns.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// Its name.
    pub name: String,
    /// The structure that it points to, if it is one.
    pub to: Option<TypeId>,
}

/// A loop of a function.
#[derive(Clone, Debug)]
pub struct Site {
    /// The block at its head.
    pub header: BlockId,
    /// Its first line.
    pub line: u32,
    /// It may change memory.
    pub changes_heap: bool,
    /// Pointers that it assigns.
    pub cursors: Vec<Cursor>,
    /// Numbers that it assigns.
    pub counters: Vec<String>,
    /// Numbers that it does not assign.
    pub bounds: Vec<String>,
    /// The parts of its guard.
    pub guard: Vec<Expr>,
}

/// The loops of a function that stand in a file with this text.
pub fn sites(program: &Program, codes: &Codes, func: FuncId, text: &str) -> Vec<Site> {
    let Some(body) = &program.functions[func].body else { return Vec::new() };
    let file = program.functions[func].span.file;
    let mut all = Vec::new();
    for (_, this) in loops(body).iter() {
        let Some(line) = first_line(body, file, this) else { continue };
        let assigned = assigned(body, &this.blocks);
        let place = (Position { line, column: 1 }, this.header);
        let scope = BodyScope::at_loop(program, codes, func, body, place);
        let mut site = Site {
            header: this.header,
            line,
            changes_heap: changes_heap(body, &this.blocks),
            cursors: Vec::new(),
            counters: Vec::new(),
            bounds: Vec::new(),
            guard: guard(program, text, line),
        };
        let names: BTreeSet<String> = scope.all().into_iter().collect();
        for name in names {
            let Some(typed) = scope.variable(&name) else { continue };
            match typed.value {
                Some(Value::Ptr(Ptr::Var(Var::Reg(reg)))) if assigned.contains(&reg) => {
                    let to = match typed.ty.show(program) {
                        Shown::Pointer(to) => match to.show(program) {
                            Shown::Aggregate(id, _) => Some(id),
                            _ => None,
                        },
                        _ => None,
                    };
                    site.cursors.push(Cursor { name, to });
                }
                Some(Value::Int(Int::Var(Var::Reg(reg), ..))) if assigned.contains(&reg) => {
                    site.counters.push(name);
                }
                Some(Value::Int(_)) => site.bounds.push(name),
                _ => {}
            }
        }
        all.push(site);
    }
    all
}

fn assigned(body: &Body, blocks: &[BlockId]) -> BTreeSet<Reg> {
    let insts = blocks.iter().flat_map(|block| &body.blocks[*block].insts);
    insts.flat_map(|inst| inst.kind.defs().iter().copied()).collect()
}

fn changes_heap(body: &Body, blocks: &[BlockId]) -> bool {
    let mut insts = blocks.iter().flat_map(|block| &body.blocks[*block].insts);
    insts.any(|inst| {
        matches!(
            inst.kind,
            InstKind::Store { .. }
                | InstKind::CopyBlock { .. }
                | InstKind::FillBlock { .. }
                | InstKind::Call { .. }
        )
    })
}

/// The conditions of a `while` or `for` that begins on a line, as far as annotations can say them.
fn guard(program: &Program, text: &str, line: u32) -> Vec<Expr> {
    let from: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let rest = &text[from..];
    let first = rest.lines().next().unwrap_or_default();
    let condition = match (first.find("while"), first.find("for")) {
        (Some(at), _) => inside(&rest[at..]).map(str::to_owned),
        (None, Some(at)) => inside(&rest[at..]).and_then(|head| head.split(';').nth(1).map(str::to_owned)),
        (None, None) => None,
    };
    let parsed = condition.and_then(|condition| parse(program, &condition));
    parsed.map_or_else(Vec::new, |expr| conjuncts(&expr).into_iter().cloned().collect())
}

/// What stands between the first parenthesis and the one that closes it.
fn inside(text: &str) -> Option<&str> {
    let start = text.find('(')?;
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[start + 1..start + at]);
        }
    }
    None
}

/// A formula from text; none if it is no formula of an annotation.
pub fn parse(program: &Program, text: &str) -> Option<Expr> {
    let start = Position { line: 1, column: 1 };
    let comment = Comment { start, end_line: 1, text: format!("ensures {text};"), is_block: true };
    let clauses = parse_contract(&comment, &|name| is_type(program, name)).ok()?;
    match clauses.as_slice() {
        [clause] => Some(clause.expr.clone()),
        _ => None,
    }
}

/// The parts of a conjunction.
pub fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => [conjuncts(a), conjuncts(b)].concat(),
        _ => vec![expr],
    }
}
