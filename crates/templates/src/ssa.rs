//! The program as one formula: definitions, loops that are cut at their end, and what must hold (paper, section II-C).

use crate::plan::{Context, Key};
use heapproof_engine::{Place, Spot};
use heapproof_ir::{BlockId, FuncId};
use heapproof_logic::{Name, Sort, Term};
use heapproof_verdict::{ErrorClass, Property};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// A variable that a loop changes.
#[derive(Clone, Debug)]
pub struct LoopVar {
    /// The variable of the program's state.
    pub key: Key,
    /// Its name for people.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Its value at the end of some iteration: free, but for the invariant.
    pub back: Term,
    /// Its value before the loop.
    pub entry: Term,
    /// Its value at the head of the loop.
    pub phi: Term,
    /// Its value at the end of the last iteration.
    pub latch: Term,
    /// It says something only where this holds at the end of an iteration: in terms of `back`, and of `latch`.
    pub when: Option<(Term, Term)>,
    /// The rest of the allocation whose witness it belongs to, and the witness.
    pub owner: Option<(u32, u32)>,
    /// For a pointer: heap blocks that it may lead to, each with the condition that it was made, at the head and at the end.
    pub leads: Vec<(u32, Term, Term)>,
}

/// An allocation in a loop.
#[derive(Clone, Debug)]
pub struct Site {
    /// The blocks that are not followed exactly.
    pub rest: u32,
    /// Those that are.
    pub witnesses: Vec<u32>,
    /// Fields that lead to blocks of the same allocation.
    pub links: Vec<(u64, u64)>,
}

/// An arbitrary element of an array, followed exactly.
#[derive(Clone, Debug)]
pub struct Element {
    /// The array.
    pub parent: u32,
    /// The object that stands for the element.
    pub obj: u32,
    /// Where it is.
    pub index: Term,
    /// Its size.
    pub len: u64,
}

/// What a variable of the formula is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A number; true if its C type has a sign.
    Number {
        /// Its C type has a sign.
        signed: bool,
    },
    /// The object that a pointer leads to.
    Object,
    /// The offset of a pointer.
    Offset,
    /// Something of the formula itself, such as the life of an object.
    Ghost,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its name for people.
    pub name: String,
    /// The function that it is in, its head, and the context of the function's registers: for tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub place: (FuncId, BlockId, Context),
    /// Its head is reached.
    pub guard: Term,
    /// The loop-select guard: the head is reached from the end of an iteration.
    pub select: Term,
    /// The end of its body is reached.
    pub latch: Term,
    /// What it changes.
    pub vars: Vec<LoopVar>,
    /// All variables at its head.
    pub state: BTreeMap<Key, crate::value::Value>,
    /// The loop around it.
    pub parent: Option<usize>,
    /// Variables of the formula that exist before the loop.
    pub before: u64,
}

/// A read through a pointer that may lead to one of the blocks of an allocation that are not followed exactly.
///
/// Witnesses are arbitrary blocks. So for any few pointers at once one may take the blocks that they lead to for witnesses:
/// then none of these reads meets the rest.
#[derive(Clone, Debug)]
pub struct Deref {
    /// The rest that it may meet.
    pub rest: u32,
    /// The pointer.
    pub pointer: Term,
    /// It meets the rest.
    pub missed: Term,
    /// The innermost loop around.
    pub inside: Option<usize>,
    /// Variables of the formula that existed then.
    pub number: u64,
}

/// Which property something that must hold belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An error of the program: a property and a class.
    Error(Property, ErrorClass),
    /// Something that the engine does not understand must not be reached.
    Coverage,
}

/// Something that must not happen.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it is.
    pub kind: Kind,
    /// It happens.
    pub bad: Term,
    /// Where.
    pub place: Place,
    /// In words.
    pub message: String,
    /// Variables of the formula that existed then.
    pub number: u64,
}

impl Obligation {
    /// Where it is, if it is an error of content. Calls and iterations share a spot, so there are many obligations for one.
    pub fn spot(&self) -> Option<Spot> {
        match self.kind {
            Kind::Error(Property::Assertions | Property::UnreachCall, class) => Spot::new(self.place, class),
            _ => None,
        }
    }
}

/// A value that the environment gives.
#[derive(Clone, Debug)]
pub struct Input {
    /// It is asked for.
    pub guard: Term,
    /// The value.
    pub value: Term,
}

