//! From comparisons to inputs: values that would make a comparison come out otherwise.
//!
//! A value that is compared as it was read is replaced by what it was compared with, also where it was read as text. For others, single
//! inputs are changed by one: how far each of them moves the two sides of a comparison is taken to be a linear law, and solved.

use super::genome::{Gene, Genome, Kinds};
use super::mutate::put_text;
use heapproof_interp::{Comparison, Texts};
use heapproof_ir::{CmpOp, mask, sign_extend};

/// Places of a text among the inputs that are tried.
const MOST_PLACES: usize = 4;

/// The left side minus the right side.
pub fn difference(comparison: &Comparison) -> i128 {
    let Comparison { op, width, a, b, .. } = *comparison;
    match op {
        CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => (a as i128).wrapping_sub(b as i128),
        _ => sign_extend(a, width).wrapping_sub(sign_extend(b, width)),
    }
}

/// What the difference has to be for another outcome.
pub fn goals(comparison: &Comparison) -> Vec<i128> {
    let now = difference(comparison);
    [0, 1, -1].into_iter().filter(|goal| holds(comparison.op, *goal) != holds(comparison.op, now)).collect()
}

fn holds(op: CmpOp, difference: i128) -> bool {
    match op {
        CmpOp::Eq => difference == 0,
        CmpOp::Ne => difference != 0,
        CmpOp::Ult | CmpOp::Slt => difference < 0,
        CmpOp::Ule | CmpOp::Sle => difference <= 0,
        CmpOp::Ugt | CmpOp::Sgt => difference > 0,
        CmpOp::Uge | CmpOp::Sge => difference >= 0,
    }
}

/// Inputs in which a value that was compared is what it was compared with, or next to it.
pub fn replaced(genome: &[Gene], kinds: &Kinds, comparison: &Comparison) -> Vec<Genome> {
    let Comparison { a, b, width, .. } = *comparison;
    let mut all = Vec::new();
    if a == b {
        return all;
    }
    let read = genome.len().min(comparison.inputs as usize);
    for (from, to) in [(a, b), (b, a)] {
        let matching = genome[..read].iter().enumerate().rev().filter(|(_, gene)| {
            let low = mask(kinds.get(gene.kind).width.min(width));
            !kinds.get(gene.kind).is_uninitialised() && gene.value & low == from & low
        });
        for (at, gene) in matching.take(MOST_PLACES) {
            for near in near(comparison.op, to) {
                let mut new = genome.to_vec();
                new[at].value = near & mask(kinds.get(gene.kind).width);
                all.push(new);
            }
        }
        // The same as decimal text.
        let number = sign_extend(from, width).to_string();
        for near in near(comparison.op, to) {
            let text = sign_extend(near & mask(width), width).to_string();
            all.extend(written(&genome[..read], genome, kinds, number.as_bytes(), text.as_bytes(), 1));
        }
    }
    all
}

/// What a value that is compared with `to` is tried as.
fn near(op: CmpOp, to: u128) -> Vec<u128> {
    match op {
        CmpOp::Eq | CmpOp::Ne => vec![to],
        _ => vec![to, to.wrapping_add(1), to.wrapping_sub(1)],
    }
}

/// Inputs in which a text that was compared is the one it was compared with.
pub fn rewritten(genome: &[Gene], kinds: &Kinds, texts: &Texts) -> Vec<Genome> {
    let mut all = written(genome, genome, kinds, &texts.a, &texts.b, MOST_PLACES);
    all.extend(written(genome, genome, kinds, &texts.b, &texts.a, MOST_PLACES));
    all
}

/// Inputs in which one text among the characters is another.
fn written(
    part: &[Gene],
    genome: &[Gene],
    kinds: &Kinds,
    from: &[u8],
    to: &[u8],
    most: usize,
) -> Vec<Genome> {
    if from.is_empty() || from == to {
        return Vec::new();
    }
    let mut all = Vec::new();
    let is = |gene: &Gene, c: &u8| gene.value == u128::from(*c) && kinds.get(gene.kind).is_character();
    let places = part
        .windows(from.len())
        .enumerate()
        .rev()
        .filter(|(_, window)| window.iter().zip(from).all(|(gene, c)| is(gene, c)));
    for (at, _) in places.take(most) {
        for lengths in [true, false] {
            let mut new = genome.to_vec();
            put_text(&mut new, kinds, (at, at + from.len()), to, lengths);
            all.push(new);
            if from.len() == to.len() {
                break;
            }
        }
    }
    all
}

/// How far an input moves the difference of a comparison when it grows by one.
#[derive(Clone, Copy, Debug)]
pub struct Slope {
    /// The input.
    pub at: usize,
    /// The difference of the difference.
    pub by: i128,
}

