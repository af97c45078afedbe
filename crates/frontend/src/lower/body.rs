//! The body of one function: blocks, registers for every value, locals for every `alloca`.

use super::closing::closing_brace;
use super::lifetime::{Change, Plan};
use super::{Lowering, Unsupported};
use crate::llvm::{BasicBlock, Type, Value};
use heapproof_ir::{
    Block, BlockId, Body, CopyKind, Inst, InstKind, Local, LocalId, Operand, Reg, RegInfo, Span, Terminator,
    Ty, Variable,
};
use llvm_sys::LLVMOpcode;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// A value as the scalars it is made of.
pub type Parts = SmallVec<[Operand; 1]>;

/// What is known while a body is lowered.
pub struct Builder<'a, 'm> {
    pub module: &'a mut Lowering<'m>,
    pub body: Body,
    pub values: HashMap<Value<'m>, Parts>,
    pub blocks: HashMap<BasicBlock<'m>, BlockId>,
    /// The instructions of the block being filled.
    pub insts: Vec<Inst>,
    /// The position of the instruction being lowered.
    pub span: Span,
    /// The locals whose scope is marked.
    pub scoped: HashSet<Value<'m>>,
    /// The locals in which parameters live.
    pub homes: HashSet<Value<'m>>,
    /// The `alloca`s that stand for variables and temporaries of fixed size.
    pub fixed: Vec<Value<'m>>,
    /// Where assignments go if that is computed first, by their numbers.
    pub targets: HashMap<Option<u128>, Operand>,
    /// What clang does not say about the life of objects.
    plan: Plan<'m>,
}

impl<'m> Lowering<'m> {
    /// Reads the variables of a function, so that all C types are known before any body is lowered.
    pub(super) fn import_variables(&mut self, function: Value<'m>) {
        for inst in function.blocks().flat_map(BasicBlock::instructions) {
            if inst.opcode() != LLVMOpcode::LLVMCall || inst.called_value().name() != "llvm.dbg.declare" {
                continue;
            }
            let Some(address) = inst.operand(0).wrapped_value() else { continue };
            let Some(meta) = inst.operand(1).as_metadata() else { continue };
            if let Some(mut variable) = self.debug.local_variable(meta, inst, &mut self.program.types) {
                variable.span = self.debug.span(inst, &mut self.program.files);
                const SCOPE: usize = 0;
                let scope = meta.operands(inst).first_chunk::<1>().and_then(|operands| operands[SCOPE]);
                self.declarations.entry(address).or_insert((scope, inst));
                if meta.is_parameter() {
                    self.parameters.insert(address);
                }
                self.variables.entry(address).or_insert(variable);
            }
        }
    }

    /// Lowers the body of a function, if it has one.
    pub(super) fn define_function(&mut self, function: Value<'m>) {
        if function.is_declaration() {
            return;
        }
        let id = self.functions[&function];
        let mut builder = Builder {
            module: self,
            body: Body::default(),
            values: HashMap::new(),
            blocks: HashMap::new(),
            insts: Vec::new(),
            span: Span::NONE,
            scoped: HashSet::new(),
            homes: HashSet::new(),
            fixed: Vec::new(),
            targets: HashMap::new(),
            plan: Plan::default(),
        };
        builder.lower(function);
        let body = builder.body;
        self.program.functions[id].body = Some(body);
    }
}

