//! A state: the pure part, the stack of frames, and the heap of separated segments (section 5.2 of the thesis).

use crate::heap::Heap;
use crate::pure::Pure;
use crate::value::{ObjId, Value};
use heapproof_confirm::Position;
use heapproof_ir::{BlockId, FuncId, Reg};
use heapproof_logic::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The caller goes on.
    Callee,
    /// The program ends.
    Entry,
    /// A function given to `atexit`: the next one runs, or the program ends.
    Handler,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    pub func: FuncId,
    pub role: Role,
    /// The block and the instruction that is executed; behind the call in frames that wait.
    pub block: BlockId,
    pub inst: usize,
    /// None is a register without a value.
    pub regs: Vec<Option<Value>>,
    pub locals: Vec<Option<ObjId>>,
    pub allocas: Vec<ObjId>,
    /// Where the variadic arguments lie.
    pub variadic: Option<ObjId>,
    /// Where the caller wants the results.
    pub results: Vec<Reg>,
    /// No other frame has it.
    pub serial: u64,
}

/// What a path has come to.
#[derive(Clone, Debug)]
pub struct State {
    pub pure: Pure,
    pub frames: Vec<Rc<Frame>>,
    pub heap: Heap,
    /// The functions given to `atexit`.
    pub handlers: Vec<FuncId>,
    /// What calls of `setjmp` noted.
    pub jumps: Rc<crate::jump::Jumps>,
    /// Answers of the environment that stay the same.
    pub answers: Rc<BTreeMap<(&'static str, Vec<Term>), Value>>,
    /// Objects of the library that there is one of.
    pub library: Rc<BTreeMap<&'static str, ObjId>>,
    /// Blocks of which it was told already that they are lost.
    pub lost: BTreeSet<ObjId>,
    /// What the caller of the first function gets.
    pub held: Vec<Value>,
}

impl State {
    pub fn new() -> State {
        State {
            pure: Pure::default(),
            frames: Vec::new(),
            heap: Heap::default(),
            handlers: Vec::new(),
            jumps: Rc::default(),
            answers: Rc::default(),
            library: Rc::default(),
            lost: BTreeSet::new(),
            held: Vec::new(),
        }
    }

    pub fn top(&self) -> &Frame {
        self.frames.last().expect("the program runs")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("the program runs"))
    }

    /// The place that is executed.
    pub fn position(&self) -> Option<Position> {
        self.frames.last().map(|frame| (frame.func, frame.block, frame.inst))
    }

    pub fn set(&mut self, reg: Reg, value: Value) {
        self.top_mut().regs[reg.as_u32() as usize] = Some(value);
    }

    /// Goes on at the next instruction.
    pub fn advance(&mut self) {
        self.top_mut().inst += 1;
        self.pure.advance();
    }
}
