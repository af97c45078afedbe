//! What a run shows to a search that learns: edges, outcomes of comparisons, how near accesses come to the end of their object.
//!
//! It only looks on. Features are hashes into maps of fixed size, so a run costs no more than it touches.

use heapproof_ir::{BlockId, CmpOp, FuncId, sign_extend};

/// Counters of edges.
const EDGES: usize = 1 << 16;
/// Features that occur or do not.
const MARKS: usize = 1 << 18;
/// Slots in which comparisons are counted.
const SLOTS: usize = 1 << 12;
/// Comparisons of one place, and of a run, that are kept.
const MOST_OF_SITE: u16 = 64;
const MOST_COMPARISONS: usize = 8_192;
/// Comparisons of texts of a run that are kept, and bytes of a text.
const MOST_TEXTS: usize = 512;
/// The longest text of a comparison that is kept.
pub(crate) const LONGEST_TEXT: u64 = 64;

/// A comparison of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The instruction, as a hash.
    pub site: u32,
    /// How many comparisons of the same place came before it.
    pub occurrence: u16,
    /// What was asked.
    pub op: CmpOp,
    /// The width of both sides.
    pub width: u8,
    /// The left side.
    pub a: u128,
    /// The right side.
    pub b: u128,
    /// How many inputs had been read.
    pub inputs: u32,
}

/// A comparison of texts or areas of bytes by the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// What the first pointer points to, as far as it has a value.
    pub a: Vec<u8>,
    /// What the second pointer points to.
    pub b: Vec<u8>,
}

/// The feedback of one run; it can be used again for the next one.
#[derive(Debug)]
pub struct Feedback {
    counts: Vec<u8>,
    touched: Vec<u32>,
    marks: Vec<u64>,
    marked: Vec<u32>,
    slots: Vec<u16>,
    used: Vec<u32>,
    /// Keep comparisons.
    log: bool,
    comparisons: Vec<Comparison>,
    texts: Vec<Texts>,
}

impl Default for Feedback {
    fn default() -> Self {
        Feedback {
            counts: vec![0; EDGES],
            touched: Vec::new(),
            marks: vec![0; MARKS / 64],
            marked: Vec::new(),
            slots: vec![0; SLOTS],
            used: Vec::new(),
            log: false,
            comparisons: Vec::new(),
            texts: Vec::new(),
        }
    }
}

/// A hash of a place in the program with something else.
#[inline]
fn hash(place: u32, other: u32) -> u32 {
    let mixed = (u64::from(place) << 32 | u64::from(other)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// The place of an instruction.
#[inline]
pub(crate) fn site(func: FuncId, block: BlockId, ip: usize) -> u32 {
    hash(hash(func.as_u32(), block.as_u32()), ip as u32)
}

/// The class of a count: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more.
fn class(count: u8) -> u32 {
    match count {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        _ => 7,
    }
}

impl Feedback {
    /// All features are below this.
    pub const FEATURES: usize = EDGES * 8 + MARKS;

    /// True if a feature is an edge with how often it was taken.
    pub fn is_edge(feature: u32) -> bool {
        (feature as usize) < EDGES * 8
    }

    /// Forgets the last run.
    pub fn start(&mut self, log: bool) {
        for index in self.touched.drain(..) {
            self.counts[index as usize] = 0;
        }
        for index in self.marked.drain(..) {
            self.marks[index as usize / 64] = 0;
        }
        for index in self.used.drain(..) {
            self.slots[index as usize] = 0;
        }
        self.comparisons.clear();
        self.texts.clear();
        self.log = log;
    }

    /// What the run showed, each feature once: edges with the class of how often they were taken, then the others.
    pub fn features(&self) -> impl Iterator<Item = u32> + '_ {
        let edges = self.touched.iter().map(|index| index * 8 + class(self.counts[*index as usize]));
        edges.chain(self.marked.iter().map(|index| (EDGES * 8) as u32 + index))
    }

    /// The comparisons of integers, oldest first.
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// The comparisons of texts, oldest first.
    pub fn texts(&self) -> &[Texts] {
        &self.texts
    }

    /// An edge from one block to another, of this function.
    #[inline]
    pub(crate) fn edge(&mut self, func: FuncId, from: u32, to: u32) {
        let index = hash(hash(func.as_u32(), from), to) as usize % EDGES;
        let count = &mut self.counts[index];
        if *count == 0 {
            self.touched.push(index as u32);
        }
        *count = count.saturating_add(1);
    }

    #[inline]
    fn mark(&mut self, place: u32, what: u32) {
        let index = hash(place, what) as usize % MARKS;
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        if self.marks[word] & bit == 0 {
            self.marks[word] |= bit;
            self.marked.push(index as u32);
        }
    }

    /// A comparison of integers.
    #[inline]
    pub(crate) fn compare(&mut self, at: u32, op: CmpOp, width: u8, (a, b): (u128, u128), inputs: usize) {
        let near = match op {
            CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => {
                sign_extend(a, width).abs_diff(sign_extend(b, width))
            }
            _ => a.abs_diff(b),
        };
        let far = 128 - near.leading_zeros();
        self.mark(at, far * 2 + u32::from(op.holds(width, a, b)));
        if !self.log || self.comparisons.len() >= MOST_COMPARISONS {
            return;
        }
        let slot = at as usize % SLOTS;
        let count = &mut self.slots[slot];
        if *count == 0 {
            self.used.push(slot as u32);
        }
        if *count >= MOST_OF_SITE {
            return;
        }
        *count += 1;
        let occurrence = *count - 1;
        self.comparisons.push(Comparison { site: at, occurrence, op, width, a, b, inputs: inputs as u32 });
    }

    /// A comparison of texts: how much of them agrees counts.
    pub(crate) fn compare_texts(&mut self, at: u32, a: Vec<u8>, b: Vec<u8>) {
        let agree = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        self.mark(at, 1_000 + agree as u32);
        // Which one of the texts of a table it is.
        let content = b.iter().fold(0, |sum, c| hash(sum, u32::from(*c)));
        self.mark(hash(at, content), 2_000 + agree as u32);
        if self.log && self.texts.len() < MOST_TEXTS && a != b {
            self.texts.push(Texts { a, b });
        }
    }

    /// An access, and the bytes between its end and the end of its object.
    #[inline]
    pub(crate) fn access(&mut self, at: u32, room: u64) {
        let class = if room < 4 { room as u32 } else { 4 + room.ilog2() };
        self.mark(at, 3_000 + class);
    }
}
