//! `setjmp` and `longjmp`, which executions follow; no engine computes them from an effect.

use crate::Model;
use crate::Scalar::{self, Ptr, Void};
use crate::kind::ModelKind;
use heapproof_ir::Target;

const INT: Scalar = Scalar::INT;

/// What `setjmp` fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpBuffer {
    /// A `jmp_buf`.
    Library,
    /// The five words of `__builtin_setjmp`.
    Words,
}

impl JumpBuffer {
    /// Its size in bytes.
    pub fn size(self, target: Target) -> u64 {
        match (self, target) {
            (JumpBuffer::Library, Target::Lp64) => 200,
            (JumpBuffer::Library, Target::Ilp32) => 156,
            (JumpBuffer::Words, _) => 5 * target.pointer_bytes(),
        }
    }
}

/// A jump between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// It notes where it was called, and returns again after a jump.
    Set(JumpBuffer),
    /// It jumps to what the buffer notes.
    To,
}

/// What a model does, if it is one of these.
pub fn jump(model: &Model) -> Option<Jump> {
    Some(match model.name {
        "__builtin_setjmp" => Jump::Set(JumpBuffer::Words),
        name if heapproof_ir::passes::RETURNS_TWICE.contains(&name) => Jump::Set(JumpBuffer::Library),
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__builtin_longjmp" => Jump::To,
        _ => return None,
    })
}

pub(crate) fn models() -> Vec<Model> {
    let set = "Notes where it is called. Executions follow the jump back.";
    let to = "Jumps to where `setjmp` was called, if that call of a function has not returned.";
    let mut all = Vec::new();
    for (name, ret, params, doc) in [
        ("setjmp", INT, &[Ptr][..], set),
        ("_setjmp", INT, &[Ptr], set),
        ("sigsetjmp", INT, &[Ptr, INT], set),
        ("__sigsetjmp", INT, &[Ptr, INT], set),
        ("__builtin_setjmp", INT, &[Ptr], set),
        ("longjmp", Void, &[Ptr, INT], to),
        ("_longjmp", Void, &[Ptr, INT], to),
        ("siglongjmp", Void, &[Ptr, INT], to),
        ("__longjmp_chk", Void, &[Ptr, INT], to),
        ("__builtin_longjmp", Void, &[Ptr], to),
    ] {
        all.push(Model::new(name, ModelKind::Unsupported, ret, params, doc));
    }
    all
}
