//! The main loop: one instruction after the other.

use crate::api::{Source, Stop};
use crate::fault::{Access, Actor, Fault};
use crate::feedback;
use crate::float;
use crate::machine::{Halt, Machine, Res};
use crate::memory::{Life, ObjectKind};
use crate::page::Fresh;
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{
    BinOp, BlockId, CastOp, CmpOp, Computed, CopyKind, InstKind, LocalId, Terminator, Ty, mask, sign_extend,
};
use heapproof_verdict::{ErrorClass, Property};
use std::time::Instant;

/// Steps between looks at the clock.
const CLOCK: u64 = 1 << 16;

impl<'p> Machine<'p, '_> {
    /// Executes until something ends the run. The position stays at the instruction that did.
    pub fn execute(&mut self) -> Box<Halt> {
        loop {
            if let Err(halt) = self.block()
                && let Some(halt) = self.pass_over(halt)
            {
                return halt;
            }
        }
    }

    /// Executes from the present position to the end of the block or to the next call or return.
    fn block(&mut self) -> Res<()> {
        let body = self.top.body;
        let block = &body.blocks[self.top.block];
        let mut ip = self.top.ip;
        if ip == 0 && self.observer.is_some() {
            self.observe();
        }
        let observed = self.observer.is_some();
        let quick = self.feedback.is_none() && self.handover.is_none();
        while let Some(inst) = block.insts.get(ip) {
            if observed {
                self.observe_step(ip)?;
            }
            if self.steps >= self.next_event {
                self.event()?;
            }
            self.steps += 1;
            match &inst.kind {
                InstKind::Call { results, callee, args } => {
                    if self.call(results, callee, args)? {
                        // The frame changed.
                        return Ok(());
                    }
                }
                kind => {
                    if !(quick && self.quickly(kind)) {
                        self.instruction(kind)?;
                    }
                }
            }
            ip += 1;
            self.top.ip = ip;
        }
        if observed {
            self.observe_step(ip)?;
        }
        if self.steps >= self.next_event {
            self.event()?;
        }
        self.steps += 1;
        self.terminator(&block.term)
    }

    /// Limits, and the probes of the leak search.
    #[cold]
    fn event(&mut self) -> Res<()> {
        if self.options.stop_at_choice
            && let Some(choice) = &self.choice
        {
            return Err(Stop::Choice(choice.what.clone()).into());
        }
        if self.steps >= self.options.max_steps {
            return Err(Stop::Steps(self.options.max_steps).into());
        }
        if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Deadline.into());
        }
        self.probe_now()?;
        self.plan_event();
        Ok(())
    }

    /// Says when the next event is.
    pub fn plan_event(&mut self) {
        self.next_event = (self.steps + CLOCK).min(self.options.max_steps);
        if self.options.stop_at_choice && self.choice.is_some() {
            self.next_event = 0;
        }
        if let Some(probe) = &self.probe
            && let Some(next) = probe.next()
        {
            self.next_event = self.next_event.min(next);
        }
    }

    #[inline]
    fn jump(&mut self, to: BlockId) {
        if let Some(feedback) = &mut self.feedback {
            feedback.edge(self.top.func, self.top.block.as_u32(), to.as_u32());
        }
        self.top.from = Some(self.top.block);
        self.top.block = to;
        self.top.ip = 0;
    }

    /// Tells the path which way a branch goes, if there was another.
    fn trace_branch(&mut self, choice: bool, to: BlockId) {
        if choice && self.trace.is_on() {
            let (span, now) = (self.span(), self.now());
            self.trace.branch(self.top.block, to, span, now);
        }
    }

    /// A switch is a comparison with each of its cases.
    #[inline]
    fn learn_from_switch(&mut self, bits: u128, width: u8, cases: &[(u128, BlockId)]) {
        let Some(feedback) = &mut self.feedback else { return };
        let at = feedback::site(self.top.func, self.top.block, usize::MAX);
        for (number, (case, _)) in cases.iter().enumerate() {
            let at = at.wrapping_add((number as u32).wrapping_mul(0x9e37_79b9));
            feedback.compare(at, CmpOp::Eq, width, (bits, *case), self.records.len());
        }
    }

    fn terminator(&mut self, term: &'p Terminator) -> Res<()> {
        match term {
            Terminator::Jump(to) => self.jump(*to),
            Terminator::Branch { cond, then, otherwise } => {
                let holds = match self.small(cond) {
                    Some(bits) => bits & 1 != 0,
                    None => self.operand(cond)?.bits & 1 != 0,
                };
                let to = if holds { *then } else { *otherwise };
                self.trace_branch(then != otherwise, to);
                self.jump(to);
            }
            Terminator::Switch { value, width, cases, default } => {
                let value = self.operand(value)?;
                self.note_number(value);
                let bits = value.bits & mask(*width);
                self.learn_from_switch(bits, *width, cases);
                let case = cases.iter().find(|(constant, _)| *constant == bits);
                let to = case.map_or(*default, |(_, to)| *to);
                self.trace_branch(!cases.is_empty(), to);
                self.jump(to);
            }
            Terminator::Return(values) => return self.return_from(values),
            Terminator::Unreachable => {
                let what = "reaching code that is declared unreachable".to_owned();
                return Err(Stop::Unsupported { what }.into());
            }
        }
        Ok(())
    }

    #[inline]
    fn instruction(&mut self, kind: &'p InstKind) -> Res<()> {
        match kind {
            InstKind::Copy { dst, src } => {
                let value = self.operand(src)?;
                self.set(*dst, value);
            }
            InstKind::Forget { dst } => self.set(*dst, Value::FORGOTTEN),
            InstKind::Bin { dst, op, width, a, b } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                let value = self.binary(*op, *width, a, b)?;
                self.set(*dst, value);
            }
            InstKind::Cmp { dst, op, ty, a, b } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                if a.prov != Prov::None || b.prov != Prov::None {
                    self.note_comparison(*op, a, b)?;
                }
                let width = ty.bits(self.program.target);
                let holds = op.holds(width, a.bits, b.bits);
                if let Some(feedback) = &mut self.feedback
                    && *ty != Ty::Ptr
                {
                    let at = feedback::site(self.top.func, self.top.block, self.top.ip);
                    feedback.compare(at, *op, width, (a.bits, b.bits), self.records.len());
                }
                self.set(*dst, Value::plain(u128::from(holds)));
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let a = self.operand(a)?;
                let value = self.cast(*op, *from, *to, a)?;
                self.set(*dst, value);
            }
            InstKind::Select { dst, cond, a, b, .. } => {
                let taken = self.operand(cond)?.bits & 1 != 0;
                let value = self.operand(if taken { a } else { b })?;
                self.set(*dst, value);
            }
            InstKind::PtrAdd { dst, base, offset, index, .. } => {
                let base = self.operand(base)?;
                let mut delta = i128::from(*offset);
                let mut prov = base.prov;
                if let Some((index, scale)) = index {
                    let index = self.operand(index)?;
                    self.note_index(base, index, *scale);
                    delta = delta.wrapping_add(
                        sign_extend(index.bits, self.word_bits).wrapping_mul(i128::from(*scale)),
                    );
                    if *scale == 1 {
                        prov = self.prov_of_sum(base, index, base.bits.wrapping_add(delta as u128));
                    }
                }
                let bits = base.bits.wrapping_add(delta as u128) & mask(self.word_bits);
                self.set(*dst, Value { bits, prov });
            }
            InstKind::Load { dst, ty, ptr } => {
                let address = self.operand(ptr)?;
                let value = self.load(address, *ty, Actor::Inst(ptr))?;
                self.set(*dst, value);
            }
            InstKind::Store { ty, value, ptr } => {
                let value = self.operand(value)?;
                let address = self.operand(ptr)?;
                self.store(address, *ty, value, Actor::Inst(ptr))?;
            }
            InstKind::IntUn { dst, op, width, a } => {
                let a = self.operand(a)?;
                self.note_number(a);
                let prov = self.mixes.blur(a.prov);
                self.set(*dst, Value { bits: op.compute(*width, a.bits), prov });
            }
            InstKind::FloatBin { dst, op, kind, a, b } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                self.note_float(&[a, b]);
                self.set(*dst, Value::plain(float::binary(*op, *kind, a.bits, b.bits)));
            }
            InstKind::FloatUn { dst, op, kind, a } => {
                let a = self.operand(a)?;
                self.note_float(&[a]);
                self.set(*dst, Value::plain(float::unary(*op, *kind, a.bits)));
            }
            InstKind::FloatCmp { dst, op, kind, a, b } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                self.note_float(&[a, b]);
                let holds = float::compare(*op, *kind, a.bits, b.bits);
                self.set(*dst, Value::plain(u128::from(holds)));
            }
            InstKind::ScopeStart { local } => self.start_scope(*local)?,
            InstKind::ScopeEnd { local } => self.end_scope(*local),
            _ => self.rare_instruction(kind)?,
        }
        Ok(())
    }

    fn rare_instruction(&mut self, kind: &'p InstKind) -> Res<()> {
        match kind {
            InstKind::CopyBlock { kind, to, from, len } => {
                let (target, source) = (self.operand(to)?, self.operand(from)?);
                let n = self.operand(len)?.bits as u64;
                self.copy_block(*kind, target, source, n, (Actor::Inst(to), Actor::Inst(from)))?;
            }
            InstKind::FillBlock { to, byte, len } => {
                let target = self.operand(to)?;
                let byte = self.operand(byte)?.bits as u8;
                let n = self.operand(len)?.bits as u64;
                self.fill_block(target, byte, n, Actor::Inst(to))?;
            }
            InstKind::Alloca { dst, size, align, .. } => {
                let size = self.operand(size)?.bits as u64;
                let id = self.new_alloca(size, *align)?;
                let value = self.address_of(id);
                self.set(*dst, value);
            }
            InstKind::StackSave { dst } => {
                let depth = self.top.allocas.len() as u128;
                self.set(*dst, Value::plain(depth));
            }
            InstKind::StackRestore { saved } => {
                let depth = self.operand(saved)?.bits as usize;
                let site = self.site();
                for id in self.top.allocas.split_off(depth.min(self.top.allocas.len())) {
                    self.mem.end(id, Life::Ended, site);
                }
            }
            InstKind::VaStart { list } => self.va_start(list)?,
            InstKind::VaCopy { to, from } => self.va_copy(to, from)?,
            InstKind::VaEnd { .. } => {}
            InstKind::Seal { local } => {
                let place = self.top.locals + local.as_u32() as usize;
                if let Some(id) = self.locals[place] {
                    self.mem.get_mut(id).constant = true;
                }
            }
            InstKind::Unsupported { what, .. } => {
                return Err(Stop::Unsupported { what: what.clone() }.into());
            }
            _ => unreachable!("handled before"),
        }
        Ok(())
    }

    #[inline]
    fn binary(&mut self, op: BinOp, width: u8, a: Value, b: Value) -> Res<Value> {
        match op.compute(width, a.bits, b.bits) {
            Computed::Bits(bits) => {
                let prov = if a.prov == Prov::None && b.prov == Prov::None {
                    Prov::None
                } else {
                    self.note_arithmetic(op, width, a, b);
                    self.mixes.combine(op, a, b)
                };
                Ok(Value { bits, prov })
            }
            Computed::DividesByZero => Err(self.division_by_zero().into()),
            Computed::Unspecified => {
                let name = "a shift by too much";
                let bits = self.choose(Source::Environment, width, false, None, name);
                self.reword(|_| Some(format!("{name} gives {bits}")));
                Ok(Value::plain(bits))
            }
        }
    }

    /// The provenance of a pointer plus an index that may be an address or a difference of addresses.
    #[inline]
    fn prov_of_sum(&mut self, base: Value, index: Value, sum: u128) -> Prov {
        match (base.prov, index.prov) {
            // They changed places: an integer plus an address.
            (Prov::None | Prov::Null, Prov::Object(_)) => index.prov,
            // From one object to another by their distance.
            (Prov::Object(id), Prov::Mixed(mix)) => {
                let addr = (sum & mask(self.word_bits)) as u64;
                let object = self.mem.get(id);
                if addr.wrapping_sub(object.base) <= object.size {
                    return base.prov;
                }
                self.resolve(mix, addr).map_or(base.prov, Prov::Object)
            }
            _ => base.prov,
        }
    }

    fn division_by_zero(&self) -> Fault {
        let divisor = match self.instruction_now() {
            Some(InstKind::Bin { b, .. }) => self.expression(b),
            _ => None,
        };
        let message = match divisor {
            Some(text) if text != "0" => format!("`{text}` is zero"),
            _ => "the divisor is zero".to_owned(),
        };
        Fault::new(ErrorClass::DivisionByZero, message, None)
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, a: Value) -> Res<Value> {
        let target = self.program.target;
        let (from_bits, to_bits) = (from.bits(target), to.bits(target));
        self.note_cast(op, from_bits, to_bits, a);
        Ok(match op {
            CastOp::Trunc => {
                let prov = match a.prov {
                    Prov::Null if to_bits < self.word_bits => Prov::None,
                    prov if to_bits < self.word_bits => self.mixes.blur(prov),
                    prov => prov,
                };
                Value { bits: a.bits & mask(to_bits), prov }
            }
            CastOp::ZExt => Value { bits: a.bits & mask(from_bits), prov: a.prov },
            CastOp::SExt => {
                Value { bits: sign_extend(a.bits, from_bits) as u128 & mask(to_bits), prov: a.prov }
            }
            CastOp::PtrToInt => {
                let part = a.prov == Prov::Null && to_bits < self.word_bits;
                Value { bits: a.bits & mask(to_bits), prov: if part { Prov::None } else { a.prov } }
            }
            CastOp::IntToPtr => self.as_pointer(Value { bits: a.bits & mask(to_bits), prov: a.prov }),
            CastOp::Bits => a,
            CastOp::FloatToFloat => Value::plain(float::convert(float_kind(from), float_kind(to), a.bits)),
            CastOp::UIntToFloat => Value::plain(float::from_uint(float_kind(to), a.bits & mask(from_bits))),
            CastOp::SIntToFloat => {
                Value::plain(float::from_sint(float_kind(to), sign_extend(a.bits, from_bits)))
            }
            CastOp::FloatToUInt | CastOp::FloatToSInt => {
                let signed = op == CastOp::FloatToSInt;
                match float::to_int(float_kind(from), a.bits, to_bits, signed) {
                    Some(bits) => Value::plain(bits),
                    None => {
                        let name = "a conversion out of range";
                        let bits = self.choose(Source::Environment, to_bits, signed, None, name);
                        self.reword(|_| Some(format!("{name} gives {bits}")));
                        Value::plain(bits)
                    }
                }
            }
        })
    }

    /// Copies `n` bytes between checked areas.
    pub fn copy_block(
        &mut self,
        kind: CopyKind,
        to: Value,
        from: Value,
        n: u64,
        (to_actor, from_actor): (Actor<'_>, Actor<'_>),
    ) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        let source = self.check(from, n, Access::Read, from_actor)?;
        if self.lazy.is_some() {
            self.fill_all_lazily(source.0)?;
        }
        let target = self.check(to, n, Access::Write, to_actor)?;
        let apart = source.0 != target.0 || source.1 + n <= target.1 || target.1 + n <= source.1;
        let allowed = match kind {
            CopyKind::Move => true,
            CopyKind::Struct => apart || source.1 == target.1,
            CopyKind::Disjoint => apart,
        };
        if !allowed && self.asks(Property::NoOverlap) {
            let distance = source.1.abs_diff(target.1);
            let what = self.object_phrase(target.0);
            let who = match to_actor {
                Actor::Model(name, _) => format!("`{name}` copies"),
                Actor::Inst(_) => "copy of".to_owned(),
            };
            let message = format!(
                "{who} {n} bytes between areas of {what} that overlap: they are {distance} bytes apart"
            );
            return Err(Fault::new(ErrorClass::OverlappingCopy, message, Some(target.0)).into());
        }
        let done = self.mem.copy(target, source, n);
        self.room(done)
    }

    /// Sets `n` bytes of a checked area.
    pub fn fill_block(&mut self, to: Value, byte: u8, n: u64, actor: Actor<'_>) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        let (id, at) = self.check(to, n, Access::Write, actor)?;
        let done = self.mem.fill(id, at, n, byte);
        self.room(done)
    }

    /// A block on the stack.
    pub fn new_alloca(&mut self, size: u64, align: u64) -> Res<ObjId> {
        if size > mask(self.word_bits) as u64 / 2 {
            return Err(Stop::Memory(self.options.max_memory).into());
        }
        let site = self.site();
        let id = self.create(size, align, ObjectKind::Alloca, Fresh::Uninit, site)?;
        self.top.allocas.push(id);
        Ok(id)
    }

    fn start_scope(&mut self, local: LocalId) -> Res<()> {
        self.end_scope(local);
        let info = &self.top.body.locals[local];
        let mut site = self.site();
        if let Some(variable) = &info.variable {
            site.span = variable.span;
        }
        let kind = ObjectKind::Local(self.top.func, local);
        let id = self.create(info.size, info.align, kind, Fresh::Uninit, site)?;
        let place = self.top.locals + local.as_u32() as usize;
        self.locals[place] = Some(id);
        Ok(())
    }

    fn end_scope(&mut self, local: LocalId) {
        let place = self.top.locals + local.as_u32() as usize;
        let Some(id) = self.locals[place] else { return };
        if self.mem.get(id).life != Life::Live {
            return;
        }
        let site = self.site();
        self.mem.end(id, Life::Ended, site);
        // The record can go if nothing refers to it: its address is in no memory and in no register here.
        if id.index() + 1 == self.mem.len() && !self.mem.get(id).escaped && !self.mem.all_escaped {
            let regs = &self.regs[self.top.regs..];
            if !regs.iter().any(|value| may_refer(value.prov, id)) {
                self.mem.trim(id.index());
                self.locals[place] = None;
            }
        }
    }
}

/// True if a value with this provenance may be an address of the object.
pub(crate) fn may_refer(prov: Prov, id: ObjId) -> bool {
    match prov {
        Prov::Object(object) => object == id,
        Prov::Mixed(_) => true,
        _ => false,
    }
}

fn float_kind(ty: Ty) -> heapproof_ir::FloatKind {
    match ty {
        Ty::Float(kind) => kind,
        _ => unreachable!("the checker of ir lets only float types through"),
    }
}
