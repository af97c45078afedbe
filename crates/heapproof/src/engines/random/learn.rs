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
/// Executions in a row that show nothing new, after which there is no hope; more where new things were seen late.
const BOREDOM: u64 = 4_000;
/// Inputs that are kept, at most.
const MOST_KEPT: usize = 2_000;
/// Executions after each look at inputs that change them at random.
const CHANGES: u64 = 400;
/// Inputs of an execution that are changed one by one, and comparisons that are solved.
const MOST_MOVED: usize = 160;
const MOST_SOLVED: usize = 48;
/// Comparisons before the one that is solved that are put right.
const MOST_REPAIRS: usize = 3;
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
        let patience = BOREDOM + self.budget.executions / 16 + 4 * self.last_new;
        let bored = self.executions - self.last_new > patience;
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
        self.last_new = self.executions;
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
        self.move_and_solve(&Base::new(&genome, base.comparisons), &chosen, until, budget)
    }

    /// True if a comparison had one outcome only.
    fn is_open(&self, comparison: &Comparison) -> bool {
        self.outcomes.get(&comparison.site).is_none_or(|seen| *seen != 3)
    }

    /// An execution whose comparisons are kept.
    fn logged(&mut self, genome: &[Gene]) -> Result<Log, Learned> {
        self.execute(genome, Rest::End, 0, true)?;
        let comparisons: Vec<Comparison> =
            self.feedback.comparisons().iter().filter(|c| c.width <= 64).copied().collect();
        for c in &comparisons {
            *self.outcomes.entry(c.site).or_default() |= if c.op.holds(c.width, c.a, c.b) { 2 } else { 1 };
        }
        Ok(Log { comparisons, texts: self.feedback.texts().to_vec() })
    }

    /// Changes inputs one by one, sees which comparisons they move, and solves these.
    fn move_and_solve(&mut self, base: &Base<'_>, chosen: &[Comparison], until: u64, budget: &Budget) -> End {
        let genome = base.genome;
        let wanted: BTreeMap<Key, &Comparison> =
            chosen.iter().filter(|c| self.is_open(c)).chain(base.last()).map(|c| (key(c), c)).collect();
        let read = wanted.values().map(|c| c.inputs as usize).max().unwrap_or(0).min(genome.len());
        let first = read.saturating_sub(MOST_MOVED);
        let mut slopes: Slopes = BTreeMap::new();
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
                let Some(before) = base.compared.get(&key(&c)) else { continue };
                let by = solve::difference(&c).wrapping_sub(solve::difference(before));
                if by != 0 && (before.inputs as usize) > at {
                    let by = if down { by.wrapping_neg() } else { by };
                    slopes.entry(key(&c)).or_default().push(Slope { at, by });
                }
            }
        }
        for (key, comparison) in wanted.iter().take(MOST_SOLVED) {
            let Some(own) = slopes.get(key) else { continue };
            let now = solve::difference(comparison);
            for goal in solve::goals(comparison) {
                for new in solve::solved(genome, &self.kinds, comparison.width, own, goal - now) {
                    self.check(budget)?;
                    if self.executions >= until {
                        return Ok(());
                    }
                    self.attempt(base, new, comparison, &slopes)?;
                }
            }
            // Not linear: the last characters that matter are tried in full.
            for slope in own.iter().rev().take(2) {
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

    /// Executes with changed inputs. Where a comparison before the one that they are for comes out otherwise than it did, such as that of
    /// a checksum, it is solved by other inputs.
    fn attempt(&mut self, base: &Base<'_>, mut new: Genome, target: &Comparison, slopes: &Slopes) -> End {
        let mut log = self.logged(&new)?;
        for _ in 0..MOST_REPAIRS {
            let after: BTreeMap<Key, Comparison> = log.comparisons.iter().map(|c| (key(c), *c)).collect();
            let differs = |c: &&Comparison| {
                c.inputs <= target.inputs
                    && after.get(&key(c)).is_some_and(|now| solve::outcome(now) != solve::outcome(c))
            };
            let wrong = base.order.iter().take_while(|c| key(c) != key(target)).find(differs);
            let Some((before, own)) = wrong.and_then(|c| Some((c, slopes.get(&key(c))?))) else {
                return Ok(());
            };
            let untouched = own.iter().filter(|s| new[s.at] == base.genome[s.at]).copied();
            let untouched: Vec<Slope> = untouched.collect();
            let missing = solve::difference(before).wrapping_sub(solve::difference(&after[&key(before)]));
            let mut repaired = None;
            for next in
                solve::solved(&new, &self.kinds, before.width, &untouched, missing).into_iter().take(8)
            {
                let log = self.logged(&next)?;
                let now = log.comparisons.iter().find(|c| key(c) == key(before));
                if now.is_some_and(|now| solve::outcome(now) == solve::outcome(before)) {
                    repaired = Some((next, log));
                    break;
                }
            }
            let Some(better) = repaired else { return Ok(()) };
            (new, log) = better;
        }
        Ok(())
    }
}

/// A comparison of an execution: its place, and how many of this place came before.
type Key = (u32, u16);

fn key(comparison: &Comparison) -> Key {
    (comparison.site, comparison.occurrence)
}

/// How inputs move comparisons.
type Slopes = BTreeMap<Key, Vec<Slope>>;

/// Inputs that are looked at, and what was compared with them.
struct Base<'g> {
    genome: &'g [Gene],
    order: Vec<Comparison>,
    compared: BTreeMap<Key, Comparison>,
}

impl<'g> Base<'g> {
    fn new(genome: &'g [Gene], order: Vec<Comparison>) -> Self {
        let compared = order.iter().map(|c| (key(c), *c)).collect();
        Base { genome, order, compared }
    }

    /// The last comparisons: often the ones that the inputs failed.
    fn last(&self) -> impl Iterator<Item = &Comparison> {
        self.order.iter().rev().take(6)
    }
}

/// What was compared in an execution.
struct Log {
    comparisons: Vec<Comparison>,
    texts: Vec<Texts>,
}
