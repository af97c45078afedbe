//! Calls: a function is analysed once for each heap that it sees, and what it does is kept in a table.
//!
//! Recursion: a call with an entry that a running analysis of the function covers gets the exits found so far. If more
//! are found later, the analysis is repeated, and everything that was made of too few exits is forgotten.

use crate::attempts::Noticed;
use crate::canon::Key;
use crate::care::Crowd;
use crate::engine::Prover;
use crate::graph::State;
use crate::join::{Growth, Joined, join};
use crate::summary::{self, Cut};
use crate::trouble::{Trouble, TroubleKind};
use heapproof_explore::Trail;
use heapproof_ir::{BlockId, FuncId, Span};
use heapproof_verdict::Property;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A recursion with more entries that do not cover each other is given up.
const MOST_ENTRIES: usize = 24;

/// More nested calls are not followed.
const DEEPEST: usize = 4_000;

/// Where no entries are joined, a recursion that is deeper is given up.
const DEEPEST_EXACT: usize = 300;

/// From here on the entries of a recursion are joined.
const APART_ENTRIES: usize = 3;

/// Exits by entry.
#[derive(Default)]
pub struct Table {
    done: HashMap<Key, Rc<Vec<State>>>,
    /// The entries in the order in which they were added.
    added: Vec<Key>,
    /// How many entries functions have.
    entries: HashMap<FuncId, usize>,
    /// Entries that were made simpler, with their exits.
    simpler: HashMap<FuncId, Vec<Simpler>>,
    running: Vec<Running>,
    /// A function called itself.
    pub recursion: bool,
}

/// An entry that was made simpler.
struct Simpler {
    entry: State,
    exits: Rc<Vec<State>>,
    /// How many entries were added up to it.
    added: usize,
}

/// A function that is being analysed.
struct Running {
    func: FuncId,
    entry: State,
    exits: Vec<State>,
    joins: u32,
    /// A recursive call took the exits found so far.
    taken: bool,
    /// Exits were added since.
    grew: bool,
}

impl Table {
    fn add(&mut self, key: Key, exits: Rc<Vec<State>>) {
        self.added.push(key.clone());
        self.done.insert(key, exits);
    }

    /// Forgets all entries after the first ones.
    fn shorten(&mut self, len: usize) {
        for key in self.added.drain(len..) {
            self.done.remove(&key);
        }
        self.simpler.values_mut().for_each(|known| known.retain(|simpler| simpler.added <= len));
    }

    pub fn is_running(&self, func: FuncId) -> bool {
        self.depth(func) > 0
    }

    /// How many analyses of a function are running.
    fn depth(&self, func: FuncId) -> usize {
        self.running.iter().filter(|running| running.func == func).count()
    }

    /// The exits found so far of a running analysis that covers an entry.
    fn take_running(&mut self, func: FuncId, entry: &State) -> Option<Vec<State>> {
        let covering = self.running.iter_mut().rev().find(|running| {
            running.func == func && join(&running.entry, entry, Growth::Hull).is_ok_and(|j| j.is_left)
        })?;
        covering.taken = true;
        self.recursion = true;
        Some(covering.exits.clone())
    }

    /// An entry that covers the given one and, after some, also those of the running analyses of the function.
    fn widened(&self, func: FuncId, entry: State, thresholds: &BTreeSet<i128>) -> Option<State> {
        let running: Vec<&Running> = self.running.iter().filter(|running| running.func == func).collect();
        if running.len() >= MOST_ENTRIES {
            return None;
        }
        if running.len() < APART_ENTRIES {
            return Some(entry);
        }
        let growth = Growth::Thresholds(thresholds);
        let joined = running.iter().rev().find_map(|running| {
            Some(join(&running.entry, &entry, growth).ok()?.related(&running.entry, &entry, growth))
        });
        Some(joined.unwrap_or(entry))
    }
}

