//! Variadic arguments: structures become words, and words without meaning stand before what has to be aligned.

use super::Unsupported;
use super::body::{Builder, Parts};
use crate::llvm::{Type, TypeKind, Value};
use heapproof_ir::{BinOp, FloatKind, InstKind, Operand, Target, Ty};
use llvm_sys::LLVMOpcode;

/// How far the area of the variadic arguments is filled.
#[derive(Default)]
pub struct VariadicArea {
    end: u64,
}

/// The area itself is aligned to no more.
const MOST_ALIGNED: u64 = 64;

impl<'m> Builder<'_, 'm> {
    /// The scalars of a variadic argument, with what has to stand before it.
    pub fn variadic_argument(
        &mut self,
        call: Value<'m>,
        index: u32,
        area: &mut VariadicArea,
    ) -> Result<Parts, Unsupported> {
        let argument = call.operand(index);
        let target = self.module.program.target;
        let (align, parts) = match call.byval_argument(index) {
            Some(ty) => {
                // A `_BitInt` of two words is aligned to one here, and only the call says so.
                let align = match call.argument_alignment(index) {
                    0 => self.module.layout.align(ty),
                    stated => stated,
                };
                (align, self.structure_words(argument, ty)?)
            }
            None if argument.ty().kind() == TypeKind::Vector => {
                let align = self.module.layout.align(argument.ty());
                (align, smallvec::smallvec![self.packed(argument)?])
            }
            None => (self.alignment_of_first_half(argument)?, self.operand(argument)?),
        };
        let word = target.pointer_bytes();
        if align > word && target == Target::Ilp32 {
            return Err("an over-aligned structure among variadic arguments".to_owned());
        }
        if align > MOST_ALIGNED {
            return Err(format!("a variadic argument that is aligned to {align} bytes"));
        }
        let mut all = Parts::new();
        while align > word && !area.end.is_multiple_of(align) {
            all.push(self.pointer_int(0));
            area.end += word;
        }
        for part in parts {
            let (size, align) = slot(self.body.operand_ty(&part), target);
            area.end = area.end.next_multiple_of(align) + size;
            all.push(part);
        }
        Ok(all)
    }

    /// `__int128` and structures that are aligned like it are passed in two halves, but found by their alignment. Whose
    /// half an argument is only its origin tells; 0 if it is a value of its own.
    fn alignment_of_first_half(&self, argument: Value<'m>) -> Result<u64, Unsupported> {
        let mut place = match argument.is_instruction() && argument.opcode() == LLVMOpcode::LLVMLoad {
            true => argument.operand(0),
            false => return Ok(0),
        };
        let (mut first, mut is_whole) = (None, false);
        while place.is_instruction() && place.opcode() == LLVMOpcode::LLVMGetElementPtr
            || place.constant_opcode() == Some(LLVMOpcode::LLVMGetElementPtr)
        {
            if place.gep_source_type().is_literal_structure() {
                first = Some(self.module.constant_gep_offset(place) == Some(0));
            }
            // What clang calls so is the only member of a structure, which is passed as that member.
            is_whole |= place.name().starts_with("coerce.dive");
            place = place.operand(0);
        }
        let is_alloca = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
        if is_whole && is_alloca && place.alignment() > 8 {
            return Err("an over-aligned structure among variadic arguments".to_owned());
        }
        let Some(first) = first else { return Ok(0) };
        if !is_alloca && !place.is_global_variable() {
            return Ok(0);
        }
        let ty = if is_alloca { place.allocated_type() } else { place.value_type() };
        match ty.kind() {
            // A `_BitInt` of that size is aligned to a word.
            TypeKind::Int(128) if first && place.alignment() > 8 => Ok(16),
            TypeKind::Struct if first && place.alignment() > 8 => {
                Err("an over-aligned structure among variadic arguments".to_owned())
            }
            _ => Ok(0),
        }
    }

    /// A structure, as the words that it fills on the stack.
    fn structure_words(&mut self, argument: Value<'m>, ty: Type<'m>) -> Result<Parts, Unsupported> {
        let word = self.module.program.target.pointer_bytes();
        let base = self.single(argument)?;
        let size = self.module.layout.alloc_size(ty);
        let target = self.module.program.target;
        let scalars = self.module.parts(ty)?;
        let mut words = Parts::new();
        for offset in (0..size).step_by(word as usize) {
            // Padding at the end of a word stays what it is in the area: without a value.
            let inside = scalars.iter().filter(|part| part.offset < offset + word);
            let end = inside.map(|part| part.offset + part.ty.bytes(target)).max().unwrap_or(0);
            words.push(match end.min(offset + word).saturating_sub(offset) {
                0 => Operand::Undef(Ty::Int(8)),
                bytes => self.load_bytes(base, offset, bytes),
            });
        }
        Ok(words)
    }

    /// Loads a few bytes as an integer.
    fn load_bytes(&mut self, base: Operand, offset: u64, bytes: u64) -> Operand {
        let width = (bytes * 8) as u8;
        let mut result: Option<Operand> = None;
        let mut done = 0;
        while done < bytes {
            // The largest power of two that still fits.
            let piece = 1 << (bytes - done).ilog2();
            let loaded = self.temporary(Ty::Int((piece * 8) as u8));
            let ptr = self.at_offset(base, offset + done);
            self.emit(InstKind::Load { dst: loaded, ty: Ty::Int((piece * 8) as u8), ptr });
            let wide = self.resize(Operand::Reg(loaded), Ty::Int(width));
            result = Some(match result {
                None => wide,
                Some(low) => {
                    let (moved, sum) = (self.temporary(Ty::Int(width)), self.temporary(Ty::Int(width)));
                    let b = Operand::Int { bits: u128::from(done * 8), width };
                    self.emit(InstKind::Bin { dst: moved, op: BinOp::Shl, width, a: wide, b });
                    let b = Operand::Reg(moved);
                    self.emit(InstKind::Bin { dst: sum, op: BinOp::Or, width, a: low, b });
                    Operand::Reg(sum)
                }
            });
            done += piece;
        }
        result.unwrap_or(Operand::Int { bits: 0, width })
    }
}

/// Size and alignment of a scalar among variadic arguments.
fn slot(ty: Ty, target: Target) -> (u64, u64) {
    let word = target.pointer_bytes();
    match ty {
        Ty::Float(FloatKind::X87 | FloatKind::F128) | Ty::Int(65..) if target == Target::Lp64 => (16, 16),
        _ => (ty.bytes(target).next_multiple_of(word), word),
    }
}