/// The formula.
#[derive(Clone, Debug, Default)]
pub struct Ssa {
    /// Variables and what they are, in order.
    pub definitions: Vec<(Term, Term)>,
    /// Where each definition was made, for the text form.
    pub heads: Vec<(usize, String)>,
    /// What holds besides.
    pub facts: Vec<Term>,
    /// The loops, outer ones first.
    pub loops: Vec<Loop>,
    /// Reads that may meet blocks that are not followed exactly.
    pub derefs: Vec<Deref>,
    /// Blocks of each allocation in a loop that are followed exactly.
    pub witnesses: u8,
    /// What must not happen.
    pub obligations: Vec<Obligation>,
    /// What the environment gives, in the order of every execution.
    pub inputs: Vec<Input>,
    /// Functions that were called and have no code.
    pub externals: BTreeSet<FuncId>,
    /// Allocations in loops.
    pub sites: Vec<Site>,
    /// Elements of arrays that are followed.
    pub elements: Vec<Element>,
    /// Nothing is asked about numbers.
    pub is_about_memory: bool,
    /// There is a heap block.
    pub has_heap: bool,
    /// Accesses to objects whose earlier incarnations may be meant cannot be shown valid.
    pub blurred: bool,
    /// Comparisons and other truth values that the program computes.
    pub conditions: Vec<Term>,
    next: u64,
    numbers: HashMap<Term, u64>,
}

impl Ssa {
    /// A new variable without definition.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        self.next += 1;
        let var = Term::var(Name::Text(format!("{name}#{}", self.next).into()), sort);
        self.numbers.insert(var.clone(), self.next);
        var
    }

    /// How many variables there are.
    pub fn count(&self) -> u64 {
        self.next
    }

    /// When a variable was made.
    pub fn number(&self, var: &Term) -> Option<u64> {
        self.numbers.get(var).copied()
    }

    /// Names a term, unless it is simple already.
    pub fn define(&mut self, name: &str, term: Term) -> Term {
        if term.is_constant() || term.is_var() {
            return term;
        }
        let var = self.fresh(name, term.sort().clone());
        self.definitions.push((var.clone(), term));
        var
    }

    /// True if a loop is another one or lies in it.
    fn is_within(&self, mut inner: Option<usize>, outer: usize) -> bool {
        while let Some(l) = inner {
            if l == outer {
                return true;
            }
            inner = self.loops[l].parent;
        }
        false
    }

    /// What may be assumed of reads in a loop where a claim speaks about some witnesses: as many as are left meet one.
    pub fn hits_in_loop(&self, l: usize, owners: &BTreeSet<(u32, u32)>) -> Term {
        self.hits(self.derefs.iter().filter(|d| self.is_within(d.inside, l)), owners)
    }

    /// What may be assumed of the last reads before something that must hold.
    pub fn hits_before(&self, number: u64) -> Term {
        self.hits(self.derefs.iter().filter(|d| d.number <= number), &BTreeSet::new())
    }

    /// The condition that something that must not happen does, as it is to be examined. An error of content is one whichever blocks are
    /// witnesses, so these are free; an error of memory is one of a block.
    pub fn examined(&self, o: &Obligation) -> Term {
        match o.kind {
            Kind::Error(Property::Assertions | Property::UnreachCall, _) => {
                Term::and([o.bad.clone(), self.hits_before(o.number)])
            }
            _ => o.bad.clone(),
        }
    }

    fn hits<'a>(
        &self,
        derefs: impl DoubleEndedIterator<Item = &'a Deref>,
        owners: &BTreeSet<(u32, u32)>,
    ) -> Term {
        let mut chosen: BTreeSet<(u32, &Term)> = BTreeSet::new();
        let mut hits = Vec::new();
        for deref in derefs.rev() {
            let used = owners.iter().filter(|(rest, _)| *rest == deref.rest).count();
            let taken = chosen.iter().filter(|(rest, _)| *rest == deref.rest).count();
            let known = chosen.contains(&(deref.rest, &deref.pointer));
            if known || used + taken < usize::from(self.witnesses) {
                chosen.insert((deref.rest, &deref.pointer));
                hits.push(Term::not(deref.missed.clone()));
            }
        }
        Term::and(hits)
    }

    /// All definitions and facts as conditions.
    pub fn conditions(&self) -> impl Iterator<Item = Term> {
        let definitions = self.definitions.iter().map(|(var, term)| Term::eq(var.clone(), term.clone()));
        definitions.chain(self.facts.iter().cloned())
    }

    /// The text form.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let mut heads = self.heads.iter().peekable();
        for (at, (var, term)) in self.definitions.iter().enumerate() {
            while let Some((_, head)) = heads.next_if(|(from, _)| *from <= at) {
                let _ = writeln!(out, "; {head}");
            }
            let _ = writeln!(out, "  {var} = {term}");
        }
        for fact in &self.facts {
            let _ = writeln!(out, "  assume {fact}");
        }
        for l in &self.loops {
            let _ = writeln!(out, "loop {} head {} select {} end {}", l.name, l.guard, l.select, l.latch);
            for v in &l.vars {
                let _ = writeln!(
                    out,
                    "  {}: phi {} = {} ? {} : {}; at the end {}",
                    v.name, v.phi, l.select, v.back, v.entry, v.latch
                );
            }
        }
        for input in &self.inputs {
            let _ = writeln!(out, "input {} when {}", input.value, input.guard);
        }
        for o in &self.obligations {
            let _ = writeln!(out, "never {}  ; line {}: {}", o.bad, o.place.span.line, o.message);
        }
        out
    }
}
