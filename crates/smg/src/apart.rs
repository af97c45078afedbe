//! Calls that are proofs of their own: `P(); Q();` is proved if each of both is, whatever attempts they need.
//!
//! What a call does is known by the configurations in which it ends, for one in which it begins ([`crate::table`]). How these were found does not
//! matter: any analysis from that entry will do which covers all executions of the call and meets no trouble. So a call gets the whole
//! sequence of attempts, each with facts of its own, if the facts do not have to cross the border:
//!
//! - Its entry is *bare*: regions only, no segment, no part of an array, no half of a block, no live heap block. Such a graph means the
//!   same with any facts switched on or off, so it can be given to any attempt.
//! - Its exits are *simple*: regions, and segments of lists with no facts that an attempt must know of to read them (several kinds of nodes, trees, tables,
//!   halves). What they know besides (lengths, numbers of neighbours, relations in nodes, orders) is left out, which makes them cover more. If
//!   an exit is not simple, the call is no proof of its own.
//!
//! A proof of its own that fails ends the attempt: the others see the whole program, and say what stands in the way.

use crate::attempts::answer;
use crate::care::Care;
use crate::engine::{Analysis, Options, Prover};
use crate::graph::{Object, State, Storage};
use crate::invariant::Invariant;
use crate::shape::Outline;
use crate::table::Mark;
use crate::tree::Kids;
use crate::trouble::{Trouble, TroubleKind};
use heapproof_engine::Spot;
use heapproof_explore::{Exhausted, Trail};
use heapproof_ir::{FuncId, Program};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

/// So many proofs may be parts of each other.
const DEEPEST: usize = 4;

/// What is to be proved.
#[derive(Clone)]
pub struct Question<'p> {
    /// The program.
    pub program: &'p Program,
    /// How.
    pub options: &'p Options,
    /// Of errors of content only these are of interest.
    pub only: Option<&'p BTreeSet<Spot>>,
    /// What is known of the program before.
    pub outline: Rc<Outline>,
    /// Where it starts.
    pub start: Start<'p>,
}

/// Where an analysis starts.
#[derive(Clone)]
pub enum Start<'p> {
    /// At the entry of the program.
    Program,
    /// At a call.
    Call(Part<'p>),
}

/// A call that is a proof of its own.
#[derive(Clone)]
pub struct Part<'p> {
    func: FuncId,
    entry: &'p State,
    trail: &'p Trail<Mark>,
    /// The functions whose calls are proofs of which this is a part, itself included.
    around: Vec<FuncId>,
}

impl Question<'_> {
    /// The functions whose calls are proofs of which this is a part.
    pub fn around(&self) -> Vec<FuncId> {
        match &self.start {
            Start::Program => Vec::new(),
            Start::Call(part) => part.around.clone(),
        }
    }
}

/// What was found in proofs of their own.
#[derive(Default)]
pub struct Parts {
    /// What holds at loop heads there.
    pub invariants: Vec<Invariant>,
    /// What their configurations were spent on.
    pub profiles: Vec<String>,
}

impl Object {
    /// True for a region about which nothing is known but its content.
    fn is_bare(&self) -> bool {
        self.seg.is_none() && !self.maybe && self.level == 0 && self.is_simple()
    }

    /// True if it means the same whatever facts are followed, once those that it has are left out.
    fn is_simple(&self) -> bool {
        self.half.is_none()
            && (self.kinds.is_empty() || fault!(145))
            && !matches!(self.storage, Storage::Part | Storage::Kind)
            && self.seg.is_none_or(|seg| seg.kids == Kids::NONE)
    }
}

impl State {
    /// True if it is a graph of regions without a live heap block.
    fn is_bare(&self) -> bool {
        let bare = |object: &Object| object.is_bare() && !(object.valid && object.storage == Storage::Heap);
        self.objects.values().all(|object| bare(object)) && self.syms.values().all(|sym| sym.level == 0)
    }

