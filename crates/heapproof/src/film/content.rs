//! The parts of an object as rows: members and elements by the C type, with values as C writes them.

use heapproof_interp::{Piece, Scalar};
use heapproof_ir::ctype::{members, size_of, strip};
use heapproof_ir::{CType, FuncId, Program, TypeId, sign_extend};
use std::collections::BTreeMap;

/// The most parts of an object.
const MOST_PARTS: usize = 10;
/// The most elements of an array.
const MOST_ELEMENTS: u64 = 6;
/// The longest string that is shown.
const LONGEST_STRING: usize = 24;

/// A part of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub offset: u64,
    pub name: String,
    pub value: Value,
}

/// What a part holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    /// An address with the type of what lies there, if the source says it.
    Address(Scalar, Option<TypeId>),
}

/// Reads contents.
pub struct Reader<'a> {
    pub program: &'a Program,
    pub content: BTreeMap<u64, Piece>,
    pub size: u64,
}

impl<'a> Reader<'a> {
    pub fn new(program: &'a Program, content: Option<&[(u64, Piece)]>, size: u64) -> Self {
        Reader { program, content: content.unwrap_or_default().iter().copied().collect(), size }
    }

    /// The object's parts.
    pub fn parts(&self, ty: Option<TypeId>) -> Vec<Part> {
        let mut parts = Vec::new();
        match ty.and_then(|ty| Some((ty, self.size_of(ty).filter(|size| *size > 0)?))) {
            Some((ty, size)) if self.size >= 2 * size => {
                self.elements(ty, size, self.size / size, 0, "", &mut parts)
            }
            Some((ty, _)) => self.part(ty, 0, "", &mut parts),
            None => self.untyped(&mut parts),
        }
        if parts.len() > MOST_PARTS {
            // Where it points to matters most.
            let points = |part: &Part| matches!(part.value, Value::Address(..));
            let more = parts.len() - MOST_PARTS;
            let mut plain = parts.iter().filter(|part| !points(part)).count().saturating_sub(more);
            parts.retain(|part| {
                let kept = points(part) || plain > 0;
                plain = plain.saturating_sub(usize::from(!points(part)));
                kept
            });
            parts.truncate(MOST_PARTS);
            let text = Value::Text(String::new());
            parts.push(Part { offset: u64::MAX, name: format!("… {more} more"), value: text });
        }
        parts
    }

    fn size_of(&self, ty: TypeId) -> Option<u64> {
        size_of(&self.program.types, ty, self.program.target.pointer_bytes())
    }

    fn part(&self, ty: TypeId, offset: u64, name: &str, parts: &mut Vec<Part>) {
        if offset >= self.size || parts.len() > 4 * MOST_PARTS {
            return;
        }
        let types = &self.program.types;
        let joined = |inner: &Option<String>| match inner {
            Some(inner) if name.is_empty() => inner.clone(),
            Some(inner) => format!("{name}.{inner}"),
            None => name.to_owned(),
        };
        match &types[strip(types, ty)] {
            CType::Struct { .. } => {
                for member in members(types, ty) {
                    let name = joined(&member.name);
                    match member.bit_width {
                        Some(width) => self.bits(offset * 8 + member.bit_offset, width, name, parts),
                        None => self.part(member.ty, offset + member.bit_offset / 8, &name, parts),
                    }
                }
            }
            CType::Union { .. } => {
                // The member that what is there looks like.
                let pointer = self.address(offset).is_some();
                let all = members(types, ty);
                let is_pointer = |id: TypeId| matches!(types[strip(types, id)], CType::Pointer { .. });
                let fits = all.iter().find(|member| is_pointer(member.ty) == pointer);
                if let Some(member) = fits.or(all.first()) {
                    self.part(member.ty, offset, &joined(&member.name), parts);
                }
            }
            CType::Array { element, count } => {
                let Some(size) = self.size_of(*element).filter(|size| *size > 0) else { return };
                let count = count.unwrap_or((self.size - offset) / size);
                self.elements(*element, size, count, offset, name, parts);
            }
            _ => {
                let value = self.scalar(offset, ty);
                parts.push(Part { offset, name: name.to_owned(), value });
            }
        }
    }

    fn elements(&self, ty: TypeId, size: u64, count: u64, offset: u64, name: &str, parts: &mut Vec<Part>) {
        let types = &self.program.types;
        if matches!(&types[strip(types, ty)], CType::Int { size: 1, .. }) {
            let value = Value::Text(self.string(offset, count));
            parts.push(Part { offset, name: name.to_owned(), value });
            return;
        }
        let shown = if count > MOST_ELEMENTS + 1 { MOST_ELEMENTS } else { count };
        for index in 0..shown {
            self.part(ty, offset + index * size, &format!("{name}[{index}]"), parts);
        }
        if count > shown {
            let value = Value::Text(format!("… {} more", count - shown));
            parts.push(Part { offset: u64::MAX, name: name.to_owned(), value });
        }
    }

