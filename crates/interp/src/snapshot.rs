//! What an observer sees of a run: the running function, the globals and all that they reach.

use crate::api::Stop;
use crate::machine::{Frame, Machine, Res};
use crate::memory::{Life, ObjectKind};
use crate::page::Byte;
use crate::value::{ObjId, Prov, Value};
use heapproof_ir::{BlockId, FuncId, GlobalId, LocalId, Span};
use std::collections::BTreeMap;

/// Larger objects are seen without their content.
const LARGEST: u64 = 1 << 16;

/// Looks at a run whenever a block is entered.
pub trait Observer {
    /// A block is entered: true if a snapshot is wanted.
    fn wants(&mut self, func: FuncId, block: BlockId) -> bool;

    /// The snapshot that was wanted.
    fn look(&mut self, snapshot: Snapshot);

    /// An instruction, or what ends a block, is about to be executed: true if a snapshot is wanted.
    fn wants_step(&mut self, _func: FuncId, _block: BlockId, _instruction: usize) -> bool {
        false
    }

    /// Snapshots hold all objects, not only those that are reached.
    fn wants_all(&self) -> bool {
        false
    }

    /// The observer has seen enough: the run ends.
    fn is_done(&self) -> bool {
        false
    }
}

/// Names an object of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The running function, the globals and all that they reach.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The running function.
    pub func: FuncId,
    /// The block that is entered.
    pub block: BlockId,
    /// How many functions wait below it.
    pub depth: usize,
    /// Its registers.
    pub regs: Vec<Scalar>,
    /// Its locals that are in scope.
    pub locals: BTreeMap<LocalId, ObjectId>,
    /// Its blocks from `alloca`, oldest first.
    pub allocas: Vec<ObjectId>,
    /// The functions that wait for it, the outermost first; none unless all objects are wanted.
    pub callers: Vec<Waiting>,
    /// All globals.
    pub globals: BTreeMap<GlobalId, ObjectId>,
    /// The objects that these reach.
    pub objects: BTreeMap<ObjectId, Object>,
}

/// A function that waits for another to return.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The function.
    pub func: FuncId,
    /// Its registers.
    pub regs: Vec<Scalar>,
    /// Its locals that are in scope.
    pub locals: BTreeMap<LocalId, ObjectId>,
}

/// A value in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Scalar {
    /// Nothing was assigned yet.
    Unset,
    /// A number, or an address of which it is not known to which object it belongs.
    Number(u128),
    /// The address of a function.
    Function(FuncId),
    /// An address.
    Address { object: ObjectId, offset: i64 },
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Heap,
    Local { constant: bool },
    Alloca,
    Global { id: GlobalId, constant: bool },
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes.
    pub size: u64,
    /// It was not freed and is in scope.
    pub live: bool,
    /// Where it was allocated or declared.
    pub born: Span,
    /// What was written to it, by offset; none if it is too large.
    pub content: Option<Vec<(u64, Piece)>>,
}

/// A part of an object that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A byte.
    Byte(u8),
    /// The whole address of an object or a function.
    Address(Scalar),
}

impl Machine<'_, '_> {
    /// Shows the run to its observer: a block is entered.
    #[cold]
    pub fn observe(&mut self) {
        let Some(observer) = self.observer.take() else { return };
        if observer.wants(self.top.func, self.top.block) {
            observer.look(self.snapshot());
        }
        self.observer = Some(observer);
    }

    /// Shows the run to its observer: an instruction is about to be executed.
    #[cold]
    pub fn observe_step(&mut self, instruction: usize) -> Res<()> {
        let Some(observer) = self.observer.take() else { return Ok(()) };
        if observer.wants_step(self.top.func, self.top.block, instruction) {
            let mut snapshot = self.snapshot();
            if observer.wants_all() {
                self.all_objects(&mut snapshot);
                snapshot.callers = self.waiting();
            }
            observer.look(snapshot);
        }
        let is_done = observer.is_done();
        self.observer = Some(observer);
        if is_done { Err(Stop::Other("whoever looks on has seen enough".to_owned()).into()) } else { Ok(()) }
    }

