//! C-like names of values for messages: `p->next->data`, `a[i]`, `*p`, `&x`.
//!
//! A temporary is followed to its definition: the last one before the place in the same block, else the only one
//! in the function. The names are those of the variables read there; a variable may have been assigned since, so
//! a description is for people, not a fact.

mod types;

#[cfg(test)]
mod tests;

pub use types::{member_at, type_name};

use crate::ctype::{self, TypeId, size_of};
use crate::inst::{BinOp, Callee, InstKind, Operand};
use crate::program::{BlockId, Body, FuncId, GlobalId, GlobalInit, Program, Reg};
use crate::scalar::sign_extend;
use types::path_at;

/// How far definitions are followed.
const DEPTH: u32 = 12;

/// The value of an operand in C-like syntax, as seen at an instruction (a block and an index in it; the index behind
/// the last instruction is the terminator). None if it has no name a programmer would know.
pub fn describe_operand(
    program: &Program,
    function: FuncId,
    operand: &Operand,
    at: Option<(BlockId, usize)>,
) -> Option<String> {
    let body = program.functions[function].body.as_ref()?;
    Describer { program, body }.value(operand, at, DEPTH).map(|value| value.text)
}

/// The object that a pointer points to, as an access to it would be written: `p->next` for the address
/// `&p->next`, `*p` for `p`, `x` for `&x`. A scalar inside a structure is named as such.
pub fn describe_target(
    program: &Program,
    function: FuncId,
    pointer: &Operand,
    at: Option<(BlockId, usize)>,
) -> Option<String> {
    let body = program.functions[function].body.as_ref()?;
    let describer = Describer { program, body };
    Some(describer.leaf(describer.place(pointer, at, DEPTH)?).text())
}

type At = Option<(BlockId, usize)>;

/// A value and what it points to, where it is a pointer with a known type.
struct Value {
    text: String,
    pointee: Option<TypeId>,
}

/// What stands in front of a path of members.
enum Base {
    /// The name of an object.
    Object(String),
    /// A pointer.
    Deref(String),
}

/// An object or a part of one.
struct Place {
    base: Base,
    /// Members and indices, each with its dot or brackets.
    path: String,
    ctype: Option<TypeId>,
}

impl Place {
    fn text(&self) -> String {
        match &self.base {
            Base::Object(name) => format!("{name}{}", self.path),
            Base::Deref(pointer) if self.path.is_empty() => format!("*{pointer}"),
            Base::Deref(pointer) => match self.path.strip_prefix('.') {
                Some(path) => format!("{pointer}->{path}"),
                None => format!("{pointer}{}", self.path),
            },
        }
    }
}