/// Inputs for which the difference would grow by what is missing, if it were linear.
pub fn solved(genome: &[Gene], kinds: &Kinds, width: u8, slopes: &[Slope], missing: i128) -> Vec<Genome> {
    let mut all = Vec::new();
    for slope in slopes.iter().filter(|slope| missing % slope.by == 0) {
        let mut new = genome.to_vec();
        let gene = &mut new[slope.at];
        gene.value =
            (gene.value as i128).wrapping_add(missing / slope.by) as u128 & mask(kinds.get(gene.kind).width);
        all.push(new);
    }
    if slopes.len() > 1 {
        // The bytes of an integer, the digits of one, and anything else. Integers wrap.
        let round = if width < 64 { 1i128 << width } else { 0 };
        for base in [256, 10, 0] {
            let places: Vec<Slope> =
                slopes.iter().filter(|s| base == 0 || is_power(s.by, base)).copied().collect();
            for missing in [missing, missing.wrapping_add(round), missing.wrapping_sub(round)] {
                all.extend(positional(genome, kinds, &places, missing, base == 10));
            }
        }
    }
    all
}

fn is_power(number: i128, base: i128) -> bool {
    let mut left = number.unsigned_abs();
    while left > 1 && left.is_multiple_of(base as u128) {
        left /= base as u128;
    }
    left == 1
}

/// True if a comparison holds.
pub fn outcome(comparison: &Comparison) -> bool {
    holds(comparison.op, difference(comparison))
}

/// Several inputs at once, as digits of a number: the one that moves the difference most is chosen first.
fn positional(
    genome: &[Gene],
    kinds: &Kinds,
    slopes: &[Slope],
    missing: i128,
    digits: bool,
) -> Option<Genome> {
    if slopes.len() < 2 {
        return None;
    }
    let mut slopes = slopes.to_vec();
    slopes.sort_by_key(|slope| (std::cmp::Reverse(slope.by.unsigned_abs()), slope.at));
    let mut new = genome.to_vec();
    let bounds = |gene: &Gene| {
        let kind = kinds.get(gene.kind);
        match kind.is_character() {
            true if digits && (48..58).contains(&gene.value) => (48, 57),
            true => (0, 255),
            false => kind.bounds(),
        }
    };
    // All at the end from which the difference can only grow.
    let mut left = missing;
    for slope in &slopes {
        let gene = &mut new[slope.at];
        let (low, high) = bounds(gene);
        let value = if slope.by > 0 { low } else { high };
        let moved = value.checked_sub(gene.value as i128)?.checked_mul(slope.by)?;
        left = left.checked_sub(moved)?;
        gene.value = value as u128;
    }
    for slope in &slopes {
        let gene = &mut new[slope.at];
        let (low, high) = bounds(&genome[slope.at]);
        let steps = (left / slope.by.abs()).clamp(0, high.checked_sub(low)?);
        left -= steps * slope.by.abs();
        let value = if slope.by > 0 { low + steps } else { high - steps };
        gene.value = value as u128 & mask(kinds.get(gene.kind).width);
    }
    (left == 0).then_some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(op: CmpOp, a: u128, b: u128) -> Comparison {
        Comparison { site: 0, occurrence: 0, op, width: 32, a, b, inputs: 9 }
    }

    #[test]
    fn bytes_and_digits_are_solved() {
        use super::super::genome::{Gene, Replayed, Rest};
        use heapproof_interp::{Inputs, Request, Source};
        let mut kinds = Kinds::default();
        let byte = Request {
            source: Source::Call,
            width: 8,
            signed: false,
            range: None,
            signed_range: None,
            hint: None,
            span: heapproof_ir::Span::NONE,
        };
        Replayed::new(&[], &mut kinds, Rest::End, 0, 1).choose(&byte);
        let genome =
            |text: &[u8]| text.iter().map(|c| Gene { kind: 0, value: u128::from(*c) }).collect::<Vec<_>>();
        let slopes =
            |by: &[i128]| by.iter().enumerate().map(|(at, by)| Slope { at, by: *by }).collect::<Vec<_>>();
        let little = solved(&genome(&[0x34, 0x12]), &kinds, 16, &slopes(&[1, 256]), 0x5678 - 0x1234);
        assert!(little.contains(&genome(&[0x78, 0x56])));
        let decimal = solved(&genome(b"042"), &kinds, 32, &slopes(&[100, 10, 1]), 250 - 42);
        assert!(decimal.contains(&genome(b"250")));
    }

    #[test]
    fn goals_change_the_outcome() {
        assert_eq!(goals(&comparison(CmpOp::Eq, 3, 9)), [0]);
        assert_eq!(goals(&comparison(CmpOp::Slt, 3, 9)), [0, 1]);
        assert_eq!(goals(&comparison(CmpOp::Slt, 9, 3)), [-1]);
    }
}
