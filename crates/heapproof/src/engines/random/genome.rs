//! The inputs of an execution as a list that can be changed: each value with the kind of question that it answers.
//!
//! Values answer questions of their kind in order, whoever asks: a character that a program reads at another place stays the same
//! character. The list keeps the order in which all of them were read, so a line is its length and its characters.

use super::inputs::RandomInputs;
use heapproof_interp::{InputRecord, Inputs, Request, Source};
use heapproof_ir::mask;

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    source: Source,
    /// How many bits.
    pub width: u8,
    /// The smallest and the largest value of a bounded choice.
    pub range: Option<(u128, u128)>,
    signed_range: Option<(i64, i64)>,
}

impl Kind {
    fn of(request: &Request) -> Self {
        let Request { source, width, range, signed_range, .. } = *request;
        Kind { source, width, range, signed_range }
    }

    /// A character: a byte, or what `getchar` returns.
    pub fn is_character(&self) -> bool {
        let byte = self.width == 8 && self.range.is_none();
        self.source != Source::Uninitialised && (byte || self.signed_range == Some((-1, 255)))
    }

    /// Nothing that the program was given.
    pub fn is_uninitialised(&self) -> bool {
        self.source == Source::Uninitialised
    }

    /// A length, a count, or whether a call fails.
    pub fn is_bounded(&self) -> bool {
        self.range.is_some() || self.signed_range.is_some() && !self.is_character()
    }

    /// The answer with which most programs come to an end.
    fn last(&self) -> u128 {
        match (self.range, self.signed_range) {
            (Some((low, _)), _) => low,
            (_, Some((low, _))) => low as i128 as u128,
            _ => 0,
        }
    }

    /// The smallest and the largest value, as whole numbers.
    pub fn bounds(&self) -> (i128, i128) {
        match (self.range, self.signed_range) {
            (Some((low, high)), _) => (low as i128, i128::try_from(high).unwrap_or(i128::MAX)),
            (_, Some((low, high))) => (i128::from(low), i128::from(high)),
            _ if self.width >= 127 => (0, i128::MAX),
            _ => (0, mask(self.width) as i128),
        }
    }
}

/// The number of a kind.
pub type KindId = usize;

/// All kinds of questions that a program asked.
#[derive(Debug, Default)]
pub struct Kinds {
    all: Vec<Kind>,
}

/// Kinds are looked through one by one, so there are not too many; the rest is one kind.
const MOST_KINDS: usize = 64;

impl Kinds {
    fn id(&mut self, kind: Kind) -> KindId {
        match self.all.iter().position(|known| *known == kind) {
            Some(id) => id,
            None if self.all.len() < MOST_KINDS => {
                self.all.push(kind);
                self.all.len() - 1
            }
            None => MOST_KINDS - 1,
        }
    }

    /// What a number stands for.
    pub fn get(&self, id: KindId) -> &Kind {
        &self.all[id]
    }
}

/// A value and what it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// The kind of question.
    pub kind: KindId,
    /// The answer.
    pub value: u128,
}

/// All inputs of an execution, in the order in which they were read.
pub type Genome = Vec<Gene>;

/// The values that an execution read, with their kinds.
pub fn genome_of(records: &[InputRecord], kinds: &[KindId]) -> Genome {
    records.iter().zip(kinds).map(|(record, kind)| Gene { kind: *kind, value: record.value }).collect()
}

/// What answers when no value is left.
pub enum Rest<'a> {
    /// The end of the input, zeros.
    End,
    /// Random values.
    Random(RandomInputs<'a>),
}

/// Answers from a genome.
pub struct Replayed<'a> {
    genome: &'a [Gene],
    kinds: &'a mut Kinds,
    /// Where to look for the next value of each kind.
    next: Vec<usize>,
    rest: Rest<'a>,
    /// In 256ths, how often the value that the program compares with is given instead of one of the genome.
    hints: u8,
    rng: fastrand::Rng,
    /// The kinds of all questions.
    pub asked: Vec<KindId>,
}

impl<'a> Replayed<'a> {
    /// The values of a genome, then the rest.
    pub fn new(genome: &'a [Gene], kinds: &'a mut Kinds, rest: Rest<'a>, hints: u8, seed: u64) -> Self {
        let rng = fastrand::Rng::with_seed(seed);
        Replayed { genome, kinds, next: Vec::new(), rest, hints, rng, asked: Vec::new() }
    }
}

impl Inputs for Replayed<'_> {
    fn choose(&mut self, request: &Request) -> u128 {
        let kind = self.kinds.id(Kind::of(request));
        self.asked.push(kind);
        if self.next.len() <= kind {
            self.next.resize(kind + 1, 0);
        }
        let from = self.next[kind];
        let found = self.genome[from.min(self.genome.len())..].iter().position(|gene| gene.kind == kind);
        self.next[kind] = found.map_or(self.genome.len(), |at| from + at + 1);
        let known = found.map(|at| self.genome[from + at].value);
        if let Some(hint) = request.hint {
            let often = if known.is_some() { self.hints } else { self.hints.saturating_mul(4) };
            if often > 0 && self.rng.u8(..) < often {
                return hint.into();
            }
        }
        match (known, &mut self.rest) {
            (Some(value), _) => value,
            (None, Rest::End) if request.source == Source::Uninitialised => {
                heapproof_confirm::vector::default_value(request.source, request.width)
            }
            (None, Rest::End) => self.kinds.get(kind).last(),
            (None, Rest::Random(inputs)) => inputs.choose(request),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_ir::Span;

    fn ask(width: u8, range: Option<(u128, u128)>) -> Request {
        let source = Source::Call;
        Request { source, width, signed: false, range, signed_range: None, hint: None, span: Span::NONE }
    }

    #[test]
    fn values_answer_questions_of_their_kind() {
        let mut kinds = Kinds::default();
        let (length, byte) = (ask(32, Some((0, 9))), ask(8, None));
        let mut first = Replayed::new(&[], &mut kinds, Rest::End, 0, 1);
        assert_eq!([first.choose(&length), first.choose(&byte)], [0, 0]);
        assert_eq!(first.asked, [0, 1]);
        let genome = [(1, 65), (0, 3), (1, 66)].map(|(kind, value)| Gene { kind, value });
        let mut second = Replayed::new(&genome, &mut kinds, Rest::End, 0, 1);
        assert_eq!([&length, &byte, &byte, &byte, &length].map(|q| second.choose(q)), [3, 65, 66, 0, 0]);
    }
}
