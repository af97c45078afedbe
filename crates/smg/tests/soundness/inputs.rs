//! Inputs of concrete runs: random, with habits that keep loops short.

use fastrand::Rng;
use heapproof_engine::Environment;
use heapproof_interp::{Inputs, Options, Request, Source};
use heapproof_ir::Target;
use heapproof_verdict::PropertySet;

/// How to run.
pub fn options(properties: PropertySet) -> Options {
    Options {
        environment: Environment {
            argv: Some(vec![b"program".to_vec()]),
            ..Environment::usual(Target::Lp64, properties)
        },
        max_steps: 40_000,
        max_memory: 1 << 24,
        max_depth: 64,
        deadline: None,
        go_on: false,
        stop_at_choice: false,
        record_path: false,
    }
}

/// Random inputs of one run.
pub struct Habits {
    rng: Rng,
    /// How likely an answer is not zero, of 256.
    on: u8,
    /// How likely an answer is more than 1, of 256.
    large: u8,
    /// Calls until everything is zero.
    patience: u32,
}

impl Habits {
    /// The inputs of the run with this number.
    pub fn new(number: u64) -> Habits {
        let mut rng = Rng::with_seed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let on = [0, 255, 40, 100, 140, 180, 215, 240][number as usize % 8];
        let large = [20, 60, 120][rng.usize(..3)];
        let patience = 1 << rng.u32(2..7);
        Habits { rng, on, large, patience }
    }
}

impl Inputs for Habits {
    fn choose(&mut self, request: &Request) -> u128 {
        if request.source != Source::Call {
            return if self.rng.bool() { 0 } else { self.rng.u128(..) };
        }
        if self.patience == 0 {
            return 0;
        }
        self.patience -= 1;
        if self.rng.u8(..) >= self.on {
            return 0;
        }
        if self.rng.u8(..) >= self.large {
            return 1;
        }
        match self.rng.u8(..8) {
            0 => self.rng.u128(..),
            1 => u128::MAX,
            2 => self.rng.u128(..300),
            _ => self.rng.u128(2..12),
        }
    }
}
