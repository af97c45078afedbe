//! Where frames and blocks stand: a block keeps its place in all pictures of an execution.

use super::{Block, Picture};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use unicode_width::UnicodeWidthStr;

/// The height of a row.
pub const ROW: usize = 19;
/// The height of the title of a frame.
pub const HEAD: usize = 22;
/// The height of the title of a block with its note.
pub const TITLE: usize = 34;
/// What two characters take.
const TWO_CHARACTERS: usize = 15;
/// Between blocks of a row, and between rows of blocks.
const GAP: (usize, usize) = (46, 22);
/// So many blocks stand side by side.
const MOST_COLUMNS: usize = 5;
/// The width of frames and blocks.
const WIDTHS: (usize, usize) = (110, 240);

/// Places of frames and blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The width of frames.
    pub frame: usize,
    /// The width of blocks.
    pub block: usize,
    /// Left upper corners of blocks.
    pub places: BTreeMap<u32, (usize, usize)>,
    /// The size of the whole.
    pub size: (usize, usize),
}

impl Layout {
    /// The places for pictures that are shown one after the other.
    pub fn of<'a>(pictures: impl IntoIterator<Item = &'a Picture>) -> Layout {
        let pictures: Vec<&Picture> = pictures.into_iter().collect();
        let rows = || pictures.iter().flat_map(|p| &p.frames).flat_map(|frame| &frame.rows);
        let frame = width(rows().map(|row| row.name.width() + row.value.width() + 4));
        let parts = |block: &'a Block| {
            let rows = block.rows.iter().map(|row| row.name.width() + row.value.width() + 4);
            rows.chain([block.title.width() + 2, block.note.width() + 1])
        };
        let blocks = || pictures.iter().flat_map(|p| &p.blocks);
        let block = width(blocks().flat_map(parts));
        let mut heights: BTreeMap<u32, usize> = BTreeMap::new();
        for block in blocks() {
            let height = heights.entry(block.id).or_default();
            *height = (*height).max(height_of(block));
        }
        let slots = slots(&pictures);
        let left = if rows().next().is_some() { frame + 24 + GAP.0 } else { 12 };
        let mut layout = Layout { frame, block, places: BTreeMap::new(), size: (0, 0) };
        // Each row of blocks is as high as its highest block.
        let last = slots.values().map(|slot| slot.1).max().unwrap_or(0);
        let mut y = 12;
        for row in 0..=last {
            let mut highest = 0;
            for (id, (column, _)) in slots.iter().filter(|(_, slot)| slot.1 == row) {
                let x = left + column * (block + GAP.0);
                layout.places.insert(*id, (x, y));
                highest = highest.max(heights.get(id).copied().unwrap_or(0));
                layout.size.0 = layout.size.0.max(x + block + 30);
            }
            y += highest + GAP.1;
        }
        let frames = pictures.iter().map(|picture| frames_height(picture)).max().unwrap_or(0);
        layout.size = (layout.size.0.max(left + 40), y.max(frames) + 6);
        layout
    }
}

/// The width that holds texts of so many characters, within bounds.
fn width(characters: impl Iterator<Item = usize>) -> usize {
    (characters.max().unwrap_or(0) * TWO_CHARACTERS / 2 + 12).clamp(WIDTHS.0, WIDTHS.1)
}

/// How many characters a width holds.
pub fn room(width: usize) -> usize {
    (width - 12) * 2 / TWO_CHARACTERS
}

/// How high a block is.
pub fn height_of(block: &Block) -> usize {
    TITLE + block.rows.len() * ROW + if block.rows.is_empty() { 0 } else { 4 }
}

fn frames_height(picture: &Picture) -> usize {
    12 + picture.frames.iter().map(|frame| HEAD + frame.rows.len() * ROW + 14).sum::<usize>()
}

/// Column and row of each block. The picture with the most blocks comes first, so what is linked there stands side by side; then the
/// others, from the last to the first.
fn slots(pictures: &[&Picture]) -> BTreeMap<u32, (usize, usize)> {
    let richest = (0..pictures.len()).max_by_key(|index| (linked(pictures[*index]), *index));
    let order = richest.into_iter().chain((0..pictures.len()).rev());
    let mut slots: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    for picture in order.map(|index| pictures[index]) {
        let mut last_row = taken.iter().map(|slot| slot.1 + 1).max().unwrap_or(0);
        for chain in chains(picture) {
            let new: Vec<u32> = chain.into_iter().filter(|id| !slots.contains_key(id)).collect();
            for part in new.chunks(MOST_COLUMNS) {
                // A single block takes the first free place of its own column.
                let fits = |row: usize| (0..part.len()).all(|column| !taken.contains(&(column, row)));
                let row = (0..last_row).find(|row| fits(*row)).unwrap_or(last_row);
                for (column, id) in part.iter().enumerate() {
                    slots.insert(*id, (column, row));
                    taken.insert((column, row));
                }
                last_row = last_row.max(row + 1);
            }
        }
    }
    slots
}

/// How many blocks are pointed to by others.
fn linked(picture: &Picture) -> usize {
    let targets = picture.blocks.iter().flat_map(|block| &block.rows).filter_map(|row| row.to);
    targets.map(|(id, _)| id).collect::<BTreeSet<_>>().len() + picture.blocks.len()
}

/// Blocks in the order in which they are reached: one chain after the other.
fn chains(picture: &Picture) -> Vec<Vec<u32>> {
    let blocks: BTreeMap<u32, &Block> = picture.blocks.iter().map(|block| (block.id, block)).collect();
    let mut seen = BTreeSet::new();
    let roots = picture.frames.iter().flat_map(|frame| &frame.rows).filter_map(|row| row.to);
    let mut starts: VecDeque<u32> = roots.map(|(id, _)| id).collect();
    // A block that others point to is no start: a pointer into the middle of a list must not cut it.
    let inner = |id: u32| {
        let others = picture.blocks.iter().filter(|block| block.id != id);
        others.flat_map(|block| &block.rows).any(|row| row.to.is_some_and(|(to, _)| to == id))
    };
    starts.make_contiguous().sort_by_key(|id| inner(*id));
    starts.extend(picture.blocks.iter().map(|block| block.id));
    let mut chains = Vec::new();
    while let Some(start) = starts.pop_front() {
        let mut chain = Vec::new();
        let mut next = Some(start);
        while let Some(id) = next.take() {
            let Some(block) = blocks.get(&id).filter(|_| seen.insert(id)) else { break };
            chain.push(id);
            let targets: Vec<u32> = block.rows.iter().filter_map(|row| Some(row.to?.0)).collect();
            let mut open = targets.into_iter().filter(|to| !seen.contains(to) && blocks.contains_key(to));
            next = open.next();
            // Other links begin chains of their own, soon.
            open.for_each(|to| starts.push_front(to));
        }
        if !chain.is_empty() {
            chains.push(chain);
        }
    }
    chains
}