impl<'m> Builder<'_, 'm> {
    fn lower(&mut self, function: Value<'m>) {
        let blocks: Vec<_> = function.blocks().collect();
        for &block in &blocks {
            let empty = Block { insts: Vec::new(), term: Terminator::Unreachable, term_span: Span::NONE };
            let id = self.body.blocks.push(empty);
            self.blocks.insert(block, id);
        }
        self.find_scopes(&blocks);
        self.find_homes(function, &blocks);
        self.fixed = blocks.first().into_iter().flat_map(|entry| fixed_allocas(*entry)).collect();
        self.plan = self.plan_lifetimes(&blocks);
        self.parameters(function);
        for inst in blocks.iter().flat_map(|b| b.instructions()) {
            self.reserve(inst);
        }
        for &alloca in &self.fixed.clone() {
            if self.plan.renewed.contains(&alloca) {
                self.mark_scope(alloca, |local| InstKind::ScopeStart { local });
            }
        }
        for &block in &blocks {
            self.lower_block(block);
        }
        for &block in &blocks {
            self.phi_copies(block);
        }
    }

    /// Finds the locals whose scope is marked.
    fn find_scopes(&mut self, blocks: &[BasicBlock<'m>]) {
        for inst in blocks.iter().flat_map(|b| b.instructions()) {
            if inst.opcode() == LLVMOpcode::LLVMCall
                && inst.called_value().name().starts_with("llvm.lifetime.start")
            {
                self.scoped.insert(inst.operand(1));
            }
        }
    }

    /// Finds the locals that arguments are stored to at the entry. Those with a name are known by their declaration, since
    /// clang may convert an argument, or put it together of parts, before it stores it.
    fn find_homes(&mut self, function: Value<'m>, blocks: &[BasicBlock<'m>]) {
        let params: HashSet<Value<'m>> = function.params().into_iter().collect();
        let Some(entry) = blocks.first() else { return };
        self.homes.extend(entry.instructions().filter(|inst| self.module.parameters.contains(inst)));
        for inst in entry.instructions().filter(|i| i.opcode() == LLVMOpcode::LLVMStore) {
            if params.contains(&inst.operand(0)) {
                let to = inst.operand(1);
                let member = to.is_instruction() && to.opcode() == LLVMOpcode::LLVMGetElementPtr;
                self.homes.insert(if member { to.operand(0) } else { to });
            }
        }
    }

    /// Registers for the arguments. A structure passed by value is copied to a local at the entry.
    fn parameters(&mut self, function: Value<'m>) {
        for (index, param) in function.params().into_iter().enumerate() {
            let types = self.module.parts_or_none(param.ty());
            let regs: Vec<_> = types.into_iter().map(|ty| self.temporary(ty)).collect();
            self.body.params.extend(&regs);
            let value = match function.byval_param(index as u32) {
                Some(ty) => smallvec::smallvec![self.byval_copy(param, regs[0], ty)],
                None => regs.into_iter().map(Operand::Reg).collect(),
            };
            self.values.insert(param, value);
        }
    }

    fn byval_copy(&mut self, param: Value<'m>, from: Reg, ty: Type<'m>) -> Operand {
        let size = self.module.layout.alloc_size(ty);
        let local = self.body.locals.push(Local {
            size,
            align: self.module.layout.align(ty),
            scoped: false,
            unmarked: false,
            variable: self.module.variables.get(&param).cloned(),
        });
        let len = self.pointer_int(size);
        self.emit(InstKind::CopyBlock {
            kind: CopyKind::Struct,
            to: Operand::Local(local),
            from: Operand::Reg(from),
            len,
        });
        Operand::Local(local)
    }

    /// Gives an instruction its registers before any use is lowered, whatever the order of the blocks.
    fn reserve(&mut self, inst: Value<'m>) {
        if let Some(local) = self.static_local(inst) {
            self.values.insert(inst, smallvec::smallvec![Operand::Local(local)]);
            return;
        }
        let types = self.module.parts_or_none(inst.ty());
        if !types.is_empty() {
            let parts = types.into_iter().map(|ty| Operand::Reg(self.temporary(ty))).collect();
            self.values.insert(inst, parts);
        }
    }

    /// The local of an `alloca` that stands for a variable or a temporary of fixed size.
    fn static_local(&mut self, inst: Value<'m>) -> Option<LocalId> {
        if !self.fixed.contains(&inst) {
            return None;
        }
        let ty = inst.allocated_type();
        let variable: Option<Variable> = self.module.variables.get(&inst).cloned();
        Some(self.body.locals.push(Local {
            size: self.module.layout.alloc_size(ty),
            align: inst.alignment().max(1),
            scoped: self.scoped.contains(&inst) || self.plan.renewed.contains(&inst),
            unmarked: self.plan.unmarked.contains(&inst),
            variable,
        }))
    }

    /// Marks the scope of a local.
    fn mark_scope(&mut self, alloca: Value<'m>, kind: impl Fn(LocalId) -> InstKind) {
        if let Some([Operand::Local(local)]) = self.values.get(&alloca).map(|parts| parts.as_slice()) {
            self.emit(kind(*local));
        }
    }

    /// What happens to the lives of objects right before an instruction.
    fn planned(&mut self, inst: Value<'m>) {
        for event in self.plan.before.remove(&inst).unwrap_or_default() {
            let here = std::mem::replace(&mut self.span, event.span);
            match event.what {
                Change::Renewed => {
                    self.mark_scope(event.alloca, |local| InstKind::ScopeEnd { local });
                    self.mark_scope(event.alloca, |local| InstKind::ScopeStart { local });
                }
                Change::Sealed => self.mark_scope(event.alloca, |local| InstKind::Seal { local }),
                Change::Unclear => {
                    self.span = here;
                    let what = "a variable whose declaration is always jumped past".to_owned();
                    self.emit(InstKind::Unsupported { results: Vec::new(), what });
                }
            }
            self.span = here;
        }
    }

    fn lower_block(&mut self, block: BasicBlock<'m>) {
        let id = self.blocks[&block];
        let mut term = (Terminator::Unreachable, Span::NONE);
        for inst in block.instructions() {
            self.span = self.module.debug.span(inst, &mut self.module.program.files);
            self.planned(inst);
            if block.terminator() == Some(inst) {
                let lowered = self.terminator(inst).unwrap_or_else(|what| {
                    self.emit(InstKind::Unsupported { results: Vec::new(), what });
                    Terminator::Unreachable
                });
                term = (lowered, self.term_span(inst));
            } else if let Err(what) = self.instruction(inst) {
                let results = self.registers(inst);
                self.emit(InstKind::Unsupported { results, what });
            }
        }
        // A byval copy may already stand at the start of the entry block.
        let target = &mut self.body.blocks[id];
        target.insts.append(&mut self.insts);
        (target.term, target.term_span) = term;
    }

    /// The position of a terminator; a function ends at its closing brace.
    fn term_span(&mut self, inst: Value<'m>) -> Span {
        if inst.opcode() != LLVMOpcode::LLVMRet || !self.span.is_known() {
            return self.span;
        }
        let path = &self.module.program.files[self.span.file];
        self.module.debug.tell_compiled(self.module.sources);
        closing_brace(self.module.sources, path, self.span)
    }

    /// A new register for a value without a name.
    pub fn temporary(&mut self, ty: Ty) -> Reg {
        self.body.regs.push(RegInfo { ty, variable: None })
    }

    /// The registers that were reserved for an instruction.
    pub fn registers(&self, inst: Value<'m>) -> Vec<Reg> {
        let parts = self.values.get(&inst).map(|parts| parts.as_slice()).unwrap_or_default();
        parts.iter().filter_map(|part| if let Operand::Reg(reg) = part { Some(*reg) } else { None }).collect()
    }

    /// Appends an instruction at the present position.
    pub fn emit(&mut self, kind: InstKind) {
        self.insts.push(Inst { kind, span: self.span });
    }

    /// An integer constant of the pointer's width.
    pub fn pointer_int(&self, value: u64) -> Operand {
        let width = self.module.program.target.pointer_bits();
        Operand::Int { bits: u128::from(value) & heapproof_ir::mask(width), width }
    }

    /// An operand that must be one scalar.
    pub fn single(&mut self, value: Value<'m>) -> Result<Operand, Unsupported> {
        match self.operand(value)?[..] {
            [operand] => Ok(operand),
            _ => Err("an operation on a structure value".to_owned()),
        }
    }
}

/// The `alloca`s of variables and temporaries of fixed size: clang puts them together at the start of the entry block. All
/// others are VLAs and calls of `alloca`, each execution of which makes a new object.
fn fixed_allocas<'m>(entry: BasicBlock<'m>) -> impl Iterator<Item = Value<'m>> {
    let first = entry.instructions().take_while(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca);
    first.filter(|alloca| alloca.operand(0).int_constant() == Some(1))
}
