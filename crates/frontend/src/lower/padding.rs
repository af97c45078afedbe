//! Which bytes an initialiser of a variable says: not those between members, nor those of a union that its member does not have.
//!
//! clang copies such initialisers from a nameless constant, as a whole. C leaves these bytes open, and compilers leave in them what the
//! stack held, so only what was said is copied.

use super::Lowering;
use super::body::Builder;
use crate::llvm::{TypeKind, Value};
use heapproof_ir::{CopyKind, InstKind, Operand};
use std::ops::Range;

impl<'m> Lowering<'m> {
    /// The bytes that a constant says, in order; ranges that touch are one.
    fn said(&self, value: Value<'m>, offset: u64, found: &mut Vec<Range<u64>>) {
        let ty = value.ty();
        if value.is_undef() {
            return;
        }
        // Of what is not mentioned C sets the padding to zero, too.
        let whole = value.is_null_constant() || value.string_constant().is_some();
        match ty.kind() {
            _ if whole => {}
            TypeKind::Struct => {
                for index in 0..ty.members().len() as u32 {
                    if let Some(member) = value.element(index) {
                        self.said(member, offset + self.layout.member_offset(ty, index), found);
                    }
                }
                return;
            }
            TypeKind::Array => {
                let size = self.layout.alloc_size(ty.element());
                for index in 0..ty.count() {
                    if let Some(element) = value.element(index as u32) {
                        self.said(element, offset + index * size, found);
                    }
                }
                return;
            }
            _ => {}
        }
        let size = if whole { self.layout.alloc_size(ty) } else { self.layout.store_size(ty) };
        let range = offset..offset + size;
        match found.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => found.push(range),
        }
    }
}

impl<'m> Builder<'_, 'm> {
    /// Copies an initialiser, of which some bytes may be open, to a variable; false if it is no such copy. Copies that may not fit are
    /// left whole, since what is not copied is not checked.
    pub fn copy_initialiser(&mut self, call: Value<'m>, to: Operand, from: Operand) -> bool {
        let source = call.operand(1);
        let init = source.initializer().filter(|_| source.is_global_variable() && source.is_private());
        let (Some(init), Operand::Local(local), Some(len)) = (init, to, call.operand(2).int_constant())
        else {
            return false;
        };
        let (len, room) = (len as u64, self.body.locals[local].size);
        if len > room || len > self.module.layout.alloc_size(init.ty()) {
            return false;
        }
        let mut said = Vec::new();
        self.module.said(init, 0, &mut said);
        if said.iter().all(|range| range.start >= len)
            || said.iter().any(|range| range.start == 0 && range.end >= len)
        {
            return false;
        }
        for range in said.into_iter().filter(|range| range.start < len) {
            let [to, from] = [to, from].map(|base| self.at_offset(base, range.start));
            let len = self.pointer_int(range.end.min(len) - range.start);
            self.emit(InstKind::CopyBlock { kind: CopyKind::Struct, to, from, len });
        }
        true
    }
}
