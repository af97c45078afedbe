//! Satisfiability modulo rules: the search.
//!
//! As in Duck, "SMCHR: Satisfiability modulo constraint handling rules": a search over the Boolean structure of the goal, in which
//! each constraint is a literal. Whenever literals become true, the built-in solvers and the rules add clauses with
//! reasons until nothing more follows; then the oldest open choice is settled, and conflicts are learned from.
//! The answer `Unsat` rests only on these clauses. The answer that nothing contradicts the goal is as
//! complete as the rules are.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::compile::{Compiled, CompiledGoal, Symbol};
use crate::equality::Value;
use crate::linear::{Check, Contradiction};
use crate::matching::{Applied, build_clauses};
use crate::parse::SyntaxError;
use crate::sat::{BoolVar, Conflict, Lit};
use crate::store::{Atom, Store};
use crate::syntax::{Comparison, Constraint, Formula, Goal, Rules, Term};

/// Limits of one search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many attempts to match a rule there may be.
    pub steps: u64,
    /// How many conflicts.
    pub conflicts: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { steps: 20_000_000, conflicts: 200_000 }
    }
}

/// What was found out about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The goal has no solution.
    Unsat,
    /// Nothing contradicts these constraints: there may be a solution.
    Open(Vec<Formula>),
    /// A limit was reached.
    GaveUp(Limit),
}

/// Which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// [`Options::steps`].
    #[error("the limit of rule applications was reached")]
    Steps,
    /// [`Options::conflicts`].
    #[error("the limit of conflicts was reached")]
    Conflicts,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Unsat => f.write_str("unsat"),
            Answer::Open(known) => write!(f, "unknown: {}", Formula::And(known.clone())),
            Answer::GaveUp(limit) => write!(f, "unknown: {limit}"),
        }
    }
}

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Attempts to match a rule.
    pub steps: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
}

/// A solver made of rules.
#[derive(Clone, Debug)]
pub struct Solver {
    compiled: Compiled,
    options: Options,
}

impl Solver {
    /// A solver with these rules and the built-in ones.
    pub fn new(rules: &Rules, options: Options) -> Result<Solver, SyntaxError> {
        Ok(Solver { compiled: Compiled::new(rules)?, options })
    }

    /// Solves one goal.
    pub fn solve(&mut self, goal: &Goal) -> Result<Answer, SyntaxError> {
        self.solve_counting(goal).map(|(answer, _)| answer)
    }

    /// Solves one goal and says how much work it was.
    pub fn solve_counting(&mut self, goal: &Goal) -> Result<(Answer, Statistics), SyntaxError> {
        let goal = self.compiled.goal(goal)?;
        let mut search = Search::new(&self.compiled, self.options);
        let answer = search.run(&goal);
        Ok((answer, search.statistics()))
    }

    /// Solves a formula that was not read from a text.
    pub fn solve_formula(&mut self, formula: Formula) -> Result<Answer, SyntaxError> {
        self.solve(&Goal { formula, at: crate::syntax::Position::default() })
    }
}

struct Search<'a> {
    store: Store<'a>,
    applied: Applied,
    /// Which heads of which rules a constraint may match; those of rules with alternatives apart.
    quick: HashMap<(Symbol, bool), Vec<(u32, usize)>>,
    slow: HashMap<(Symbol, bool), Vec<(u32, usize)>>,
    waiting: VecDeque<BoolVar>,
    waits: BTreeSet<BoolVar>,
    options: Options,
    decisions: u64,
    fractions: u32,
}

/// How often a variable with a fraction as value is split.
const FRACTIONS: u32 = 200;

