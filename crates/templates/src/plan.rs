//! What is found out about a program while its formula is made, and kept until nothing new appears: objects, the fields they
//! are used with, what loops change, where pointers may lead. The formula is made again while this grows.

use crate::value::{FIRST, Obj, Offsets};
use heapproof_ir::{BlockId, FuncId, GlobalId, LocalId, Reg, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the program together with the calls and the copies of loops around it.
pub type Context = u32;

/// One step into a call or into a copy of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Into a function, from an instruction.
    Call(BlockId, usize, FuncId),
    /// Into a copy of the loop with this head.
    Copy(BlockId, u32),
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjKind {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// A local of a frame.
    Local(Context, LocalId),
    /// An array of variable length.
    Stack(Context, BlockId, usize),
    /// The only block of an allocation.
    Single(Context, BlockId, usize),
    /// One arbitrary block of an allocation in a loop, followed exactly.
    Witness(Context, BlockId, usize, u8),
    /// All other blocks of an allocation in a loop.
    Rest(Context, BlockId, usize),
    /// One arbitrary element of an array.
    Element(Obj, u8),
}

impl ObjKind {
    /// True for heap blocks.
    pub fn is_heap(self) -> bool {
        matches!(self, ObjKind::Single(..) | ObjKind::Witness(..) | ObjKind::Rest(..))
    }
}

/// A variable of the program's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A register of a frame.
    Reg(Context, Reg),
    /// Some bytes of an object.
    Cell(Obj, u64, u64),
    /// Whether an object lives: one bit.
    Live(Obj),
    /// The size of an object, of the pointer's width.
    Size(Obj),
    /// Whether an object was ever allocated: one bit.
    Made(Obj),
    /// Where a link of a witness was last written: eight bits.
    Tag(Obj),
    /// Whether a variable is a constant that was initialised: one bit.
    Sealed(Obj),
}

/// Where a pointer may lead: objects and offsets.
pub type Leads = (BTreeSet<Obj>, Offsets);

/// Names a loop of the formula.
pub type LoopKey = (Context, BlockId);

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    contexts: BTreeMap<(Context, Step), Context>,
    objects: Vec<ObjKind>,
    numbers: BTreeMap<ObjKind, Obj>,
    /// Fields by object: offset and length, without overlaps.
    cells: BTreeMap<Obj, BTreeMap<u64, u64>>,
    /// Objects of whose content nothing is known.
    blobs: BTreeSet<Obj>,
    /// What loops change, and where pointers that they change may lead.
    changed: BTreeMap<LoopKey, BTreeMap<Key, Option<Leads>>>,
    /// Where pointers in the fields of summarised blocks may lead.
    fields: BTreeMap<(Obj, u64, u64), Leads>,
    /// Allocations of which some block may be freed.
    freed: BTreeSet<Obj>,
    /// Objects of the stack that begin their life again while pointers to them are left.
    reborn: BTreeSet<Obj>,
    /// Arrays of which some elements are followed, with the size of an element; none if they are used in several ways.
    elements: BTreeMap<Obj, Option<u64>>,
    /// Sizes of variables.
    sizes: BTreeMap<Obj, u64>,
    /// Places where links of witnesses are written.
    places: BTreeMap<(Context, u32, u32), u8>,
    /// Where heap blocks come from.
    births: BTreeMap<Obj, Span>,
    /// Something is new.
    pub grew: bool,
}

impl Plan {
    /// The context one step further in.
    pub fn enter(&mut self, context: Context, step: Step) -> Context {
        let next = self.contexts.len() as u32 + 1;
        *self.contexts.entry((context, step)).or_insert(next)
    }

    /// The number of an object.
    pub fn object(&mut self, kind: ObjKind) -> Obj {
        if let Some(number) = self.numbers.get(&kind) {
            return *number;
        }
        let number = FIRST + self.objects.len() as u32;
        self.objects.push(kind);
        self.numbers.insert(kind, number);
        number
    }