    fn all_objects(&self, snapshot: &mut Snapshot) {
        for index in 0..self.mem.len() {
            let id = ObjId(index as u32);
            if let Some(object) = self.seen(id) {
                snapshot.objects.entry(ObjectId(id.0)).or_insert(object);
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let frame = &self.top;
        let regs = self.regs[frame.regs..].iter().map(|value| self.scalar(*value)).collect();
        let globals = self.program.globals.keys().zip(self.globals.iter().map(|id| ObjectId(id.0)));
        let mut snapshot = Snapshot {
            func: frame.func,
            block: frame.block,
            depth: self.frames.len(),
            regs,
            locals: self.locals_of(frame),
            allocas: frame.allocas.iter().map(|id| ObjectId(id.0)).collect(),
            callers: Vec::new(),
            globals: globals.collect(),
            objects: BTreeMap::new(),
        };
        self.reached(&mut snapshot);
        snapshot
    }

    /// The locals of a function that are in scope.
    fn locals_of(&self, frame: &Frame<'_>) -> BTreeMap<LocalId, ObjectId> {
        let live = |id: ObjId| self.mem.get(id).life == Life::Live;
        let local = |local: LocalId| {
            let id = self.locals[frame.locals + local.as_u32() as usize]?;
            live(id).then_some((local, ObjectId(id.0)))
        };
        frame.body.locals.keys().filter_map(local).collect()
    }

    /// The functions that wait.
    fn waiting(&self) -> Vec<Waiting> {
        let one = |frame: &Frame<'_>| Waiting {
            func: frame.func,
            regs: self.regs[frame.regs..][..frame.body.regs.len()]
                .iter()
                .map(|value| self.scalar(*value))
                .collect(),
            locals: self.locals_of(frame),
        };
        self.frames.iter().map(one).collect()
    }

    /// Adds all objects that can be reached.
    fn reached(&self, snapshot: &mut Snapshot) {
        let mut work: Vec<ObjectId> = snapshot.globals.values().copied().collect();
        work.extend(snapshot.locals.values().chain(&snapshot.allocas));
        work.extend(snapshot.regs.iter().filter_map(|scalar| scalar.object()));
        while let Some(id) = work.pop() {
            if snapshot.objects.contains_key(&id) {
                continue;
            }
            let Some(object) = self.seen(ObjId(id.0)) else { continue };
            for (_, piece) in object.content.iter().flatten() {
                if let Piece::Address(scalar) = piece {
                    work.extend(scalar.object());
                }
            }
            snapshot.objects.insert(id, object);
        }
    }

    /// An object as an observer sees it; none for those of the library.
    fn seen(&self, id: ObjId) -> Option<Object> {
        let object = self.mem.get(id);
        let kind = match object.kind {
            ObjectKind::Heap => Kind::Heap,
            ObjectKind::Local(..) => Kind::Local { constant: object.constant },
            ObjectKind::Alloca => Kind::Alloca,
            ObjectKind::Global(id) => Kind::Global { id, constant: object.constant },
            ObjectKind::Function(_) | ObjectKind::Library(_) => return None,
        };
        let live = object.life == Life::Live;
        let content = match (live, object.size) {
            (false, _) => Some(Vec::new()),
            (true, ..=LARGEST) => Some(self.pieces(id)),
            _ => None,
        };
        Some(Object { kind, size: object.size, live, born: object.born.span, content })
    }

    fn pieces(&self, id: ObjId) -> Vec<(u64, Piece)> {
        let size = self.mem.get(id).size;
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < size {
            if let Some(scalar) = self.address_at(id, at) {
                pieces.push((at, Piece::Address(scalar)));
                at += self.word_bytes;
                continue;
            }
            match self.mem.byte(id, at) {
                Byte::Uninit | Byte::Unknown => {}
                Byte::Plain(byte) | Byte::Chosen(byte) | Byte::Foreign(byte) | Byte::Address { byte, .. } => {
                    pieces.push((at, Piece::Byte(byte)));
                }
            }
            at += 1;
        }
        pieces
    }

    /// The address that lies at an offset as a whole.
    fn address_at(&self, id: ObjId, at: u64) -> Option<Scalar> {
        let Byte::Address { prov, index: 0, .. } = self.mem.byte(id, at) else { return None };
        if at + self.word_bytes > self.mem.get(id).size {
            return None;
        }
        let mut bits = 0u128;
        for place in 0..self.word_bytes {
            match self.mem.byte(id, at + place) {
                Byte::Address { byte, prov: other, index } if other == prov && u64::from(index) == place => {
                    bits |= u128::from(byte) << (8 * place);
                }
                _ => return None,
            }
        }
        match self.scalar(Value { bits, prov }) {
            scalar @ (Scalar::Address { .. } | Scalar::Function(_)) => Some(scalar),
            Scalar::Unset | Scalar::Number(_) => None,
        }
    }

    fn scalar(&self, value: Value) -> Scalar {
        let Prov::Object(id) = value.prov else {
            return if value.prov == Prov::Forgotten { Scalar::Unset } else { Scalar::Number(value.bits) };
        };
        if id.index() >= self.mem.len() {
            return Scalar::Number(value.bits);
        }
        let object = self.mem.get(id);
        let offset = value.addr().wrapping_sub(object.base) as i64;
        match object.kind {
            ObjectKind::Library(_) => Scalar::Number(value.bits),
            ObjectKind::Function(func) if offset == 0 => Scalar::Function(func),
            ObjectKind::Function(_) => Scalar::Number(value.bits),
            _ => Scalar::Address { object: ObjectId(id.0), offset },
        }
    }
}

impl Scalar {
    /// The object that it is an address of.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Scalar::Address { object, .. } => Some(object),
            _ => None,
        }
    }
}
