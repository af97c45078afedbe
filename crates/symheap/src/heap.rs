//! The heap: separated segments, each with a symbolic base, a size and runs of content.
//!
//! A segment is one predicate: base, size, and a map from offsets to *runs*. A run is a part of a value, or many bytes of one
//! kind (zeros, nothing written yet, unknown input). Runs lie side by side without gaps, so that a read or a write looks at a few runs
//! and not at bytes.

use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{FuncId, GlobalId, LocalId};
use heapproof_libc::StreamKind;
use heapproof_logic::{Name, Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Function(FuncId),
    Global(GlobalId),
    Local(FuncId, LocalId),
    /// From `alloca`, a variable length array, or variadic arguments.
    Alloca,
    Heap,
    /// Belongs to the library or the environment.
    Library,
    /// A stream or directory that the program opened, or an entry of a directory.
    Stream(StreamKind),
}

/// Whether an object may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Live,
    Freed,
    /// The scope or frame ended.
    Ended,
}

/// What bytes hold that no value was stored to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Nothing: an input, chosen at the first read.
    Uninit,
    /// What the environment put there: an input, chosen at the first read.
    Unknown,
    /// This byte.
    Byte(Term),
}

/// A part of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// So many bytes of one kind.
    Fill(Fill, u64),
    /// Some bytes of a value, from the byte `first` on.
    Part { whole: Rc<Value>, first: u8, bytes: u8 },
}

impl Run {
    pub fn len(&self) -> u64 {
        match self {
            Run::Fill(_, len) => *len,
            Run::Part { bytes, .. } => u64::from(*bytes),
        }
    }

    /// The run without its first bytes, and cut to a length.
    fn slice(&self, from: u64, len: u64) -> Run {
        match self {
            Run::Fill(fill, _) => Run::Fill(fill.clone(), len),
            Run::Part { whole, first, .. } => {
                Run::Part { whole: whole.clone(), first: first + from as u8, bytes: len as u8 }
            }
        }
    }
}

/// The name of all bases.
const BASE: &str = "base";

/// True for a variable that is where an object lies.
pub fn is_base(var: &Term) -> bool {
    matches!(var.kind(), heapproof_logic::Kind::Var(Name::Numbered(BASE, _)))
}

/// The end of objects whose size is not known.
const ENDLESS: u64 = u64::MAX / 2;

/// A segment of memory.
#[derive(Clone, Debug)]
pub struct Object {
    pub base: Term,
    pub size: Term,
    /// Every execution puts it at a multiple of this.
    pub align: u64,
    pub kind: Kind,
    pub life: Life,
    pub constant: bool,
    runs: BTreeMap<u64, Run>,
}

impl Object {
    /// The size, if it is one number.
    pub fn known_size(&self) -> Option<u64> {
        self.size.as_bits().map(|bits| bits as u64)
    }

    fn end(&self) -> u64 {
        self.known_size().unwrap_or(ENDLESS)
    }

    /// Makes a boundary between runs at an offset.
    fn split(&mut self, at: u64) {
        let Some((&start, run)) = self.runs.range(..at).next_back() else { return };
        let len = run.len();
        if start + len <= at {
            return;
        }
        let (left, right) = (run.slice(0, at - start), run.slice(at - start, start + len - at));
        self.runs.insert(start, left);
        self.runs.insert(at, right);
    }

    /// The runs of an area, cut to it, in order.
    pub fn runs(&self, at: u64, n: u64) -> Vec<Run> {
        let first = self.runs.range(..=at).next_back().map_or(at, |(start, _)| *start);
        let mut found = Vec::new();
        for (&start, run) in self.runs.range(first..at.saturating_add(n)) {
            let end = (start + run.len()).min(at + n);
            let begin = start.max(at);
            if begin < end {
                found.push(run.slice(begin - start, end - begin));
            }
        }
        found
    }

