//! Why the execution of an instruction does not simply go on.

use heapproof_ir::FuncId;
use heapproof_logic::Term;
use heapproof_verdict::{ErrorClass, Property};

/// Three different things: the path goes on in several ways or ends, the program has an error, the engine has a limit.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The condition may and may not hold: the instruction is executed again in both cases.
    Split(Term),
    /// The path ends here.
    End,
    /// The program has an error on this path.
    Error(Fault),
    /// This is not covered.
    NotCovered(String),
    /// An external function has no model.
    External(FuncId),
    /// The exploration is over: what was looked for is found.
    Found,
}

/// An error of the program.
#[derive(Clone, Debug)]
pub struct Fault {
    pub class: ErrorClass,
    pub property: Property,
    pub message: String,
}

impl Fault {
    /// An error of a class against the first property that the class is about.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Fault {
        let property = class.properties().first().copied().unwrap_or(Property::ValidDeref);
        Fault { class, property, message: message.into() }
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Error(fault)
    }
}

pub type Res<T> = Result<T, Halt>;

pub fn not_covered<T>(what: impl Into<String>) -> Res<T> {
    Err(Halt::NotCovered(what.into()))
}
