//! Global objects and their initial content: bytes and relocations.

use super::{Lowering, Unsupported};
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{Global, GlobalInit, Reloc, RelocTarget, Span, Ty};
use llvm_sys::LLVMOpcode;

/// The size given to an external array whose size is unknown; its direct use is `Unsupported`.
const UNKNOWN_SIZE: u64 = 1 << 30;

/// Bytes and relocations gathered so far.
struct Content {
    bytes: Vec<u8>,
    relocs: Vec<Reloc>,
}

impl<'m> Lowering<'m> {
    pub(super) fn declare_global(&mut self, value: Value<'m>) {
        let ty = value.value_type();
        let (mut name, mut span, mut ctype) = (value.name(), Span::NONE, None);
        if let Some((meta, ty)) = self.debug.global_variable(value, &mut self.program.types) {
            ctype = ty;
            span = self.debug.declaration(
                meta.variable_file(),
                meta.variable_line(),
                0,
                &mut self.program.files,
            );
        }
        if name.is_empty() {
            name = format!(".anonymous.{}", self.globals.len());
        }
        let size = if ty.is_sized() { self.layout.alloc_size(ty) } else { 0 };
        let global = Global {
            name,
            size: if self.has_unknown_size(value) { UNKNOWN_SIZE } else { size },
            align: value.alignment().max(1),
            constant: value.is_global_constant(),
            anonymous: value.is_private(),
            init: GlobalInit::External,
            ctype,
            span,
        };
        self.globals.insert(value, self.program.globals.push(global));
    }

    /// True for `extern T x[];` and for external objects of an incomplete type.
    pub(super) fn has_unknown_size(&self, value: Value<'m>) -> bool {
        value.is_global_variable() && value.initializer().is_none() && ends_openly(value.value_type())
    }

    pub(super) fn define_global(&mut self, value: Value<'m>) {
        let Some(init) = value.initializer() else { return };
        let id = self.globals[&value];
        let mut content = Content { bytes: Vec::new(), relocs: Vec::new() };
        // What cannot be expressed leaves the object with unknown content, which every engine treats as such.
        if self.write(init, 0, &mut content).is_err() {
            return;
        }
        while content.bytes.last() == Some(&0) {
            content.bytes.pop();
        }
        content.relocs.sort_by_key(|reloc| reloc.offset);
        let Content { bytes, relocs } = content;
        self.program.globals[id].init = GlobalInit::Data { bytes, relocs };
    }

    /// Writes a constant at an offset.
    fn write(&mut self, value: Value<'m>, offset: u64, to: &mut Content) -> Result<(), Unsupported> {
        if value.is_undef() || value.is_null_constant() {
            return Ok(());
        }
        if let Some(bytes) = value.string_constant() {
            to.put(offset, &bytes);
            return Ok(());
        }
        let ty = value.ty();
        match ty.kind() {
            TypeKind::Struct => {
                for index in 0..ty.members().len() as u32 {
                    let element = value.element(index).ok_or("an unusual initialiser")?;
                    self.write(element, offset + self.layout.member_offset(ty, index), to)?;
                }
            }
            TypeKind::Array => {
                let size = self.layout.alloc_size(ty.element());
                for index in 0..ty.count() {
                    let element = value.element(index as u32).ok_or("an unusual initialiser")?;
                    self.write(element, offset + index * size, to)?;
                }
            }
            TypeKind::Vector => {
                let bits = u64::from(self.lane(ty)?.bits(self.program.target));
                if !bits.is_multiple_of(8) {
                    return Err("a vector of single bits in an initialiser".to_owned());
                }
                for index in 0..ty.count() {
                    let element = value.element(index as u32).ok_or("an unusual initialiser")?;
                    self.write(element, offset + index * bits / 8, to)?;
                }
            }
            _ => self.write_scalar(value, offset, to)?,
        }
        Ok(())
    }