    /// Puts runs in the place of what is in an area.
    pub fn put(&mut self, at: u64, runs: Vec<Run>) {
        let n: u64 = runs.iter().map(Run::len).sum();
        if n == 0 {
            return;
        }
        self.split(at);
        self.split(at + n);
        let gone: Vec<u64> = self.runs.range(at..at + n).map(|(start, _)| *start).collect();
        for start in gone {
            self.runs.remove(&start);
        }
        let mut place = at;
        for run in runs {
            let len = run.len();
            if len > 0 {
                self.runs.insert(place, run);
            }
            place += len;
        }
    }

    /// Stores a value of some bytes. Its width is that of the bytes.
    pub fn put_value(&mut self, at: u64, value: Value) {
        let bytes = value.term.width() / 8;
        self.put(at, vec![Run::Part { whole: Rc::new(value), first: 0, bytes }]);
    }

    /// Fills an area.
    pub fn fill(&mut self, at: u64, n: u64, fill: Fill) {
        self.put(at, vec![Run::Fill(fill, n)]);
    }

    /// Gives all of the content one kind.
    pub fn reset(&mut self, fill: Fill) {
        let end = self.end();
        self.runs.clear();
        if end > 0 {
            self.runs.insert(0, Run::Fill(fill, end));
        }
    }

    /// Calls `f` with each value that some bytes are of.
    pub fn for_each_value(&self, mut f: impl FnMut(&Value)) {
        for run in self.runs.values() {
            if let Run::Part { whole, .. } = run {
                f(whole);
            }
        }
    }

    /// All runs with their offsets.
    pub fn content(&self) -> impl Iterator<Item = (u64, &Run)> {
        self.runs.iter().map(|(at, run)| (*at, run))
    }
}

/// The bytes that runs without gaps of input make, as one value, or none if some bytes are still to be chosen.
pub fn assemble(runs: &[Run]) -> Option<Value> {
    if let [Run::Part { whole, first: 0, bytes }] = runs
        && u64::from(*bytes) * 8 == u64::from(whole.term.width())
    {
        return Some((**whole).clone());
    }
    let total: u64 = runs.iter().map(Run::len).sum();
    if let Some(whole) = same_whole(runs, total) {
        return Some(whole);
    }
    let (mut parts, mut prov): (Vec<Term>, Prov) = (Vec::new(), Prov::None);
    let (mut chosen, mut addresses, mut foreign) = (false, false, false);
    for run in runs {
        match run {
            Run::Fill(Fill::Uninit | Fill::Unknown, _) => return None,
            Run::Fill(Fill::Byte(byte), len) => (0..*len).for_each(|_| parts.push(byte.clone())),
            Run::Part { whole, first, bytes } => {
                let (low, high) = (first * 8, (first + bytes) * 8 - 1);
                parts.push(Term::extract(high, low, whole.term.clone()));
                match &whole.prov {
                    Prov::Uninit => chosen = true,
                    Prov::Foreign => foreign = true,
                    Prov::Object(_) | Prov::Mixed(_) => {
                        addresses = true;
                        prov = prov.union(&whole.prov);
                    }
                    Prov::None | Prov::Null => {}
                }
            }
        }
    }
    let term = parts.into_iter().reduce(|low, high| Term::concat(high, low))?;
    let prov = match () {
        () if chosen => Prov::Uninit,
        () if addresses => prov,
        () if foreign => Prov::Foreign,
        () => Prov::None,
    };
    Some(Value { term, prov })
}

/// The value of which these are all the bytes, in order.
fn same_whole(runs: &[Run], total: u64) -> Option<Value> {
    let Some(Run::Part { whole: first, .. }) = runs.first() else { return None };
    if u64::from(first.term.width()) != total * 8 {
        return None;
    }
    let mut next = 0;
    for run in runs {
        match run {
            Run::Part { whole, first: at, bytes } if *at == next && whole == first => next += bytes,
            _ => return None,
        }
    }
    Some((**first).clone())
}

