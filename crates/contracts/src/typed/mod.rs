//! Typing: from annotations as they are written to trees in which every type, field and name is resolved.

mod ctype;
mod elaborate;
mod names;
mod sets;
mod tree;

pub use ctype::Shown;
pub use ctype::{is_type, link_field, same_type};
pub use elaborate::{Elaborator, Value};
pub use names::{BodyScope, ContractScope, Scope};
pub use tree::{Form, Int, IntOp, Ptr, Set, Var};

use heapproof_ir::TypeId;

/// A link field that annotations speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkField {
    /// The structure.
    pub owner: TypeId,
    /// Its offset in it.
    pub offset: i128,
    /// Its name.
    pub name: String,
}
