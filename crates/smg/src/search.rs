//! The search for an execution that shows a suspected error: the same graphs, without abstraction, joins and summaries.
//!
//! Paths are followed one by one, steered to the suspected place. Where an error may happen, whoever asked for the
//! search judges the path: are there inputs that take it, and do they show the error?

use crate::graph::State;
use crate::journal::Journal;
use crate::steer::Steer;
use crate::trouble::{Trouble, TroubleKind};
use crate::walk::{Pause, Walker};
use heapproof_confirm::{Candidate, End, Judge, Order, Quest, Searcher};
use heapproof_engine::Place;
use heapproof_explore::{Budget, Domain, Meeting, Merge, Trail};
use heapproof_ir::Program;

/// The search over graphs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paths;

impl Searcher for Paths {
    fn search(&self, program: &Program, quest: &Quest, judge: &mut dyn Judge) -> End {
        search(program, quest, judge)
    }
}

/// Searches for an error.
fn search(program: &Program, quest: &Quest, judge: &mut dyn Judge) -> End {
    let walker = Walker::new(program, &quest.environment);
    let steer = Steer::to(program, &walker.shapes, quest.place.map(|place| (place.func, place.span)));
    let mut state = State::new(program.target.pointer_bytes());
    state.journal = Some(Journal::default());
    let entry = program.function(quest.environment.entry());
    let Some(start) = entry.and_then(|entry| walker.executor.start(entry, state).ok()) else {
        return End::Complete;
    };
    let mut search = Search { walker, quest, steer, judge, cut: false };
    let paths = start.into_iter().map(|state| Path { state, checked: 0 }).collect();
    match heapproof_explore::explore(&mut search, paths, &Trail::new()).1 {
        Err(end) => end,
        Ok(()) if search.cut => End::Cut,
        Ok(()) => End::Complete,
    }
}

struct Search<'p, 'j> {
    walker: Walker<'p>,
    quest: &'p Quest,
    steer: Steer,
    judge: &'j mut dyn Judge,
    cut: bool,
}

/// A path, with how much of its journal was found feasible.
struct Path {
    state: State,
    checked: usize,
}

impl Search<'_, '_> {
    /// Lets the judge look at a suspicion.
    fn suspect(&mut self, trouble: Trouble) -> Result<(), End> {
        let (TroubleKind::Suspicion(class), Some(fork)) = (trouble.kind, &trouble.fork) else {
            return Ok(());
        };
        let Some(journal) = &fork.error.journal else { return Ok(()) };
        let place = Place { func: trouble.func, span: trouble.span };
        let candidate = Candidate { class, place, journal };
        if self.judge.judge(&candidate) { Err(End::Found) } else { Ok(()) }
    }

    /// The path can be taken. Asked again only when there is much more to ask.
    fn is_feasible(&mut self, path: &mut Path) -> bool {
        const NEW: usize = 16;
        let Some(journal) = &path.state.journal else { return true };
        if journal.size() < 2 * path.checked + NEW {
            return true;
        }
        path.checked = journal.size();
        self.judge.is_feasible(journal)
    }

    /// A configuration to go on with, unless it leads nowhere.
    fn arrive(&mut self, mut state: State, checked: usize) -> Result<Option<Path>, End> {
        if let Err(trouble) = self.walker.tidy(&mut state) {
            self.suspect(trouble)?;
        }
        Ok(self.steer.distance(&state).map(|_| Path { state, checked }))
    }
}

impl Domain for Search<'_, '_> {
    type State = Path;
    type Place = ();
    type Mark = ();
    type Rank = (usize, usize);
    type Failure = End;

    fn place(&self, _: &Path) -> Option<()> {
        None
    }

    fn rank(&self, path: &Path, trail: &Trail<()>, _: u64) -> (usize, usize) {
        let distance = self.steer.distance(&path.state).unwrap_or(usize::MAX);
        match self.quest.order {
            Order::Breadth => (trail.len(), distance),
            Order::Depth(limit) => (limit.saturating_sub(trail.len()), distance),
        }
    }

    fn mark(&self, _: &Path) {}

    fn transfer(&mut self, mut path: Path, trail: &Trail<()>) -> Result<Vec<Path>, End> {
        if matches!(self.quest.order, Order::Depth(limit) if trail.len() >= limit) {
            self.cut = true;
            return Ok(Vec::new());
        }
        if !self.is_feasible(&mut path) {
            return Ok(Vec::new());
        }
        let walked = self.walker.walk(path.state);
        for trouble in walked.troubles {
            self.suspect(trouble)?;
        }
        let mut next = Vec::new();
        for pause in walked.pauses {
            let (Pause::Block(state) | Pause::Call(state) | Pause::Return(state, ..)) = pause;
            next.extend(self.arrive(state, path.checked)?);
        }
        Ok(next)
    }

    fn merge(&self, _: &Path, _: &Path, _: Meeting) -> Merge<Path> {
        Merge::Apart
    }

    fn keep(&self, path: &Path) -> Path {
        Path { state: path.state.clone(), checked: path.checked }
    }

    fn budget(&self) -> &Budget {
        &self.quest.budget
    }
}
