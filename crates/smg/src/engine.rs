//! The proof: configurations at every place of the program until nothing new appears.

use crate::abstraction::{Rules, Thresholds};
use crate::apart::{self, Question, Start};
use crate::attempts::Noticed;
use crate::canon::Key;
use crate::care::{Care, Crowd};
use crate::content;
use crate::graph::State;
use crate::invariant::{Collector, Invariant};
use crate::join::{Growth, Joined, has_dangling, join, join_in_crowd};
use crate::profile::Profile;
use crate::table::{Mark, Table};
use crate::trouble::{Trouble, TroubleKind};
use crate::walk::{Pause, Walker};
use heapproof_engine::{Environment, Spot};
use heapproof_explore::{Budget, Domain, Exhausted, Meeting, Merge, Trail};
use heapproof_ir::{BlockId, FuncId, Span};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How to analyse.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the program runs in and what is asked.
    pub environment: Environment,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Set from outside to end the analysis.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// The most configurations.
    pub max_states: u64,
    /// How many configurations that differ in numbers only stay apart at a loop.
    pub delay: usize,
    /// When nodes are merged.
    pub thresholds: Thresholds,
    /// Keep what holds at loop heads, to be shown.
    pub keep_invariants: bool,
    /// Tell what the configurations were spent on.
    pub profile: bool,
}

/// What an analysis found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What keeps it from being a proof; none if the program is safe.
    pub troubles: Vec<Trouble>,
    /// The errors of content that are left, if nothing else stands in the way of a proof.
    pub left: Option<BTreeSet<Spot>>,
    /// The limit that cut it short: with a larger one there may be a proof.
    pub cut: Option<Exhausted>,
    /// Configurations executed.
    pub states: u64,
    /// Functions that were entered.
    pub functions: BTreeSet<FuncId>,
    /// Functions without code that were called.
    pub externals: BTreeSet<FuncId>,
    /// A function called itself: the proof rests on a stack that is large enough.
    pub recursion: bool,
    /// What it noticed that other attempts are good for.
    pub noticed: Noticed,
    /// What holds at loop heads, if it was asked for. With trouble these are only the configurations seen so far.
    pub invariants: Vec<Invariant>,
    /// What the configurations of each attempt were spent on, if it was asked for.
    pub profiles: Vec<String>,
    /// Where a limit ended it: what there was most of.
    pub growth: Option<String>,
    /// Where it is a proof of a call: the configurations in which the call ends.
    pub(crate) exits: Rc<Vec<State>>,
}

impl Analysis {
    /// True if no execution violates the properties.
    pub fn is_proof(&self) -> bool {
        self.troubles.is_empty()
    }
}

/// After so many joins at a loop, ranges grow to the numbers of the program. Where branches meet there are more ways that come but once.
const PATIENCE: u32 = 8;

/// So many configurations that differ in numbers only stay apart where nodes are counted.
const COUNTED_DELAY: usize = 4;

/// So many configurations stay apart whose join would not know any more what a length has to do with other numbers.
const COUNTED_APART: usize = 12;

/// So many configurations stay apart in which variables have different masks.
const MOST_WITH_MASKS: usize = 100;

/// So many configurations stay apart whose join would not know any more which elements of an array a loop has done with.
const PARTS_APART: usize = 8;

/// More suspicions than these are not looked for.
const MOST_SUSPICIONS: usize = 12;

/// The analysis as a domain: graphs are joined at loops, nodes are merged into segments, calls are summarised.
pub struct Prover<'p> {
    /// Executes blocks.
    pub walker: Walker<'p>,
    /// What was asked.
    pub options: &'p Options,
    /// What functions do.
    pub table: Table,
    /// What stays apart.
    pub care: Care,
    pub budget: Budget,
    pub noticed: Cell<Noticed>,
    pub functions: BTreeSet<FuncId>,
    invariants: Collector,
    pub troubles: Vec<Trouble>,
    /// What was found in proofs of their own.
    pub parts: apart::Parts,
    profile: Profile,
    /// The functions whose calls are proofs of their own, of which this is one.
    pub around: Vec<FuncId>,
    /// Less is spent, since another attempt will do better.
    leaves_to_rows: bool,
    /// Of errors of content only these are of interest.
    pub only: Option<&'p BTreeSet<Spot>>,
}

