//! Sorts: what kind of value a term stands for.

use std::fmt;
use std::sync::Arc;

/// The widest bit vector.
pub const MAX_WIDTH: u8 = 128;

/// The kind of value that a term stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A mathematical integer.
    Int,
    /// A bit vector of a width from 1 to [`MAX_WIDTH`].
    Bits(u8),
    /// A total map from the first sort to the second.
    Array(Arc<(Sort, Sort)>),
    /// An uninterpreted sort of this name.
    Named(Arc<String>),
}

impl Sort {
    /// Arrays from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new((index, element)))
    }

    /// The uninterpreted sort of a name.
    pub fn named(name: &str) -> Sort {
        Sort::Named(Arc::new(name.to_owned()))
    }

    /// The width of a bit vector.
    pub fn width(&self) -> Option<u8> {
        match self {
            Sort::Bits(width) => Some(*width),
            _ => None,
        }
    }

    /// Calls `f` for every uninterpreted sort in it.
    pub fn for_each_named(&self, f: &mut impl FnMut(&Arc<String>)) {
        match self {
            Sort::Bool | Sort::Int | Sort::Bits(_) => {}
            Sort::Named(name) => f(name),
            Sort::Array(sorts) => {
                sorts.0.for_each_named(f);
                sorts.1.for_each_named(f);
            }
        }
    }
}

/// As SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(sorts) => write!(f, "(Array {} {})", sorts.0, sorts.1),
            Sort::Named(name) => f.write_str(&crate::smtlib::quoted(name)),
        }
    }
}
