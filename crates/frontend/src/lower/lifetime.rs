//! When objects live that clang leaves without markers, and from when on constants must not be written.
//!
//! clang marks no scope of unnamed temporaries, of variables that a jump may pass, and of compound literals. A temporary
//! ends with its full expression, found in the source; a variable with its block, known from debug information. Where
//! control is outside, the object is *renewed*: the old one ends, and a new one without a value is there for
//! the next time. The address of a compound literal must not be kept, for its block may have no braces.

use super::body::Builder;
use super::extent::{self, Place};
use super::open::LITERAL;
use crate::llvm::{BasicBlock, Meta, TypeKind, Value};
use heapproof_ir::ctype::Qualifier;
use heapproof_ir::{CType, Span, TypeId};
use llvm_sys::LLVMOpcode;
use std::collections::{HashMap, HashSet};

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The old object ends, a new one is there.
    Renewed,
    /// It is constant from now on.
    Sealed,
    /// It is not known whether it still has its value.
    Unclear,
}

/// Something that happens right before an instruction.
pub struct Event<'m> {
    pub what: Change,
    pub alloca: Value<'m>,
    pub span: Span,
}

/// What clang does not say about the objects of a function.
#[derive(Default)]
pub struct Plan<'m> {
    /// The objects that are renewed; all of them start at the entry.
    pub renewed: HashSet<Value<'m>>,
    /// Compound literals: their address must not be kept.
    pub unmarked: HashSet<Value<'m>>,
    /// What happens before instructions.
    pub before: HashMap<Value<'m>, Vec<Event<'m>>>,
}

/// What an `alloca` without scope markers stands for.
enum Kind<'m> {
    /// A variable with the scope of its declaration.
    Declared(Option<Meta<'m>>),
    /// A variable whose declaration is never reached, or a temporary of a scalar type.
    Undeclared,
    /// A structure or union without a name.
    Temporary,
    /// A constant with scope markers.
    Constant,
    Literal,
}

/// The uses of the objects that matter.
#[derive(Default)]
struct Mentions<'m> {
    /// The instructions that use an object or an address derived from its own.
    by_object: HashMap<Value<'m>, Vec<Value<'m>>>,
    /// Objects that are used by anything but direct loads and stores.
    indirect: HashSet<Value<'m>>,
}