    fn write_scalar(&mut self, value: Value<'m>, offset: u64, to: &mut Content) -> Result<(), Unsupported> {
        let ty = self.scalar(value.ty())?;
        let bytes = ty.bytes(self.program.target) as usize;
        if let Some(bits) = value.int_constant().or_else(|| value.float_constant()) {
            to.put(offset, &bits.to_le_bytes()[..bytes]);
            return Ok(());
        }
        match self.address(value)? {
            (Some(_), _) if bytes as u64 != self.program.target.pointer_bytes() => {
                Err("part of an address in an initialiser".to_owned())
            }
            (Some(target), addend) => {
                to.relocs.push(Reloc { offset, target, addend });
                Ok(())
            }
            (None, number) => {
                to.put(offset, &i128::from(number).to_le_bytes()[..bytes]);
                Ok(())
            }
        }
    }

    /// A constant address as symbol and distance; a plain number has no symbol.
    fn address(&mut self, value: Value<'m>) -> Result<(Option<RelocTarget>, i64), Unsupported> {
        let unusual = || "an unusual address in an initialiser".to_owned();
        if let Some(aliasee) = value.aliasee() {
            return self.address(aliasee);
        }
        if (value.is_function() || value.is_global_variable()) && value.is_undefined_weak() {
            return Ok((None, 0));
        }
        if let Some(&global) = self.globals.get(&value) {
            if self.has_unknown_size(value) {
                return Err("the address of an external array of unknown size".to_owned());
            }
            return Ok((Some(RelocTarget::Global(global)), 0));
        }
        if let Some(&function) = self.functions.get(&value) {
            return Ok((Some(RelocTarget::Func(function)), 0));
        }
        if value.is_null_constant() {
            return Ok((None, 0));
        }
        if let Some(bits) = value.int_constant() {
            return Ok((None, bits as i64));
        }
        if let Some((_, block)) = value.block_address() {
            return Ok((None, self.label_code(block) as i64));
        }
        match value.constant_opcode().ok_or_else(unusual)? {
            LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr => self.address(value.operand(0)),
            // Less than a whole address is only known of a number, such as the distance of two labels.
            LLVMOpcode::LLVMTrunc => match (self.address(value.operand(0))?, self.scalar(value.ty())?) {
                ((None, number), Ty::Int(width)) => {
                    Ok((None, (number as u128 & heapproof_ir::mask(width)) as i64))
                }
                _ => Err(unusual()),
            },
            LLVMOpcode::LLVMGetElementPtr => {
                let (symbol, base) = self.address(value.operand(0))?;
                let offset = self.constant_gep_offset(value).ok_or_else(unusual)?;
                Ok((symbol, base.wrapping_add(offset)))
            }
            LLVMOpcode::LLVMAdd => {
                let (a, b) = (self.address(value.operand(0))?, self.address(value.operand(1))?);
                match (a.0, b.0) {
                    (symbol, None) | (None, symbol) => Ok((symbol, a.1.wrapping_add(b.1))),
                    _ => Err(unusual()),
                }
            }
            LLVMOpcode::LLVMSub => {
                let (a, b) = (self.address(value.operand(0))?, self.address(value.operand(1))?);
                match (a.0, b.0) {
                    (symbol, None) => Ok((symbol, a.1.wrapping_sub(b.1))),
                    (x, y) if x == y => Ok((None, a.1.wrapping_sub(b.1))),
                    _ => Err(unusual()),
                }
            }
            _ => Err(unusual()),
        }
    }
}

/// True if an object of the type may be larger than the type says: its definition elsewhere tells.
fn ends_openly(ty: Type<'_>) -> bool {
    match ty.kind() {
        _ if !ty.is_sized() => true,
        TypeKind::Array => ty.count() == 0,
        TypeKind::Struct => ty.members().last().is_some_and(|last| ends_openly(*last)),
        _ => false,
    }
}

impl Content {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        if bytes.iter().all(|&b| b == 0) {
            return;
        }
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
    }
}