/// A configuration with its canonical form, where it may meet others.
pub struct Config {
    state: State,
    key: Option<Key>,
    shape: OnceCell<u64>,
}

impl Config {
    fn new(state: State, key: Option<Key>) -> Config {
        Config { state, key, shape: OnceCell::new() }
    }

    /// A number that configurations share that differ in numbers only.
    fn shape(&self) -> u64 {
        *self.shape.get_or_init(|| self.state.shape())
    }
}

/// One attempt at a proof.
pub fn attempt(question: &Question<'_>, care: Care) -> Analysis {
    let Question { program, options, only, .. } = *question;
    let gives_way = care.yields && !crate::halves::cuts(program).is_empty();
    let mut prover = Prover {
        walker: Walker::new(program, &options.environment, Rc::clone(&question.outline)),
        options,
        table: Table::default(),
        care,
        budget: care.budget(options.deadline, options.max_states, gives_way),
        noticed: Cell::default(),
        functions: BTreeSet::new(),
        invariants: Collector::default(),
        troubles: Vec::new(),
        leaves_to_rows: false,
        only,
        parts: apart::Parts::default(),
        profile: Profile::default(),
        around: question.around(),
    };
    prover.budget.cancelled.clone_from(&options.cancelled);
    let (mut cut, mut whole) = (None, true);
    let mut exits = Rc::default();
    let ran = match &question.start {
        Start::Program => prover.run(),
        Start::Call(part) => prover.run_part(part).map(|found| exits = found),
    };
    if let Err(trouble) = ran {
        whole = fault!(90);
        match trouble.kind {
            // After a suspicion less is spent, and without joins there is a limit of its own; these are not the user's.
            TroubleKind::Limit(Exhausted::States(most)) if care.exact || most < options.max_states / 2 => {}
            TroubleKind::Limit(why) => cut = Some(why),
            _ => {}
        }
        if !matches!(trouble.kind, TroubleKind::Limit(_)) || prover.troubles.is_empty() {
            prover.troubles.push(trouble);
        }
    }
    let mut invariants = prover.invariants.finish(program);
    invariants.append(&mut prover.parts.invariants);
    let mut profiles = prover.parts.profiles;
    if options.profile {
        let title = format!("{}: {} configurations", care.name(), prover.budget.spent());
        profiles.push(prover.profile.text(program, &title, &prover.troubles));
    }
    Analysis {
        profiles,
        growth: cut.and_then(|_| prover.profile.sentence(program)),
        exits,
        left: content::left(&prover.troubles).filter(|_| whole),
        cut,
        troubles: prover.troubles,
        states: prover.budget.spent(),
        functions: prover.functions,
        externals: prover.walker.executor.called.take(),
        recursion: prover.table.recursion,
        noticed: Noticed { rows: prover.walker.executor.wants_rows.get(), ..prover.noticed.get() },
        invariants,
    }
}

