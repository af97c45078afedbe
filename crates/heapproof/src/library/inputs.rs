//! Random inputs of clients: what a nondeterministic call is for is known by the function of the client that it stands in.

use heapproof_confirm::vector::FILLER;
use heapproof_interp::{Inputs, Request, Source};
use heapproof_ir::{Callee, FileId, InstKind, Operand, Program, Span, Terminator, mask, sign_extend};
use std::collections::{BTreeMap, BTreeSet};

/// What an input of the client is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Whether the client makes another call.
    Again,
    /// Which call, of so many.
    Which(u32),
    /// Whether it goes on with a pointer that is good for a while.
    Further,
    /// The length of a string.
    Length,
}

/// What inputs of a client are for, and the numbers that its library compares with.
pub struct Purposes {
    client: BTreeSet<FileId>,
    by_place: BTreeMap<Span, Purpose>,
    constants: Vec<i128>,
    characters: Vec<u8>,
}

impl Purposes {
    /// Of a program with a client in a file of this name.
    pub fn of(program: &Program, client: &str) -> Self {
        let mut by_place = BTreeMap::new();
        let mut constants = BTreeSet::new();
        for function in program.functions.values() {
            let Some(body) = &function.body else { continue };
            let is_client = program.files.get(function.span.file).is_some_and(|file| file == client);
            let cases = body.blocks.values().find_map(|block| match &block.term {
                Terminator::Switch { cases, .. } => Some(cases.len() as u32),
                _ => None,
            });
            for block in body.blocks.values() {
                for inst in &block.insts {
                    if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind
                        && is_client
                    {
                        let called = program.functions[*callee].name.as_str();
                        let purpose = match (function.name.as_str(), called) {
                            ("main", "__VERIFIER_nondet_bool") => Purpose::Again,
                            ("main", "__VERIFIER_nondet_uchar" | "__VERIFIER_nondet_uint") => {
                                Purpose::Which(cases.unwrap_or(1))
                            }
                            ("client_string", "__VERIFIER_nondet_ulong") => Purpose::Length,
                            (name, "__VERIFIER_nondet_uchar") if name.starts_with("use_") => {
                                Purpose::Which(cases.unwrap_or(1))
                            }
                            (name, "__VERIFIER_nondet_bool") if name.starts_with("use_") => Purpose::Further,
                            _ => continue,
                        };
                        by_place.entry(inst.span).or_insert(purpose);
                    }
                    if let InstKind::Cmp { a, b, .. } = &inst.kind
                        && !is_client
                    {
                        for operand in [a, b] {
                            if let Operand::Int { bits, width } = operand {
                                constants.insert(sign_extend(*bits, (*width).clamp(1, 128)));
                            }
                        }
                    }
                }
                if let Terminator::Switch { cases, width, .. } = &block.term
                    && !is_client
                {
                    constants
                        .extend(cases.iter().map(|(bits, _)| sign_extend(*bits, (*width).clamp(1, 128))));
                }
            }
        }
        let characters = constants.iter().filter(|c| (1..=255).contains(*c)).map(|c| *c as u8).collect();
        let client = program.files.iter().filter(|(_, file)| *file == client).map(|(id, _)| id).collect();
        Purposes { client, by_place, constants: constants.into_iter().take(200).collect(), characters }
    }
}

/// Random inputs of one execution.
pub struct ClientInputs<'a> {
    rng: fastrand::Rng,
    purposes: &'a Purposes,
    /// Calls that are left.
    calls: u32,
    /// The chance of a failing allocation and the like, in 256ths.
    failure: u8,
    /// Decides which calls are made often.
    taste: u64,
    /// Numbers are below this, mostly.
    small: u64,
    /// Characters of strings.
    alphabet: Vec<u8>,
    earlier: Vec<u128>,
}

impl<'a> ClientInputs<'a> {
    /// The inputs of the execution with this number.
    pub fn new(seed: u64, number: u64, purposes: &'a Purposes) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        rng.u64(..);
        let longest = if number < 64 { 8 } else { 48 };
        let calls = rng.u32(1..=longest);
        let failure = [0, 0, 0, 16, 64][rng.usize(..5)];
        let mut alphabet = vec![b'a', b'b', b'a', b'A', b' '];
        if !purposes.characters.is_empty() {
            for _ in 0..6 {
                alphabet.push(purposes.characters[rng.usize(..purposes.characters.len())]);
            }
        }
        let (taste, small) = (rng.u64(..), [2, 4, 10][rng.usize(..3)]);
        ClientInputs { rng, purposes, calls, failure, taste, small, alphabet, earlier: Vec::new() }
    }

    /// One of so many calls. An execution leaves some out, so that others are made often.
    fn which(&mut self, count: u32) -> u128 {
        for _ in 0..3 {
            let choice = self.rng.u32(..count.max(1));
            if count < 4 || self.taste >> (choice % 64) & 1 == 1 {
                return u128::from(choice);
            }
        }
        u128::from(self.rng.u32(..count.max(1)))
    }

    fn number(&mut self) -> u128 {
        match self.rng.u8(..20) {
            0..=11 => u128::from(self.rng.u64(..=self.small)),
            12..=14 if !self.earlier.is_empty() => self.earlier[self.rng.usize(..self.earlier.len())],
            15 if !self.purposes.constants.is_empty() => {
                let at = self.rng.usize(..self.purposes.constants.len());
                (self.purposes.constants[at] + i128::from(self.rng.i8(-1..=1))) as u128
            }
            16 => self.rng.i128(-8..0) as u128,
            17 => u128::MAX,
            18 => self.rng.u128(..),
            _ => u128::from(self.rng.u64(..40)),
        }
    }
}

impl Inputs for ClientInputs<'_> {
    fn choose(&mut self, request: &Request) -> u128 {
        let value = match (request.source, request.range) {
            (Source::Call, _) => match self.purposes.by_place.get(&request.span) {
                Some(Purpose::Again) => {
                    let again = self.calls > 0;
                    self.calls = self.calls.saturating_sub(1);
                    u128::from(again)
                }
                Some(Purpose::Which(count)) => self.which(*count),
                Some(Purpose::Further) => u128::from(self.rng.u8(..) < 190),
                Some(Purpose::Length) => match self.rng.u8(..16) {
                    0 => u128::from(self.rng.u64(..20)),
                    _ => u128::from(self.rng.u64(..4)),
                },
                None if request.width == 1 => u128::from(self.rng.bool()),
                None if request.width == 8 && self.rng.bool() => {
                    u128::from(self.alphabet[self.rng.usize(..self.alphabet.len())])
                }
                None => {
                    let value = self.number() & mask(request.width);
                    if self.earlier.len() < 64 {
                        self.earlier.push(value);
                    }
                    value
                }
            },
            (Source::Uninitialised, _) if request.width == 8 => match self.rng.u8(..16) {
                0 => FILLER,
                1 => self.rng.u128(..),
                _ => u128::from(self.alphabet[self.rng.usize(..self.alphabet.len())]),
            },
            (Source::Uninitialised, _) => match self.rng.u8(..4) {
                0 => 0,
                1 => self.rng.u128(..),
                _ => FILLER,
            },
            // The client has all the memory that it needs.
            (Source::Environment, range) if self.purposes.client.contains(&request.span.file) => {
                range.map_or(0, |(low, _)| low)
            }
            (Source::Environment, Some((low, high))) if self.rng.u8(..) < self.failure => {
                self.rng.u128(low..=high)
            }
            (Source::Environment, Some((low, _))) => low,
            (Source::Environment, None) => u128::from(self.rng.u8(..) < self.failure),
        };
        value & mask(request.width)
    }
}
