//! Changes of inputs: small ones of values, larger ones of pieces, words of the program.

use super::constants::Constants;
use super::genome::{Gene, Genome, Kinds};
use heapproof_ir::mask;

/// The most inputs of an execution that are changed.
pub const MOST_GENES: usize = 2_048;
/// Words that were compared with the input, at most.
const MOST_WORDS: usize = 256;

/// Characters that stand between words.
const MARKS: &[u8] = b"\n 0123456789,;:=-+.\"'/\\()[]{}<>#";

/// What inputs are made of.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// String literals.
    literals: Vec<Vec<u8>>,
    /// Texts that the program compared its input with.
    compared: Vec<Vec<u8>>,
}

impl Dictionary {
    /// With the string literals of the program.
    pub fn new(literals: Vec<Vec<u8>>) -> Self {
        Dictionary { literals, compared: Vec::new() }
    }

    /// Keeps a text that was compared with the input.
    pub fn learn(&mut self, word: &[u8]) {
        let new = !word.is_empty() && !self.compared.iter().any(|known| known == word);
        if new && self.compared.len() < MOST_WORDS {
            self.compared.push(word.to_vec());
        }
    }

    fn pick(&self, rng: &mut fastrand::Rng) -> Option<&[u8]> {
        let from_text = self.literals.is_empty() || rng.u8(..4) > 0;
        let words = if from_text && !self.compared.is_empty() { &self.compared } else { &self.literals };
        (!words.is_empty()).then(|| words[rng.usize(..words.len())].as_slice())
    }
}

/// Changes genomes.
pub struct Mutator<'a> {
    /// Integers of the program.
    pub constants: &'a Constants,
    /// Words of the program.
    pub dictionary: &'a Dictionary,
    /// What the values answer.
    pub kinds: &'a Kinds,
    /// Decides.
    pub rng: &'a mut fastrand::Rng,
}

