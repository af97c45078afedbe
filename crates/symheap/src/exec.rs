//! The executor: what all instructions share. Decisions, demands, reports of errors, operands.

use crate::halt::{Fault, Halt, Res};
use crate::heap::Kind;
use crate::oracle::{Holds, Oracle};
use crate::state::State;
use crate::value::{ObjId, Prov, Value};
use heapproof_confirm::{Journal, Origin};
use heapproof_engine::{Environment, Place, Resolutions};
use heapproof_ir::{Body, FuncId, Operand, Program, Reg, Span, Ty};
use heapproof_logic::{Model, Term};
use heapproof_verdict::{ErrorClass, Property};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Paths to one place that are tried.
const MOST_TRIES: u32 = 40;
/// Values of one number that are told apart by one instruction.
pub const MOST_VALUES: usize = 24;

/// An error that a path may have.
pub struct Suspect<'a> {
    pub fault: &'a Fault,
    pub place: Place,
    /// The inputs and conditions under which it happens.
    pub journal: &'a Journal,
    /// Satisfies them, if such a model is known.
    pub model: Option<&'a Model>,
}

/// Hears of errors.
pub trait Sink {
    /// Looks at a possible error; true ends the exploration.
    fn suspect(&mut self, suspect: &Suspect<'_>) -> bool;
}

/// What stands in the way of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Not covered.
    NotCovered(String, Place),
    /// An external function without a model.
    External(FuncId, Place),
}

/// Executes programs on states.
pub struct Executor<'p> {
    pub program: &'p Program,
    pub environment: &'p Environment,
    /// The number of frames so far.
    pub entered: u64,
    pub resolutions: Resolutions,
    pub oracle: Oracle,
    pub sink: &'p mut dyn Sink,
    /// The models of the two cases of the last split.
    pub split: (Option<Rc<Model>>, Option<Rc<Model>>),
    pub gaps: Vec<Gap>,
    /// Some paths were not followed to their end.
    pub cut: bool,
    /// Functions without code that were called.
    pub externals: BTreeSet<FuncId>,
    /// A function called itself.
    pub recursion: bool,
    /// States at errors and at ends of paths are written to files here.
    pub dump_heaps: Option<std::path::PathBuf>,
    dumped: u32,
    /// Short branches are followed together.
    pub joins: bool,
    /// How cells are found.
    pub deref: crate::deref::Deref,
    pub sep: crate::deref::SepSolver,
    pub word: u8,
    /// Where the sides of branches come together.
    pub meetings: HashMap<(FuncId, heapproof_ir::BlockId), Option<heapproof_ir::BlockId>>,
    pub liveness: HashMap<FuncId, Rc<heapproof_ir::liveness::Liveness>>,
    tries: BTreeMap<(ErrorClass, Place), u32>,
}

impl<'p> Executor<'p> {
    pub fn new(
        program: &'p Program,
        environment: &'p Environment,
        oracle: Oracle,
        sink: &'p mut dyn Sink,
    ) -> Self {
        Executor {
            program,
            environment,
            entered: 0,
            resolutions: Resolutions::new(program, environment),
            oracle,
            sink,
            split: (None, None),
            gaps: Vec::new(),
            cut: false,
            externals: BTreeSet::new(),
            recursion: false,
            dump_heaps: None,
            dumped: 0,
            joins: true,
            deref: Default::default(),
            sep: Default::default(),
            word: program.target.pointer_bits(),
            meetings: HashMap::new(),
            liveness: HashMap::new(),
            tries: BTreeMap::new(),
        }
    }

