//! Variadic arguments: they lie in an area that lives as long as the frame, the first of its `alloca` objects.

use crate::access::Access;
use crate::block::Done;
use crate::graph::{Addr, Object, State, Storage, Tg, Val};
use crate::step::{Executor, Next, advance};
use heapproof_ir::{CopyKind, Operand, Target};

impl<'p> Executor<'p> {
    /// The size of a `va_list`.
    fn list_size(&self) -> u64 {
        match self.program.target {
            Target::Lp64 => 24,
            Target::Ilp32 => 4,
        }
    }

    /// Where an argument of some bytes lies behind others, and where it ends.
    fn slot(&self, end: u64, bytes: u64) -> (u64, u64) {
        let (size, align) = match self.program.target {
            Target::Lp64 if bytes > 8 => (16, 16),
            Target::Lp64 => (8, 8),
            Target::Ilp32 => (bytes.next_multiple_of(4), 4),
        };
        let start = end.next_multiple_of(align);
        (start, start + size)
    }

    /// Lays the variadic arguments, with their sizes in bytes, of a new frame out.
    pub(crate) fn lay_out_variadic<'a>(
        &self,
        state: &mut State,
        args: impl Iterator<Item = (&'a Val, &'a u64)>,
    ) {
        let mut area = Object::region(0, Storage::Alloca, heapproof_ir::Span::NONE);
        for (&val, &bytes) in args {
            let (start, end) = self.slot(area.size, bytes);
            area.size = end;
            area.put(start, bytes, val);
        }
        let obj = state.add(area);
        state.frame_mut().allocas.push(obj);
    }

    /// Executes `va_start`.
    pub(crate) fn va_start(&self, mut state: State, list: &Operand) -> Next {
        let list = self.operand(&mut state, list);
        let (id, at) = match self.access(&mut state, list, self.list_size(), true)? {
            Access::Again(states) => return Ok(states),
            Access::At(id, at) => (id, at),
            Access::Between(..) => return self.not_covered(&state, "a `va_list` at an unknown place"),
        };
        let func = state.frame().func;
        let area = state.frame().allocas.first().filter(|_| self.program.functions[func].variadic);
        let Some(&obj) = area else {
            return self.not_covered(&state, "`va_start` in a function without variadic arguments");
        };
        let address = Val::Addr(Addr { obj, off: 0, tg: Tg::Region });
        match self.program.target {
            Target::Lp64 => {
                // Both register areas are used up, so that everything is taken from the overflow area.
                state.write(id, at, 4, Val::Int(48));
                state.write(id, at + 4, 4, Val::Int(176));
                state.write(id, at + 8, 8, address);
                state.write(id, at + 16, 8, Val::ZERO);
            }
            Target::Ilp32 => state.write(id, at, 4, address),
        }
        Ok(vec![advance(state)])
    }

    /// Executes `va_copy`.
    pub(crate) fn va_copy(&self, mut state: State, to: &Operand, from: &Operand) -> Next {
        let (to, from) = (self.operand(&mut state, to), self.operand(&mut state, from));
        let len = Val::Int(self.list_size().into());
        let done: Vec<Done> = self.copy_block(state, CopyKind::Move, to, from, len)?;
        Ok(done.into_iter().map(|done| done.retry_or(advance)).collect())
    }
}