    /// Characters as a string, as far as they are known.
    pub fn string(&self, offset: u64, count: u64) -> String {
        let mut text = String::from("\"");
        for index in 0..count {
            match self.content.get(&(offset + index)) {
                Some(Piece::Byte(0)) => break,
                _ if text.len() > LONGEST_STRING => {
                    text.push('…');
                    break;
                }
                Some(Piece::Byte(byte)) => text.extend(std::ascii::escape_default(*byte).map(char::from)),
                _ if index == 0 => return format!("{count} bytes, not set"),
                _ => {
                    text.push('?');
                    break;
                }
            }
        }
        text.push('"');
        text
    }

    /// Without a type: addresses, and how much there is.
    fn untyped(&self, parts: &mut Vec<Part>) {
        let addresses = self.content.iter().filter_map(|(offset, piece)| match piece {
            Piece::Address(scalar) => Some((*offset, *scalar)),
            Piece::Byte(_) => None,
        });
        for (offset, scalar) in addresses {
            let value = Value::Address(scalar, None);
            parts.push(Part { offset, name: format!("+{offset}"), value });
        }
        let first = (0..self.size)
            .take_while(|at| matches!(self.content.get(at), Some(Piece::Byte(32..127))))
            .count();
        if parts.is_empty() && first > 2 {
            let value = Value::Text(self.string(0, self.size));
            parts.push(Part { offset: 0, name: String::new(), value });
        } else if parts.is_empty() && self.size > 0 {
            let set = self.content.len() as u64;
            let text = match set {
                0 => "not set".to_owned(),
                n if n == self.size => format!("{n} bytes"),
                n => format!("{n} of {} bytes set", self.size),
            };
            parts.push(Part { offset: 0, name: String::new(), value: Value::Text(text) });
        }
    }

    fn address(&self, offset: u64) -> Option<Scalar> {
        match self.content.get(&offset) {
            Some(Piece::Address(scalar)) => Some(*scalar),
            _ => None,
        }
    }

    /// Bytes as a number; none if one of them is not set.
    fn number(&self, offset: u64, size: u64) -> Option<u128> {
        (0..size.min(16)).rev().try_fold(0u128, |sum, index| match self.content.get(&(offset + index)) {
            Some(Piece::Byte(byte)) => Some(sum << 8 | u128::from(*byte)),
            _ => None,
        })
    }

    fn bits(&self, first: u64, width: u64, name: String, parts: &mut Vec<Part>) {
        if name.is_empty() || width == 0 || width > 64 {
            return;
        }
        let offset = first / 8;
        let bytes = (first % 8 + width).div_ceil(8);
        let value = self.number(offset, bytes).map(|bits| (bits >> (first % 8)) & ((1 << width) - 1));
        let value = Value::Text(value.map_or("?".to_owned(), |value| value.to_string()));
        parts.push(Part { offset, name, value });
    }

    fn scalar(&self, offset: u64, ty: TypeId) -> Value {
        let types = &self.program.types;
        if let Some(scalar) = self.address(offset) {
            return Value::Address(scalar, heapproof_ir::ctype::pointee(types, ty));
        }
        let size = self.size_of(ty).unwrap_or(0);
        match self.number(offset, size) {
            _ if size > 16 => Value::Text(format!("{size} bytes")),
            Some(bits) => Value::Text(constant(self.program, bits, Some(ty), size)),
            None => Value::Text("?".to_owned()),
        }
    }
}

/// A number as C writes a constant of the type.
pub fn constant(program: &Program, bits: u128, ty: Option<TypeId>, size: u64) -> String {
    let types = &program.types;
    let signed = |bits: u128| sign_extend(bits, (size * 8).clamp(1, 128) as u8);
    match ty.map(|ty| &types[strip(types, ty)]) {
        Some(CType::Pointer { .. }) if bits == 0 => "NULL".to_owned(),
        Some(CType::Pointer { .. }) => format!("{bits:#x}"),
        Some(CType::Int { name, .. }) if name == "_Bool" => {
            if bits == 0 { "false" } else { "true" }.to_owned()
        }
        Some(CType::Int { name, size: 1, .. }) if name == "char" && (32..127).contains(&bits) => {
            format!("'{}'", char::from(bits as u8))
        }
        Some(CType::Int { signed: true, .. }) => signed(bits).to_string(),
        Some(CType::Enum { enumerators, .. }) => {
            let value = signed(bits);
            let named = enumerators.iter().find(|(_, of)| *of == value || *of as u128 == bits);
            named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
        }
        Some(CType::Float { size: 4, .. }) => f32::from_bits(bits as u32).to_string(),
        Some(CType::Float { size: 8, .. }) => f64::from_bits(bits as u64).to_string(),
        Some(CType::Float { .. }) => "a floating point number".to_owned(),
        Some(_) => bits.to_string(),
        None => signed(bits).to_string(),
    }
}

/// The address of a function as C writes it.
pub fn function(program: &Program, func: FuncId) -> String {
    format!("&{}", program.functions[func].name)
}
