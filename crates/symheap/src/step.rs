//! The instructions of `ir` on states: figures 4.3 and 4.4 and section 4.2.5 of the thesis, for all of them.

use crate::arith::{self, bit, truth};
use crate::exec::Executor;
use crate::halt::{Fault, Halt, Res, not_covered};
use crate::heap::{Fill, Kind, Life};
use crate::state::State;
use crate::value::{ObjId, Prov, Value};
use heapproof_confirm::Origin;
use heapproof_engine::Access;
use heapproof_interp::float;
use heapproof_ir::{
    BinOp, BlockId, CastOp, CmpOp, CopyKind, FloatKind, InstKind, LocalId, Operand, Reg, Target, Terminator,
    Ty,
};
use heapproof_logic::{BvOp, BvRel, Term};
use heapproof_verdict::{ErrorClass, Property};

impl<'p> Executor<'p> {
    /// Executes one instruction or terminator. True if a block came to its end.
    pub fn step(&mut self, state: &mut State) -> Res<bool> {
        let frame = state.top();
        let block = &self.body(frame.func).blocks[frame.block];
        match block.insts.get(frame.inst) {
            Some(inst) => {
                if let InstKind::Call { results, callee, args } = &inst.kind {
                    return self.call(state, results, callee, args);
                }
                self.instruction(state, &inst.kind)?;
                state.advance();
                Ok(false)
            }
            None => self.terminator(state, &block.term).map(|()| true),
        }
    }

    fn jump(&mut self, state: &mut State, to: BlockId) {
        let frame = state.top_mut();
        frame.block = to;
        frame.inst = 0;
        state.pure.advance();
    }

