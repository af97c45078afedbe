//! Search that learns: executions that show something new are kept, and their inputs are changed.
//!
//! New is an edge of the control flow, how often it is taken, how near the sides of a comparison are, and how near an access comes to the
//! end of its object (`heapproof_interp::Feedback`). Inputs that are kept are first looked at closely: what they were compared with is put
//! in their place (`solve.rs`). Then they are changed at random, and joined (`mutate.rs`). All of it is counted and follows from the seed.

use super::genome::{Gene, Genome, KindId, Kinds, Replayed, Rest, genome_of};
use super::inputs::RandomInputs;
use super::mutate::{Dictionary, MOST_GENES, Mutator};
use super::solve::{self, Slope};
use super::{Budget, constants::Constants};
use heapproof_engine::Progress;
use heapproof_interp::{self as interp, Comparison, Feedback, Options, Outcome, Run, Stop, Texts};
use heapproof_ir::Program;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// Executions with random inputs to begin with.
const FIRST: u64 = 200;
/// Executions in a row that show nothing new, after which there is no hope.
const BOREDOM: u64 = 30_000;
/// Inputs that are kept, at most.
const MOST_KEPT: usize = 2_000;
/// Executions after each look at inputs that change them at random.
const CHANGES: u64 = 400;
/// Inputs of an execution that are changed one by one, and comparisons that are solved.
const MOST_MOVED: usize = 160;
const MOST_SOLVED: usize = 48;
/// Executions of one look, at most.
const MOST_OF_LOOK: u64 = 1_500;

/// Why it ended.
pub enum Learned {
    /// An execution with an error, and its limit of steps.
    Found(Box<Run>, u64),
    /// Nothing new was seen for a long time, or the budget is spent.
    Nothing,
    /// The time is over.
    Deadline,
}

/// Inputs that are kept.
struct Kept {
    genome: Genome,
    /// They showed a new edge.
    edge: bool,
    /// They were looked at.
    seen: bool,
    /// How often they were changed.
    changed: u32,
}

/// The search.
pub struct Learner<'a> {
    program: &'a Program,
    options: Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    constants: &'a Constants,
    dictionary: Dictionary,
    kinds: Kinds,
    feedback: Feedback,
    known: Vec<u64>,
    kept: Vec<Kept>,
    /// The outcomes of comparisons that were seen: bit 0 false, bit 1 true.
    outcomes: HashMap<u32, u8>,
    rng: fastrand::Rng,
    limit: u64,
    last_new: u64,
    /// Executions so far.
    pub executions: u64,
    /// Their steps.
    pub steps: u64,
}

/// What ends the search.
type End = Result<(), Learned>;

impl<'a> Learner<'a> {
    /// Nothing is known yet.
    pub fn new(
        program: &'a Program,
        options: &Options,
        budget: &'a Budget,
        progress: &'a dyn Progress,
        constants: &'a Constants,
    ) -> Self {
        Learner {
            program,
            options: Options { record_path: false, ..options.clone() },
            budget,
            progress,
            constants,
            dictionary: Dictionary::new(super::constants::words(program)),
            kinds: Kinds::default(),
            feedback: Feedback::default(),
            known: vec![0; Feedback::FEATURES / 64],
            kept: Vec::new(),
            outcomes: HashMap::new(),
            // Another budget, another search.
            rng: fastrand::Rng::with_seed(budget.seed.wrapping_add(budget.executions)),
            limit: budget.first_steps,
            last_new: 0,
            executions: 0,
            steps: 0,
        }
    }

    /// Searches until something is found or the budget, from which the given executions and steps were spent, is.
    pub fn run(&mut self, executions: u64, steps: u64) -> Learned {
        let budget = Budget {
            executions: self.budget.executions.saturating_sub(executions),
            steps: self.budget.steps.saturating_sub(steps),
            ..self.budget.clone()
        };
        match self.search(&budget) {
            Ok(()) => Learned::Nothing,
            Err(end) => end,
        }
    }

    fn search(&mut self, budget: &Budget) -> End {
        for number in 0..FIRST {
            self.check(budget)?;
            let rest = Rest::Random(RandomInputs::new(budget.seed ^ 0x5eed, number, self.constants));
            self.execute(&[], rest, 64, false)?;
        }
        loop {
            if let Some(index) = self.kept.iter().rposition(|kept| !kept.seen) {
                // Those with new edges first.
                let index = self.kept.iter().rposition(|kept| !kept.seen && kept.edge).unwrap_or(index);
                self.kept[index].seen = true;
                self.look_at(index, budget)?;
            }
            for _ in 0..CHANGES {
                self.check(budget)?;
                self.change()?;
            }
        }
    }

