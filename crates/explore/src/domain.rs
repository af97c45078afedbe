//! What an analysis brings: the states of its abstract domain, transfer relation, merge and stop.

use crate::{Budget, Exhausted, Meeting, Trail};

/// A configurable program analysis.
///
/// The paper's `merge` and `stop` are one operation here: joining two states tells at the same time whether one covers
/// the other, and computing that twice would double the work.
pub trait Domain {
    /// An abstract state *e*.
    type State;
    /// A place of the program at which states can meet.
    type Place: Ord;
    /// What is remembered of a state to tell a path.
    type Mark;
    /// When a state is executed: the least one first.
    type Rank: Ord;
    /// What ends an exploration.
    type Failure: From<Exhausted>;

    /// The place of a state; none if it meets no other there.
    fn place(&self, state: &Self::State) -> Option<Self::Place>;

    /// When the state is to be executed. States are numbered as they come.
    fn rank(&self, state: &Self::State, trail: &Trail<Self::Mark>, number: u64) -> Self::Rank;

    /// What to remember of a state.
    fn mark(&self, state: &Self::State) -> Self::Mark;

    /// The transfer relation: all states that follow. The trail leads to `state` and ends with it.
    fn transfer(
        &mut self,
        state: Self::State,
        trail: &Trail<Self::Mark>,
    ) -> Result<Vec<Self::State>, Self::Failure>;

    /// How much work it is to execute a state, in terms of small ones.
    fn weight(&self, _state: &Self::State) -> u64 {
        1
    }

    /// True if it is quickly seen that a known state covers a new one. All known states of the same fingerprint are asked before
    /// any is merged.
    fn is_same(&self, _new: &Self::State, _known: &Self::State) -> bool {
        false
    }

    /// A number that states share of which [`Domain::is_same`] says so: only such states are asked.
    fn fingerprint(&self, _state: &Self::State) -> u64 {
        0
    }

    /// A state that comes to a place where so many are known already. It may become others that cover it together, and that are more
    /// like the known ones.
    fn adapt(&self, new: Self::State, _states: usize) -> Vec<Self::State> {
        vec![new]
    }

    /// True if a new state may be merged with one of so many known ones. Otherwise none of them is looked at.
    fn meets(&self, _new: &Self::State, _states: usize) -> bool {
        true
    }

    /// True if a state that was joined with none of so many known ones is to meet them once more, with
    /// [`Meeting::insists`] set.
    fn insists(&self, _states: usize) -> bool {
        false
    }

    /// What comes of a new state that meets a known one.
    fn merge(&self, new: &Self::State, known: &Self::State, meeting: Meeting) -> Merge<Self::State>;

    /// A copy of a state, to be kept while it is executed.
    fn keep(&self, state: &Self::State) -> Self::State;

    /// What may be spent.
    fn budget(&self) -> &Budget;
}

/// What comes of a new state that meets a known one.
#[derive(Debug)]
pub enum Merge<S> {
    /// They stay apart.
    Apart,
    /// The known state covers the new one, which needs not be executed.
    Stop,
    /// The new state covers the known one and takes its place.
    Replace,
    /// This state covers both and takes the place of both.
    Join(S),
}
