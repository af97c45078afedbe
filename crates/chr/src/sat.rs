//! A small conflict-driven clause learning search, made to be interrupted by theories.
//!
//! Why not a SAT crate: rules make new atoms and new clauses in the middle of the search, under the
//! current assignment, many times per decision. `varisat` is no longer kept up, `splr` takes no clauses
//! after the start, and `batsat` calls its own interface for lemmas "not fully supported" and panics on a
//! conflict without literals. Between calls with assumptions all of them start from an empty trail, and every
//! rule would have to be matched anew. What is below is the textbook algorithm: two watched literals, first
//! unique implication point, activities, saved levels; decisions are the caller's.

/// A Boolean variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoolVar(pub u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is true when `var` is `value`.
    pub fn new(var: BoolVar, value: bool) -> Lit {
        Lit(var.0 << 1 | u32::from(!value))
    }

    /// Its variable.
    pub fn var(self) -> BoolVar {
        BoolVar(self.0 >> 1)
    }

    /// The value of the variable that makes it true.
    pub fn sign(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.sign() { "" } else { "-" }, self.var().0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClauseId(u32);

/// A clause is a contradiction under the current assignment.
#[derive(Debug)]
pub struct Conflict(ClauseId);

/// What became of a clause that was added.
#[derive(Debug)]
pub enum Added {
    /// It holds, or is undecided, or made one literal true.
    Fine,
    /// All its literals are false.
    Conflict(Conflict),
}

/// Assignment, clauses, levels.
#[derive(Debug, Default)]
pub struct Sat {
    clauses: Vec<Vec<Lit>>,
    watches: Vec<Vec<ClauseId>>,
    value: Vec<Option<bool>>,
    level: Vec<u32>,
    reason: Vec<Option<ClauseId>>,
    activity: Vec<f64>,
    bump: f64,
    trail: Vec<Lit>,
    head: usize,
    levels: Vec<usize>,
    seen: Vec<bool>,
    /// Clauses whose last literal was made true above the level at which they became unit.
    late: Vec<ClauseId>,
    /// How many conflicts were analysed.
    pub conflicts: u64,
}

impl Sat {
    /// Nothing is known yet.
    pub fn new() -> Sat {
        Sat { bump: 1.0, ..Sat::default() }
    }

    /// One more variable.
    pub fn new_var(&mut self) -> BoolVar {
        let var = BoolVar(self.value.len() as u32);
        self.value.push(None);
        self.level.push(0);
        self.reason.push(None);
        self.activity.push(0.0);
        self.seen.push(false);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        var
    }

    /// The value of a literal, if it has one.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.var().0 as usize].map(|v| v == lit.sign())
    }

    /// Literals made true, in order.
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// How often the variable took part in recent conflicts.
    pub fn activity(&self, lit: Lit) -> f64 {
        self.activity[lit.var().0 as usize]
    }

    /// Opens a level in which `lit` is true.
    pub fn decide(&mut self, lit: Lit) {
        debug_assert!(self.value(lit).is_none());
        self.levels.push(self.trail.len());
        self.enqueue(lit, None);
    }

    fn enqueue(&mut self, lit: Lit, reason: Option<ClauseId>) {
        let var = lit.var().0 as usize;
        self.value[var] = Some(lit.sign());
        self.level[var] = self.levels.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
    }

    /// Adds a clause that follows from what is given, whatever the current assignment is.
    pub fn add(&mut self, lits: &[Lit]) -> Added {
        let mut clause = lits.to_vec();
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|w| w[0].var() == w[1].var()) {
            return Added::Fine;
        }
        clause.retain(|&l| !(self.value(l) == Some(false) && self.level_of(l) == 0));
        if clause.iter().any(|&l| self.value(l) == Some(true) && self.level_of(l) == 0) {
            return Added::Fine;
        }
        // Undecided and true literals first, then the false ones of the highest levels: those are watched.
        clause.sort_by_key(|&l| match self.value(l) {
            Some(true) => (0, 0),
            None => (1, 0),
            Some(false) => (2, u32::MAX - self.level_of(l)),
        });
        let id = ClauseId(self.clauses.len() as u32);
        let first = clause.first().copied();
        let second = clause.get(1).copied();
        for lit in [first, second].into_iter().flatten() {
            if second.is_some() {
                self.watches[lit.index()].push(id);
            }
        }
        self.clauses.push(clause);
        match (first, second) {
            (None, _) => Added::Conflict(Conflict(id)),
            (Some(lit), _) if self.value(lit) == Some(false) => Added::Conflict(Conflict(id)),
            (Some(lit), None) => {
                self.late.push(id);
                if self.value(lit).is_none() {
                    self.enqueue(lit, Some(id));
                }
                Added::Fine
            }
            (Some(lit), Some(other)) => {
                if self.value(lit).is_none() && self.value(other) == Some(false) {
                    self.late.push(id);
                    self.enqueue(lit, Some(id));
                }
                Added::Fine
            }
        }
    }

    fn level_of(&self, lit: Lit) -> u32 {
        self.level[lit.var().0 as usize]
    }

    /// Unit propagation.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let watchers = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = Vec::with_capacity(watchers.len());
            let mut conflict = None;
            for (position, &id) in watchers.iter().enumerate() {
                match self.visit(id, falsified) {
                    Visit::Moved => {}
                    Visit::Stays => kept.push(id),
                    Visit::Conflict => {
                        kept.extend_from_slice(&watchers[position..]);
                        conflict = Some(Conflict(id));
                        break;
                    }
                }
            }
            self.watches[falsified.index()] = kept;
            if let Some(conflict) = conflict {
                return Err(conflict);
            }
        }
        Ok(())
    }

    fn visit(&mut self, id: ClauseId, falsified: Lit) -> Visit {
        let mut clause = std::mem::take(&mut self.clauses[id.0 as usize]);
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let visit = if self.value(clause[0]) == Some(true) {
            Visit::Stays
        } else if let Some(other) = (2..clause.len()).find(|&i| self.value(clause[i]) != Some(false)) {
            clause.swap(1, other);
            self.watches[clause[1].index()].push(id);
            Visit::Moved
        } else if self.value(clause[0]) == Some(false) {
            Visit::Conflict
        } else {
            self.enqueue(clause[0], Some(id));
            Visit::Stays
        };
        self.clauses[id.0 as usize] = clause;
        visit
    }

    /// Learns from a conflict. Gives the depth to go back to and the learned clause, or `None` if
    /// there is no way out.
    pub fn analyse(&mut self, conflict: Conflict) -> Option<(usize, Vec<Lit>)> {
        self.conflicts += 1;
        let top = self.clauses[conflict.0.0 as usize].iter().map(|&l| self.level_of(l)).max().unwrap_or(0);
        if top == 0 {
            return None;
        }
        self.unwind(top as usize);
        let mut learned = vec![];
        let mut open = 0usize;
        let mut from = conflict.0;
        let mut position = self.trail.len();
        let mut skip: Option<Lit> = None;
        loop {
            for lit in self.clauses[from.0 as usize].clone() {
                let var = lit.var().0 as usize;
                if Some(lit) == skip || self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                self.bump_activity(var);
                if self.level[var] == top {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            loop {
                position -= 1;
                if self.seen[self.trail[position].var().0 as usize]
                    && self.level_of(self.trail[position]) == top
                {
                    break;
                }
            }
            let lit = self.trail[position];
            self.seen[lit.var().0 as usize] = false;
            open -= 1;
            if open == 0 {
                learned.push(!lit);
                break;
            }
            skip = Some(lit);
            from = self.reason[lit.var().0 as usize]
                .expect("a literal of the top level that is not the decision has a reason");
        }
        for &lit in &learned {
            self.seen[lit.var().0 as usize] = false;
        }
        self.bump *= 1.0 / 0.95;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.bump *= 1e-100;
        }
        let asserting = learned[learned.len() - 1];
        let back = learned.iter().filter(|&&l| l != asserting).map(|&l| self.level_of(l)).max().unwrap_or(0);
        Some((back as usize, learned))
    }

    fn bump_activity(&mut self, var: usize) {
        self.activity[var] += self.bump;
    }

    /// Goes back to `depth` decisions. Clauses that are unit there are applied again by [`Sat::apply_late`].
    pub fn unwind(&mut self, depth: usize) {
        if depth >= self.levels.len() {
            return;
        }
        let keep = self.levels[depth];
        for lit in self.trail.drain(keep..) {
            let var = lit.var().0 as usize;
            self.value[var] = None;
            self.reason[var] = None;
        }
        self.levels.truncate(depth);
        self.head = self.head.min(keep);
    }

    /// Makes literals true whose clauses became unit below the level at which they were applied before.
    pub fn apply_late(&mut self) -> Result<(), Conflict> {
        let late = std::mem::take(&mut self.late);
        let mut conflict = None;
        for id in late {
            let clause = &self.clauses[id.0 as usize];
            let holds = clause.iter().any(|&l| self.value(l) == Some(true));
            let open: Vec<Lit> =
                clause.iter().copied().filter(|&l| self.value(l).is_none()).take(2).collect();
            if let ([a, b], false) = (open.as_slice(), holds) {
                // With two watched literals that are open the usual propagation takes over.
                self.watch(id, *a, *b);
                continue;
            }
            if !self.levels.is_empty() {
                self.late.push(id);
            }
            match open.first() {
                _ if holds => {}
                Some(&lit) => self.enqueue(lit, Some(id)),
                None => conflict = conflict.or(Some(Conflict(id))),
            }
        }
        conflict.map_or(Ok(()), Err)
    }

    /// From now on these two literals of a clause are watched.
    fn watch(&mut self, id: ClauseId, a: Lit, b: Lit) {
        let clause = &mut self.clauses[id.0 as usize];
        for &lit in &clause[..2] {
            self.watches[lit.index()].retain(|&other| other != id);
        }
        for (place, lit) in [a, b].into_iter().enumerate() {
            let at = clause.iter().position(|&l| l == lit).unwrap_or(place);
            clause.swap(place, at);
            self.watches[lit.index()].push(id);
        }
    }
}