    pub fn body(&self, func: FuncId) -> &'p Body {
        self.program.functions[func].body.as_ref().expect("a function that is executed has code")
    }

    pub fn asks(&self, property: Property) -> bool {
        self.environment.properties.has(property)
    }

    /// The place that is executed.
    pub fn place(&self, state: &State) -> Place {
        let Some(frame) = state.frames.last() else {
            return Place { func: FuncId::from_u32(0), span: Span::NONE };
        };
        let block = &self.body(frame.func).blocks[frame.block];
        let span = block.insts.get(frame.inst).map_or(block.term_span, |inst| inst.span);
        Place { func: frame.func, span }
    }

    pub fn word_number(&self, number: u64) -> Term {
        Term::bits(number.into(), self.word)
    }

    /// A number that is an input of the program.
    pub fn input(&self, state: &mut State, origin: Origin, width: u8) -> Term {
        let at = state.position();
        state.pure.fresh(width, Some((origin, at)), false)
    }

    /// A number that is an input of the program and that the state keeps.
    pub fn kept_input(&self, state: &mut State, origin: Origin, width: u8) -> Term {
        let at = state.position();
        state.pure.fresh(width, Some((origin, at)), true)
    }

    /// A number of which nothing is known, and which is no input: whoever searches may be wrong about it.
    pub fn unknown(&self, state: &mut State, width: u8) -> Term {
        state.pure.fresh(width, None, false)
    }

    /// Whether a condition holds. If it may and may not, the instruction is executed again in both cases.
    pub fn decide(&mut self, state: &State, condition: &Term) -> Res<bool> {
        if let Some(known) = condition.as_bool().or_else(|| state.pure.decided(condition)) {
            return Ok(known);
        }
        match self.oracle.holds(&state.pure, condition) {
            Holds::Always => Ok(true),
            Holds::Never => Ok(false),
            Holds::Both(yes, no) => {
                self.split = (yes, no);
                Err(Halt::Split(condition.clone()))
            }
        }
    }

    /// A condition has to hold; where it does not, the program has an error. The path goes on where it does.
    pub fn demand(&mut self, state: &mut State, fine: &Term, fault: impl FnOnce() -> Fault) -> Res<()> {
        if fine.as_bool() == Some(true) || state.pure.decided(fine) == Some(true) {
            return Ok(());
        }
        match self.oracle.holds(&state.pure, fine) {
            Holds::Always => Ok(()),
            Holds::Never => Err(fault().into()),
            Holds::Both(yes, no) => {
                let mut journal = state.pure.journal.clone();
                journal.note_condition(fine.clone().not());
                let place = self.place(state);
                self.report(&fault(), place, &journal, no.as_deref())?;
                state.pure.assume(fine, yes);
                state.pure.note_decision(fine, true);
                Ok(())
            }
        }
    }

    /// Tells of an error. A gap is noted if it is of a kind that nobody asked about.
    pub fn report(
        &mut self,
        fault: &Fault,
        place: Place,
        journal: &Journal,
        model: Option<&Model>,
    ) -> Res<()> {
        if !self.asks(fault.property) {
            if fault.class != ErrorClass::AssertionFailure {
                let what = format!("an error of another kind may end the execution: {}", fault.message);
                self.note_gap(Gap::NotCovered(what, place));
            }
            return Ok(());
        }
        let tries = self.tries.entry((fault.class, place)).or_default();
        *tries += 1;
        if *tries > MOST_TRIES {
            return Ok(());
        }
        if self.sink.suspect(&Suspect { fault, place, journal, model }) { Err(Halt::Found) } else { Ok(()) }
    }

    /// Writes a state as a formula, if that is wanted. What cannot be written is left out.
    pub fn dump(&mut self, state: &State, what: &str) {
        const MOST: u32 = 200;
        let Some(folder) = &self.dump_heaps else { return };
        if self.dumped < MOST {
            self.dumped += 1;
            let text = crate::spatial::script(&state.heap, &state.pure.journal, self.word, what);
            let _ = std::fs::write(folder.join(format!("heap-{:04}.smt2", self.dumped)), text);
        }
    }

    pub fn note_gap(&mut self, gap: Gap) {
        const MOST: usize = 16;
        if self.gaps.len() < MOST && !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// One of the values of a number: the greatest and the least first, then what models say. Where there are too many,
    /// paths are left out.
    pub fn concretize(&mut self, state: &State, term: &Term) -> Res<u128> {
        let (low, high) = state.pure.ranges.of(term);
        if low == high {
            return Ok(low);
        }
        let width = term.width();
        let by_model = state.pure.model.as_ref().and_then(|model| model.eval(term).ok()?.as_bits());
        let mut seen = 0;
        for number in [high, low, low + 1].into_iter().chain(by_model).chain(low..=high).take(2 * MOST_VALUES)
        {
            let is = Term::eq(term.clone(), Term::bits(number, width));
            if state.pure.decided(&is) == Some(false) {
                seen += 1;
                continue;
            }
            if seen >= MOST_VALUES {
                break;
            }
            if self.decide(state, &is)? {
                return Ok(number);
            }
        }
        self.cut = true;
        Err(Halt::End)
    }

    /// The value of an operand.
    pub fn operand(&mut self, state: &mut State, operand: &Operand) -> Res<Value> {
        Ok(match operand {
            Operand::Reg(reg) => match &state.top().regs[reg.as_u32() as usize] {
                Some(value) => value.clone(),
                None => self.read_forgotten(state, *reg),
            },
            Operand::Int { bits, width } => Value::number(*bits, *width),
            Operand::Float { bits, kind } => Value::number(*bits, kind.bits()),
            Operand::Null => Value::null(self.word),
            Operand::Global(id) => state.heap.address(self.global(*id)),
            Operand::Func(id) => state.heap.address(ObjId(id.as_u32())),
            Operand::Local(id) => match state.top().locals[id.as_u32() as usize] {
                Some(id) => state.heap.address(id),
                None => return Err(Halt::NotCovered("a variable is used outside its scope".to_owned())),
            },
            Operand::Undef(ty) => self.undefined(state, *ty),
        })
    }

    /// The object of a global: functions come first, then globals.
    pub fn global(&self, id: heapproof_ir::GlobalId) -> ObjId {
        ObjId(self.program.functions.len() as u32 + id.as_u32())
    }

    /// The function that an object is.
    pub fn function_of(&self, state: &State, id: ObjId) -> Option<FuncId> {
        match state.heap.get(id).kind {
            Kind::Function(func) => Some(func),
            _ => None,
        }
    }

    /// True if an object is a string literal or another nameless constant.
    pub fn is_anonymous(&self, state: &State, id: ObjId) -> bool {
        matches!(state.heap.get(id).kind, Kind::Global(global) if self.program.globals[global].anonymous)
    }

    fn read_forgotten(&mut self, state: &mut State, reg: Reg) -> Value {
        let ty = self.body(state.top().func).regs[reg].ty;
        let width = ty.bits(self.program.target);
        let term = self.kept_input(state, Origin::Uninitialised, width);
        let value = Value { term, prov: Prov::Uninit };
        state.set(reg, value.clone());
        value
    }

    fn undefined(&mut self, state: &mut State, ty: Ty) -> Value {
        let width = ty.bits(self.program.target);
        let term = self.input(state, Origin::Uninitialised, width);
        Value { term, prov: Prov::Uninit }
    }
}
