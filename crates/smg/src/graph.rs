//! Symbolic memory graphs (section 2 of the paper): objects, values and the program configuration around them.
//!
//! Two deviations from the paper keep the graph small. Addresses are not nodes: an address *is* its points-to edge
//! (object, offset, target), so equal addresses are equal by construction and the edge function is injective. Known
//! numbers are not nodes either. What is left of the value nodes are *symbols*: unknown numbers with a range.

use crate::halves::{Cut, Half};
use crate::number::Range;
use crate::order::Order;
use crate::tags::Tags;
use crate::terms::Term;
use crate::tree::Kids;
use crate::twins::Twins;
use heapproof_ir::{FuncId, GlobalId, LocalId, Span, TypeId};
use heapproof_libc::StreamKind;
use heapproof_numbers::System;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Names an object of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(pub u32);

/// Names an unknown number of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymId(pub u32);

/// Which of the nodes of a segment an address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tg {
    /// The object is a region.
    Region,
    /// The first node of a segment.
    First,
    /// The last node of a doubly linked segment.
    Last,
    /// Each node, seen from what is nested below it.
    All,
    /// Some node of a doubly linked segment. Addresses with the same number mean the same node.
    Among(u32),
}

/// An address: a points-to edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Addr {
    /// The object.
    pub obj: ObjId,
    /// Bytes from its start; may lie outside.
    pub off: i64,
    /// Which node, if the object is a segment.
    pub tg: Tg,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Val {
    /// A known number; 0 is also the null pointer. Bits above the width of its place are zero.
    Int(u128),
    /// An address.
    Addr(Addr),
    /// A function.
    Func(FuncId),
    /// An unknown number.
    Sym(SymId),
}

impl Val {
    /// The null pointer and the number zero.
    pub const ZERO: Val = Val::Int(0);
}

/// How a symbol comes from another, so that conditions on it refine its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Def {
    /// An input, or something that is not tracked.
    Free,
    /// Another symbol of the same width plus a constant (signed view).
    Plus(SymId, i128),
    /// The same number in another width: a cast that does not change the value in the signed view.
    Same(SymId),
    /// Another symbol of the same width times a positive constant, without wrapping.
    Times(SymId, i128),
    /// An address: base plus index times scale.
    At(Addr, SymId, i64),
}

/// An unknown number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sym {
    /// Its width in bits.
    pub width: u8,
    /// Its range in the signed view.
    pub range: Range,
    /// Numbers that it is not (signed view).
    pub not: BTreeSet<i128>,
    /// Where it comes from.
    pub def: Def,
    /// The functions that it may be (none: null). If there are any, it is one of these and no other number.
    pub functions: BTreeSet<Option<FuncId>>,
    /// Nesting level: above 0 it stands for one number per node of the segments above it.
    pub level: u32,
    /// It was read from memory that was never written.
    pub uninit: bool,
    /// How many definitions lie between it and a free symbol.
    pub depth: u32,
}

impl Sym {
    /// The symbols that it is described by.
    pub fn sources(&self) -> impl Iterator<Item = SymId> + use<> {
        match self.def {
            Def::Plus(source, _) | Def::Same(source) | Def::Times(source, _) | Def::At(_, source, _) => {
                Some(source)
            }
            Def::Free => None,
        }
        .into_iter()
    }
}

/// The shape of a list segment, or of a path through a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seg {
    /// Offset at which links point into nodes.
    pub head: i64,
    /// Offset of the next pointer.
    pub next: u64,
    /// Offset of the prev pointer of a doubly linked segment.
    pub prev: Option<u64>,
    /// The least number of nodes.
    pub min: u32,
    /// Of a path through a tree: all fields at which it may go on. `next` is the first of them, and holds what follows.
    pub kids: Kids,
    /// Fields of each node that are equal to one of these links.
    pub twins: Twins,
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Storage {
    /// From `malloc` and its relatives.
    Heap,
    /// A local variable or temporary.
    Local,
    /// A constant local variable that was initialised.
    Constant,
    /// From `alloca`.
    Alloca,
    /// A global; the flag says that it is constant.
    Global(GlobalId, bool),
    /// A stream or directory that the program opened, or an entry of a directory.
    Stream(StreamKind),
    /// A string of the environment. Two of them may be one and the same, so they are only read.
    Foreign,
    /// `argv`: its size is counted in pointers. Only read.
    Arguments,
    /// Nowhere: it is what nodes of one kind of a segment hold.
    Kind,
    /// A part of a table: it lies in the array that leads to it.
    Part,
}