    /// A heap block comes from an allocation.
    pub fn note_birth(&mut self, obj: Obj, span: Span) {
        self.births.insert(obj, span);
    }

    /// Heap blocks, each with the place of its allocation.
    #[cfg(test)]
    pub fn births(&self) -> impl Iterator<Item = (Obj, Span)> {
        self.births.iter().map(|(obj, span)| (*obj, *span))
    }

    /// The number of an object that is known.
    #[cfg(test)]
    pub fn known(&self, kind: ObjKind) -> Option<Obj> {
        self.numbers.get(&kind).copied()
    }

    /// What an object is; none for those that are no real objects.
    pub fn kind(&self, obj: Obj) -> Option<ObjKind> {
        self.objects.get(obj.checked_sub(FIRST)? as usize).copied()
    }

    /// The fields that some bytes of an object are made of. Fields that overlap fall into bytes.
    pub fn cells(&mut self, obj: Obj, off: u64, len: u64) -> Vec<(u64, u64)> {
        let group = self.alike(obj);
        let cells = self.cells.entry(group).or_default();
        let end = off + len;
        let touched: Vec<(u64, u64)> =
            cells.range(..end).filter(|(o, l)| **o + **l > off).map(|(o, l)| (*o, *l)).collect();
        if touched.is_empty() {
            cells.insert(off, len);
            self.grew = true;
            return vec![(off, len)];
        }
        let covered: u64 = touched.iter().map(|(_, l)| l).sum();
        let inside = touched.iter().all(|(o, l)| *o >= off && o + l <= end);
        if inside && covered == len {
            return touched;
        }
        self.grew = true;
        let from = touched[0].0.min(off);
        let to = touched.last().map_or(end, |(o, l)| (o + l).max(end));
        for (o, _) in &touched {
            cells.remove(o);
        }
        for byte in from..to {
            cells.insert(byte, 1);
        }
        (off..end).map(|byte| (byte, 1)).collect()
    }

    /// All fields of an object.
    pub fn all_cells(&self, obj: Obj) -> Vec<(u64, u64)> {
        let cells = self.cells.get(&self.alike(obj));
        cells.map(|cells| cells.iter().map(|(o, l)| (*o, *l)).collect()).unwrap_or_default()
    }

    /// Blocks of one allocation have the same fields.
    pub fn alike(&self, obj: Obj) -> Obj {
        match self.kind(obj) {
            Some(ObjKind::Witness(c, b, i, _)) => {
                self.numbers.get(&ObjKind::Rest(c, b, i)).copied().unwrap_or(obj)
            }
            _ => obj,
        }
    }

    /// Gives up the content of an object.
    pub fn give_up(&mut self, obj: Obj) {
        self.grew |= self.blobs.insert(self.alike(obj));
    }

    /// True if nothing is known of the content of an object.
    pub fn is_blob(&self, obj: Obj) -> bool {
        self.blobs.contains(&self.alike(obj))
    }

    /// An array is used in elements of a size, or in another way.
    pub fn note_element(&mut self, obj: Obj, len: Option<u64>) {
        let known = self.elements.entry(obj).or_insert_with(|| {
            self.grew = true;
            len
        });
        if *known != len && known.is_some() {
            *known = None;
            self.grew = true;
        }
    }

    /// Arrays whose elements are followed, and the sizes of these.
    pub fn elements(&self) -> Vec<(Obj, u64)> {
        self.elements.iter().filter_map(|(obj, len)| Some((*obj, (*len)?))).collect()
    }

    /// The size of a variable.
    pub fn note_local(&mut self, obj: Obj, size: u64) {
        self.sizes.insert(obj, size);
    }

    /// The size of a variable.
    pub fn local_size(&self, obj: Obj) -> Option<u64> {
        self.sizes.get(&obj).copied()
    }

    /// What a witness is one of: the rest of its allocation, or its array.
    pub fn owner(&self, obj: Obj) -> Option<Obj> {
        match self.kind(obj) {
            Some(ObjKind::Element(parent, _)) => Some(parent),
            _ => Some(self.alike(obj)).filter(|rest| *rest != obj),
        }
    }

