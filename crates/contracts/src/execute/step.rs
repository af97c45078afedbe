//! One instruction.

use super::values::Val;
use super::{State, Stop, Verifier};
use crate::condition::{Pointer, wrapped};
use crate::place::place_of;
use heapproof_ir::{Inst, InstKind, Ty};
use heapproof_logic::Term;

impl Verifier<'_> {
    /// Executes an instruction; false if the path ends.
    pub(super) fn step(&mut self, state: &mut State, inst: &Inst) -> Result<bool, Stop> {
        let span = inst.span;
        match &inst.kind {
            InstKind::Copy { dst, src } => {
                let val = self.operand(state, src);
                state.set(*dst, val);
            }
            InstKind::Forget { dst } => {
                let val = self.fresh_val(self.body(state.top().func)?.regs[*dst].ty);
                state.set(*dst, val);
            }
            InstKind::Bin { dst, op, width, a, b } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let val = self.binary(*op, *width, &a, &b, span)?;
                state.set(*dst, val);
            }
            InstKind::Cmp { dst, op, ty, a, b } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let holds = self.compare(state, *op, *ty, &a, &b);
                state.set(*dst, Val::Bit(holds));
            }
            InstKind::Cast { dst, op, from, to, a } => {
                let val = self.operand(state, a);
                let val = self.cast(*op, *from, *to, &val);
                state.set(*dst, val);
            }
            InstKind::Select { dst, ty, cond, a, b } => {
                let cond = self.operand(state, cond);
                let cond = self.bit(&cond);
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let val = match ty {
                    Ty::Ptr => Val::Pointer(Pointer::choose(&cond, &self.pointer(&a), &self.pointer(&b))),
                    Ty::Int(1) => Val::Bit(Term::ite(cond, self.bit(&a), self.bit(&b))),
                    Ty::Int(65..) => Val::Unknown,
                    Ty::Int(width) => Val::Int(Term::ite(cond, self.int(&a, *width), self.int(&b, *width))),
                    Ty::Float(_) => Val::Unknown,
                };
                state.set(*dst, val);
            }
            InstKind::PtrAdd { dst, base, offset, index, .. } => {
                let base = self.operand(state, base);
                let mut pointer = self.pointer(&base);
                pointer = pointer.at((*offset).into());
                if let Some((index, scale)) = index {
                    let bits = u32::from(self.words.word) * 8;
                    let index = self.operand(state, index);
                    let index = self.int(&index, bits as u8);
                    let bytes = Term::int_mul(index, Term::int((*scale).into()));
                    let bytes = if *scale == 1 { bytes } else { wrapped_product(bytes, bits) };
                    pointer = pointer.plus(bytes);
                }
                state.set(*dst, Val::Pointer(pointer));
            }
            InstKind::Load { dst, ty, ptr } => {
                let address = self.operand(state, ptr);
                let val = self.load(state, *ty, &address, span)?;
                state.set(*dst, val);
            }
            InstKind::Store { ty, value, ptr } => {
                let (value, address) = (self.operand(state, value), self.operand(state, ptr));
                let place = place_of(self.program, self.body(state.top().func)?, ptr);
                self.store(state, *ty, &value, (&address, place), span)?;
            }
            InstKind::ScopeStart { local } => {
                let size = self.body(state.top().func)?.locals[*local].size;
                if let Some(object) = state.top().locals.get(local).cloned() {
                    self.end_object(state, &object);
                }
                let object = self.new_object(state, Term::int(size.into()), false);
                state.top_mut().locals.insert(*local, object);
            }
            InstKind::ScopeEnd { local } => {
                if let Some(object) = state.top_mut().locals.remove(local) {
                    self.end_object(state, &object);
                }
            }
            InstKind::Call { results, callee, args } => return self.call(state, results, callee, args, span),
            InstKind::IntUn { dst, .. }
            | InstKind::FloatBin { dst, .. }
            | InstKind::FloatUn { dst, .. }
            | InstKind::FloatCmp { dst, .. } => {
                let val = self.fresh_val(inst.kind.result_ty().unwrap_or(Ty::Ptr));
                state.set(*dst, val);
            }
            InstKind::CopyBlock { to, from, len, .. } => {
                let place = place_of(self.program, self.body(state.top().func)?, to);
                let (to, from, len) =
                    (self.operand(state, to), self.operand(state, from), self.operand(state, len));
                return self.copy_block(state, (&to, place), &from, &len, span);
            }
            InstKind::FillBlock { to, byte, len } => {
                let place = place_of(self.program, self.body(state.top().func)?, to);
                let (to, byte, len) =
                    (self.operand(state, to), self.operand(state, byte), self.operand(state, len));
                return self.fill_block(state, (&to, place), &byte, &len, span);
            }
            InstKind::Alloca { .. } | InstKind::StackSave { .. } | InstKind::StackRestore { .. } => {
                return self.beyond(span, "an array whose size is not constant");
            }
            InstKind::VaStart { .. } | InstKind::VaCopy { .. } | InstKind::VaEnd { .. } => {
                return self.beyond(span, "a list of arguments");
            }
            InstKind::Seal { .. } => return self.beyond(span, "a constant variable in memory"),
            InstKind::Unsupported { what, .. } => return self.beyond(span, what),
        }
        Ok(true)
    }
}

/// An index times the size of an element. Indexes of elements that exist do not wrap; others are wrapped.
fn wrapped_product(bytes: Term, bits: u32) -> Term {
    if bytes.as_int().is_some() {
        return wrapped(bytes, bits);
    }
    let half = 1i128 << (bits - 1);
    let fits = Term::and([
        Term::int_le(Term::int(-half), bytes.clone()),
        Term::int_lt(bytes.clone(), Term::int(half)),
    ]);
    Term::ite(fits, bytes.clone(), wrapped(bytes, bits))
}