impl<'m> Builder<'_, 'm> {
    /// Looks at all objects of a function. Nearly all functions have none that matters.
    pub fn plan_lifetimes(&mut self, blocks: &[BasicBlock<'m>]) -> Plan<'m> {
        let mut plan = Plan::default();
        let objects: Vec<_> = self.fixed.iter().filter_map(|a| Some((*a, self.kind(*a)?))).collect();
        if objects.is_empty() {
            return plan;
        }
        let mentions = mentions(blocks, &objects.iter().map(|(alloca, _)| *alloca).collect());
        for (alloca, kind) in objects {
            let uses = mentions.by_object.get(&alloca).map(Vec::as_slice).unwrap_or_default();
            let direct = !mentions.indirect.contains(&alloca);
            match kind {
                Kind::Literal => self.literal(blocks, alloca, uses, &mut plan),
                Kind::Declared(scope) => self.declared(blocks, alloca, scope, uses, direct, &mut plan),
                Kind::Temporary => self.temporary_object(blocks, alloca, uses, &mut plan),
                Kind::Undeclared => self.undeclared(blocks, alloca, uses, direct, &mut plan),
                Kind::Constant => self.constant_variable(blocks, alloca, uses, &mut plan),
            }
        }
        plan
    }

    /// What an `alloca` stands for, if its life is not clear.
    fn kind(&self, alloca: Value<'m>) -> Option<Kind<'m>> {
        if self.homes.contains(&alloca) {
            return None;
        }
        let variable = self.module.variables.get(&alloca);
        if self.scoped.contains(&alloca) {
            let constant = variable.and_then(|v| v.ctype).is_some_and(|ty| self.is_const(ty));
            return constant.then_some(Kind::Constant);
        }
        if variable.is_some() {
            let scope = self.module.declarations.get(&alloca).and_then(|(scope, _)| *scope);
            return Some(Kind::Declared(scope));
        }
        let name = alloca.name();
        if name.starts_with(".compoundliteral") {
            return Some(Kind::Literal);
        }
        let aggregate = matches!(alloca.allocated_type().kind(), TypeKind::Struct | TypeKind::Array);
        match whose(&name) {
            Maker::Compiler | Maker::Either if aggregate => Some(Kind::Temporary),
            Maker::Compiler => None,
            Maker::Either | Maker::Programmer => Some(Kind::Undeclared),
        }
    }

    fn is_const(&self, mut ty: TypeId) -> bool {
        loop {
            match &self.module.program.types[ty] {
                CType::Qualified { qualifier: Qualifier::Const, .. } => return true,
                CType::Qualified { of, .. } | CType::Typedef { of, .. } => ty = *of,
                CType::Array { element, .. } => ty = *element,
                _ => return false,
            }
        }
    }

    /// A variable that a jump may pass: it is renewed where its block is left, and has no value after its declaration.
    fn declared(
        &mut self,
        blocks: &[BasicBlock<'m>],
        alloca: Value<'m>,
        scope: Option<Meta<'m>>,
        uses: &[Value<'m>],
        direct: bool,
        plan: &mut Plan<'m>,
    ) {
        if let Some(scope) = scope.filter(|scope| scope.enclosing_scope(alloca).is_some()) {
            let inside = |inst: Value<'m>| is_in_scope(inst, scope);
            let exits = exits(blocks, inside, |inst| uses.contains(&inst));
            self.renew(alloca, exits, uses, plan);
        }
        if let (true, Some((_, declaration))) = (direct, self.module.declarations.get(&alloca)) {
            plan.renewed.insert(alloca);
            let event = Event { what: Change::Renewed, alloca, span: Span::NONE };
            plan.before.entry(*declaration).or_default().push(event);
        }
    }

    /// A compound literal ends with its block, if that is known. Otherwise it ends with what has braces at the latest, and maybe
    /// before, so that its address must not be kept.
    fn literal(
        &mut self,
        blocks: &[BasicBlock<'m>],
        alloca: Value<'m>,
        uses: &[Value<'m>],
        plan: &mut Plan<'m>,
    ) {
        if let Some((near, extent)) = self.marked_block(uses) {
            let exits = self.exits_of(blocks, near, extent, |inst| uses.contains(&inst));
            return self.renew(alloca, exits, uses, plan);
        }
        plan.unmarked.insert(alloca);
        if let Some(scope) = common_scope(uses).filter(|scope| scope.enclosing_scope(alloca).is_some()) {
            let inside = |inst: Value<'m>| is_in_scope(inst, scope);
            let exits = exits(blocks, inside, |inst| uses.contains(&inst));
            self.renew(alloca, exits, uses, plan);
        }
    }

    /// The block of a compound literal, as `open.cpp` marked it, and a place in it.
    fn marked_block(&mut self, uses: &[Value<'m>]) -> Option<(Span, (Place, Place))> {
        let mark = *uses.iter().find(|inst| is_literal_mark(**inst))?;
        let near = Some(self.position(mark)).filter(|span| span.is_known() && span.column > 0)?;
        let number = |index| Some(mark.operand(index).int_constant()? as u32);
        Some((near, ((number(0)?, number(1)?), (number(2)?, number(3)?))))
    }

    /// A structure without a name lives as long as the full expression that makes it.
    fn temporary_object(
        &mut self,
        blocks: &[BasicBlock<'m>],
        alloca: Value<'m>,
        uses: &[Value<'m>],
        plan: &mut Plan<'m>,
    ) {
        let Some((first, last)) = self.extremes(uses) else { return };
        let path = &self.module.program.files[first.file];
        let text = self.module.sources.text(path);
        let Some(extent) = text.and_then(|text| extent::full_expression(text, first, last)) else { return };
        let exits = self.exits_of(blocks, first, extent, |inst| uses.contains(&inst));
        self.renew(alloca, exits, uses, plan);
    }

    /// A variable that is declared where control never comes, or a scalar temporary, which is always written before it
    /// is read.
    fn undeclared(
        &mut self,
        blocks: &[BasicBlock<'m>],
        alloca: Value<'m>,
        uses: &[Value<'m>],
        direct: bool,
        plan: &mut Plan<'m>,
    ) {
        let Some(scope) = common_scope(uses) else { return };
        if scope.enclosing_scope(alloca).is_none() {
            return;
        }
        let inside = |inst: Value<'m>| is_in_scope(inst, scope);
        let unwritten = reads_after_exit(blocks, alloca, inside, uses);
        let known = whose(&alloca.name()) == Maker::Programmer;
        if if direct { unwritten.is_empty() } else { !known } {
            return;
        }
        if is_only_switch(blocks, scope, alloca) {
            let exits = exits(blocks, inside, |inst| uses.contains(&inst));
            self.renew(alloca, exits, uses, plan);
            return;
        }
        let unclear = if direct { unwritten } else { uses.to_vec() };
        for inst in unclear {
            let event = Event { what: Change::Unclear, alloca, span: Span::NONE };
            plan.before.entry(inst).or_default().push(event);
        }
    }

    /// A constant is sealed at the end of its declarator, if anything but a read happens to it afterwards.
    fn constant_variable(
        &mut self,
        blocks: &[BasicBlock<'m>],
        alloca: Value<'m>,
        uses: &[Value<'m>],
        plan: &mut Plan<'m>,
    ) {
        let Some(name) = self.module.variables.get(&alloca).map(|v| v.span).filter(|s| s.is_known()) else {
            return;
        };
        let path = &self.module.program.files[name.file];
        let text = self.module.sources.text(path);
        let Some(extent) = text.and_then(|text| extent::declarator(text, name)) else { return };
        let mut later = false;
        for &inst in uses {
            let plain = inst.opcode() == LLVMOpcode::LLVMLoad && inst.operand(0) == alloca;
            later |= !plain && !is_marker(inst) && !self.is_inside(inst, name, extent).unwrap_or(false);
        }
        if later {
            for inst in self.exits_of(blocks, name, extent, |inst| uses.contains(&inst)) {
                let event = Event { what: Change::Sealed, alloca, span: name };
                plan.before.entry(inst).or_default().push(event);
            }
        }
    }

    fn renew(&mut self, alloca: Value<'m>, exits: Vec<Value<'m>>, uses: &[Value<'m>], plan: &mut Plan<'m>) {
        plan.renewed.insert(alloca);
        let span = self.extremes(uses).map_or(Span::NONE, |(_, last)| last);
        for inst in exits {
            let event = Event { what: Change::Renewed, alloca, span };
            plan.before.entry(inst).or_default().push(event);
        }
    }

    /// The first and the last position of some instructions, if they are in one file.
    fn extremes(&mut self, insts: &[Value<'m>]) -> Option<(Span, Span)> {
        let spans: Vec<Span> =
            insts.iter().map(|inst| self.position(*inst)).filter(|s| s.is_known()).collect();
        let first = *spans.iter().min_by_key(|s| (s.line, s.column))?;
        let last = *spans.iter().max_by_key(|s| (s.line, s.column))?;
        spans.iter().all(|s| s.file == first.file && s.column > 0).then_some((first, last))
    }

    fn position(&mut self, inst: Value<'m>) -> Span {
        self.module.debug.span(inst, &mut self.module.program.files)
    }

    /// True if an instruction stands in some part of the file of `near`; nothing is known of other files.
    fn is_inside(&mut self, inst: Value<'m>, near: Span, (start, end): (Place, Place)) -> Option<bool> {
        let span = self.position(inst);
        let known = span.is_known() && span.file == near.file && span.column > 0;
        known.then(|| (start..=end).contains(&(span.line, span.column)))
    }

    /// The instructions before which a part of the source is left after an object was touched.
    fn exits_of(
        &mut self,
        blocks: &[BasicBlock<'m>],
        near: Span,
        extent: (Place, Place),
        touches: impl Fn(Value<'m>) -> bool,
    ) -> Vec<Value<'m>> {
        let mut places: HashMap<Value<'m>, bool> = HashMap::new();
        for inst in blocks.iter().flat_map(|b| b.instructions()).filter(|inst| !is_marker(*inst)) {
            if let Some(inside) = self.is_inside(inst, near, extent) {
                places.insert(inst, inside);
            }
        }
        exits(blocks, |inst| places.get(&inst).copied(), touches)
    }
}

/// Who gave a name to an object.
#[derive(Clone, Copy, PartialEq)]
enum Maker {
    Compiler,
    Programmer,
    /// A programmer may use the same name.
    Either,
}

/// Who made an object without a declaration, by its name: no name of C has a dot. clang adds numbers to names.
fn whose(name: &str) -> Maker {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match plain {
        "retval" | "saved_stack" | "" => Maker::Compiler,
        "tmp" | "coerce" | "cond" => Maker::Either,
        _ if plain.contains(['.', '-']) => Maker::Compiler,
        _ => Maker::Programmer,
    }
}

/// True for scope markers and other calls without an effect.
fn is_marker(inst: Value<'_>) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall && {
        let name = inst.called_value().name();
        name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg")
    }
}

fn location_scope(inst: Value<'_>) -> Option<Meta<'_>> {
    inst.debug_location()?.location_scope()
}

/// True if an instruction belongs to a scope. Scope markers, and what frees arrays of variable size, have the positions of
/// braces and tell nothing.
fn is_in_scope<'m>(inst: Value<'m>, scope: Meta<'m>) -> Option<bool> {
    let marks = match inst.opcode() {
        LLVMOpcode::LLVMCall => {
            let name = inst.called_value().name();
            name.starts_with("llvm.lifetime") || name.starts_with("llvm.stackrestore")
        }
        LLVMOpcode::LLVMLoad => inst.operand(0).name().starts_with("saved_stack"),
        _ => false,
    };
    let at = location_scope(inst).filter(|_| !marks)?;
    Some(chain(at, inst).contains(&scope))
}

/// A scope and those around it, from the inside out.
fn chain<'m>(scope: Meta<'m>, of: Value<'m>) -> Vec<Meta<'m>> {
    std::iter::successors(Some(scope), |scope| scope.enclosing_scope(of)).collect()
}

/// The innermost scope that holds all of some instructions.
fn common_scope<'m>(insts: &[Value<'m>]) -> Option<Meta<'m>> {
    let mut chains = insts.iter().filter_map(|inst| Some(chain(location_scope(*inst)?, *inst)));
    let mut common = chains.next()?;
    for other in chains {
        common.retain(|scope| other.contains(scope));
    }
    common.first().copied()
}

/// The uses of some objects.
fn mentions<'m>(blocks: &[BasicBlock<'m>], objects: &HashSet<Value<'m>>) -> Mentions<'m> {
    let insts = || blocks.iter().flat_map(|b| b.instructions());
    let mut derived: HashMap<Value<'m>, Value<'m>> = objects.iter().map(|o| (*o, *o)).collect();
    loop {
        let before = derived.len();
        for inst in insts().filter(|inst| passes_on(*inst)) {
            if !derived.contains_key(&inst)
                && let Some(object) = inst.operands().find_map(|operand| derived.get(&operand).copied())
            {
                derived.insert(inst, object);
            }
        }
        if derived.len() == before {
            break;
        }
    }
    let mut mentions = Mentions::default();
    for inst in insts() {
        for operand in inst.operands() {
            let Some(&object) = derived.get(&operand) else { continue };
            let uses = mentions.by_object.entry(object).or_default();
            if uses.last() != Some(&inst) {
                uses.push(inst);
            }
            let accesses = match inst.opcode() {
                LLVMOpcode::LLVMLoad => inst.operand(0) == object,
                LLVMOpcode::LLVMStore => {
                    inst.operand(1) == object && operand == object && inst.operand(0) != object
                }
                _ => is_marker(inst),
            };
            if !accesses {
                mentions.indirect.insert(object);
            }
        }
    }
    mentions
}

/// True if the result of an instruction is an address derived from an operand.
fn passes_on(inst: Value<'_>) -> bool {
    use LLVMOpcode::*;
    matches!(
        inst.opcode(),
        LLVMGetElementPtr | LLVMPHI | LLVMSelect | LLVMBitCast | LLVMFreeze | LLVMAddrSpaceCast
    ) || is_literal_mark(inst)
}

/// True for the mark of a compound literal, which returns its address.
fn is_literal_mark(inst: Value<'_>) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall && inst.called_value().name() == LITERAL
}

/// The instructions outside, of which an object may have been touched before that.
fn exits<'m>(
    blocks: &[BasicBlock<'m>],
    inside: impl Fn(Value<'m>) -> Option<bool>,
    touches: impl Fn(Value<'m>) -> bool,
) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    forward(blocks, |inst, touched, last| {
        let leaves = *touched && inside(inst) == Some(false);
        if leaves && last {
            found.push(inst);
        }
        *touched = (*touched && !leaves) || touches(inst);
    });
    found
}

/// The reads of an object that may come after control was outside, without a write since.
fn reads_after_exit<'m>(
    blocks: &[BasicBlock<'m>],
    alloca: Value<'m>,
    inside: impl Fn(Value<'m>) -> Option<bool>,
    uses: &[Value<'m>],
) -> Vec<Value<'m>> {
    let written = |inst: Value<'m>| inst.opcode() == LLVMOpcode::LLVMStore && inst.operand(1) == alloca;
    // Whether there may have been a write and an exit since.
    let mut found = Vec::new();
    let left = exits(blocks, &inside, |inst| uses.contains(&inst));
    forward(blocks, |inst, lost, last| {
        *lost |= left.contains(&inst);
        if written(inst) {
            *lost = false;
        } else if last && *lost && uses.contains(&inst) && inst.opcode() == LLVMOpcode::LLVMLoad {
            found.push(inst);
        }
    });
    found
}

/// Carries a fact that may hold along all paths until nothing changes; the last round says so.
fn forward<'m>(blocks: &[BasicBlock<'m>], mut step: impl FnMut(Value<'m>, &mut bool, bool)) {
    let mut at_start: HashMap<BasicBlock<'m>, bool> = HashMap::new();
    let mut settled = false;
    loop {
        let mut changed = false;
        for &block in blocks {
            let mut fact = at_start.get(&block).copied().unwrap_or(false);
            block.instructions().for_each(|inst| step(inst, &mut fact, settled));
            if !fact {
                continue;
            }
            for next in block.terminator().map(Value::successors).unwrap_or_default() {
                changed |= at_start.insert(next, true) != Some(true);
            }
        }
        if settled {
            return;
        }
        settled = !changed;
    }
}

/// True if a scope is the body of a `switch`, and nothing around it can be entered past a declaration: then what is
/// declared nowhere else is declared there.
fn is_only_switch<'m>(blocks: &[BasicBlock<'m>], scope: Meta<'m>, of: Value<'m>) -> bool {
    let insts = || blocks.iter().flat_map(|b| b.instructions());
    let is_label = |inst: Value<'m>| {
        inst.opcode() == LLVMOpcode::LLVMCall && inst.called_value().name().starts_with("llvm.dbg.label")
    };
    if insts().any(is_label) {
        return false;
    }
    let bodies: HashSet<Meta<'m>> = insts()
        .filter(|inst| inst.opcode() == LLVMOpcode::LLVMSwitch)
        .filter_map(|inst| Some((location_scope(inst)?, inst.successors())))
        .flat_map(|(outer, cases)| cases.into_iter().map(move |case| (outer, case)))
        .filter_map(|(outer, case)| {
            let first = case.instructions().find_map(|inst| Some((inst, location_scope(inst)?)))?;
            chain(first.1, first.0).into_iter().find(|s| s.enclosing_scope(first.0) == Some(outer))
        })
        .collect();
    let around: Vec<Meta<'m>> = chain(scope, of).into_iter().filter(|s| bodies.contains(s)).collect();
    around == [scope]
}
