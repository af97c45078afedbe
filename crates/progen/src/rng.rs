//! The seeded source of choices; its output depends on the ChaCha stream alone and so never changes.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Makes every random decision of a program.
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream of choices that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Rng(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`. The bias of the modulus does not matter for the small `n` used here.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice among nothing");
        (self.bits() % n as u64) as usize
    }

    /// A number in `lo..=hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        assert!(lo <= hi, "an empty range");
        lo + (self.bits() % (hi.abs_diff(lo) + 1)) as i64
    }

    /// True in `percent` of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the given texts, owned.
    pub fn text(&mut self, items: &[&str]) -> String {
        (*self.pick(items)).to_string()
    }

    /// `items` in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `count` numbers in `lo..=hi`.
    pub fn numbers(&mut self, count: usize, lo: i64, hi: i64) -> Vec<i64> {
        (0..count).map(|_| self.range(lo, hi)).collect()
    }

    /// `count` different numbers in `lo..=hi`; the range must hold that many.
    pub fn distinct(&mut self, count: usize, lo: i64, hi: i64) -> Vec<i64> {
        let mut found = Vec::with_capacity(count);
        while found.len() < count {
            let number = self.range(lo, hi);
            if !found.contains(&number) {
                found.push(number);
            }
        }
        found
    }

    /// A lower-case word of `len` letters.
    pub fn word(&mut self, len: usize) -> String {
        const VOWELS: &[u8] = b"aeiou";
        const CONSONANTS: &[u8] = b"bcdfgklmnprstvz";
        (0..len).map(|at| *self.pick(if at % 2 == 0 { CONSONANTS } else { VOWELS }) as char).collect()
    }
}

/// The numbers as a comma-separated list for an initialiser.
pub fn comma(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}
