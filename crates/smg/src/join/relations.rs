//! Join of what is known of several numbers together, and whether one side says as much as the other.
//!
//! A number of the result is a linear form of numbers of the left side, and another one of the right side: a *tie*.
//! Through the ties both systems of constraints speak of the numbers of the result, and are joined there.

use super::{Growth, Joined, Joiner};
use crate::graph::{Def, ObjId, State, SymId, Val};
use crate::number::Range;
use crate::relation::Form;
use heapproof_numbers::{Constraint, Least, Linear, Normal, Ranges, Relation, System};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A number of the result, and what it is on either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    pub id: SymId,
    pub left: Form,
    pub right: Form,
}

/// A symbol of a side or of the result, while a system changes from one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Side(SymId),
    Result(SymId),
}

/// Relations are looked for between so many numbers.
const MOST_TIES: usize = 14;

/// Numbers that are only stored, and in no relation yet, are looked at up to this number of all.
const MOST_STORED: usize = 8;

/// The rank of numbers that are only stored.
const STORED: u32 = 3;

/// A bound that is so far from another number is no relation, unless a side knows it as one.
const FARTHEST: i128 = 16;

/// Of more distances from ends than these, no two are compared.
const MOST_ROOMS: usize = 6;

pub type Ends = BTreeMap<SymId, (i128, i128)>;

impl Joiner<'_> {
    /// The numbers of the result that are free, with what they are on either side.
    pub(super) fn ties(&self) -> Vec<Tie> {
        if !self.out.relates {
            return Vec::new();
        }
        let mut ties = self.shared_indices();
        for ((a, b, _), joined) in &self.numbers {
            let Val::Sym(id) = *joined else { continue };
            let sym = &self.out.syms[&id];
            if sym.def != Def::Free || self.out.form_of(id).is_none() {
                continue;
            }
            if let (Some(left), Some(right)) =
                (self.left.state.form(*a, sym.width), self.right.state.form(*b, sym.width))
            {
                ties.push(Tie { id, left, right });
            }
        }
        ties
    }

    /// Indices that are none of nodes.
    fn shared_indices(&self) -> Vec<Tie> {
        let shared = self.indices.iter().filter(|tie| self.out.syms[&tie.id].level == 0);
        shared.cloned().collect()
    }

    /// A side that says more of several numbers than the other does not cover it.
    pub(super) fn compare_relations(&mut self, ties: &[Tie]) {
        let indices = self.shared_indices().len();
        if self.left.keeps && !fault!(44) {
            let pairs: Vec<(&Form, &Form)> = ties.iter().map(|tie| (&tie.left, &tie.right)).collect();
            self.left.keeps = says_no_more(self.left.state, self.right.state, &pairs, indices);
        }
        if self.right.keeps && !fault!(44) {
            let pairs: Vec<(&Form, &Form)> = ties.iter().map(|tie| (&tie.right, &tie.left)).collect();
            self.right.keeps = says_no_more(self.right.state, self.left.state, &pairs, indices);
        }
    }
}

/// True if all that a side says of several numbers holds on the other side. The first pairs are indices, which no other
/// check has looked at.
fn says_no_more(side: &State, other: &State, pairs: &[(&Form, &Form)], indices: usize) -> bool {
    if side.relations.is_empty() && indices == 0 {
        return true;
    }
    let counterparts = counterparts(pairs, indices);
    same_there(&pairs[..indices], other, &counterparts) && holds_there(&side.relations, other, &counterparts)
}

/// True if numbers are the same on the other side as their counterparts.
fn same_there(pairs: &[(&Form, &Form)], other: &State, counterparts: &BTreeMap<SymId, Form>) -> bool {
    let same = |a: &Form, b: &Form| other.is_at_most(a, b, 0) && other.is_at_most(b, a, 0);
    pairs.iter().all(|(own, theirs)| {
        translated(own, counterparts).is_some_and(|form| form == **theirs || same(&form, theirs))
    })
}

/// What the symbols of a side are on the other side. The first pairs are indices: these come last, because what they say is
/// compared with all others.
pub fn counterparts(pairs: &[(&Form, &Form)], indices: usize) -> BTreeMap<SymId, Form> {
    let mut counterparts: BTreeMap<SymId, Form> = BTreeMap::new();
    for (own, theirs) in pairs[indices..].iter().chain(&pairs[..indices]) {
        let mut factors = own.factors();
        if let (Some((id, factor @ (1 | -1))), None) = (factors.next(), factors.next())
            && let Some(form) = theirs.plus(&Linear::constant(own.offset()), -1).and_then(|f| f.times(factor))
        {
            counterparts.entry(id).or_insert(form);
        }
    }
    counterparts
}