impl Prover<'_> {
    fn run(&mut self) -> Result<(), Trouble> {
        let program = self.walker.executor.program;
        let Some(main) = program.function(self.options.environment.entry()) else {
            let message = "the entry function does not exist";
            return Err(Trouble::new(TroubleKind::NotCovered, message, Span::NONE, FuncId::from_u32(0)));
        };
        self.note_function(main)?;
        let empty = self.equipped(State::new(program.target.pointer_bytes()));
        let start = self.walker.executor.start(main, empty)?;
        self.explore(start, &Trail::new())
    }

    /// A configuration in which nothing is merged, with what this attempt follows switched on and all else switched off.
    pub fn equipped(&self, mut state: State) -> State {
        let program = self.walker.executor.program;
        state.counts = self.care.counted;
        state.tells = self.care.tagged.then(|| Rc::new(self.walker.outline.tags.clone()));
        (state.looks_inside, state.sorts) = (self.care.inside, self.care.sorted);
        // What a node says in numbers matters while a variable leads to it, and that stays what it is.
        let tags = if self.care.held { BTreeSet::new() } else { self.walker.outline.tags.clone() };
        state.kinds = self.care.kinds.then(|| Rc::new(tags));
        (state.rows, state.borders) = (self.care.rows, self.care.borders);
        state.cut = self.care.overlaid.and_then(|nth| crate::halves::cuts(program).get(nth).copied());
        // A cursor in a search tree: on which side it goes on, and how keys compare, belong together.
        state.relates =
            state.counts || state.sorts || self.care.trees || crate::relation::are_useful(program);
        state
    }

    /// A function is entered.
    pub fn note_function(&mut self, func: FuncId) -> Result<(), Trouble> {
        self.functions.insert(func);
        match self.walker.outline.shapes[&func].escape {
            None => Ok(()),
            Some(span) => {
                let message =
                    "the address of a compound literal, or of a variable that goto may jump past, is kept";
                Err(Trouble::new(TroubleKind::NotCovered, message, span, func))
            }
        }
    }

    /// Executes until nothing is waiting.
    pub fn explore(&mut self, entries: Vec<State>, trail: &Trail<Mark>) -> Result<(), Trouble> {
        let mut initial = Vec::new();
        for state in entries {
            initial.push(self.arrive(state, trail)?);
        }
        let (reached, ended) = heapproof_explore::explore(self, initial, trail);
        let limited = |trouble: &Trouble| matches!(trouble.kind, TroubleKind::Limit(_));
        if self.options.profile || ended.as_ref().is_err_and(limited) {
            for (place, configs) in reached.iter() {
                let states: Vec<&State> = configs.map(|config| &config.state).collect();
                self.profile.add(self.walker.executor.program, *place, &states);
            }
        }
        if self.options.keep_invariants {
            for (&(func, block), configs) in reached.iter() {
                if self.walker.outline.shapes[&func].wto.is_head(block) {
                    let states = configs.filter_map(|c| Some((&c.state, c.key.as_ref()?)));
                    self.invariants.add(func, block, states);
                }
            }
        }
        ended
    }

    /// A configuration at the start of a block: what is dead is forgotten, at loops nodes are merged.
    fn arrive(&mut self, mut state: State, trail: &Trail<Mark>) -> Result<Config, Trouble> {
        self.leave_to_others();
        crate::consistency::check("arrive", &state);
        if has_dangling(&state) {
            let (func, span) = (state.frame().func, self.walker.span(state.frame()));
            let what = "an address of what was taken out of the graph";
            return Err(Trouble::new(TroubleKind::NotCovered, what, span, func));
        }
        #[cfg(test)]
        crate::audit::proper("arrive", &state);
        let head = self.walker.outline.shapes[&state.frame().func].wto.is_head(state.frame().block);
        if head {
            state.forget_unused_arguments();
            state.terms.retain(crate::terms::Term::is_product);
        }
        if let Err(trouble) = self.walker.tidy(&mut state) {
            self.note(trouble, trail)?;
        }
        let frame = state.frame();
        let shape = &self.walker.outline.shapes[&frame.func];
        let block = frame.block;
        if head {
            if !self.care.exact {
                state.note_ends();
            }
            state = self.abstracted(state);
        }
        let key = shape.is_meeting(block).then(|| state.key());
        Ok(Config::new(state, key))
    }

    /// Neighbouring nodes merged, as far as this attempt does.
    pub fn abstracted(&self, state: State) -> State {
        self.merged(state, false)
    }

    fn merged(&self, state: State, loose: bool) -> State {
        match self.care {
            Care { exact: true, .. } => state,
            Care { rows: true, .. } => self.with_lists(state, loose).closed(),
            _ => self.with_lists(state, loose),
        }
    }

    /// Neighbouring nodes of lists merged.
    pub fn lists_merged(&self, state: State) -> State {
        self.with_lists(state, false)
    }

    fn with_lists(&self, mut state: State, loose: bool) -> State {
        state.forget_bonds();
        self.noticed.set(self.noticed.get().and_in(&state, &self.walker.outline.trees));
        let tags = self.care.values.then_some(&self.walker.outline.tags);
        let rules = Rules {
            thresholds: &self.options.thresholds,
            tags,
            held: self.care.held,
            loose,
            trees: self.care.trees.then_some(&self.walker.outline.trees),
            patient: self.care.patient,
        };
        state.abstracted(&rules)
    }

    /// Shapes are joined, except for lists that tell their length apart, if that is asked: these stay together with the
    /// numbers that go with the length. Of too many configurations those that differ in numbers only are joined first, then any.
    fn should_join(&self, joined: &Joined, meeting: Meeting) -> bool {
        let told_apart = || joined.parted.iter().any(|(x, y)| x.is_told_from(*y, &self.walker.outline.tags));
        match joined.shape_changed {
            _ if self.care.exact => false,
            _ if meeting.states < MOST_WITH_MASKS && self.masks_differ(joined) => false,
            _ if meeting.insists => true,
            _ if (self.care.values || self.care.tagged || self.care.kinds && !self.care.held)
                && told_apart() =>
            {
                false
            }
            _ if self.care.tagged && joined.tags_differ => false,
            _ if self.care.sorted && (joined.orders_differ || joined.flags_differ) => false,
            _ if joined.parts_differ && meeting.states < PARTS_APART => false,
            true => !(self.care.lengths && joined.lengths_differ),
            false => meeting.states >= self.delay(joined),
        }
    }

    /// True if a variable, or a node, has another mask on one side than on the other: what was aligned by it goes with it.
    fn masks_differ(&self, joined: &Joined) -> bool {
        let masks = self.walker.executor.masks.borrow();
        joined.masks.iter().any(|(x, y)| masks.contains(x) && masks.contains(y))
    }

    /// How many configurations that differ in numbers only stay apart at a loop. Where blocks have sizes that are not known,
    /// numbers are not told apart in the first attempt: there is no end of them.
    fn delay(&self, joined: &Joined) -> usize {
        let endless = !self.care.lengths && joined.state.has_unknown_size();
        match self.care {
            _ if endless => 1,
            // Numbers that belong together are related instead.
            Care { counted: true, .. } => COUNTED_DELAY,
            _ => self.options.delay,
        }
    }

    fn is_loop(&self, config: &Config) -> bool {
        let frame = config.state.frame();
        self.walker.outline.shapes[&frame.func].wto.is_head(frame.block)
    }

    /// Where branches meet, many configurations are joined if they are alike.
    fn merge_in_crowd(&self, new: &Config, known: &Config, meeting: Meeting) -> Merge<Config> {
        let crowd = self.care.crowd(meeting.states);
        // The outcome of a condition that is about to be branched on goes with what the condition said.
        if new.state.differs_in_conditions(&known.state)
            || crowd == Crowd::Numbers && !new.state.has_vague_cursors() && new.shape() != known.shape()
        {
            return Merge::Apart;
        }
        let growth = self.growth(meeting, 4 * PATIENCE);
        match join(&known.state, &new.state, growth) {
            Ok(joined) if joined.is_left || fault!(51) => Merge::Stop,
            Ok(joined) if joined.is_right => Merge::Replace,
            Ok(joined) if crowd == Crowd::Numbers && self.masks_differ(&joined) => Merge::Apart,
            Ok(joined) if crowd == Crowd::Numbers && self.care.sorted && joined.flags_differ => Merge::Apart,
            Ok(joined) if crowd == Crowd::Shapes || !joined.shape_changed => {
                self.joined(joined.related(&known.state, &new.state, growth), known)
            }
            Err(_) if crowd == Crowd::Shapes => {
                // Lists of different lengths become alike when their nodes are merged.
                let [left, right] = [known, new].map(|config| self.abstracted(config.state.clone()));
                join(&left, &right, growth)
                    .map_or(Merge::Apart, |joined| self.joined(joined.related(&left, &right, growth), known))
            }
            _ => Merge::Apart,
        }
    }

    /// How ranges grow: to what both cover, and after many joins at a place to the numbers of the program.
    fn growth(&self, meeting: Meeting, patience: u32) -> Growth<'_> {
        // Where tables make many configurations, each that grows by one is one too many.
        let grown = if self.care.borders { meeting.joins + meeting.replaced } else { meeting.joins };
        match () {
            () if grown <= patience => Growth::Hull,
            // There is no time to watch every number of every one of many configurations.
            () if self.care.simplifies(meeting.states) => Growth::Thresholds(&self.walker.outline.tags),
            () => Growth::Thresholds(&self.walker.outline.constants),
        }
    }

    /// The join of a known configuration with a new one. It is nothing new if it looks like the known one.
    fn joined(&self, joined: State, known: &Config) -> Merge<Config> {
        let key = Some(joined.key());
        if key == known.key {
            return Merge::Stop;
        }
        Merge::Join(Config::new(joined, key))
    }

    /// Keeps a suspicion, to look for others. Everything else ends the analysis.
    pub fn note(&mut self, mut trouble: Trouble, trail: &Trail<Mark>) -> Result<(), Trouble> {
        if content::is_excluded(&trouble, self.only)
            || self.troubles.iter().any(|known| known.is_like(&trouble))
        {
            return Ok(());
        }
        trouble.fork = None;
        if trouble.path.is_empty() {
            trouble.path = trail.backwards().copied().collect();
            trouble.path.reverse();
        }
        let suspicion = matches!(trouble.kind, TroubleKind::Suspicion(_));
        if !suspicion || self.care.exact || self.troubles.len() + 1 >= MOST_SUSPICIONS {
            return Err(trouble);
        }
        if self.troubles.is_empty() {
            self.hurry();
        }
        self.troubles.push(trouble);
        Ok(())
    }

    /// Where there is no end of pointers in an array, only the attempt that follows them can do.
    fn leave_to_others(&mut self) {
        if self.care.yields && self.noticed.get().branches {
            self.budget.most = Some(self.budget.spent());
        }
        if self.walker.executor.needs_rows.get() && !self.care.rows && !self.leaves_to_rows {
            self.leaves_to_rows = true;
            self.hurry();
        }
    }

    /// There will be no proof: further suspicions are worth as much as the first one, and a little more.
    fn hurry(&mut self) {
        let most = 2 * self.budget.spent() + 500;
        self.budget.most = Some(self.budget.most.map_or(most, |limit| limit.min(most)));
    }
}

