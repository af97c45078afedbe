//! Names and types of variables of the formula.

use crate::build::{Builder, Frame};
use crate::plan::{Key, ObjKind};
use crate::value::Obj;
use heapproof_ir::CType;

impl Builder<'_> {
    /// True if the C type of a variable has a sign.
    pub fn is_signed(&self, frame: &Frame, key: Key) -> bool {
        let Key::Reg(id, reg) = key else { return true };
        if id != frame.id {
            return true;
        }
        let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
        let ctype = body.regs[reg].variable.as_ref().and_then(|v| v.ctype);
        let Some(ctype) = ctype else { return true };
        let types = &self.program.types;
        !matches!(types[heapproof_ir::ctype::strip(types, ctype)], CType::Int { signed: false, .. })
    }

    /// The width of a variable.
    pub fn bits(&self, frame: &Frame, key: Key) -> u8 {
        match key {
            Key::Reg(id, reg) if id == frame.id => {
                let body = self.program.functions[frame.func].body.as_ref().expect("it is being followed");
                body.regs[reg].ty.bits(self.program.target)
            }
            Key::Cell(_, _, len) => (8 * len.min(16)) as u8,
            Key::Live(_) | Key::Made(_) | Key::Sealed(_) => 1,
            Key::Tag(_) => 8,
            _ => self.width,
        }
    }

    /// The name of a variable for people.
    pub fn name(&self, key: Key) -> String {
        match key {
            Key::Reg(_, reg) => {
                let body = self.stack.last().and_then(|func| self.program.functions[*func].body.as_ref());
                let info = body.and_then(|body| body.regs.get(reg));
                match info.and_then(|info| info.variable.as_ref()) {
                    Some(variable) => variable.name.clone(),
                    None => format!("r{}", reg.as_u32()),
                }
            }
            Key::Cell(obj, off, _) => format!("{}[{off}]", self.object_name(obj)),
            Key::Live(obj) => format!("{}.live", self.object_name(obj)),
            Key::Size(obj) => format!("{}.size", self.object_name(obj)),
            Key::Made(obj) => format!("{}.made", self.object_name(obj)),
            Key::Tag(obj) => format!("{}.tag", self.object_name(obj)),
            Key::Sealed(obj) => format!("{}.sealed", self.object_name(obj)),
        }
    }

    /// The name of an object for people.
    pub fn object_name(&self, obj: Obj) -> String {
        match self.plan.kind(obj) {
            Some(ObjKind::Global(global)) => self.program.globals[global].name.clone(),
            Some(ObjKind::Function(func)) => self.program.functions[func].name.clone(),
            Some(ObjKind::Local(_, local)) => format!("local{}.{obj}", local.as_u32()),
            Some(ObjKind::Single(..) | ObjKind::Stack(..)) => format!("block{obj}"),
            Some(ObjKind::Witness(_, _, _, n)) => format!("node{obj}.{n}"),
            Some(ObjKind::Rest(..)) => format!("rest{obj}"),
            Some(ObjKind::Element(parent, n)) => format!("{}.element{n}", self.object_name(parent)),
            None => format!("obj{obj}"),
        }
    }
}
