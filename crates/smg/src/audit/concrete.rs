//! A moment of a concrete run as a graph: regions only, known values only.
//!
//! An invariant inside a function that was cut out speaks of its frame, the globals and what these reach, and of cut
//! points that callers hold. So a moment of a run has to fit an invariant without its cut points, which can be anything:
//! what only callers reach is not looked at. A register that the graph has forgotten can be anything too. Beyond that,
//! every live heap block that the frame and the globals reach must be in the graph (`required`), or its leak would not
//! be seen. A variable that is not read any more counts as a holder in the entry function only: elsewhere a cut point may
//! hold the block in its place.

use crate::graph::{Addr, Cell, Frame, ObjId, Object, State, Storage, Tg, Val};
use crate::halves::Cut;
use heapproof_interp::{Kind, ObjectId, Piece, Scalar, Snapshot};
use heapproof_ir::Program;
use heapproof_ir::liveness::Liveness;
use std::collections::{BTreeMap, BTreeSet};

/// A moment of a run.
pub struct Moment {
    /// The running function with the globals and what they reach.
    pub memory: State,
    /// The heap blocks that a graph of it must have.
    pub required: BTreeSet<ObjId>,
}

/// The moment that a snapshot shows; none if it is not whole.
pub fn moment(program: &Program, live: &Liveness, snapshot: &Snapshot, cut: Option<Cut>) -> Option<Moment> {
    let mut memory = State::new(program.target.pointer_bytes());
    let mut ids: BTreeMap<ObjectId, ObjId> = BTreeMap::new();
    for (&id, object) in &snapshot.objects {
        let storage = match object.kind {
            Kind::Heap => Storage::Heap,
            Kind::Local { constant: false } => Storage::Local,
            Kind::Local { constant: true } => Storage::Constant,
            Kind::Alloca => Storage::Alloca,
            Kind::Global { id, constant } => Storage::Global(id, constant),
        };
        let mut region = Object::region(object.size, storage, object.born);
        region.valid = object.live;
        ids.insert(id, memory.add(region));
    }
    let value = |scalar: Scalar| match scalar {
        Scalar::Unset => None,
        Scalar::Number(bits) => Some(Val::Int(bits)),
        Scalar::Function(func) => Some(Val::Func(func)),
        Scalar::Address { object, offset } => {
            Some(Val::Addr(Addr { obj: *ids.get(&object)?, off: offset, tg: Tg::Region }))
        }
    };
    for (id, object) in &snapshot.objects {
        let region = memory.object_mut(ids[id]);
        for (off, piece) in object.content.as_ref()? {
            match piece {
                Piece::Byte(byte) => region.put(*off, 1, Val::Int(u128::from(*byte))),
                Piece::Address(scalar) => {
                    let len = program.target.pointer_bytes();
                    region.cells.insert(*off, Cell { len, val: value(*scalar)? });
                }
            }
        }
    }
    let body = program.functions[snapshot.func].body.as_ref()?;
    memory.globals = snapshot.globals.iter().map(|(global, id)| (*global, ids[id])).collect();
    memory.frames.push(Frame {
        func: snapshot.func,
        block: snapshot.block,
        inst: 0,
        regs: snapshot.regs.iter().map(|scalar| value(*scalar)).collect(),
        widths: body.regs.values().map(|reg| reg.ty.bits(program.target)).collect(),
        locals: snapshot.locals.iter().map(|(local, id)| (*local, ids[id])).collect(),
        allocas: snapshot.allocas.iter().map(|id| ids[id]).collect(),
        cut: false,
        holds_heap: false,
    });
    if let Some(cut) = cut {
        super::halves::cut_all(&mut memory, cut);
    }
    let held = body.regs.iter().zip(&memory.frame().regs).filter_map(|((reg, info), val)| {
        let holds = live.is_live_in(snapshot.block, reg) || snapshot.depth == 0 && info.variable.is_some();
        val.filter(|_| holds)
    });
    let values: Vec<Val> = held.collect();
    let frame = memory.frame();
    let roots = memory.globals.values().chain(frame.locals.values()).chain(&frame.allocas);
    let objects: Vec<ObjId> = roots.copied().collect();
    let required = memory.reachable(&values, &objects);
    Some(Moment { memory, required })
}