    fn check(&self, budget: &Budget) -> End {
        let over = self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let spent = self.executions >= budget.executions || self.steps >= budget.steps;
        if over {
            return Err(Learned::Deadline);
        }
        let hopeless = self.kept.is_empty() && self.executions >= FIRST;
        let bored = self.executions - self.last_new > BOREDOM;
        if spent || hopeless || bored { Err(Learned::Nothing) } else { Ok(()) }
    }

    /// One execution; what is new is kept.
    fn execute(&mut self, genome: &[Gene], rest: Rest<'_>, hints: u8, log: bool) -> End {
        let factor = if self.executions.is_multiple_of(32) { 8 } else { 1 };
        let limit = self.limit.saturating_mul(factor);
        let options = Options { max_steps: limit, ..self.options.clone() };
        self.feedback.start(log);
        let mut inputs = Replayed::new(genome, &mut self.kinds, rest, hints, self.rng.u64(..));
        let run = interp::run_with_feedback(self.program, &options, &mut inputs, &mut self.feedback);
        let asked = inputs.asked;
        self.executions += 1;
        self.steps += run.steps;
        self.progress.executed(run.steps);
        match &run.outcome {
            Outcome::Violation(_) => return Err(Learned::Found(Box::new(run), limit)),
            Outcome::Stopped { why: Stop::Deadline, .. } => return Err(Learned::Deadline),
            _ => {}
        }
        let cut = matches!(&run.outcome, Outcome::Stopped { why: Stop::Steps(_), .. });
        self.keep(&run, &asked, cut);
        Ok(())
    }

    /// Keeps the inputs of a run if it showed something new.
    fn keep(&mut self, run: &Run, asked: &[KindId], cut: bool) {
        let (mut new, mut edge) = (false, false);
        for feature in self.feedback.features() {
            let (word, bit) = (feature as usize / 64, 1u64 << (feature % 64));
            if self.known[word] & bit == 0 {
                self.known[word] |= bit;
                new = true;
                edge |= Feedback::is_edge(feature);
            }
        }
        if !new {
            return;
        }
        if edge {
            self.last_new = self.executions;
        }
        if cut && !edge
            || run.inputs.is_empty()
            || run.inputs.len() > MOST_GENES
            || self.kept.len() >= MOST_KEPT
        {
            return;
        }
        if !cut && edge {
            let most = self.budget.first_steps.saturating_mul(16);
            self.limit = self.limit.max(run.steps.saturating_mul(4).min(most));
        }
        let genome = genome_of(&run.inputs, asked);
        self.kept.push(Kept { genome, edge, seen: false, changed: 0 });
    }

    /// An execution with changed inputs.
    fn change(&mut self) -> End {
        if self.kept.is_empty() {
            return Ok(());
        }
        let index = self.pick();
        let other = self.rng.usize(..self.kept.len());
        self.kept[index].changed += 1;
        let mut rng = self.rng.fork();
        let mut mutator = Mutator {
            constants: self.constants,
            dictionary: &self.dictionary,
            kinds: &self.kinds,
            rng: &mut rng,
        };
        let genome = mutator.change(&self.kept[index].genome, &self.kept[other].genome);
        let rest = match rng.bool() {
            true => Rest::End,
            false => Rest::Random(RandomInputs::new(self.budget.seed, rng.u64(3..), self.constants)),
        };
        self.execute(&genome, rest, 16, false)
    }

    /// One of the inputs that are kept: new ones and those that were changed less often are better, and those with new edges.
    fn pick(&mut self) -> usize {
        let n = self.kept.len();
        let mut best = self.rng.usize(..n);
        for _ in 0..3 {
            let recent = n - n.min(24);
            let other = if self.rng.bool() { self.rng.usize(recent..n) } else { self.rng.usize(..n) };
            let cost = |index: usize| {
                let kept = &self.kept[index];
                kept.changed / if kept.edge { 4 } else { 1 }
            };
            if cost(other) < cost(best) {
                best = other;
            }
        }
        best
    }