impl Mutator<'_> {
    /// A changed copy; `other` is another genome to take pieces from.
    pub fn change(&mut self, genome: &[Gene], other: &[Gene]) -> Genome {
        let mut new = genome.to_vec();
        let times = [1, 1, 1, 2, 2, 3, 4, 8][self.rng.usize(..8)];
        for _ in 0..times {
            self.change_once(&mut new, other);
        }
        new.truncate(MOST_GENES);
        new
    }

    fn change_once(&mut self, genome: &mut Genome, other: &[Gene]) {
        if genome.is_empty() {
            genome.extend_from_slice(self.piece(other));
            return;
        }
        match self.rng.u8(..16) {
            0..=6 => self.change_value(genome),
            7 | 8 => self.put_word(genome),
            9 => self.put_number(genome),
            10 => {
                let (start, end) = self.range(genome);
                genome.drain(start..end);
            }
            11 | 12 => {
                let (start, end) = self.range(genome);
                let piece = genome[start..end].to_vec();
                let at = if self.rng.bool() { end } else { self.start(genome) };
                genome.splice(at..at, piece);
            }
            13 => {
                let (start, end) = self.range(genome);
                let piece: Vec<Gene> = genome.drain(start..end).collect();
                let at = self.start(genome);
                genome.splice(at..at, piece);
            }
            14 => {
                let piece = self.piece(other).to_vec();
                let (start, end) = self.range(genome);
                let end = if self.rng.bool() { start } else { end };
                genome.splice(start..end, piece);
            }
            _ => {
                // The beginning of one and the end of the other.
                let (cut, from) = (self.start(genome), self.start(other));
                genome.truncate(cut);
                genome.extend_from_slice(&other[from..]);
            }
        }
    }

    /// A piece of a genome.
    fn piece<'g>(&mut self, genome: &'g [Gene]) -> &'g [Gene] {
        let (start, end) = self.range(genome);
        &genome[start..end]
    }

    /// A place; often the beginning of something that is read at once.
    fn start(&mut self, genome: &[Gene]) -> usize {
        let at = self.rng.usize(..=genome.len());
        if self.rng.bool() {
            let bounded = |gene: &Gene| self.kinds.get(gene.kind).is_bounded();
            return genome[..at].iter().rposition(bounded).unwrap_or(at);
        }
        at
    }

    /// A part, from one place to another.
    fn range(&mut self, genome: &[Gene]) -> (usize, usize) {
        let start = self.start(genome);
        let most = [1, 2, 4, 8, 32, 128][self.rng.usize(..6)];
        let mut end = (start + self.rng.usize(1..=most)).min(genome.len());
        if self.rng.bool() {
            let bounded = |gene: &Gene| self.kinds.get(gene.kind).is_bounded();
            end = genome[end..].iter().position(bounded).map_or(end, |more| end + more);
        }
        (start.min(end), end)
    }

    fn change_value(&mut self, genome: &mut Genome) {
        let mut at = self.rng.usize(..genome.len());
        // Characters are many: what bounds them is changed as often.
        if self.rng.u8(..4) == 0 {
            let bounded = |gene: &Gene| self.kinds.get(gene.kind).is_bounded();
            at = genome[..at].iter().rposition(bounded).unwrap_or(at);
        }
        if self.kinds.get(genome[at].kind).is_uninitialised() && self.rng.u8(..8) > 0 {
            return;
        }
        let kind = *self.kinds.get(genome[at].kind);
        let old = genome[at].value;
        let rng = &mut *self.rng;
        let (low, high) = kind.bounds();
        let character = kind.is_character();
        let value = match rng.u8(..10) {
            0 | 1 => old.wrapping_add(rng.i128(-4..=4) as u128),
            2 => old ^ 1 << rng.u32(..u32::from(kind.width.clamp(1, 128))),
            3 if character => u128::from(rng.u8(..)),
            3 | 4 if character => u128::from(MARKS[rng.usize(..MARKS.len())]),
            4 | 5 => self.constants.pick(rng, kind.width),
            6 => {
                let same: Vec<u128> =
                    genome.iter().filter(|g| g.kind == genome[at].kind).map(|g| g.value).collect();
                same[rng.usize(..same.len())]
            }
            7 if kind.is_bounded() => [low, high, low + 1, high - 1][rng.usize(..4)] as u128,
            7 => [0, 1, mask(kind.width), mask(kind.width) >> 1][rng.usize(..4)],
            8 if kind.is_bounded() || character => rng.i128(low..=high) as u128,
            8 => rng.u128(..) & mask(kind.width),
            _ if character => u128::from(rng.u8(b'a'..=b'z')),
            _ => rng.i128(-2..=16) as u128,
        };
        genome[at].value = value & mask(kind.width);
    }

    /// The place of a character, and the end of the run of such characters.
    fn characters(&mut self, genome: &[Gene]) -> Option<(usize, usize)> {
        let is_character = |gene: &Gene| self.kinds.get(gene.kind).is_character();
        let from = self.rng.usize(..genome.len());
        let at = match genome[from..].iter().position(is_character) {
            Some(at) => from + at,
            None => genome[..from].iter().rposition(is_character)?,
        };
        let kind = genome[at].kind;
        let end = genome[at..].iter().position(|gene| gene.kind != kind).map_or(genome.len(), |n| at + n);
        Some((at, end))
    }

    /// Puts a word of the program among characters, over or between them.
    fn put_word(&mut self, genome: &mut Genome) {
        let Some(word) = self.dictionary.pick(self.rng).map(<[u8]>::to_vec) else { return };
        let Some((mut at, end)) = self.characters(genome) else { return };
        if self.rng.bool() {
            // From the start of the line.
            let kind = genome[at].kind;
            at = genome[..at].iter().rposition(|gene| gene.kind != kind).map_or(0, |before| before + 1);
        }
        let mut word = word;
        match self.rng.u8(..8) {
            0 | 1 => word.push(b'\n'),
            2 | 3 => word.push(b' '),
            4 => word.insert(0, b'\n'),
            _ => {}
        }
        let over = if self.rng.bool() { word.len().min(end - at) } else { 0 };
        put_text(genome, self.kinds, (at, at + over), &word, self.rng.u8(..4) > 0);
    }

    /// Puts a decimal number over the digits at a place, or where there are none.
    fn put_number(&mut self, genome: &mut Genome) {
        let Some((at, end)) = self.characters(genome) else { return };
        let digits = genome[at..end].iter().take_while(|gene| (48..58).contains(&gene.value)).count();
        let number = match self.rng.u8(..4) {
            0 => self.rng.i128(-2..=20),
            1 => 1 << self.rng.u32(..33),
            2 => [255, 256, 32767, 65535, 2147483647, 4294967295, -2147483648][self.rng.usize(..7)],
            _ => heapproof_ir::sign_extend(self.constants.pick(self.rng, 32), 32),
        };
        let text = number.to_string();
        put_text(genome, self.kinds, (at, at + digits), text.as_bytes(), self.rng.bool());
    }
}

/// Replaces characters by others, and changes what was read as their length by the difference.
pub fn put_text(genome: &mut Genome, kinds: &Kinds, (at, end): (usize, usize), text: &[u8], lengths: bool) {
    let Some(kind) = genome.get(at).or(genome.last()).map(|gene| gene.kind) else { return };
    let genes = text.iter().map(|c| Gene { kind, value: u128::from(*c) });
    let more = text.len() as i128 - (end - at) as i128;
    genome.splice(at..end, genes);
    if !lengths || more == 0 {
        return;
    }
    let before = genome[..at].iter().rposition(|gene| {
        let kind = kinds.get(gene.kind);
        kind.is_bounded() && kind.width > 1
    });
    if let Some(before) = before {
        let (low, high) = kinds.get(genome[before].kind).bounds();
        let length = (genome[before].value as i128).saturating_add(more);
        genome[before].value = length.clamp(low, high) as u128;
    }
}