enum Visit {
    Moved,
    Stays,
    Conflict,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers, so that the same problems come up every time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % most
        }
    }

    /// Satisfiable or not; clauses are added in the middle of the search, as theories do.
    fn solve(vars: usize, clauses: &[Vec<Lit>], numbers: &mut Numbers) -> bool {
        let mut sat = Sat::new();
        let all: Vec<BoolVar> = (0..vars).map(|_| sat.new_var()).collect();
        let mut waiting = clauses.iter();
        loop {
            let add = |sat: &mut Sat, clause: &[Lit]| match sat.add(clause) {
                Added::Fine => Ok(()),
                Added::Conflict(conflict) => Err(conflict),
            };
            let mut step = sat.propagate();
            if step.is_ok()
                && let Some(clause) = waiting.next()
            {
                step = add(&mut sat, clause);
            }
            while let Err(conflict) = step {
                let Some((depth, learned)) = sat.analyse(conflict) else { return false };
                sat.unwind(depth);
                step = add(&mut sat, &learned).and_then(|()| sat.apply_late());
            }
            if sat.head < sat.trail.len() {
                continue;
            }
            let open: Vec<BoolVar> =
                all.iter().copied().filter(|&var| sat.value(Lit::new(var, true)).is_none()).collect();
            if !open.is_empty() {
                let var = open[numbers.below(open.len())];
                sat.decide(Lit::new(var, numbers.below(2) == 0));
            } else if waiting.as_slice().is_empty() {
                let holds = |clause: &Vec<Lit>| clause.iter().any(|&l| sat.value(l) == Some(true));
                assert!(clauses.iter().all(holds), "the assignment is none");
                return true;
            }
        }
    }

    fn is_satisfiable(vars: usize, clauses: &[Vec<Lit>]) -> bool {
        (0..1u32 << vars).any(|bits| {
            let holds = |lit: &Lit| (bits >> lit.var().0 & 1 == 1) == lit.sign();
            clauses.iter().all(|clause| clause.iter().any(holds))
        })
    }

    #[test]
    fn clauses_that_come_late_change_no_answer() {
        let mut numbers = Numbers(1);
        let mut satisfiable = 0;
        for _ in 0..3_000 {
            let vars = 4 + numbers.below(6);
            let count = vars * 3 + numbers.below(vars * 3);
            let clauses: Vec<Vec<Lit>> = (0..count)
                .map(|_| {
                    let length = 2 + numbers.below(3);
                    (0..length)
                        .map(|_| Lit::new(BoolVar(numbers.below(vars) as u32), numbers.below(2) == 0))
                        .collect()
                })
                .collect();
            let truth = is_satisfiable(vars, &clauses);
            satisfiable += u32::from(truth);
            assert_eq!(solve(vars, &clauses, &mut numbers), truth, "{clauses:?}");
        }
        assert!((300..2_700).contains(&satisfiable), "{satisfiable} of 3000");
    }
}