impl Domain for Prover<'_> {
    type State = Config;
    type Place = (FuncId, BlockId);
    type Mark = Mark;
    type Rank = (usize, u64);
    type Failure = Trouble;

    fn place(&self, config: &Config) -> Option<(FuncId, BlockId)> {
        let frame = config.state.frame();
        config.key.as_ref().map(|_| (frame.func, frame.block))
    }

    /// Inner loops settle before what follows them. Behind a loop the youngest configuration is first, elsewhere
    /// the oldest: what leaves a loop late covers what left it early.
    fn rank(&self, config: &Config, _: &Trail<Mark>, number: u64) -> (usize, u64) {
        let frame = config.state.frame();
        let shape = &self.walker.outline.shapes[&frame.func];
        let behind = !shape.wto.is_head(frame.block) && shape.is_behind_loop(frame.block);
        let age = if behind { u64::MAX - number } else { number };
        (shape.wto.position(frame.block).unwrap_or(usize::MAX), age)
    }

    fn mark(&self, config: &Config) -> Mark {
        let frame = config.state.frame();
        (frame.func, frame.block)
    }

    fn transfer(&mut self, config: Config, trail: &Trail<Mark>) -> Result<Vec<Config>, Trouble> {
        let mut next = Vec::new();
        self.profile.execute(config.state.frame().func);
        let mut work = vec![config.state];
        while let Some(state) = work.pop() {
            let walked = self.walker.walk(state);
            for trouble in walked.troubles {
                self.note(trouble, trail)?;
            }
            for pause in walked.pauses {
                match pause {
                    Pause::Block(state) => next.push(self.arrive(state, trail)?),
                    Pause::Call(state) => match self.call(state, trail) {
                        Ok(states) => work.extend(states),
                        Err(trouble) => self.note(trouble, trail)?,
                    },
                    Pause::Return(mut state, func, span) => {
                        // What only the function held is lost.
                        if let Err(trouble) = self.walker.check_leaks(&mut state, func, span) {
                            self.note(trouble, trail)?;
                        }
                        self.exit(state);
                    }
                }
            }
        }
        Ok(next)
    }

    fn is_same(&self, new: &Config, known: &Config) -> bool {
        let same = new.key == known.key;
        #[cfg(test)]
        if same {
            crate::audit::covers("equal keys", &new.state, &[&known.state]);
        }
        same
    }

    fn insists(&self, states: usize) -> bool {
        (self.care.lengths || self.care.tagged || self.care.kinds || self.care.sorted)
            && states >= self.options.delay
    }

    fn merge(&self, new: &Config, known: &Config, meeting: Meeting) -> Merge<Config> {
        if !self.is_loop(new) {
            return self.merge_in_crowd(new, known, meeting);
        }
        let growth = self.growth(meeting, PATIENCE);
        let join = if self.care.simplifies(meeting.states) { join_in_crowd } else { join };
        match join(&known.state, &new.state, growth) {
            Ok(joined) if joined.is_left => Merge::Stop,
            Ok(joined) if joined.is_right => Merge::Replace,
            Ok(joined) if self.should_join(&joined, meeting) => {
                let joined = joined.related(&known.state, &new.state, growth);
                if self.care.counted
                    && meeting.states < COUNTED_APART
                    && joined.loses_count(&known.state, &new.state)
                {
                    return Merge::Apart;
                }
                self.joined(joined, known)
            }
            _ => Merge::Apart,
        }
    }

    fn weight(&self, config: &Config) -> u64 {
        const SMALL: u64 = 32;
        1 + config.state.objects.len() as u64 / SMALL
    }

    fn fingerprint(&self, config: &Config) -> u64 {
        config.key.as_ref().map_or(0, Key::fingerprint)
    }

    fn adapt(&self, new: Config, states: usize) -> Vec<Config> {
        if !self.care.simplifies(states) {
            return vec![new];
        }
        let loose = self.is_loop(&new) || self.care.simplifies(states / 2);
        let before = new.state.objects.len();
        let state = self.abstracted(new.state);
        let states = if loose { state.with_cursors_inside() } else { vec![state] };
        let config = |state: State| {
            let key = Some(state.key());
            Config::new(state, key)
        };
        let states: Vec<State> = states.into_iter().map(|state| self.merged(state, loose)).collect();
        if states.iter().any(|state| state.objects.len() < before) {
            self.noticed.set(Noticed { simplified: true, ..self.noticed.get() });
        }
        states.into_iter().map(config).collect()
    }

    fn meets(&self, new: &Config, states: usize) -> bool {
        if self.is_loop(new) { self.care.compares(states) } else { self.care.crowd(states) != Crowd::None }
    }

    fn keep(&self, config: &Config) -> Config {
        Config::new(config.state.clone(), config.key.clone())
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}
