//! Random inputs with a character: each execution, or each place of it, has habits.
//!
//! Uniform numbers almost never leave a loop at a chosen time or meet a constant of the program. So values come
//! from a few habits, and a place that asks again mostly keeps its habit.

use super::constants::Constants;
use heapproof_confirm::vector::FILLER;
use heapproof_interp::{Inputs, Request, Source};
use heapproof_ir::{Span, mask};
use std::collections::HashMap;

/// How a place answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// Always 0.
    Zero,
    /// Always 1.
    One,
    /// Nonzero with a probability in 256ths, else 0: loops that go on for a while.
    Coin(u8),
    /// 0 and 1 in turn.
    Alternate,
    /// -8 to 8.
    Small,
    /// The ends of the type and their neighbours.
    Boundary,
    /// Numbers of the program.
    Constant,
    /// Any bits.
    Uniform,
    /// What was answered before, here or elsewhere.
    Earlier,
    /// Any of the others, anew each time.
    Mixed,
}

/// Random inputs of one execution.
pub struct RandomInputs<'a> {
    rng: fastrand::Rng,
    constants: &'a Constants,
    /// One habit for all places, or each place has its own.
    common: Option<Habit>,
    habits: HashMap<(Span, u8), (Habit, bool)>,
    /// Calls until the execution gets impatient and tosses coins, so that loops end.
    patience: u32,
    /// Answers that are taken over from an earlier execution, changed with a probability in 256ths.
    base: &'a [(Source, u128)],
    change: u8,
    position: usize,
    uninitialised: u128,
    earlier: Vec<u128>,
}

impl<'a> RandomInputs<'a> {
    /// The inputs of the execution with this number.
    pub fn new(seed: u64, number: u64, constants: &'a Constants) -> Self {
        // The first executions are the simple ones; a person understands these best.
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        rng.u64(..);
        let common = match number {
            0 => Some(Habit::Zero),
            1 => Some(Habit::One),
            2 => Some(Habit::Alternate),
            _ if rng.u8(..) < 110 => Some(habit(&mut rng)),
            _ => None,
        };
        let patience = match number {
            0..3 => 3,
            _ => 1 << rng.u32(..if number < 200 { 6 } else { 9 }),
        };
        let uninitialised = match rng.u8(..if number < 3 { 1 } else { 8 }) {
            0 | 1 => FILLER,
            2 => 0,
            3 => rng.u128(1..9),
            4 => u128::MAX,
            _ => rng.u128(..),
        };
        RandomInputs {
            rng,
            constants,
            common,
            habits: HashMap::new(),
            patience,
            base: &[],
            change: 0,
            position: 0,
            uninitialised,
            earlier: Vec::new(),
        }
    }

    /// Starts from the answers of an earlier execution: a part of them, with changes.
    pub fn based_on(mut self, base: &'a [(Source, u128)]) -> Self {
        let kept = self.rng.usize(..=base.len());
        self.base = &base[..kept];
        self.change = [0, 8, 32, 96][self.rng.usize(..4)];
        self
    }

    /// A random generator for decisions outside the execution.
    pub fn rng(&mut self) -> &mut fastrand::Rng {
        &mut self.rng
    }

    fn by_habit(&mut self, request: &Request) -> u128 {
        if self.patience == 0 {
            return u128::from(self.rng.bool());
        }
        self.patience -= 1;
        let key = (request.span, request.width);
        let (mut habit, turn) = match self.habits.get(&key) {
            Some(known) => *known,
            None => (self.common.unwrap_or_else(|| habit(&mut self.rng)), false),
        };
        self.habits.insert(key, (habit, !turn));
        // Habits are broken now and then.
        if habit == Habit::Mixed || (self.common.is_none() && self.rng.u8(..) < 12) {
            habit = self::habit(&mut self.rng);
        }
        self.answer(habit, turn, request.width)
    }

    fn answer(&mut self, habit: Habit, turn: bool, width: u8) -> u128 {
        let rng = &mut self.rng;
        match habit {
            Habit::Zero => 0,
            Habit::One => 1,
            Habit::Coin(chance) => {
                if rng.u8(..) < chance {
                    rng.u128(1..4)
                } else {
                    0
                }
            }
            Habit::Alternate => u128::from(!turn),
            Habit::Small | Habit::Mixed => rng.i128(-8..=8) as u128,
            Habit::Boundary => {
                let top = 1u128 << (width.clamp(1, 128) - 1);
                let edge = [0, top, top.wrapping_sub(1), u128::MAX, top >> 1][rng.usize(..5)];
                edge.wrapping_add(rng.i128(-1..=1) as u128)
            }
            Habit::Constant => self.constants.pick(rng, width),
            Habit::Uniform => rng.u128(..),
            Habit::Earlier => match self.earlier.len() {
                0 => rng.u128(..4),
                n => self.earlier[rng.usize(..n)],
            },
        }
    }
}

