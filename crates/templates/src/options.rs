//! How an analysis is done.

/// How loops are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwinding {
    /// Iterations that are followed one by one first.
    pub copies: u32,
    /// One more iteration stands for all others; otherwise longer executions are left out.
    pub cut: bool,
}