    /// What a loop changes.
    pub fn changed(&self, key: LoopKey) -> Vec<(Key, Option<Leads>)> {
        let changed = self.changed.get(&key);
        changed.map(|c| c.iter().map(|(k, m)| (*k, m.clone())).collect()).unwrap_or_default()
    }

    /// A loop changes a variable; a pointer may lead there afterwards.
    pub fn note_change(&mut self, at: LoopKey, key: Key, leads: Option<(&BTreeSet<Obj>, &Offsets)>) {
        let changed = self.changed.entry(at).or_default();
        let known = changed.entry(key).or_insert_with(|| {
            self.grew = true;
            None
        });
        let Some((may, offsets)) = leads else { return };
        let next = match known {
            None => (may.clone(), offsets.clone()),
            Some((m, o)) => (m.union(may).copied().collect(), o.union(offsets)),
        };
        if known.as_ref() != Some(&next) {
            *known = Some(next);
            self.grew = true;
        }
    }

    /// A pointer is stored in a field of a block of an allocation in a loop.
    pub fn note_field(&mut self, obj: Obj, off: u64, len: u64, may: &BTreeSet<Obj>, offsets: &Offsets) {
        let key = (self.alike(obj), off, len);
        let next = match self.fields.get(&key) {
            None => (may.clone(), offsets.clone()),
            Some((m, o)) => (m.union(may).copied().collect(), o.union(offsets)),
        };
        if self.fields.get(&key) != Some(&next) {
            self.fields.insert(key, next);
            self.grew = true;
        }
    }

    /// Where pointers in a field may lead.
    pub fn field(&self, obj: Obj, off: u64, len: u64) -> Option<Leads> {
        self.fields.get(&(self.alike(obj), off, len)).cloned()
    }

    /// True if a pointer in a field of some block may lead to an object.
    pub fn is_stored(&self, obj: Obj) -> bool {
        self.fields.values().any(|(may, _)| may.contains(&obj))
    }

    /// An object of the stack begins its life again while pointers to it are left.
    pub fn note_reborn(&mut self, obj: Obj) {
        self.grew |= self.reborn.insert(obj);
    }

    /// True if a pointer to an object may be one to an earlier incarnation of it.
    pub fn is_reborn(&self, obj: Obj) -> bool {
        self.reborn.contains(&obj)
    }

    /// The number of a place where a link is written, from 1 on; 255 for all that are too many.
    pub fn place(&mut self, context: Context, line: u32, column: u32) -> u8 {
        // 254 is for blocks that are gone.
        let next = match self.places.len() + 1 {
            next @ ..254 => next as u8,
            _ => 255,
        };
        *self.places.entry((context, line, column)).or_insert(next)
    }

    /// The witnesses of all allocations: the rest, and each of them.
    pub fn witnesses(&self) -> Vec<(Obj, Vec<Obj>)> {
        let mut all: BTreeMap<Obj, Vec<Obj>> = BTreeMap::new();
        for (kind, obj) in &self.numbers {
            if matches!(kind, ObjKind::Witness(..)) {
                all.entry(self.alike(*obj)).or_default().push(*obj);
            }
        }
        all.into_iter().collect()
    }

    /// The fields of an allocation that lead to blocks of the same allocation.
    pub fn links(&self, rest: Obj) -> Vec<(u64, u64)> {
        let of_it = self.fields.iter().filter(|((obj, ..), (may, _))| *obj == rest && may.contains(&rest));
        of_it.map(|((_, off, len), _)| (*off, *len)).collect()
    }

    /// A block of an allocation may be freed.
    pub fn note_freed(&mut self, obj: Obj) {
        self.grew |= self.freed.insert(self.alike(obj));
    }

    /// True if a block of the allocation may be freed somewhere.
    pub fn is_freed(&self, obj: Obj) -> bool {
        self.freed.contains(&self.alike(obj))
    }
}
