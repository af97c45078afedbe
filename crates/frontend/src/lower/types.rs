//! LLVM types as the scalars they are made of.

use super::{Lowering, Unsupported};
use crate::llvm::{Type, TypeKind};
use heapproof_ir::{FloatKind, Ty};

/// A scalar inside a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The type of the scalar.
    pub ty: Ty,
    /// Its offset in bytes.
    pub offset: u64,
}

/// More scalars than this in one value are not taken apart; clang writes such values only for huge constants.
const MOST_PARTS: u64 = 4096;

impl<'m> Lowering<'m> {
    /// The scalars of a first-class type, in order.
    pub(super) fn parts(&self, ty: Type<'m>) -> Result<Vec<Part>, Unsupported> {
        let mut parts = Vec::new();
        self.collect(ty, 0, &mut parts)?;
        Ok(parts)
    }

    /// The types of the scalars, or nothing for a type that has none here.
    pub(super) fn parts_or_none(&self, ty: Type<'m>) -> Vec<Ty> {
        self.parts(ty).map(|parts| parts.into_iter().map(|p| p.ty).collect()).unwrap_or_default()
    }

    /// The scalar that a type is.
    pub(super) fn scalar(&self, ty: Type<'m>) -> Result<Ty, Unsupported> {
        match self.parts(ty)?[..] {
            [part] => Ok(part.ty),
            _ => Err("an operation on a structure value".to_owned()),
        }
    }

    fn collect(&self, ty: Type<'m>, offset: u64, parts: &mut Vec<Part>) -> Result<(), Unsupported> {
        let scalar = match ty.kind() {
            TypeKind::Void => return Ok(()),
            TypeKind::Int(width @ 1..=128) => Ty::Int(width as u8),
            TypeKind::Int(width) => {
                // The storage of packed bit-fields; words of 64 bits.
                for start in (0..width).step_by(64) {
                    let ty = Ty::Int((width - start).min(64) as u8);
                    parts.push(Part { ty, offset: offset + u64::from(start / 8) });
                }
                return Ok(());
            }
            TypeKind::Pointer => Ty::Ptr,
            TypeKind::Float => Ty::Float(FloatKind::F32),
            TypeKind::Double => Ty::Float(FloatKind::F64),
            TypeKind::X87 => Ty::Float(FloatKind::X87),
            TypeKind::Quad => Ty::Float(FloatKind::F128),
            TypeKind::Vector => {
                let (element, count) = (self.scalar(ty.element())?, few(ty.count(), "a vector")?);
                // Elements of a vector lie side by side; bits without a byte of their own have no place in memory.
                let size = u64::from(element.bits(self.program.target) / 8);
                parts.extend((0..count).map(|index| Part { ty: element, offset: offset + index * size }));
                return Ok(());
            }
            TypeKind::Struct => {
                for (index, member) in ty.members().into_iter().enumerate() {
                    let at = offset + self.layout.member_offset(ty, index as u32);
                    self.collect(member, at, parts)?;
                }
                return Ok(());
            }
            TypeKind::Array => {
                let (element, count) = (ty.element(), few(ty.count(), "an array")?);
                let size = self.layout.alloc_size(element);
                for index in 0..count {
                    self.collect(element, offset + index * size, parts)?;
                }
                return Ok(());
            }
            TypeKind::Function | TypeKind::Other => return Err("a value of an unusual type".to_owned()),
        };
        parts.push(Part { ty: scalar, offset });
        Ok(())
    }

    /// The scalar that a type is, or that each element of a vector is.
    pub(super) fn lane(&self, ty: Type<'m>) -> Result<Ty, Unsupported> {
        self.scalar(if ty.kind() == TypeKind::Vector { ty.element() } else { ty })
    }
}

/// The number of elements of a value, if it can be taken apart.
fn few(count: u64, what: &str) -> Result<u64, Unsupported> {
    if count > MOST_PARTS {
        return Err(format!("a value that is {what} of {count} elements"));
    }
    Ok(count)
}