/// What is known about a string inside an object: where its NUL is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The offset at which it starts.
    pub start: u64,
    /// The number of bytes from there to the first NUL.
    pub len: SymId,
}

/// A value at an offset of an object: a has-value edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Number of bytes.
    pub len: u64,
    /// The value.
    pub val: Val,
}

/// An object: a region, or a segment of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The segment that it is; a region otherwise.
    pub seg: Option<Seg>,
    /// A 0/1 object: it may be absent, and its address is then null.
    pub maybe: bool,
    /// Size in bytes; of each node for a segment. The least size if it is not exact.
    pub size: u64,
    /// The size is known exactly.
    pub exact: bool,
    /// The size as a number, where it is not known exactly.
    pub size_sym: Option<SymId>,
    /// The offset at which it begins, where that is a number; 0 otherwise.
    pub begin: Option<SymId>,
    /// Offset 0 lies at a multiple of this power of two, where that is more than its storage says.
    pub aligned: Option<u64>,
    /// The number of nodes of a segment of the top level, where nodes are counted.
    pub length: Option<Val>,
    /// Which numbers the nodes of a segment of the top level have one after the other, where that is followed.
    pub tags: Option<Rc<Tags>>,
    /// What holds of several numbers in each node of a segment of the top level.
    pub each: Option<Rc<System<SymId>>>,
    /// The orders in which the nodes of a segment of the top level are.
    pub orders: Vec<Order>,
    /// Where the nodes of a segment are of several kinds, what those of each kind hold besides the links. It holds only its links then.
    pub kinds: Vec<ObjId>,
    /// Which half of a block that is on two lists it is.
    pub half: Option<Half>,
    /// It was not freed and is in scope.
    pub valid: bool,
    /// Nesting level.
    pub level: u32,
    /// Where it lives.
    pub storage: Storage,
    /// The known values, by offset, not overlapping.
    pub cells: BTreeMap<u64, Cell>,
    /// Nullified blocks by start, with their ends; not overlapping cells or each other.
    pub zeros: BTreeMap<u64, u64>,
    /// A string in it whose length is a symbol.
    pub text: Option<Text>,
    /// Bytes that are in no cell and not zero were never written (otherwise they are just unknown).
    pub fresh: bool,
    /// It holds addresses at places that are not known; they read as unknown numbers. For messages only.
    pub vague: bool,
    /// Its address was stored at such a place. For messages only.
    pub hidden: bool,
    /// The structure that it is used as. A hint for abstraction; it does not belong to the meaning.
    pub used_as: Option<TypeId>,
    /// The size of the elements as which it is used at indices that are variables, and whether a pointer was stored since. A
    /// hint as well.
    pub indexed: Option<(u64, bool)>,
    /// An element of a table that was read since it was written. A hint as well.
    pub taken: bool,
    /// Where it was allocated or declared.
    pub span: Span,
}

impl Object {
    /// A valid region with no known content.
    pub fn region(size: u64, storage: Storage, span: Span) -> Object {
        Object {
            seg: None,
            maybe: false,
            size,
            exact: true,
            size_sym: None,
            begin: None,
            aligned: None,
            length: None,
            tags: None,
            each: None,
            orders: Vec::new(),
            kinds: Vec::new(),
            half: None,
            valid: true,
            level: 0,
            storage,
            cells: BTreeMap::new(),
            zeros: BTreeMap::new(),
            text: None,
            fresh: true,
            vague: false,
            hidden: false,
            used_as: None,
            indexed: None,
            taken: false,
            span,
        }
    }

    /// The numbers that describe it, besides those that it holds.
    pub fn measures(&self) -> impl Iterator<Item = SymId> + use<> {
        let length = match self.length {
            Some(Val::Sym(id)) => Some(id),
            _ => None,
        };
        [self.size_sym, self.begin, self.text.map(|text| text.len), length].into_iter().flatten()
    }

    /// The link through which a segment goes on.
    pub fn next(&self, pointer_bytes: u64) -> Option<Val> {
        self.peek(self.seg?.next, pointer_bytes)
    }

    /// The link through which a segment goes back.
    pub fn prev(&self, pointer_bytes: u64) -> Option<Val> {
        self.peek(self.seg?.prev?, pointer_bytes)
    }
}