fn translated(form: &Form, counterparts: &BTreeMap<SymId, Form>) -> Option<Form> {
    form.factors().try_fold(Linear::constant(form.offset()), |sum: Form, (id, factor)| {
        sum.plus(counterparts.get(&id)?, factor)
    })
}

/// True if what is said of some numbers holds on the other side of their counterparts.
pub fn holds_there(system: &System<SymId>, other: &State, counterparts: &BTreeMap<SymId, Form>) -> bool {
    system.constraints().all(|constraint| {
        translated(constraint.form(), counterparts).is_some_and(|form| match constraint.relation() {
            Relation::NotNegative => other.is_never_negative(&form),
            Relation::Zero => {
                let zero = Linear::constant(0);
                form == zero || other.is_at_most(&form, &zero, 0) && other.is_at_most(&zero, &form, 0)
            }
        })
    })
}

impl Joined {
    /// The result with what holds of several numbers on both sides. Where numbers grow in leaps, only what the left side
    /// said is kept, so that it ends.
    pub fn related(mut self, left: &State, right: &State, growth: Growth<'_>) -> State {
        for nodes in std::mem::take(&mut self.nodes) {
            let each = super::each::joined(&self.state, &nodes, &self.ties, (left, right), growth);
            self.state.object_mut(nodes.out).each = each;
        }
        let anchors = anchors(&self.state);
        let leaps = matches!(growth, Growth::Thresholds(_));
        let nothing = left.relations.is_empty() && right.relations.is_empty() && anchors.is_empty();
        #[cfg(test)]
        for graph in [left, right] {
            crate::audit::covers("join of nodes", graph, &[&self.state]);
        }
        if self.ties.is_empty() || nothing && !leaps && !left.counts {
            return self.state;
        }
        let chosen = chosen(&self, left, right, &anchors, leaps);
        let (mine, theirs) = (side(left, &chosen, |tie| &tie.left), side(right, &chosen, |tie| &tie.right));
        let gaps = gaps(&self.state, &chosen, &anchors);
        let system = match growth {
            Growth::Hull => {
                let dimensions: Vec<SymId> = chosen.iter().map(|tie| tie.id).collect();
                let joined = mine.0.join(&theirs.0, &mine.1, &theirs.1, &dimensions);
                let ends = |id| union(mine.1.get(&id)?, theirs.1.get(&id)?);
                with_bounds(joined, &mine, &theirs, &gaps, ends, |gap| gap)
            }
            Growth::Thresholds(_) => {
                let kept = mine.0.widen(&theirs.0, &mine.1, &theirs.1);
                // Ranges have grown, and what they said of two numbers together is noted. In few steps, so that it ends.
                let ends = |id| Some(Ranges::range(&self.state, id));
                with_bounds(kept, &mine, &theirs, &gaps, ends, leap)
            }
        };
        self.state.relations = Rc::new(without_far(&system));
        self.state.narrow_by_relations();
        #[cfg(test)]
        for graph in [left, right] {
            crate::audit::covers("join of relations", graph, &[&self.state]);
        }
        self.state
    }
}

/// The numbers that others are compared with: those that sizes and lengths of strings and lists are made of.
pub fn anchors(state: &State) -> BTreeSet<SymId> {
    let objects = state.objects.values().filter(|object| object.valid);
    let forms = objects.flat_map(|object| object.measures()).filter_map(|id| state.form_of(id));
    forms.flat_map(|form| form.factors().map(|(id, _)| id).collect::<Vec<_>>()).collect()
}

/// The ties between which relations are looked for: the most promising first, if there are too many. More of those in memory are looked at
/// where ranges grow.
fn chosen<'j>(
    joined: &'j Joined,
    left: &State,
    right: &State,
    anchors: &BTreeSet<SymId>,
    leaps: bool,
) -> Vec<&'j Tie> {
    let (mine, theirs) = (left.relations.dimensions(), right.relations.dimensions());
    let says = |form: &Form, known: &BTreeSet<SymId>| form.factors().any(|(id, _)| known.contains(&id));
    // Beside sizes, what may be anything is rather what is stored in blocks than what says where.
    let is_any = |tie: &Tie| {
        let sym = &joined.state.syms[&tie.id];
        !anchors.is_empty() && sym.range == Range::full(sym.width)
    };
    let rank = |tie: &Tie| match tie {
        tie if anchors.contains(&tie.id) => 0,
        tie if says(&tie.left, &mine) || says(&tie.right, &theirs) => 1 + 3 * u32::from(is_any(tie)),
        tie if joined.in_registers.contains(&tie.id) => 2 + 3 * u32::from(is_any(tie)),
        tie => STORED + 3 * u32::from(is_any(tie)),
    };
    let mut ties: Vec<(u32, &Tie)> = joined.ties.iter().map(|tie| (rank(tie), tie)).collect();
    ties.sort_by_key(|(rank, _)| *rank);
    let mut seen = BTreeSet::new();
    ties.retain(|(_, tie)| seen.insert(tie.id));
    let most = if leaps { MOST_TIES } else { MOST_STORED };
    let chosen =
        ties.iter().enumerate().filter(|(at, (rank, _))| rank % STORED > 0 || *rank == 0 || *at < most);
    chosen.take(MOST_TIES).map(|(_, (_, tie))| *tie).collect()
}

