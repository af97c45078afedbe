//! Pictures of a state of a program: variables, blocks of memory, and where they point to. Plain data, and its drawing.

mod invariant;
mod layout;
mod svg;

#[cfg(test)]
mod tests;

pub use invariant::{Shape, shapes};
pub use layout::Layout;
pub use svg::draw;
pub(crate) use svg::escape;

use heapproof_verdict::Location;

/// A state as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Functions with their variables, the outermost first; global variables may come before.
    pub frames: Vec<Frame>,
    /// Blocks of memory.
    pub blocks: Vec<Block>,
    /// How many more there are.
    pub left_out: usize,
    /// What goes wrong in this state, in words.
    pub error: Option<String>,
}

/// Variables that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function, or what else holds them.
    pub name: String,
    /// The variables.
    pub rows: Vec<Row>,
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// By which arrows find it; the same block has the same one in all pictures of an execution.
    pub id: u32,
    /// Its name and type.
    pub title: String,
    /// Its size, and what else there is to say.
    pub note: String,
    /// Its parts.
    pub rows: Vec<Row>,
    /// How it is.
    pub state: State,
    /// The error is about it.
    pub bad: bool,
}

/// How a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can be used.
    Live,
    /// It is new in this picture.
    New,
    /// It was freed, or its variable is out of scope.
    Gone,
    /// Nothing points to it any more, and it was not freed.
    Lost,
    /// It stands for many blocks that are linked.
    Many,
}

/// A variable or a part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its offset in its block.
    pub offset: u64,
    /// Its name.
    pub name: String,
    /// Its value, where it is no arrow.
    pub value: String,
    /// The block that it points to, and the offset there.
    pub to: Option<(u32, i64)>,
    /// By which arrows find a variable that is pointed to.
    pub id: Option<u32>,
    /// It differs from the picture before.
    pub changed: bool,
    /// The error is about it.
    pub bad: bool,
}

impl Row {
    /// A row with a value.
    pub fn new(offset: u64, name: impl Into<String>, value: impl Into<String>) -> Row {
        Row { offset, name: name.into(), value: value.into(), to: None, id: None, changed: false, bad: false }
    }
}

/// The pictures of an execution, one for each step that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Film {
    /// The violation that it ends with: its place in the answer's list.
    pub violation: usize,
    /// The steps, oldest first.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is about to be executed.
    pub location: Location,
    /// What has happened since the step before.
    pub happened: Vec<String>,
    /// How many steps before this one are not shown.
    pub left_out: u64,
    /// The state.
    pub picture: Picture,
}
