//! Rounds of a loop that are told once.

/// The longest round, in items, that is looked for.
const LONGEST_ROUND: usize = 32;

/// An item, or equal rounds of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folded<T> {
    /// One item.
    One(T),
    /// Rounds that are equal one by one.
    Rounds {
        /// What happens in each.
        items: Vec<Folded<T>>,
        /// How many there are.
        times: u64,
    },
}

/// Something that may happen again in another round of a loop.
pub trait Foldable {
    /// True if it is the same in another round.
    fn is_like(&self, other: &Self) -> bool;

    /// Takes in the same of a later round.
    fn absorb(&mut self, later: Self);
}

impl<T: Foldable> Folded<T> {
    /// How many items there were before they were folded.
    pub fn count(&self) -> u64 {
        match self {
            Folded::One(_) => 1,
            Folded::Rounds { items, times } => times * items.iter().map(Folded::count).sum::<u64>(),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Folded::One(a), Folded::One(b)) => a.is_like(b),
            (Folded::Rounds { items: a, times: n }, Folded::Rounds { items: b, times: m }) => {
                n == m && are_like(a, b)
            }
            _ => false,
        }
    }

    fn absorb(&mut self, later: Self) {
        match (self, later) {
            (Folded::One(known), Folded::One(later)) => known.absorb(later),
            (Folded::Rounds { items: known, .. }, Folded::Rounds { items: later, .. }) => {
                absorb_all(known, later);
            }
            _ => {}
        }
    }
}

fn are_like<T: Foldable>(a: &[Folded<T>], b: &[Folded<T>]) -> bool {
    // The ends differ first: most rounds that are tried begin in the middle of others.
    a.len() == b.len() && a.iter().zip(b).rev().all(|(a, b)| a.is_like(b))
}

fn absorb_all<T: Foldable>(known: &mut [Folded<T>], later: Vec<Folded<T>>) {
    for (known, later) in known.iter_mut().zip(later) {
        known.absorb(later);
    }
}

/// Folds the end of a list where the last items repeat those before them.
///
/// Called after every item that is added, it folds the rounds of loops, also of loops inside of loops. Nothing is lost but
/// what [`Foldable::absorb`] loses.
pub fn fold_tail<T: Foldable>(items: &mut Vec<Folded<T>>) {
    while add_round(items) || make_rounds(items) {}
}

/// One more of the rounds in front of the last items.
fn add_round<T: Foldable>(items: &mut Vec<Folded<T>>) -> bool {
    for length in 1..=LONGEST_ROUND.min(items.len().saturating_sub(1)) {
        let start = items.len() - length;
        let (before, last) = items.split_at(start);
        if !matches!(before.last(), Some(Folded::Rounds { items, .. }) if are_like(items, last)) {
            continue;
        }
        let last = items.split_off(start);
        if let Some(Folded::Rounds { items, times }) = items.last_mut() {
            *times += 1;
            absorb_all(items, last);
        }
        return true;
    }
    false
}

/// The last items twice in a row become two rounds.
fn make_rounds<T: Foldable>(items: &mut Vec<Folded<T>>) -> bool {
    for length in 1..=LONGEST_ROUND.min(items.len() / 2) {
        let (first, second) = (items.len() - 2 * length, items.len() - length);
        if !are_like(&items[first..second], &items[second..]) {
            continue;
        }
        let later = items.split_off(second);
        let mut round = items.split_off(first);
        absorb_all(&mut round, later);
        items.push(Folded::Rounds { items: round, times: 2 });
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Foldable for char {
        fn is_like(&self, other: &Self) -> bool {
            self == other
        }

        fn absorb(&mut self, _: Self) {}
    }

    fn show(items: &[Folded<char>]) -> String {
        let one = |item: &Folded<char>| match item {
            Folded::One(c) => c.to_string(),
            Folded::Rounds { items, times } => format!("({}){times}", show(items)),
        };
        items.iter().map(one).collect()
    }

    fn folded(text: &str) -> String {
        let mut items = Vec::new();
        for c in text.chars() {
            items.push(Folded::One(c));
            fold_tail(&mut items);
        }
        assert_eq!(items.iter().map(Folded::count).sum::<u64>(), text.len() as u64);
        show(&items)
    }

    #[test]
    fn equal_rounds_are_told_once() {
        assert_eq!(folded("xlalalaly"), "x(la)3ly");
        assert_eq!(folded("aaaa"), "(a)4");
        assert_eq!(folded("labelabe"), "(labe)2");
    }

    #[test]
    fn rounds_that_differ_stay_apart() {
        assert_eq!(folded("lalblc"), "lalblc");
        assert_eq!(folded("aaabab"), "(a)3bab");
        assert_eq!(folded("abababab"), "(ab)4");
    }

    #[test]
    fn loops_inside_of_loops() {
        assert_eq!(folded("oiiieoiiieoiiieq"), "(o(i)3e)3q");
        assert_eq!(folded("oiieoiiie"), "o(i)2eo(i)3e");
    }
}