/// What a side says about the numbers of the result, with their ranges there.
pub fn side<'t>(
    state: &State,
    ties: &[&'t Tie],
    form: impl Fn(&'t Tie) -> &'t Form,
) -> (System<SymId>, Ends) {
    let mut system: System<Name> = state.relations.renamed(|id| Some(Name::Side(id)));
    let mut ends = Ends::new();
    for tie in ties {
        let own = form(tie);
        if let Some(range) = state.bounds(own) {
            ends.insert(tie.id, (range.lo, range.hi));
        }
        let renamed = own.renamed(|id| Some(Name::Side(id)));
        let equality = renamed.and_then(|own| Linear::dimension(Name::Result(tie.id)).plus(&own, -1));
        if let Some(equality) = equality {
            // A new name for a number contradicts nothing.
            let _ = system.add(Constraint::zero(&equality));
        }
    }
    for id in state.relations.dimensions() {
        let range = State::range(state, Val::Sym(id), 64);
        let value = Linear::dimension(Name::Side(id)).plus(&Linear::constant(range.lo), -1);
        if let (true, Some(value)) = (range.lo == range.hi, value) {
            let _ = system.add(Constraint::zero(&value));
        }
    }
    let gone: Vec<Name> =
        system.dimensions().into_iter().filter(|name| matches!(name, Name::Side(_))).collect();
    gone.into_iter().for_each(|name| system.forget(name));
    let result = system.renamed(|name| match name {
        Name::Result(id) => Some(id),
        Name::Side(_) => None,
    });
    (result, ends)
}

/// Adds how far apart numbers are at least, where that holds on both sides.
pub fn with_bounds(
    mut joined: System<SymId>,
    mine: &(System<SymId>, Ends),
    theirs: &(System<SymId>, Ends),
    gaps: &[Gap],
    ends: impl Fn(SymId) -> Option<(i128, i128)>,
    step: impl Fn(i128) -> i128,
) -> System<SymId> {
    for Gap { form, anchored } in gaps {
        let least = |(system, ends): &(System<SymId>, Ends)| match system.minimum(form, ends) {
            Least::Value(least) => Some(least.ceil().to_integer()),
            // No memory is like that, so all gaps are right.
            Least::Infeasible => Some(i128::MAX),
            Least::Unbounded | Least::NotKnown => None,
        };
        let (Some(a), Some(b)) = (least(mine), least(theirs)) else { continue };
        if a.min(b) == i128::MAX {
            continue;
        }
        let least = step(a.min(b)) + i128::from(fault!(46));
        let by_ranges = least_by_ranges(form, &ends);
        let farthest = if *anchored { FARTHEST } else { 1 };
        let says_something = least >= -farthest && (*anchored || by_ranges.is_none_or(|known| least > known));
        if says_something
            && let Normal::Says(constraint) =
                Constraint::not_negative(&form.with_offset(form.offset() - least))
        {
            let _ = joined.add(Normal::Says(constraint));
        }
    }
    joined
}

/// A difference of numbers that may have a least value.
pub struct Gap {
    pub form: Form,
    /// It is the room that an index has in an object. It is noted also where ranges say so: these may grow.
    pub anchored: bool,
}

/// The differences that are looked at: how far numbers are below others, those that sizes are made of in the first place, how far addresses are from the ends of their objects and strings,
/// how far numbers are below the lengths of whole lists.
fn gaps(state: &State, ties: &[&Tie], anchors: &BTreeSet<SymId>) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let ids: BTreeSet<SymId> = ties.iter().map(|tie| tie.id).collect();
    for bound in &ids {
        for below in ids.iter().filter(|id| *id != bound) {
            let anchored = anchors.contains(bound);
            if let Some(form) = Linear::dimension(*bound).plus(&Linear::dimension(*below), -1) {
                gaps.push(Gap { form, anchored });
            }
        }
    }
    let mut note = |form: Form| {
        let spoken_of = form.factors().all(|(id, _)| ids.contains(&id));
        if spoken_of && !form.is_constant() && !gaps.iter().any(|gap| gap.form == form) {
            gaps.push(Gap { form, anchored: true });
        }
    };
    let rooms = rooms(state);
    rooms.iter().for_each(|(_, room)| note(room.clone()));
    behind_links(state).into_iter().for_each(&mut note);
    super::lengths::beyond_lists(state, &ids).into_iter().for_each(&mut note);
    // What is copied from one block to another: both indices grow together.
    if rooms.len() <= MOST_ROOMS {
        for (obj, room) in &rooms {
            for (_, less) in rooms.iter().filter(|(other, _)| other != obj) {
                room.plus(less, -1).into_iter().for_each(&mut note);
            }
        }
    }
    gaps
}