struct Describer<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl Describer<'_> {
    fn pointer_bytes(&self) -> u64 {
        self.program.target.pointer_bytes()
    }

    /// The definition of a temporary and where it is.
    fn definition(&self, reg: Reg, at: At) -> Option<(&InstKind, At)> {
        if let Some((block, index)) = at {
            let insts = &self.body.blocks.get(block)?.insts;
            let before = insts.iter().take(index).enumerate().rev();
            for (index, inst) in before {
                if inst.kind.defs().contains(&reg) {
                    return Some((&inst.kind, Some((block, index))));
                }
            }
        }
        let mut found = None;
        for (block, content) in self.body.blocks.iter() {
            for (index, inst) in content.insts.iter().enumerate() {
                if inst.kind.defs().contains(&reg) {
                    if found.is_some() {
                        return None;
                    }
                    found = Some((&inst.kind, Some((block, index))));
                }
            }
        }
        found
    }

    fn value(&self, operand: &Operand, at: At, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let plain = |text: String| Some(Value { text, pointee: None });
        match operand {
            Operand::Reg(reg) => {
                if let Some(variable) = &self.body.regs.get(*reg)?.variable {
                    let pointee = variable.ctype.and_then(|id| ctype::pointee(&self.program.types, id));
                    return Some(Value { text: variable.name.clone(), pointee });
                }
                let (kind, at) = self.definition(*reg, at)?;
                self.result(kind, at, depth)
            }
            Operand::Int { bits, width } => plain(sign_extend(*bits, *width).to_string()),
            Operand::Null => plain("NULL".to_owned()),
            Operand::Global(_) | Operand::Local(_) => Some(self.address(self.place(operand, at, depth)?)),
            Operand::Func(id) => plain(self.program.functions.get(*id)?.name.clone()),
            Operand::Float { .. } | Operand::Undef(_) => None,
        }
    }

    /// The value that an instruction gives.
    fn result(&self, kind: &InstKind, at: At, depth: u32) -> Option<Value> {
        match kind {
            InstKind::Copy { src, .. } | InstKind::Cast { a: src, .. } => self.value(src, at, depth),
            InstKind::Load { ptr, .. } => {
                let place = self.leaf(self.place(ptr, at, depth)?);
                let pointee = place.ctype.and_then(|id| ctype::pointee(&self.program.types, id));
                Some(Value { text: place.text(), pointee })
            }
            InstKind::PtrAdd { .. } => Some(self.address(self.added(kind, at, depth)?)),
            InstKind::Bin { op, a, b, .. } => {
                let sign = match op {
                    BinOp::Add => "+",
                    BinOp::Sub => "-",
                    BinOp::Mul => "*",
                    BinOp::UDiv | BinOp::SDiv => "/",
                    BinOp::URem | BinOp::SRem => "%",
                    BinOp::Shl => "<<",
                    BinOp::LShr | BinOp::AShr => ">>",
                    BinOp::And => "&",
                    BinOp::Or => "|",
                    BinOp::Xor => "^",
                };
                let (a, b) = (self.value(a, at, depth)?.text, self.value(b, at, depth)?.text);
                Some(Value { text: format!("({a} {sign} {b})"), pointee: None })
            }
            InstKind::Call { callee: Callee::Direct(id), .. } => {
                let callee = self.program.functions.get(*id)?;
                Some(Value { text: format!("{}(…)", callee.name), pointee: None })
            }
            _ => None,
        }
    }

    /// The object that a pointer points to.
    fn place(&self, pointer: &Operand, at: At, depth: u32) -> Option<Place> {
        let depth = depth.checked_sub(1)?;
        match pointer {
            Operand::Global(id) => {
                let global = self.program.globals.get(*id)?;
                let name = if global.anonymous { self.literal(*id)? } else { global.name.clone() };
                Some(Place { base: Base::Object(name), path: String::new(), ctype: global.ctype })
            }
            Operand::Local(id) => {
                let variable = self.body.locals.get(*id)?.variable.as_ref()?;
                let base = Base::Object(variable.name.clone());
                Some(Place { base, path: String::new(), ctype: variable.ctype })
            }
            Operand::Reg(reg) => {
                if self.body.regs.get(*reg)?.variable.is_none()
                    && let Some((kind, at)) = self.definition(*reg, at)
                {
                    match kind {
                        InstKind::PtrAdd { .. } => return self.added(kind, at, depth),
                        InstKind::Copy { src, .. } => return self.place(src, at, depth),
                        _ => {}
                    }
                }
                let value = self.value(pointer, at, depth)?;
                Some(Place { base: Base::Deref(value.text), path: String::new(), ctype: value.pointee })
            }
            _ => None,
        }
    }

    /// The object that the result of a `ptradd` points to.
    fn added(&self, kind: &InstKind, at: At, depth: u32) -> Option<Place> {
        let InstKind::PtrAdd { base, offset, index, within, .. } = kind else { return None };
        let mut place = self.place(base, at, depth)?;
        let types = &self.program.types;
        let known = within.or(place.ctype);
        let index = match index {
            None => None,
            Some((index, scale)) => Some((self.value(index, at, depth)?.text, *scale)),
        };
        if let Some(id) = known
            && self.walk(&mut place, id, *offset, index.as_ref()).is_some()
        {
            return Some(place);
        }
        // The type says nothing: as arithmetic.
        let mut text = self.address(place).text;
        if *offset != 0 || index.is_none() {
            let sign = if *offset < 0 { '-' } else { '+' };
            text = format!("{text} {sign} {}", offset.unsigned_abs());
        }
        if let Some((index, scale)) = index {
            let factor = if scale == 1 { String::new() } else { format!(" * {scale}") };
            text = format!("{text} + {index}{factor}");
        }
        let ctype = within.filter(|id| ctype::members(types, *id).is_empty());
        Some(Place { base: Base::Deref(format!("({text})")), path: String::new(), ctype })
    }

    /// Goes from an object of type `id` to the part at an offset and index. None if there is no such part.
    fn walk(&self, place: &mut Place, id: TypeId, offset: i64, index: Option<&(String, i64)>) -> Option<()> {
        let types = &self.program.types;
        let size_of = |id| size_of(types, id, self.pointer_bytes()).filter(|size| *size > 0);
        if let Some((index, scale)) = index {
            // An element of an array, or of what a pointer points to.
            let element = ctype::element(types, id)
                .filter(|element| size_of(*element).is_some_and(|size| i64::try_from(size) == Ok(*scale)));
            let whole = size_of(id).is_some_and(|size| i64::try_from(size) == Ok(*scale));
            let behind_pointer = matches!(place.base, Base::Deref(_)) && place.path.is_empty();
            let element = element.or((whole && behind_pointer).then_some(id))?;
            let size = size_of(element)?;
            // A constant part is a member of the element, not another element.
            let offset = u64::try_from(offset).ok().filter(|offset| *offset < size)?;
            place.path.push_str(&format!("[{index}]"));
            place.ctype = Some(element);
            return if offset == 0 { Some(()) } else { self.part(place, element, offset) };
        }
        let size = size_of(id);
        match u64::try_from(offset) {
            Ok(0) => {
                place.ctype = Some(id);
                Some(())
            }
            Ok(offset) if size.is_none_or(|size| offset < size) => self.part(place, id, offset),
            // Beyond the type: another element of what a pointer points to.
            _ => {
                let size = i64::try_from(size?).ok()?;
                let behind_pointer = matches!(place.base, Base::Deref(_)) && place.path.is_empty();
                if !behind_pointer {
                    return None;
                }
                place.path.push_str(&format!("[{}]", offset.div_euclid(size)));
                place.ctype = Some(id);
                match offset.rem_euclid(size) as u64 {
                    0 => Some(()),
                    rest => self.part(place, id, rest),
                }
            }
        }
    }

    fn part(&self, place: &mut Place, id: TypeId, offset: u64) -> Option<()> {
        let part = path_at(&self.program.types, id, offset, self.pointer_bytes(), true)?;
        if part.rest != 0 {
            return None;
        }
        place.path.push_str(&part.path);
        place.ctype = Some(part.ctype);
        Some(())
    }

    /// The scalar at the start of an object: what a load from its address reads.
    fn leaf(&self, mut place: Place) -> Place {
        if let Some(id) = place.ctype
            && let Some(part) = path_at(&self.program.types, id, 0, self.pointer_bytes(), false)
        {
            place.path.push_str(&part.path);
            place.ctype = Some(part.ctype);
        }
        place
    }

    /// The address of an object: arrays and literals stand for their own.
    fn address(&self, place: Place) -> Value {
        let element = place.ctype.and_then(|id| ctype::element(&self.program.types, id));
        let text = match &place.base {
            Base::Deref(pointer) if place.path.is_empty() => pointer.clone(),
            Base::Object(name) if name.starts_with('"') && place.path.is_empty() => name.clone(),
            _ if element.is_some() => place.text(),
            _ => format!("&{}", place.text()),
        };
        Value { text, pointee: element.or(place.ctype) }
    }

    /// A string literal in quotes, shortened.
    fn literal(&self, id: GlobalId) -> Option<String> {
        let GlobalInit::Data { bytes, relocs } = &self.program.globals[id].init else { return None };
        let text: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
        if !relocs.is_empty() {
            return None;
        }
        let text = std::str::from_utf8(&text).ok()?;
        let short: String = text.chars().take(24).flat_map(char::escape_debug).collect();
        let more = if text.chars().count() > 24 { "…" } else { "" };
        Some(format!("\"{short}{more}\""))
    }
}
