//! Operands: constants, constant expressions and values computed before.

use super::body::{Builder, Parts};
use super::types::Part;
use super::{Lowering, Unsupported};
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{CastOp, InstKind, Operand, Ty};

impl<'m> Builder<'_, 'm> {
    /// The scalars of an operand. Constant expressions become instructions in front of the use.
    pub fn operand(&mut self, value: Value<'m>) -> Result<Parts, Unsupported> {
        if let Some(parts) = self.values.get(&value) {
            return Ok(parts.clone());
        }
        if value.is_poison() && value.ty().kind() != TypeKind::Vector {
            return Err("a value that the compiler found to be undefined (poison)".to_owned());
        }
        if let Some(symbol) = self.symbol(value)? {
            return Ok(smallvec::smallvec![symbol]);
        }
        // A vector is built from one without elements.
        if value.is_undef() || value.is_poison() {
            let types = self.module.parts(value.ty())?;
            return Ok(types.into_iter().map(|part| Operand::Undef(part.ty)).collect());
        }
        if let Some(opcode) = value.constant_opcode() {
            let types = self.module.parts(value.ty())?;
            let regs: Vec<_> = types.into_iter().map(|part| self.temporary(part.ty)).collect();
            self.operation(opcode, value, &regs)?;
            return Ok(regs.into_iter().map(Operand::Reg).collect());
        }
        if value.block_address().is_some() {
            return Ok(smallvec::smallvec![self.label_address(value)]);
        }
        if !value.is_constant() {
            return Err("a value of an unusual type".to_owned());
        }
        if value.ty().kind() == TypeKind::Vector {
            let mut parts = Parts::new();
            for index in 0..value.ty().count() {
                let element = value.element(index as u32).ok_or("an unusual constant")?;
                match element.is_poison() {
                    true => parts.push(Operand::Undef(self.module.lane(value.ty())?)),
                    false => parts.extend(self.operand(element)?),
                }
            }
            return Ok(parts);
        }
        self.module.constant(value)
    }

    /// The address of a global or function.
    fn symbol(&mut self, value: Value<'m>) -> Result<Option<Operand>, Unsupported> {
        if value.is_ifunc() {
            return Err("a function chosen at load time (ifunc)".to_owned());
        }
        if let Some(aliasee) = value.aliasee() {
            return self.single(aliasee).map(Some);
        }
        if (value.is_function() || value.is_global_variable()) && value.is_undefined_weak() {
            return Ok(Some(Operand::Null));
        }
        if let Some(&global) = self.module.globals.get(&value) {
            if self.module.has_unknown_size(value) {
                let name = &self.module.program.globals[global].name;
                return Err(format!("the external array `{name}` of unknown size"));
            }
            return Ok(Some(Operand::Global(global)));
        }
        Ok(self.module.functions.get(&value).map(|&function| Operand::Func(function)))
    }

    fn label_address(&mut self, value: Value<'m>) -> Operand {
        let code = value.block_address().map_or(0, |(_, block)| self.module.label_code(block));
        let dst = self.temporary(Ty::Ptr);
        let a = self.pointer_int(code);
        let from = Ty::Int(self.module.program.target.pointer_bits());
        self.emit(InstKind::Cast { dst, op: CastOp::IntToPtr, from, to: Ty::Ptr, a });
        Operand::Reg(dst)
    }
}

impl<'m> Lowering<'m> {
    /// The scalars of a constant that needs no instruction.
    pub(super) fn constant(&self, value: Value<'m>) -> Result<Parts, Unsupported> {
        let ty = value.ty();
        if value.is_poison() {
            return Err("a value that the compiler found to be undefined (poison)".to_owned());
        }
        if let Some(&global) = self.globals.get(&value) {
            if self.has_unknown_size(value) {
                return Err("the address of an external array of unknown size".to_owned());
            }
            return Ok(smallvec::smallvec![Operand::Global(global)]);
        }
        if let Some(&function) = self.functions.get(&value) {
            return Ok(smallvec::smallvec![Operand::Func(function)]);
        }
        if let Some(words) = value.wide_constant() {
            let parts = self.parts(ty)?.into_iter().zip(words);
            let constant = |(part, word): (Part, u64)| match part.ty {
                Ty::Int(width) => Ok(Operand::Int { bits: u128::from(word), width }),
                _ => Err("an unusual constant".to_owned()),
            };
            return parts.map(constant).collect();
        }
        match ty.kind() {
            TypeKind::Struct | TypeKind::Array | TypeKind::Vector => self.aggregate_constant(value),
            _ => Ok(smallvec::smallvec![self.scalar_constant(value, ty)?]),
        }
    }

    fn scalar_constant(&self, value: Value<'m>, ty: Type<'m>) -> Result<Operand, Unsupported> {
        let scalar = self.scalar(ty)?;
        if value.is_undef() {
            return Ok(Operand::Undef(scalar));
        }
        let found = match scalar {
            Ty::Int(width) => value.int_constant().map(|bits| Operand::Int { bits, width }),
            Ty::Float(kind) => value.float_constant().map(|bits| Operand::Float { bits, kind }),
            Ty::Ptr => value.is_null_constant().then_some(Operand::Null),
        };
        found.ok_or_else(|| "an unusual constant".to_owned())
    }

    fn aggregate_constant(&self, value: Value<'m>) -> Result<Parts, Unsupported> {
        let ty = value.ty();
        let count = if ty.kind() == TypeKind::Struct { ty.members().len() as u64 } else { ty.count() };
        let mut parts = Parts::new();
        for index in 0..count {
            let element = value.element(index as u32).ok_or("an unusual constant")?;
            if element.constant_opcode().is_some() {
                return Err("an address inside a structure constant".to_owned());
            }
            if element.is_poison() && ty.kind() == TypeKind::Vector {
                parts.push(Operand::Undef(self.lane(ty)?));
                continue;
            }
            parts.extend(self.constant(element)?);
        }
        Ok(parts)
    }
}