/// How far addresses with an index are from the ends of their objects and strings.
fn rooms(state: &State) -> Vec<(ObjId, Form)> {
    let mut rooms = Vec::new();
    for (id, sym) in &state.syms {
        let (Def::At(base, ..), Some(offset)) = (sym.def, state.offset(Val::Sym(*id))) else { continue };
        let object = state.object(base.obj);
        let ends = [state.size_form(object), object.text.and_then(|text| state.end_of(text))];
        let found = ends.into_iter().flatten().filter_map(|end| end.plus(&offset, -1));
        rooms.extend(found.map(|room| (base.obj, room)));
    }
    rooms
}

/// How far addresses with an index are behind the links of their objects: a node may have an array after them.
fn behind_links(state: &State) -> Vec<Form> {
    let mut found = Vec::new();
    for (id, sym) in &state.syms {
        let (Def::At(base, ..), Some(offset)) = (sym.def, state.offset(Val::Sym(*id))) else { continue };
        let cells = state.object(base.obj).cells.iter();
        let links = cells.filter(|(_, cell)| state.target(cell.val).is_some());
        if let Some(end) = links.map(|(off, cell)| off + cell.len).max() {
            found.extend(offset.plus(&Linear::constant(end.into()), -1));
        }
    }
    found
}

impl State {
    /// What relations say of one number alone narrows its range.
    fn narrow_by_relations(&mut self) {
        let relations = Rc::clone(&self.relations);
        for constraint in relations.constraints() {
            let mut ids = constraint.form().factors().map(|(id, _)| id);
            if let (Some(id), None) = (ids.next(), ids.next())
                && let Some(bounds) = self.bounds(&Linear::dimension(id))
            {
                self.restrict(id, bounds);
            }
            self.narrow_to_blocks(constraint);
        }
    }

    /// A number that is at most another one, up to which blocks reach on the machine, reaches no further.
    fn narrow_to_blocks(&mut self, constraint: &Constraint<SymId>) {
        let form = constraint.form();
        let ids: Vec<(SymId, i128)> = form.factors().collect();
        let [first, second] = ids[..] else { return };
        let (most, zero) = (self.sizes_of_blocks().hi, constraint.relation() == Relation::Zero);
        for ((id, factor), (other, theirs)) in [(first, second), (second, first)] {
            let offset = match (factor, theirs) {
                (-1, 1) => form.offset(),
                (1, -1) if zero => -form.offset(),
                _ => continue,
            };
            let ((lo, hi), (_, end)) = (Ranges::range(self, id), Ranges::range(self, other));
            let limit = end.saturating_add(offset);
            if hi > most && (lo..=most).contains(&limit) {
                self.restrict(id, Range { lo, hi: limit });
            }
        }
    }
}

fn least_by_ranges(form: &Form, ends: impl Fn(SymId) -> Option<(i128, i128)>) -> Option<i128> {
    form.factors().try_fold(form.offset(), |sum, (id, factor)| {
        let (lo, hi) = ends(id)?;
        let end = if factor > 0 { lo } else { hi };
        sum.checked_add(end.checked_mul(factor)?)
    })
}

pub fn union(a: &(i128, i128), b: &(i128, i128)) -> Option<(i128, i128)> {
    Some((a.0.min(b.0), a.1.max(b.1)))
}

/// The largest of a few numbers that is not above a gap.
pub fn leap(gap: i128) -> i128 {
    [16, 8, 4, 1, 0, -1].into_iter().find(|step| *step <= gap).unwrap_or(i128::MIN)
}

/// Without bounds that say next to nothing.
pub fn without_far(system: &System<SymId>) -> System<SymId> {
    const FAR: i128 = 1 << 20;
    let mut kept = System::default();
    for constraint in system.constraints() {
        if constraint.relation() == Relation::Zero || constraint.form().offset() < FAR {
            let _ = kept.add(Normal::Says(constraint.clone()));
        }
    }
    kept
}