/// A call frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The block being executed.
    pub block: heapproof_ir::BlockId,
    /// The next instruction of it.
    pub inst: usize,
    /// The registers; none if forgotten.
    pub regs: Vec<Option<Val>>,
    /// Their widths in bits.
    pub widths: Rc<[u8]>,
    /// The present incarnations of the locals.
    pub locals: BTreeMap<LocalId, ObjId>,
    /// Objects of `alloca`, oldest first; before them the variadic arguments of a variadic function.
    pub allocas: Vec<ObjId>,
    /// It is no call but the cut points of the surroundings of one, followed by its results.
    pub cut: bool,
    /// Live heap blocks lie in the surroundings that were cut off. Only noted where that matters.
    pub holds_heap: bool,
}

/// A symbolic program configuration: a graph, the variables and the call stack.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The objects.
    pub objects: BTreeMap<ObjId, Rc<Object>>,
    /// The unknown numbers.
    pub syms: BTreeMap<SymId, Rc<Sym>>,
    /// The regions of the globals that were touched.
    pub globals: BTreeMap<GlobalId, ObjId>,
    /// The call stack, the current frame last.
    pub frames: Vec<Frame>,
    /// What is known of several numbers together: constraints between free symbols of level 0.
    pub relations: Rc<System<SymId>>,
    /// Relations are kept. Not for programs that have no use for them.
    pub relates: bool,
    /// Segments know what holds of the numbers of each node.
    pub looks_inside: bool,
    /// Segments know whether their nodes are in order.
    pub sorts: bool,
    /// Nodes of segments are counted.
    pub counts: bool,
    /// The numbers that tell nodes apart, where segments remember in which order they come.
    pub tells: Option<Rc<BTreeSet<i128>>>,
    /// The numbers that tell kinds of nodes apart, where segments may have several kinds.
    pub kinds: Option<Rc<BTreeSet<i128>>>,
    /// How blocks that are on two lists are cut in two, where they are.
    pub cut: Option<Cut>,
    /// Arrays of pointers are taken apart at unknown indices.
    pub rows: bool,
    /// Borders between parts of arrays that mean nothing are forgotten.
    pub borders: bool,
    /// Numbers with what they were computed of, where arrays are taken apart. Computed again they are the same.
    pub terms: Vec<Term>,
    next_obj: u32,
    next_sym: u32,
    pointer_bytes: u64,
}

impl State {
    /// An empty configuration.
    pub fn new(pointer_bytes: u64) -> State {
        State { pointer_bytes, relates: true, looks_inside: true, ..State::default() }
    }