impl Prover<'_> {
    /// Executes a call whose frame was just pushed.
    pub fn call(&mut self, mut state: State, trail: &Trail<Mark>) -> Result<Vec<State>, Trouble> {
        let func = state.frame().func;
        let (caller, span) = match state.frames.iter().nth_back(1) {
            Some(frame) => (frame.func, self.walker.span(frame)),
            None => (func, Span::NONE),
        };
        // What the caller does not need any more is no cut point.
        if self.care.lengths || self.care.sorted || self.care.borders {
            self.walker.forget_handed_over(&mut state);
        }
        #[cfg(test)]
        let before = state.clone();
        let cut = summary::cut(state);
        #[cfg(test)]
        crate::audit::called(&before, &cut);
        let mut entry = cut.entry.clone();
        let properties = &self.options.environment.properties;
        let cleanup = properties.has(Property::MemCleanup) || properties.has(Property::ValidMemcleanup);
        if cleanup && cut.holds_heap() {
            // The cut-off blocks are still there if the function ends the program.
            entry.frames[0].holds_heap = true;
        }
        // Only halves of blocks that are on two lists come along although nothing leads to them.
        if let Err(trouble) = self.walker.check_leaks(&mut entry, caller, span) {
            self.note(trouble, trail)?;
        }
        if self.care.borders {
            entry = self.closed_for_call(entry);
        }
        let apart = self.may_stand_apart(&entry, func, caller);
        let exits = self.exits_of(entry, func, apart, trail)?;
        exits.iter().map(|exit| self.put_back(&cut, exit, func)).collect()
    }

    /// An exit of a function in the surroundings of the call.
    fn put_back(&self, cut: &Cut, exit: &State, func: FuncId) -> Result<State, Trouble> {
        let Some((state, results)) = cut.glue(exit) else {
            return Err(self.gap(func, "the result of a call does not fit its surroundings"));
        };
        crate::consistency::check("glue", &state);
        #[cfg(test)]
        crate::audit::proper("glue", &state);
        self.walker.executor.give_results(state, &results)
    }

    fn exits_of(
        &mut self,
        entry: State,
        func: FuncId,
        apart: bool,
        trail: &Trail<Mark>,
    ) -> Result<Rc<Vec<State>>, Trouble> {
        let key = entry.key();
        if let Some(exits) = self.table.done.get(&key) {
            return Ok(exits.clone());
        }
        if self.table.running.len() >= DEEPEST {
            return Err(self.gap(func, "calls that are nested too deeply"));
        }
        if !self.table.is_running(func) {
            if self.care.apart && apart {
                let exits = self.proved_apart(entry, func, trail)?;
                self.table.add(key, exits.clone());
                return Ok(exits);
            }
            return match self.is_crowded(func) {
                true => self.simpler_exits_of(entry, func, trail),
                false => self.summarise(entry, func, apart, trail),
            };
        }
        let entry = self.abstracted(entry);
        if let Some(exits) = self.table.done.get(&entry.key()) {
            return Ok(exits.clone());
        }
        if let Some(exits) = self.table.take_running(func, &entry) {
            return Ok(Rc::new(exits));
        }
        let widened = match self.care.exact {
            true if self.table.depth(func) < DEEPEST_EXACT => Some(entry),
            true => None,
            false => self.table.widened(func, entry, &self.walker.outline.constants),
        };
        match widened {
            Some(entry) => self.summarise(entry, func, false, trail),
            None => Err(self.gap(func, "a recursion whose heaps do not become alike")),
        }
    }

    /// True if a function that takes long has so many entries that new ones are made simpler, as they would be at loops.
    fn is_crowded(&self, func: FuncId) -> bool {
        let entries = self.table.entries.get(&func).copied().unwrap_or(0);
        self.care.simplifies(entries) && self.walker.outline.shapes[&func].takes_long
    }

    fn simpler_exits_of(
        &mut self,
        entry: State,
        func: FuncId,
        trail: &Trail<Mark>,
    ) -> Result<Rc<Vec<State>>, Trouble> {
        let mut entry = self.abstracted(entry);
        if let Some(exits) = self.table.done.get(&entry.key()) {
            return Ok(exits.clone());
        }
        let growth = Growth::Thresholds(&self.walker.outline.constants);
        for Simpler { entry: known, exits, .. } in self.table.simpler.get(&func).into_iter().flatten() {
            match join(known, &entry, growth) {
                Ok(joined) if joined.is_left => return Ok(exits.clone()),
                Ok(joined) if !joined.is_right && !joined.shape_changed => {
                    entry = joined.related(known, &entry, growth);
                }
                _ => {}
            }
        }
        let exits = self.summarise(entry.clone(), func, false, trail)?;
        let simpler = Simpler { entry, exits: exits.clone(), added: self.table.added.len() };
        self.table.simpler.entry(func).or_default().push(simpler);
        Ok(exits)
    }

    /// All exits of a function from one entry. It is noted if there is trouble in a call that may be a proof of its own.
    pub fn summarise(
        &mut self,
        entry: State,
        func: FuncId,
        apart: bool,
        trail: &Trail<Mark>,
    ) -> Result<Rc<Vec<State>>, Trouble> {
        self.note_function(func)?;
        *self.table.entries.entry(func).or_default() += 1;
        let key = entry.key();
        let troubles = self.troubles.len();
        let (mut exits, mut taken, mut joins) = (Vec::new(), false, 0);
        loop {
            let before = self.table.added.len();
            let entry = entry.clone();
            self.table.running.push(Running { func, entry: entry.clone(), exits, joins, taken, grew: false });
            let explored = self.explore(vec![entry], trail);
            let running = self.table.running.pop().expect("it was just pushed");
            if apart && (explored.is_err() || self.troubles.len() > troubles) {
                self.noticed.set(Noticed { apart: true, ..self.noticed.get() });
            }
            explored?;
            if !(running.taken && running.grew) {
                let exits = Rc::new(running.exits);
                self.table.add(key, exits.clone());
                return Ok(exits);
            }
            self.table.shorten(before);
            (exits, taken, joins) = (running.exits, running.taken, running.joins);
        }
    }

    /// A function that was cut out returns.
    pub fn exit(&mut self, mut state: State) {
        if !self.care.exact {
            state.note_ends();
        }
        let running = self.table.running.last();
        if running.is_some_and(|running| running.taken || self.care.simplifies(running.exits.len())) {
            state = self.abstracted(state);
        } else if self.care.borders {
            state = self.closed_for_call(state);
        }
        let running = self.table.running.last_mut().expect("what returns was called");
        let crowd = self.care.crowd(running.exits.len());
        let crowded = |joined: &Joined| crowd == Crowd::Numbers && !joined.shape_changed;
        let mut index = if self.care.compares(running.exits.len()) { 0 } else { running.exits.len() };
        while let Some(known) = running.exits.get(index) {
            let growth = if running.joins > 8 {
                Growth::Thresholds(&self.walker.outline.constants)
            } else {
                Growth::Hull
            };
            match join(known, &state, growth) {
                Ok(joined) if joined.is_left => return,
                Ok(joined) if joined.is_right => {
                    running.exits.remove(index);
                }
                Ok(joined) if running.taken || crowd == Crowd::Shapes || crowded(&joined) => {
                    let known = running.exits.remove(index);
                    running.joins += 1;
                    state = joined.related(&known, &state, growth);
                    index = 0;
                }
                _ => index += 1,
            }
        }
        running.exits.push(state);
        running.grew = true;
    }

    /// A configuration at the begin or the end of a function, with as little as possible that means nothing there.
    fn closed_for_call(&self, state: State) -> State {
        match state.has_tables() {
            true => self.lists_merged(state).closed_for_call().tidied_for_call(),
            false => state.tidied_for_call(),
        }
    }

    pub fn gap(&self, func: FuncId, message: &str) -> Trouble {
        let span: Span = self.walker.executor.program.functions[func].span;
        Trouble::new(TroubleKind::NotCovered, message, span, func)
    }
}

/// What is remembered of a configuration on a path.
pub type Mark = (FuncId, BlockId);