    /// Without the facts that not every attempt follows; none if it cannot be understood without them.
    fn simple(mut self, relates: bool) -> Option<State> {
        if !self.objects.values().all(|object| object.is_simple()) {
            return None;
        }
        for object in self.objects.values_mut() {
            let object = Rc::make_mut(object);
            (object.length, object.tags, object.each) = (None, None, None);
            object.orders.clear();
        }
        self.terms.retain(crate::terms::Term::is_product);
        if !relates {
            self.relations = Rc::default();
        }
        Some(self)
    }
}

impl Prover<'_> {
    /// True if a call may be a proof of its own: it sees no list, takes some time, and is not the only one of its caller.
    pub fn may_stand_apart(&self, entry: &State, func: FuncId, caller: FuncId) -> bool {
        let shapes = &self.walker.outline.shapes;
        shapes[&func].takes_long
            && shapes[&caller].calls > 1
            && self.around.len() < DEEPEST
            && !self.around.contains(&func)
            && !self.table.is_running(func)
            && entry.is_bare()
    }

    /// The exits of a call that is a proof of its own. Where there is no proof, this attempt ends.
    pub fn proved_apart(
        &mut self,
        entry: State,
        func: FuncId,
        trail: &Trail<Mark>,
    ) -> Result<Rc<Vec<State>>, Trouble> {
        let analysis = self.proof_of(&entry, func, trail);
        self.functions.extend(&analysis.functions);
        self.table.recursion |= analysis.recursion;
        self.walker.executor.called.borrow_mut().extend(&analysis.externals);
        self.parts.invariants.extend(analysis.invariants.iter().cloned());
        let name = &self.walker.executor.program.functions[func].name;
        self.parts.profiles.extend(analysis.profiles.iter().map(|text| format!("`{name}` alone, {text}")));
        self.budget.spend_as(analysis.states)?;
        let trouble = match analysis.troubles.first() {
            Some(trouble) if !fault!(144) => trouble.clone(),
            _ => {
                let exits = analysis.exits.iter().map(|exit| self.taken_over(exit.clone()));
                match exits.collect::<Option<Vec<State>>>() {
                    Some(exits) => return Ok(Rc::new(exits)),
                    None => {
                        self.gap(func, "what a call leaves is not understood without what was followed in it")
                    }
                }
            }
        };
        // There will be no proof.
        self.budget.most = Some(0);
        let why = TroubleKind::Limit(Exhausted::States(0));
        self.troubles.push(Trouble { kind: why, ..trouble.clone() });
        Err(trouble)
    }

    /// The proof of a call, with all attempts and half of what is left.
    fn proof_of(&self, entry: &State, func: FuncId, trail: &Trail<Mark>) -> Analysis {
        let half = |at: Instant| {
            let now = Instant::now();
            now + at.saturating_duration_since(now) / 2
        };
        let left = self.budget.most.unwrap_or(self.options.max_states).saturating_sub(self.budget.spent());
        let options = Options {
            deadline: self.budget.deadline.map(half),
            max_states: left / 2,
            ..self.options.clone()
        };
        let mut around = self.around.clone();
        around.push(func);
        let part = Part { func, entry, trail, around };
        let question = Question {
            program: self.walker.executor.program,
            options: &options,
            only: self.only,
            outline: Rc::clone(&self.walker.outline),
            start: Start::Call(part),
        };
        answer(&question, &Care::ATTEMPTS)
    }

    /// An exit of a proof of its own, as this attempt understands it.
    fn taken_over(&self, exit: State) -> Option<State> {
        let empty = self.equipped(State::new(exit.pointer_bytes()));
        let exit = exit.simple(empty.relates)?;
        Some(self.equipped(exit))
    }

    /// All exits of a call that is a proof of its own.
    pub fn run_part(&mut self, part: &Part<'_>) -> Result<Rc<Vec<State>>, Trouble> {
        let entry = self.taken_over(part.entry.clone());
        let entry = entry.expect("what is bare is simple");
        self.summarise(entry, part.func, false, part.trail)
    }
}