    /// The size of a pointer.
    pub fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }

    /// The width of a pointer.
    pub fn pointer_bits(&self) -> u8 {
        (self.pointer_bytes * 8) as u8
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> ObjId {
        let id = ObjId(self.next_obj);
        self.next_obj += 1;
        self.objects.insert(id, Rc::new(object));
        id
    }

    /// Adds an unknown number.
    pub fn add_sym(&mut self, sym: Sym) -> SymId {
        let id = SymId(self.next_sym);
        self.next_sym += 1;
        self.syms.insert(id, Rc::new(sym));
        id
    }

    /// A new number about which nothing is known.
    pub fn unknown(&mut self, width: u8) -> Val {
        let sym = Sym {
            width,
            range: Range::full(width),
            not: BTreeSet::new(),
            def: Def::Free,
            functions: BTreeSet::new(),
            level: 0,
            uninit: false,
            depth: 0,
        };
        Val::Sym(self.add_sym(sym))
    }

    /// An object.
    pub fn object(&self, id: ObjId) -> &Object {
        &self.objects[&id]
    }

    /// An object, for changing.
    pub fn object_mut(&mut self, id: ObjId) -> &mut Object {
        Rc::make_mut(self.objects.get_mut(&id).expect("objects that are referred to exist"))
    }

    /// An unknown number, for changing.
    pub fn sym_mut(&mut self, id: SymId) -> &mut Sym {
        Rc::make_mut(self.syms.get_mut(&id).expect("symbols that are referred to exist"))
    }

    /// The current frame.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running program has a frame")
    }

    /// The current frame, for changing.
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running program has a frame")
    }

    /// Replaces every value of the configuration.
    pub fn replace_values(&mut self, mut f: impl FnMut(Val) -> Val) {
        for object in self.objects.values_mut() {
            if object.cells.values().any(|cell| f(cell.val) != cell.val) {
                for cell in Rc::make_mut(object).cells.values_mut() {
                    cell.val = f(cell.val);
                }
            }
        }
        for frame in &mut self.frames {
            for reg in frame.regs.iter_mut().flatten() {
                *reg = f(*reg);
            }
        }
        let mut defs = Vec::new();
        for (&id, sym) in &self.syms {
            if let Def::At(base, index, scale) = sym.def
                && let Val::Addr(new) = f(Val::Addr(base))
                && new != base
            {
                defs.push((id, Def::At(new, index, scale)));
            }
        }
        for (id, def) in defs {
            self.sym_mut(id).def = def;
        }
    }

    /// The values in registers and variadic arguments, and the objects of variables.
    pub fn roots(&self) -> (Vec<Val>, Vec<ObjId>) {
        let mut values = Vec::new();
        let mut objects: Vec<ObjId> = self.globals.values().copied().collect();
        for frame in &self.frames {
            values.extend(frame.regs.iter().flatten());
            objects.extend(frame.locals.values());
            objects.extend(&frame.allocas);
        }
        (values, objects)
    }

    /// The object that a value refers to.
    pub fn target(&self, val: Val) -> Option<ObjId> {
        match val {
            Val::Addr(addr) => Some(addr.obj),
            Val::Sym(id) => match self.syms.get(&id)?.def {
                Def::At(base, ..) => Some(base.obj),
                Def::Plus(source, _) | Def::Same(source) => self.target(Val::Sym(source)),
                Def::Free | Def::Times(..) => None,
            },
            Val::Int(_) | Val::Func(_) => None,
        }
    }

    /// All objects that can be reached from the given values and objects.
    pub fn reachable(&self, values: &[Val], objects: &[ObjId]) -> BTreeSet<ObjId> {
        let mut work: Vec<ObjId> = values.iter().filter_map(|&v| self.target(v)).collect();
        work.extend(objects);
        let mut seen = BTreeSet::new();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                work.extend(self.targets(id));
            }
        }
        seen
    }

    /// Removes what nothing refers to; gives the live heap objects among it: they leak.
    pub fn collect_garbage(&mut self) -> Vec<Object> {
        let (values, objects) = self.roots();
        let reachable = self.reachable(&values, &objects);
        let mut absent = self.below_empty(&reachable);
        if self.cut.is_some() {
            absent.extend(self.absent_halves());
        }
        let mut lost = Vec::new();
        self.objects.retain(|id, object| {
            let keep = reachable.contains(id);
            if !keep && !absent.contains(id) && object.valid && object.storage == Storage::Heap {
                lost.push(Rc::clone(object));
            }
            keep
        });
        lost.retain(|object| !self.is_surely_empty(object));
        self.drop_unused_syms();
        // A segment that may be empty leaks only if it is not; either way there is an execution to doubt.
        lost.into_iter().map(|object| (*object).clone()).collect()
    }

    /// The symbols that values and objects refer to, with those that they are described by.
    pub fn used_syms(&self) -> BTreeSet<SymId> {
        let mut work: Vec<SymId> = Vec::new();
        let mut note = |val: Val| {
            if let Val::Sym(id) = val {
                work.push(id);
            }
        };
        self.objects.values().flat_map(|o| o.cells.values()).for_each(|cell| note(cell.val));
        self.objects.values().flat_map(|o| o.measures()).for_each(|id| note(Val::Sym(id)));
        self.frames.iter().flat_map(|f| f.regs.iter().flatten()).for_each(|val| note(*val));
        self.between().into_iter().for_each(|id| note(Val::Sym(id)));
        let mut used = BTreeSet::new();
        for round in 0..2 {
            while let Some(id) = work.pop() {
                if used.insert(id) {
                    work.extend(self.syms[&id].sources());
                }
            }
            if round == 0 && !self.terms.is_empty() {
                work.extend(self.syms_of_terms(&used));
            }
        }
        used
    }

    fn drop_unused_syms(&mut self) {
        self.settle_terms();
        let mut used = self.used_syms();
        used.extend(self.divisors(&used));
        self.keep_terms(&used);
        self.keep_each(&used);
        self.keep_relations(&used);
        self.syms.retain(|id, _| used.contains(id));
    }
}
