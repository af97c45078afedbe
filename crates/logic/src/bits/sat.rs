//! A clause-learning search: two watched literals, first unique implication point, activities, restarts, assumptions.
//!
//! Only *wanted* variables are decided. The others are gates and inputs that the question does not depend on: they follow from any values of
//! the wanted ones, so an assignment of these without a conflict is a model.

use super::order::Order;

/// A variable or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The literal that holds.
    pub const TRUE: Lit = Lit(0);
    /// The literal that does not.
    pub const FALSE: Lit = Lit(1);

    /// A variable as it is.
    pub fn of(var: u32) -> Lit {
        Lit(var << 1)
    }

    /// Its variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// It is the opposite of its variable.
    pub fn is_opposite(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal, or its opposite.
    pub fn flipped(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
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

/// Where a clause begins: its length, then its literals.
type Clause = u32;

const NO_CLAUSE: Clause = u32::MAX;
/// The length of a clause that was dropped has this bit.
const DROPPED: u32 = 1 << 31;
/// Conflicts between two restarts, at least.
const RESTART: u64 = 64;
/// Learnt clauses that are kept at the start.
const LEARNT: usize = 4_000;

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: Clause,
    /// A literal of the clause: where it holds, the clause needs no look.
    other: Lit,
}

/// The search.
#[derive(Debug)]
pub struct Sat {
    arena: Vec<u32>,
    watches: Vec<Vec<Watch>>,
    /// By literal: positive if it holds, negative if not.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Clause>,
    phases: Vec<bool>,
    trail: Vec<Lit>,
    limits: Vec<usize>,
    head: usize,
    order: Order,
    wanted: Vec<u32>,
    question: u32,
    learnt: Vec<(Clause, u32)>,
    most_learnt: usize,
    seen: Vec<bool>,
    is_consistent: bool,
    failed: Vec<Lit>,
    propagations: u64,
}

impl Sat {
    /// Nothing but the literal that holds.
    pub fn new() -> Sat {
        let mut sat = Sat {
            arena: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            order: Order::default(),
            wanted: Vec::new(),
            question: 0,
            learnt: Vec::new(),
            most_learnt: LEARNT,
            seen: Vec::new(),
            is_consistent: true,
            failed: Vec::new(),
            propagations: 0,
        };
        sat.add_var();
        sat.add_clause(&[Lit::TRUE]);
        sat
    }

    /// A new variable.
    pub fn add_var(&mut self) -> u32 {
        let var = self.levels.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(NO_CLAUSE);
        self.phases.push(false);
        self.wanted.push(0);
        self.seen.push(false);
        self.order.add();
        var
    }

    /// The value of a variable in the last model; none if nothing depended on it.
    pub fn value(&self, var: u32) -> Option<bool> {
        match self.values[Lit::of(var).index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// Assumptions of the last question that cannot hold together.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// A clause that always holds.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.back_to(0);
        let mut kept: Vec<Lit> = lits.to_vec();
        kept.sort();
        kept.dedup();
        let holds = |lit: &Lit| self.values[lit.index()] > 0 || kept.binary_search(&!*lit).is_ok();
        if kept.iter().any(holds) {
            return;
        }
        kept.retain(|lit| self.values[lit.index()] == 0);
        match kept.as_slice() {
            [] => self.is_consistent = false,
            [lit] => {
                self.assign(*lit, NO_CLAUSE);
                self.is_consistent &= self.propagate().is_none();
            }
            _ => {
                self.store(&kept);
            }
        }
    }

    /// A new question begins.
    pub fn start(&mut self) {
        self.back_to(0);
        self.question += 1;
        self.order.clear();
    }

    /// The question depends on a variable. False if that was known.
    pub fn want(&mut self, var: u32) -> bool {
        if self.wanted[var as usize] == self.question {
            return false;
        }
        self.wanted[var as usize] = self.question;
        self.order.insert(var);
        true
    }

    /// Can the clauses and the assumptions hold together? None if that needs more propagations.
    pub fn solve(&mut self, assumptions: &[Lit], most: u64) -> Option<bool> {
        self.failed.clear();
        self.back_to(0);
        let last = self.propagations.saturating_add(most);
        let mut round = 0;
        while self.is_consistent {
            round += 1;
            if let Some(answer) = self.search(assumptions, luby(round) * RESTART, last) {
                return Some(answer);
            }
            if self.propagations > last {
                return None;
            }
            self.back_to(1);
            if self.learnt.len() > self.most_learnt {
                self.drop_learnt();
            }
        }
        Some(false)
    }

    /// Searches until an answer, or for some conflicts. All assumptions are made at once, on the first level: there are many of them,
    /// and going back must not undo them one by one.
    fn search(&mut self, assumptions: &[Lit], conflicts: u64, last: u64) -> Option<bool> {
        let mut left = conflicts;
        loop {
            if let Some(conflict) = self.propagate() {
                match self.limits.len() {
                    0 => self.is_consistent = false,
                    1 => self.explain(self.lits(conflict).to_vec()),
                    _ => {
                        self.learn(conflict);
                        self.order.decay();
                        left = left.saturating_sub(1);
                        continue;
                    }
                }
                return Some(false);
            }
            if left == 0 || self.propagations > last {
                return None;
            }
            if self.limits.is_empty() {
                if !self.assume(assumptions) {
                    return Some(false);
                }
                continue;
            }
            match self.next_decision() {
                Some(lit) => self.decide(lit),
                None => return Some(true),
            }
        }
    }

    /// Makes all assumptions; false if one cannot hold.
    fn assume(&mut self, assumptions: &[Lit]) -> bool {
        self.limits.push(self.trail.len());
        for lit in assumptions {
            match self.values[lit.index()] {
                0 => self.assign(*lit, NO_CLAUSE),
                1.. => {}
                _ => {
                    self.failed.push(*lit);
                    self.explain(vec![lit.0]);
                    return false;
                }
            }
        }
        true
    }

    fn next_decision(&mut self) -> Option<Lit> {
        loop {
            let var = self.order.pop()?;
            if self.values[Lit::of(var).index()] == 0 {
                return Some(Lit::of(var).flipped(!self.phases[var as usize]));
            }
        }
    }

    fn decide(&mut self, lit: Lit) {
        self.limits.push(self.trail.len());
        self.assign(lit, NO_CLAUSE);
    }

    fn assign(&mut self, lit: Lit, reason: Clause) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var() as usize;
        self.levels[var] = self.limits.len() as u32;
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    fn back_to(&mut self, level: usize) {
        if self.limits.len() <= level {
            return;
        }
        let from = self.limits[level];
        for lit in self.trail.drain(from..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            let var = lit.var();
            self.phases[var as usize] = !lit.is_opposite();
            if self.wanted[var as usize] == self.question {
                self.order.insert(var);
            }
        }
        self.limits.truncate(level);
        self.head = from;
    }

    fn store(&mut self, lits: &[Lit]) -> Clause {
        let clause = self.arena.len() as Clause;
        self.arena.push(lits.len() as u32);
        self.arena.extend(lits.iter().map(|lit| lit.0));
        self.watches[lits[0].index()].push(Watch { clause, other: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause, other: lits[0] });
        clause
    }

    fn lits(&self, clause: Clause) -> &[u32] {
        let at = clause as usize;
        let length = (self.arena[at] & !DROPPED) as usize;
        &self.arena[at + 1..at + 1 + length]
    }

    /// Assigns what follows; a clause that cannot hold any more is a conflict.
    fn propagate(&mut self) -> Option<Clause> {
        while self.head < self.trail.len() {
            let wrong = !self.trail[self.head];
            self.head += 1;
            self.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[wrong.index()]);
            let conflict = self.visit(wrong, &mut watches);
            self.watches[wrong.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal which does not hold any more.
    fn visit(&mut self, wrong: Lit, watches: &mut Vec<Watch>) -> Option<Clause> {
        let (mut next, mut kept) = (0, 0);
        let mut conflict = None;
        'clauses: while next < watches.len() {
            let watch = watches[next];
            next += 1;
            if self.values[watch.other.index()] > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let at = watch.clause as usize;
            let length = self.arena[at];
            if length & DROPPED != 0 {
                continue;
            }
            if self.arena[at + 1] == wrong.0 {
                self.arena.swap(at + 1, at + 2);
            }
            let first = Lit(self.arena[at + 1]);
            let watch = Watch { clause: watch.clause, other: first };
            if self.values[first.index()] <= 0 {
                for place in at + 3..at + 1 + length as usize {
                    let lit = Lit(self.arena[place]);
                    if self.values[lit.index()] >= 0 {
                        self.arena.swap(at + 2, place);
                        self.watches[lit.index()].push(watch);
                        continue 'clauses;
                    }
                }
            }
            watches[kept] = watch;
            kept += 1;
            match self.values[first.index()] {
                0 => self.assign(first, watch.clause),
                1.. => {}
                _ => {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        watches.copy_within(next.., kept);
        watches.truncate(kept + watches.len() - next);
        conflict
    }

    /// Learns from a conflict and goes back to where the new clause says something.
    fn learn(&mut self, conflict: Clause) {
        let mut learnt = vec![Lit::TRUE];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason = conflict;
        let here = self.limits.len() as u32;
        let mut marked = Vec::new();
        // The first literal of a reason is the one that it gave.
        let mut from = 0;
        loop {
            for place in from..self.lits(reason).len() {
                let lit = Lit(self.lits(reason)[place]);
                let var = lit.var() as usize;
                if self.seen[var] || self.levels[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                self.order.bump(lit.var());
                if self.levels[var] == here {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break;
                }
            }
            let lit = self.trail[at];
            self.seen[lit.var() as usize] = false;
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            reason = self.reasons[lit.var() as usize];
            from = 1;
        }
        let tail: Vec<Lit> = learnt[1..].iter().copied().filter(|lit| !self.is_redundant(*lit)).collect();
        learnt.truncate(1);
        learnt.extend(tail);
        marked.into_iter().for_each(|var| self.seen[var] = false);
        self.add_learnt(learnt);
    }

    /// A literal of a new clause follows from the others.
    fn is_redundant(&self, lit: Lit) -> bool {
        let reason = self.reasons[lit.var() as usize];
        let is_covered = |other: &u32| {
            let var = Lit(*other).var();
            var == lit.var() || self.seen[var as usize] || self.levels[var as usize] == 0
        };
        reason != NO_CLAUSE && self.lits(reason).iter().all(is_covered)
    }

    fn add_learnt(&mut self, mut learnt: Vec<Lit>) {
        let level = |lit: &Lit| self.levels[lit.var() as usize];
        let back = match (1..learnt.len()).max_by_key(|n| level(&learnt[*n])) {
            None => 0,
            Some(highest) => {
                learnt.swap(1, highest);
                level(&learnt[1])
            }
        };
        let mut levels: Vec<u32> = learnt.iter().map(level).collect();
        levels.sort_unstable();
        levels.dedup();
        self.back_to(back as usize);
        let reason = match learnt.len() {
            1 => NO_CLAUSE,
            _ => {
                let clause = self.store(&learnt);
                self.learnt.push((clause, levels.len() as u32));
                clause
            }
        };
        self.assign(learnt[0], reason);
    }

    /// Which assumptions make all of some literals impossible.
    fn explain(&mut self, lits: Vec<u32>) {
        let mark = |sat: &mut Sat, lit: u32| {
            let var = Lit(lit).var() as usize;
            sat.seen[var] |= sat.levels[var] > 0;
        };
        lits.into_iter().for_each(|lit| mark(self, lit));
        for at in (self.limits[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            let var = lit.var() as usize;
            if !std::mem::take(&mut self.seen[var]) {
                continue;
            }
            match self.reasons[var] {
                NO_CLAUSE => self.failed.push(lit),
                reason => {
                    for place in 1..self.lits(reason).len() {
                        let other = self.lits(reason)[place];
                        mark(self, other);
                    }
                }
            }
        }
    }

    /// Drops half of the learnt clauses: those that speak about many levels.
    fn drop_learnt(&mut self) {
        self.learnt.sort_by_key(|(clause, levels)| (*levels, *clause));
        let half = self.learnt.len() / 2;
        let mut kept = Vec::new();
        for (n, (clause, levels)) in std::mem::take(&mut self.learnt).into_iter().enumerate() {
            let first = Lit(self.lits(clause)[0]);
            let is_reason = self.values[first.index()] > 0 && self.reasons[first.var() as usize] == clause;
            if n < half || levels <= 2 || is_reason {
                kept.push((clause, levels));
            } else {
                self.arena[clause as usize] |= DROPPED;
            }
        }
        self.learnt = kept;
        self.most_learnt += self.most_learnt / 10;
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut n: u64) -> u64 {
    loop {
        let power = (n + 1).next_power_of_two();
        if power == n + 1 {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_follow_the_sequence() {
        let sequence: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// So many pigeons into so many holes.
    fn pigeons(pigeons: usize, holes: usize) -> (Sat, Vec<Vec<Lit>>) {
        let mut sat = Sat::new();
        let in_hole: Vec<Vec<Lit>> =
            (0..pigeons).map(|_| (0..holes).map(|_| Lit::of(sat.add_var())).collect()).collect();
        in_hole.iter().for_each(|some| sat.add_clause(some));
        for (n, a) in in_hole.iter().enumerate() {
            for (a, b) in in_hole[..n].iter().flat_map(|b| a.iter().zip(b)) {
                sat.add_clause(&[!*a, !*b]);
            }
        }
        sat.start();
        for lit in in_hole.iter().flatten() {
            sat.want(lit.var());
        }
        (sat, in_hole)
    }

    #[test]
    fn pigeons_need_holes() {
        assert_eq!(pigeons(7, 6).0.solve(&[], u64::MAX), Some(false));
        assert_eq!(pigeons(6, 6).0.solve(&[], u64::MAX), Some(true));
        assert_eq!(pigeons(11, 10).0.solve(&[], 1_000), None);
    }

    #[test]
    fn assumptions_that_fail_are_named() {
        let (mut sat, in_hole) = pigeons(3, 3);
        let (a, b, c) = (in_hole[0][0], in_hole[1][0], in_hole[2][1]);
        assert_eq!(sat.solve(&[c, a, b], u64::MAX), Some(false));
        let mut failed = sat.failed().to_vec();
        failed.sort();
        assert_eq!(failed, [a, b]);
        assert_eq!(sat.solve(&[c, a], u64::MAX), Some(true));
        assert_eq!(sat.value(a.var()), Some(true));
    }
}