    fn terminator(&mut self, state: &mut State, term: &'p Terminator) -> Res<()> {
        match term {
            Terminator::Jump(to) => self.jump(state, *to),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.operand(state, cond)?;
                let condition = truth(&Term::extract(0, 0, cond.term));
                let taken = match self.decide(state, &condition) {
                    Err(Halt::Split(_)) => match self.together(state, &condition)? {
                        Some(joined) => {
                            *state = joined;
                            return Ok(());
                        }
                        None => return Err(Halt::Split(condition)),
                    },
                    decided => decided?,
                };
                self.jump(state, if taken { *then } else { *otherwise });
            }
            Terminator::Switch { value, width, cases, default } => {
                let value = self.operand(state, value)?.term.resized(*width, false);
                let mut to = *default;
                for (constant, block) in cases {
                    if self.decide(state, &Term::eq(value.clone(), Term::bits(*constant, *width)))? {
                        to = *block;
                        break;
                    }
                }
                self.jump(state, to);
            }
            Terminator::Return(values) => return self.return_from(state, values),
            Terminator::Unreachable => return not_covered("code that is declared unreachable is reached"),
        }
        Ok(())
    }

    fn instruction(&mut self, state: &mut State, kind: &'p InstKind) -> Res<()> {
        match kind {
            InstKind::Copy { dst, src } => {
                let value = self.operand(state, src)?;
                state.set(*dst, value);
            }
            InstKind::Forget { dst } => state.top_mut().regs[dst.as_u32() as usize] = None,
            InstKind::Bin { dst, op, width, a, b } => {
                let (a, b) = (self.operand(state, a)?, self.operand(state, b)?);
                let value = self.binary(state, *op, *width, &a, &b)?;
                state.set(*dst, value);
            }
            InstKind::IntUn { dst, op, width, a } => {
                let a = self.operand(state, a)?;
                let term = arith::unary(*op, &a.term.resized(*width, false));
                state.set(*dst, Value { term, prov: a.prov.blurred() });
            }
            InstKind::Cmp { dst, op, a, b, .. } => {
                let (a, b) = (self.operand(state, a)?, self.operand(state, b)?);
                let holds = self.compare(state, *op, &a, &b);
                state.set(*dst, Value::plain(bit(holds)));
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let a = self.operand(state, a)?;
                let value = self.cast(state, *op, *from, *to, a)?;
                state.set(*dst, value);
            }
            InstKind::Select { dst, cond, a, b, .. } => {
                let cond = truth(&self.operand(state, cond)?.term);
                let value = self.select(state, &cond, a, b)?;
                state.set(*dst, value);
            }
            InstKind::PtrAdd { dst, base, offset, index, .. } => {
                let value = self.pointer_sum(state, base, *offset, index.as_ref())?;
                state.set(*dst, value);
            }
            InstKind::Load { dst, ty, ptr } => {
                let pointer = self.operand(state, ptr)?;
                let value = self.load(state, &pointer, *ty)?;
                state.set(*dst, value);
            }
            InstKind::Store { ty, value, ptr } => {
                let value = self.operand(state, value)?;
                let pointer = self.operand(state, ptr)?;
                self.store(state, &pointer, *ty, value)?;
            }
            InstKind::FloatBin { .. } | InstKind::FloatUn { .. } | InstKind::FloatCmp { .. } => {
                self.float(state, kind)?;
            }
            _ => self.memory_instruction(state, kind)?,
        }
        Ok(())
    }

    fn memory_instruction(&mut self, state: &mut State, kind: &'p InstKind) -> Res<()> {
        match kind {
            InstKind::CopyBlock { kind, to, from, len } => {
                let (to, from) = (self.operand(state, to)?, self.operand(state, from)?);
                let len = self.operand(state, len)?;
                self.copy_block(state, *kind, &to, &from, &len.term)?;
            }
            InstKind::FillBlock { to, byte, len } => {
                let to = self.operand(state, to)?;
                let byte = self.operand(state, byte)?.term.resized(8, false);
                let len = self.operand(state, len)?;
                self.fill_block(state, &to, byte, &len.term)?;
            }
            InstKind::Alloca { dst, size, align, .. } => {
                let size = self.operand(state, size)?;
                let address = self.new_alloca(state, &size.term, *align)?;
                state.set(*dst, address);
            }
            InstKind::StackSave { dst } => {
                let depth = state.top().allocas.len() as u128;
                state.set(*dst, Value::number(depth, self.word));
            }
            InstKind::StackRestore { saved } => {
                let saved = self.operand(state, saved)?;
                let depth = self.concretize(state, &saved.term)? as usize;
                let frame = state.top_mut();
                let depth = depth.min(frame.allocas.len());
                for id in frame.allocas.split_off(depth) {
                    state.heap.end(id, Life::Ended);
                }
            }
            InstKind::ScopeStart { local } => self.start_scope(state, *local),
            InstKind::ScopeEnd { local } => end_scope(state, *local),
            InstKind::Seal { local } => {
                if let Some(id) = state.top().locals[local.as_u32() as usize] {
                    state.heap.get_mut(id).constant = true;
                }
            }
            InstKind::VaStart { list } => {
                let list = self.operand(state, list)?;
                self.va_start(state, &list)?;
            }
            InstKind::VaCopy { to, from } => {
                let (to, from) = (self.operand(state, to)?, self.operand(state, from)?);
                let size = self.word_number(self.list_size());
                self.copy_block(state, CopyKind::Move, &to, &from, &size)?;
            }
            InstKind::VaEnd { .. } => {}
            InstKind::Unsupported { what, .. } => return not_covered(what.clone()),
            _ => unreachable!("handled before"),
        }
        Ok(())
    }

    pub fn compare(&self, state: &State, op: CmpOp, a: &Value, b: &Value) -> Term {
        arith::compare(&state.heap, |id| self.is_anonymous(state, id), op, a, b)
    }

    fn binary(&mut self, state: &mut State, op: BinOp, width: u8, a: &Value, b: &Value) -> Res<Value> {
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                let fine = Term::ne(b.term.clone(), Term::bits(0, width));
                let fault = || Fault::new(ErrorClass::DivisionByZero, "the divisor may be zero");
                self.demand(state, &fine, fault)?;
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let fine = Term::rel(BvRel::Ult, b.term.clone(), Term::bits(width.into(), width));
                // With less than 8 bits the width itself may not be a number of them.
                let fine =
                    if u128::from(width) > heapproof_ir::mask(width) { Term::truth(true) } else { fine };
                if !self.decide(state, &fine)? {
                    return Ok(Value::plain(self.input(state, Origin::Environment, width)));
                }
            }
            _ => {}
        }
        Ok(arith::binary(&state.heap, op, a, b))
    }

    fn select(&mut self, state: &mut State, cond: &Term, a: &Operand, b: &Operand) -> Res<Value> {
        let is_read = |operand: &Operand| match operand {
            Operand::Reg(reg) => state.top().regs[reg.as_u32() as usize].is_some(),
            Operand::Undef(_) => false,
            _ => true,
        };
        if cond.as_bool().is_none() && is_read(a) && is_read(b) {
            let (a, b) = (self.operand(state, a)?, self.operand(state, b)?);
            if a == b || (a.prov == b.prov && !a.is_address() && a.prov != Prov::Null) {
                return Ok(Value { term: Term::ite(cond.clone(), a.term, b.term), prov: a.prov });
            }
        }
        let taken = self.decide(state, cond)?;
        self.operand(state, if taken { a } else { b })
    }

    fn pointer_sum(
        &mut self,
        state: &mut State,
        base: &Operand,
        offset: i64,
        index: Option<&(Operand, i64)>,
    ) -> Res<Value> {
        let base = self.operand(state, base)?;
        let mut term = base.term.clone().plus(offset.into());
        let mut prov = base.prov.clone();
        if let Some((index, scale)) = index {
            let index = self.operand(state, index)?;
            let scaled = Term::bv(BvOp::Mul, index.term.clone(), Term::bits(*scale as u128, self.word));
            term = Term::bv(BvOp::Add, term, scaled);
            if *scale == 1 {
                prov = match (&base.prov, &index.prov) {
                    // They changed places: an integer plus an address.
                    (Prov::None | Prov::Null, Prov::Object(_)) => index.prov,
                    // From one object to another by their distance.
                    (Prov::Object(_), Prov::Mixed(_)) => base.prov.union(&index.prov),
                    _ => prov,
                };
            }
        }
        Ok(Value { term, prov })
    }

    fn cast(&mut self, state: &mut State, op: CastOp, from: Ty, to: Ty, a: Value) -> Res<Value> {
        let target = self.program.target;
        let (from_bits, to_bits) = (from.bits(target), to.bits(target));
        let part = to_bits < self.word;
        Ok(match op {
            CastOp::Trunc => {
                let prov = match a.prov {
                    Prov::Null if part => Prov::None,
                    prov if part => prov.blurred(),
                    prov => prov,
                };
                Value { term: a.term.resized(to_bits, false), prov }
            }
            CastOp::ZExt => Value { term: a.term.resized(to_bits, false), prov: a.prov },
            CastOp::SExt => Value { term: a.term.resized(to_bits, true), prov: a.prov },
            CastOp::PtrToInt => {
                let prov = if a.prov == Prov::Null && part { Prov::None } else { a.prov };
                Value { term: a.term.resized(to_bits, false), prov }
            }
            CastOp::IntToPtr => {
                let term = a.term.resized(to_bits, false);
                let prov = match a.prov {
                    Prov::None if term.as_bits() == Some(0) => Prov::Null,
                    prov => crate::access::resolved(&state.heap, &Value { term: term.clone(), prov }),
                };
                Value { term, prov }
            }
            CastOp::Bits => a,
            _ => {
                let done = a.known().and_then(|bits| self.float_cast(op, from, to, (from_bits, bits)));
                Value::plain(match done {
                    Some(bits) => Term::bits(bits, to_bits),
                    // What a conversion out of range gives is an input.
                    None if a.known().is_some() => self.input(state, Origin::Environment, to_bits),
                    None => self.unknown(state, to_bits),
                })
            }
        })
    }

    fn float_cast(&self, op: CastOp, from: Ty, to: Ty, (from_bits, bits): (u8, u128)) -> Option<u128> {
        let kind = |ty: Ty| match ty {
            Ty::Float(kind) => kind,
            _ => FloatKind::F64,
        };
        match op {
            CastOp::FloatToFloat => Some(float::convert(kind(from), kind(to), bits)),
            CastOp::UIntToFloat => Some(float::from_uint(kind(to), bits)),
            CastOp::SIntToFloat => {
                Some(float::from_sint(kind(to), heapproof_ir::sign_extend(bits, from_bits)))
            }
            CastOp::FloatToUInt | CastOp::FloatToSInt => {
                let signed = op == CastOp::FloatToSInt;
                float::to_int(kind(from), bits, to.bits(self.program.target), signed)
            }
            _ => None,
        }
    }

    /// Floating point: known numbers are computed, unless the target may do so with more precision than the type has.
    fn float(&mut self, state: &mut State, kind: &InstKind) -> Res<()> {
        let exact = self.program.target == Target::Lp64;
        let (dst, width, bits): (Reg, u8, Option<u128>) = match kind {
            InstKind::FloatBin { dst, op, kind, a, b } => {
                let (a, b) = (self.operand(state, a)?.known(), self.operand(state, b)?.known());
                (*dst, kind.bits(), a.zip(b).map(|(a, b)| float::binary(*op, *kind, a, b)))
            }
            InstKind::FloatUn { dst, op, kind, a } => {
                let a = self.operand(state, a)?.known();
                (*dst, kind.bits(), a.map(|a| float::unary(*op, *kind, a)))
            }
            InstKind::FloatCmp { dst, op, kind, a, b } => {
                let (a, b) = (self.operand(state, a)?.known(), self.operand(state, b)?.known());
                (*dst, 1, a.zip(b).map(|(a, b)| float::compare(*op, *kind, a, b).into()))
            }
            _ => unreachable!("no floating point instruction"),
        };
        let term = match bits {
            Some(bits) if exact => Term::bits(bits, width),
            _ => self.unknown(state, width),
        };
        state.set(dst, Value::plain(term));
        Ok(())
    }

    /// Copies a block, as `memmove` does.
    pub fn copy_block(
        &mut self,
        state: &mut State,
        kind: CopyKind,
        to: &Value,
        from: &Value,
        n: &Term,
    ) -> Res<()> {
        if self.decide(state, &Term::eq(n.clone(), Term::bits(0, n.width())))? {
            return Ok(());
        }
        let (source, from_at) = self.check(state, from, n, Access::Read)?;
        let (target, to_at) = self.check(state, to, n, Access::Write)?;
        if source == target && kind != CopyKind::Move && self.asks(Property::NoOverlap) {
            let apart = |a: &Term, b: &Term| {
                Term::rel(BvRel::Ule, Term::bv(BvOp::Add, a.clone(), n.clone()), b.clone())
            };
            let mut fine = vec![apart(&from_at, &to_at), apart(&to_at, &from_at)];
            if kind == CopyKind::Struct {
                fine.push(Term::eq(from_at.clone(), to_at.clone()));
            }
            let fault = || Fault::new(ErrorClass::OverlappingCopy, "the areas of the copy may overlap");
            self.demand(state, &Term::or(fine), fault)?;
        }
        let n = self.concretize(state, n)? as u64;
        let from_at = self.concretize(state, &from_at)? as u64;
        let to_at = self.concretize(state, &to_at)? as u64;
        let runs = state.heap.get(source).runs(from_at, n);
        state.heap.get_mut(target).put(to_at, runs);
        Ok(())
    }

    /// Sets a block to one byte.
    pub fn fill_block(&mut self, state: &mut State, to: &Value, byte: Term, n: &Term) -> Res<()> {
        if self.decide(state, &Term::eq(n.clone(), Term::bits(0, n.width())))? {
            return Ok(());
        }
        let (target, at) = self.check(state, to, n, Access::Write)?;
        let size = &state.heap.get(target).size;
        if size == n && at.as_bits() == Some(0) {
            state.heap.get_mut(target).reset(Fill::Byte(byte));
            return Ok(());
        }
        let n = self.concretize(state, n)? as u64;
        let at = self.concretize(state, &at)? as u64;
        state.heap.get_mut(target).fill(at, n, Fill::Byte(byte));
        Ok(())
    }

    /// A size that an object can have: below half of the address space.
    pub fn object_size(&mut self, state: &State, size: &Term) -> Res<()> {
        let most = Term::bits(heapproof_ir::mask(self.word) / 2, self.word);
        let fits = Term::rel(BvRel::Ule, size.clone(), most);
        if self.decide(state, &fits)? {
            Ok(())
        } else {
            not_covered("an object of more than half of the memory")
        }
    }

    /// A block on the stack.
    pub fn new_alloca(&mut self, state: &mut State, size: &Term, align: u64) -> Res<Value> {
        self.object_size(state, size)?;
        let id = state.heap.create(size.clone(), align, Kind::Alloca, Fill::Uninit);
        state.top_mut().allocas.push(id);
        Ok(state.heap.address(id))
    }

    /// The object of a local of the running function.
    pub fn new_local(&mut self, state: &mut State, local: LocalId) -> ObjId {
        let func = state.top().func;
        let info = &self.body(func).locals[local];
        let size = self.word_number(info.size);
        let id = state.heap.create(size, info.align, Kind::Local(func, local), Fill::Uninit);
        state.top_mut().locals[local.as_u32() as usize] = Some(id);
        id
    }

    fn start_scope(&mut self, state: &mut State, local: LocalId) {
        end_scope(state, local);
        self.new_local(state, local);
    }
}

fn end_scope(state: &mut State, local: LocalId) {
    if let Some(id) = state.top().locals[local.as_u32() as usize]
        && state.heap.get(id).life == Life::Live
    {
        state.heap.end(id, Life::Ended);
    }
}