/// All segments of a path.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    objects: Vec<Rc<Object>>,
}

impl Heap {
    pub fn get(&self, id: ObjId) -> &Object {
        &self.objects[id.index()]
    }

    pub fn get_mut(&mut self, id: ObjId) -> &mut Object {
        Rc::make_mut(&mut self.objects[id.index()])
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        (0..self.objects.len() as u32).map(ObjId)
    }

    /// True if an object was not changed since two heaps were one.
    pub fn is_shared(&self, other: &Heap, id: ObjId) -> bool {
        Rc::ptr_eq(&self.objects[id.index()], &other.objects[id.index()])
    }

    /// A new segment, apart from all others.
    pub fn create(&mut self, size: Term, align: u64, kind: Kind, fill: Fill) -> ObjId {
        let id = ObjId(self.objects.len() as u32);
        let base = Term::var(Name::Numbered(BASE, id.0.into()), Sort::Bits(size.width()));
        let mut object = Object {
            base,
            size,
            align: align.max(1),
            kind,
            life: Life::Live,
            constant: false,
            runs: BTreeMap::new(),
        };
        object.reset(fill);
        self.objects.push(Rc::new(object));
        id
    }

    /// The address of an object.
    pub fn address(&self, id: ObjId) -> Value {
        Value { term: self.get(id).base.clone(), prov: Prov::Object(id) }
    }

    /// Ends the life of an object; its content is gone.
    pub fn end(&mut self, id: ObjId, life: Life) {
        let object = self.get_mut(id);
        object.life = life;
        object.reset(Fill::Uninit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(size: u128) -> (Heap, ObjId) {
        let mut heap = Heap::default();
        let id = heap.create(Term::bits(size, 64), 16, Kind::Heap, Fill::Uninit);
        (heap, id)
    }

    #[test]
    fn bytes_are_split_and_put_together() {
        let (mut heap, id) = heap(16);
        let x = Value::plain(Term::var("x", Sort::Bits(64)));
        let object = heap.get_mut(id);
        object.put_value(4, x.clone());
        assert_eq!(assemble(&object.runs(4, 8)), Some(x.clone()));
        let low = assemble(&object.runs(4, 4)).unwrap();
        assert_eq!(low.term, Term::extract(31, 0, x.term.clone()));
        // What lies across the end of it is not known yet.
        assert_eq!(assemble(&object.runs(8, 8)), None);
        object.put_value(6, Value::number(0xab, 8));
        let all = assemble(&object.runs(4, 8)).unwrap();
        assert_eq!(Term::extract(23, 16, all.term), Term::bits(0xab, 8));
    }

    #[test]
    fn parts_that_were_copied_in_pieces_are_the_whole_again() {
        let (mut heap, id) = heap(32);
        let p = Value { term: Term::var("p", Sort::Bits(64)), prov: Prov::Object(ObjId(7)) };
        let object = heap.get_mut(id);
        object.put_value(0, p.clone());
        for at in 0..8 {
            let runs = object.runs(at, 1);
            object.put(16 + at, runs);
        }
        assert_eq!(assemble(&object.runs(16, 8)), Some(p));
        assert!(matches!(assemble(&object.runs(16, 4)).unwrap().prov, Prov::Mixed(_)));
    }

    #[test]
    fn runs_have_no_gaps() {
        let (mut heap, id) = heap(10);
        let object = heap.get_mut(id);
        object.fill(3, 4, Fill::Byte(Term::bits(0, 8)));
        let lengths: Vec<u64> = object.runs(0, 10).iter().map(Run::len).collect();
        assert_eq!(lengths, [3, 4, 3]);
        object.put_value(5, Value::number(1, 32));
        assert_eq!(object.runs(0, 10).iter().map(Run::len).sum::<u64>(), 10);
        assert_eq!(object.content().count(), 4);
    }
}
