//! The numbers that occur in a program: inputs near them decide branches.

use heapproof_ir::{GlobalInit, InstKind, Operand, Program, Terminator, mask, sign_extend};
use std::collections::BTreeSet;

/// The most numbers that are kept; more would dilute the search.
const MOST: usize = 256;

/// Numbers of a program, with their neighbours.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    values: Vec<i128>,
}

impl Constants {
    /// Gathers the operands of comparisons, cases of switches and other integer operands, and sizes.
    pub fn of(program: &Program) -> Self {
        // Two classes: what is compared comes first when there are too many.
        let mut compared = BTreeSet::new();
        let mut others = BTreeSet::new();
        let blocks =
            program.functions.values().filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values());
        for block in blocks {
            for inst in &block.insts {
                let decides = matches!(inst.kind, InstKind::Cmp { .. });
                inst.kind.for_each_use(|operand| {
                    if let Operand::Int { bits, width } = operand {
                        let set = if decides { &mut compared } else { &mut others };
                        set.insert(sign_extend(*bits, (*width).clamp(1, 128)));
                    }
                });
            }
            if let Terminator::Switch { cases, width, .. } = &block.term {
                compared.extend(cases.iter().map(|(bits, _)| sign_extend(*bits, (*width).clamp(1, 128))));
            }
        }
        others.extend(program.globals.values().filter(|g| !g.anonymous).map(|g| i128::from(g.size)));
        let mut values: Vec<i128> = Vec::new();
        let mut seen = BTreeSet::new();
        let near = |v: i128| [v, v.wrapping_add(1), v.wrapping_sub(1), v.wrapping_neg()];
        for value in compared.into_iter().flat_map(near).chain(others) {
            if values.len() < MOST && seen.insert(value) {
                values.push(value);
            }
        }
        Constants { values }
    }

    /// One of them, as bits of the width.
    pub fn pick(&self, rng: &mut fastrand::Rng, width: u8) -> u128 {
        match self.values.len() {
            0 => 1,
            n => self.values[rng.usize(..n)] as u128 & mask(width),
        }
    }
}

/// The longest string literal that is a word of the input.
const LONGEST_WORD: usize = 24;
/// Words that are kept.
const MOST_WORDS: usize = 512;

/// The short string literals of a program without conversions of `printf`: words that may occur in its input.
pub fn words(program: &Program) -> Vec<Vec<u8>> {
    let literals = program.globals.values().filter(|global| global.anonymous && global.constant);
    let texts = literals.filter_map(|global| match &global.init {
        GlobalInit::Data { bytes, .. } => bytes.split(|byte| *byte == 0).next().map(<[u8]>::to_vec),
        GlobalInit::External => None,
    });
    let fits = |text: &Vec<u8>| !text.is_empty() && text.len() <= LONGEST_WORD && !text.contains(&b'%');
    let all: BTreeSet<Vec<u8>> = texts.filter(fits).collect();
    all.into_iter().take(MOST_WORDS).collect()
}