    /// Looks at inputs closely: what they are compared with, and how they move what is compared.
    fn look_at(&mut self, index: usize, budget: &Budget) -> End {
        let genome = self.kept[index].genome.clone();
        let until = self.executions + MOST_OF_LOOK;
        let base = self.logged(&genome)?;
        for texts in &base.texts {
            self.dictionary.learn(&texts.a);
            self.dictionary.learn(&texts.b);
        }
        for texts in &base.texts {
            for new in solve::rewritten(&genome, &self.kinds, texts) {
                self.check(budget)?;
                self.execute(&new, Rest::End, 16, false)?;
            }
        }
        let (open, others): (Vec<Comparison>, Vec<Comparison>) =
            base.comparisons.iter().partition(|c| self.is_open(c));
        // Those with one outcome so far, then some of the others.
        let mut chosen: Vec<Comparison> = open.into_iter().take(MOST_SOLVED * 2).collect();
        for _ in 0..others.len().min(24) {
            chosen.push(others[self.rng.usize(..others.len())]);
        }
        for comparison in &chosen {
            for new in solve::replaced(&genome, &self.kinds, comparison) {
                self.check(budget)?;
                if self.executions >= until {
                    return Ok(());
                }
                self.execute(&new, Rest::End, 0, false)?;
            }
        }
        self.move_and_solve(&genome, &chosen, until, budget)
    }

    /// True if a comparison had one outcome only.
    fn is_open(&self, comparison: &Comparison) -> bool {
        self.outcomes.get(&comparison.site).is_none_or(|seen| *seen != 3)
    }

    /// An execution whose comparisons are kept.
    fn logged(&mut self, genome: &[Gene]) -> Result<Log, Learned> {
        self.execute(genome, Rest::End, 0, true)?;
        let comparisons = self.feedback.comparisons().to_vec();
        for c in &comparisons {
            *self.outcomes.entry(c.site).or_default() |= if c.op.holds(c.width, c.a, c.b) { 2 } else { 1 };
        }
        Ok(Log { comparisons, texts: self.feedback.texts().to_vec() })
    }

    /// Changes inputs one by one, sees which comparisons they move, and solves these.
    fn move_and_solve(&mut self, genome: &[Gene], chosen: &[Comparison], until: u64, budget: &Budget) -> End {
        let wanted: BTreeMap<(u32, u16), &Comparison> =
            chosen.iter().filter(|c| self.is_open(c)).map(|c| ((c.site, c.occurrence), c)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let read = wanted.values().map(|c| c.inputs as usize).max().unwrap_or(0).min(genome.len());
        let first = read.saturating_sub(MOST_MOVED);
        let mut slopes: BTreeMap<(u32, u16), Vec<Slope>> = BTreeMap::new();
        for at in first..read {
            self.check(budget)?;
            if self.kinds.get(genome[at].kind).is_uninitialised() || self.executions >= until {
                continue;
            }
            let (_, high) = self.kinds.get(genome[at].kind).bounds();
            let down = genome[at].value as i128 >= high;
            let mut moved = genome.to_vec();
            moved[at].value = if down { moved[at].value.wrapping_sub(1) } else { moved[at].value + 1 };
            for c in self.logged(&moved)?.comparisons {
                let Some(before) = wanted.get(&(c.site, c.occurrence)) else { continue };
                let by = solve::difference(&c) - solve::difference(before);
                if by != 0 && (before.inputs as usize) > at {
                    let by = if down { -by } else { by };
                    slopes.entry((c.site, c.occurrence)).or_default().push(Slope { at, by });
                }
            }
        }
        for (key, slopes) in slopes.iter().take(MOST_SOLVED) {
            let comparison = wanted[key];
            let now = solve::difference(comparison);
            for goal in solve::goals(comparison) {
                for new in solve::solved(genome, &self.kinds, slopes, goal - now) {
                    self.check(budget)?;
                    self.execute(&new, Rest::End, 0, false)?;
                }
            }
            // Not linear: the last characters that matter are tried in full.
            for slope in slopes.iter().rev().take(2) {
                if !self.kinds.get(genome[slope.at].kind).is_character() || self.executions >= until {
                    continue;
                }
                for value in 0..256 {
                    self.check(budget)?;
                    let mut new = genome.to_vec();
                    new[slope.at].value = value;
                    self.execute(&new, Rest::End, 0, false)?;
                }
            }
        }
        Ok(())
    }
}

/// What was compared in an execution.
struct Log {
    comparisons: Vec<Comparison>,
    texts: Vec<Texts>,
}