/// A habit at random; those that end loops sometimes are the most useful ones.
fn habit(rng: &mut fastrand::Rng) -> Habit {
    match rng.u8(..24) {
        0 | 1 => Habit::Zero,
        2 | 3 => Habit::One,
        4..=9 => Habit::Coin([64, 128, 180, 220, 243, 250][rng.usize(..6)]),
        10 => Habit::Alternate,
        11..=13 => Habit::Small,
        14 => Habit::Boundary,
        15..=18 => Habit::Constant,
        19 => Habit::Uniform,
        20 | 21 => Habit::Earlier,
        _ => Habit::Mixed,
    }
}

/// A value of a bounded choice: the ends and the low part more often than the rest.
fn within(rng: &mut fastrand::Rng, (low, high): (u128, u128)) -> u128 {
    if low >= high {
        return low;
    }
    match rng.u8(..8) {
        0..=2 => low,
        3 if high - low > 8 => rng.u128(low..=low + 8),
        4 if high - low > 8 => high,
        _ => rng.u128(low..=high),
    }
}

impl Inputs for RandomInputs<'_> {
    fn choose(&mut self, request: &Request) -> u128 {
        if let Some((source, value)) = self.base.get(self.position)
            && *source == request.source
        {
            let value = *value;
            self.position += 1;
            if self.change == 0 || self.rng.u8(..) >= self.change {
                return value;
            }
        }
        let value = match request.source {
            Source::Uninitialised if self.rng.u8(..) < 220 => self.uninitialised,
            Source::Uninitialised => self.rng.u128(..),
            _ => match request.range {
                Some(range) => within(&mut self.rng, range),
                None => self.by_habit(request),
            },
        } & mask(request.width);
        if request.source == Source::Call && self.earlier.len() < 64 {
            self.earlier.push(value);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(source: Source, width: u8, range: Option<(u128, u128)>) -> Request {
        Request { source, width, signed: true, range, signed_range: None, hint: None, span: Span::NONE }
    }

    fn answers(seed: u64, number: u64, base: &[(Source, u128)]) -> Vec<u128> {
        let constants = Constants::default();
        let mut inputs = RandomInputs::new(seed, number, &constants).based_on(base);
        let sources = [Source::Call, Source::Uninitialised, Source::Environment];
        let widths = [1, 7, 8, 16, 32, 64, 80, 128];
        (0..200).map(|i| inputs.choose(&request(sources[i % 3], widths[i % 8], None))).collect()
    }

    #[test]
    fn the_seed_determines_everything() {
        let base = [(Source::Call, 5), (Source::Uninitialised, 6)];
        for number in 0..50 {
            assert_eq!(answers(1, number, &base), answers(1, number, &base));
        }
        assert_ne!(answers(1, 10, &[]), answers(2, 10, &[]));
    }

    #[test]
    fn values_fit_width_and_range() {
        let constants = Constants::default();
        for number in 0..300 {
            let mut inputs = RandomInputs::new(3, number, &constants);
            for width in 1..=128 {
                let value = inputs.choose(&request(Source::Call, width, None));
                assert_eq!(value & !mask(width), 0);
                for range in [(0, 1), (5, 5), (1, 1000), (0, u128::MAX)] {
                    let value = inputs.choose(&request(Source::Environment, 128, Some(range)));
                    assert!(range.0 <= value && value <= range.1);
                }
            }
        }
    }

    #[test]
    fn loops_end_and_go_round() {
        // `while (nondet()) n++;` with different lengths.
        let constants = Constants::default();
        let mut lengths = [0; 8];
        for number in 0..1000 {
            let mut inputs = RandomInputs::new(1, number, &constants);
            let n = (0..10_000).take_while(|_| inputs.choose(&request(Source::Call, 32, None)) != 0).count();
            assert!(n < 10_000);
            lengths[n.min(7)] += 1;
        }
        assert!(lengths.iter().all(|count| *count > 10), "{lengths:?}");
    }
}