impl<'a> Search<'a> {
    fn new(compiled: &'a Compiled, options: Options) -> Search<'a> {
        let (mut quick, mut slow) = (HashMap::new(), HashMap::new());
        for (index, rule) in compiled.rules.iter().enumerate() {
            for (position, head) in rule.heads.iter().enumerate() {
                let table: &mut HashMap<_, Vec<_>> = if rule.splits { &mut slow } else { &mut quick };
                table.entry((head.symbol, head.sign)).or_default().push((index as u32, position));
            }
        }
        Search {
            store: Store::new(compiled),
            applied: Applied::default(),
            quick,
            slow,
            waiting: VecDeque::new(),
            waits: BTreeSet::new(),
            options,
            decisions: 0,
            fractions: 0,
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            steps: self.applied.steps,
            conflicts: self.store.sat.conflicts,
            decisions: self.decisions,
        }
    }

    fn run(&mut self, goal: &CompiledGoal) -> Answer {
        let mut slots: Vec<Option<Value>> = Vec::new();
        for name in &goal.names {
            slots.push(Some(Value::node(self.store.new_node(name.clone()))));
        }
        let Ok(clauses) = build_clauses(&mut self.store, &goal.body, &mut slots) else {
            return Answer::Unsat;
        };
        for (clause, choice) in clauses.iter() {
            if self.store.add_clause(clause).is_err() {
                return Answer::Unsat;
            }
            if let Some(choice) = choice {
                self.store.activate(*choice);
            }
        }
        loop {
            if self.applied.steps > self.options.steps {
                return Answer::GaveUp(Limit::Steps);
            }
            if self.store.sat.conflicts > self.options.conflicts {
                return Answer::GaveUp(Limit::Conflicts);
            }
            let step = self.saturate().and_then(|()| self.next_choice());
            match step {
                Err(conflict) => {
                    if !self.learn(conflict) {
                        return Answer::Unsat;
                    }
                }
                Ok(Next::Decide(lit)) => {
                    self.decisions += 1;
                    self.store.decide(lit);
                }
                Ok(Next::Again) => {}
                Ok(Next::Done) => return Answer::Open(self.known()),
            }
        }
    }

    /// Follows all consequences of what is decided.
    fn saturate(&mut self) -> Result<(), Conflict> {
        loop {
            if self.applied.steps > self.options.steps {
                return Ok(());
            }
            self.store.sat.propagate()?;
            if let Some(&lit) = self.store.sat.trail().get(self.store.followed) {
                self.store.followed += 1;
                self.store.follow(lit)?;
            } else if let Some(var) = self.store.next_dirty() {
                if let Err(conflict) = self.look_at(var) {
                    self.store.look_at(var);
                    return Err(conflict);
                }
            } else if self.arithmetic()? {
            } else if let Some(var) = self.next_waiting() {
                if let Err(conflict) = self.try_slow_rules(var) {
                    self.wait(var);
                    return Err(conflict);
                }
            } else {
                return Ok(());
            }
        }
    }

    fn look_at(&mut self, var: BoolVar) -> Result<(), Conflict> {
        let Some(sign) = self.store.refresh(var)? else { return Ok(()) };
        let Atom::Holds(symbol, _) = self.store.atoms[var.0 as usize] else { return Ok(()) };
        if self.slow.contains_key(&(symbol, sign)) {
            self.wait(var);
        }
        for (rule, position) in self.quick.get(&(symbol, sign)).cloned().unwrap_or_default() {
            self.applied.try_rule(&mut self.store, rule, position, var)?;
            if self.store.hidden[var.0 as usize] {
                break;
            }
        }
        Ok(())
    }

    fn wait(&mut self, var: BoolVar) {
        if self.waits.insert(var) {
            self.waiting.push_back(var);
        }
    }

    fn next_waiting(&mut self) -> Option<BoolVar> {
        let var = self.waiting.pop_front()?;
        self.waits.remove(&var);
        Some(var)
    }

    fn try_slow_rules(&mut self, var: BoolVar) -> Result<(), Conflict> {
        let Some(sign) = self.store.value(var).filter(|_| !self.store.hidden[var.0 as usize]) else {
            return Ok(());
        };
        let Atom::Holds(symbol, _) = self.store.atoms[var.0 as usize] else { return Ok(()) };
        for (rule, position) in self.slow.get(&(symbol, sign)).cloned().unwrap_or_default() {
            self.applied.try_rule(&mut self.store, rule, position, var)?;
            if self.store.hidden[var.0 as usize] {
                break;
            }
        }
        Ok(())
    }

    /// Checks the bounds of the arithmetic and tells equality what they fix.
    fn arithmetic(&mut self) -> Result<bool, Conflict> {
        self.store.tell_untold()?;
        match self.store.linear.check() {
            Check::Contradiction(Contradiction(why)) => {
                let clause: Vec<Lit> = why.into_iter().map(|l| !l).collect();
                self.store.add_clause(&clause)?;
                Ok(true)
            }
            Check::Feasible => self.store.tell_equality(),
            Check::GaveUp => Ok(false),
        }
    }

    fn next_choice(&mut self) -> Result<Next, Conflict> {
        if let Some(lit) = self.store.pick() {
            return Ok(Next::Decide(lit));
        }
        if self.store.split_difference()? {
            return Ok(Next::Again);
        }
        if self.fractions < FRACTIONS
            && !self.store.linear.is_broken()
            && let Some(lit) = self.store.split_fraction()
        {
            self.fractions += 1;
            return Ok(Next::Decide(lit));
        }
        Ok(Next::Done)
    }

    /// Goes back and adds what the conflict teaches; false if there is no way out.
    fn learn(&mut self, conflict: Conflict) -> bool {
        let mut conflict = conflict;
        loop {
            let Some((depth, learned)) = self.store.sat.analyse(conflict) else { return false };
            self.store.unwind(depth);
            let added = self.store.add_clause(&learned);
            match added.and_then(|()| self.store.sat.apply_late()) {
                Ok(()) => return true,
                Err(next) => conflict = next,
            }
        }
    }

    /// What is known at the end of a search without contradiction.
    fn known(&self) -> Vec<Formula> {
        let term = |v: Value| {
            let name = &self.store.node_names[v.base.0 as usize];
            match v.base {
                crate::equality::ZERO => Term::Int(v.offset),
                _ => Term::var(name.as_str()).plus(v.offset),
            }
        };
        let mut known = Vec::new();
        for &lit in self.store.sat.trail() {
            let formula = match &self.store.atoms[lit.var().0 as usize] {
                Atom::Part => continue,
                Atom::Holds(symbol, args) => {
                    let name = self.store.compiled.name(*symbol);
                    Formula::Holds(Constraint::new(name, args.iter().map(|&v| term(v)).collect()))
                }
                Atom::Equal(x, y, k) => {
                    Formula::Compare(Comparison::Equal, term(Value::node(*x)), term(Value::node(*y).plus(*k)))
                }
                Atom::AtMost(x, y, k) => Formula::Compare(
                    Comparison::AtMost,
                    term(Value::node(*x)),
                    term(Value::node(*y).plus(*k)),
                ),
            };
            known.push(if lit.sign() { formula } else { formula.negated() });
        }
        known
    }
}

enum Next {
    Decide(Lit),
    Again,
    Done,
}
