//! The command line: `argv` has as many strings as `argc` says, of any length, and a null pointer after them.

use crate::graph::{Addr, Def, ObjId, Object, State, Storage, SymId, Tg, Val};
use crate::step::{Executor, Next, assign};
use heapproof_ir::{BinOp, CmpOp, Reg, Span};

/// The longest string of a command line of Linux.
const LONGEST: u64 = 128 * 1024 - 1;

impl State {
    /// Forgets the strings of the command line that only their table knows: whoever reads the entry again gets any string.
    pub fn forget_unused_arguments(&mut self) {
        let tables: Vec<ObjId> =
            self.objects.iter().filter(|(_, o)| o.storage == Storage::Arguments).map(|(id, _)| *id).collect();
        for table in tables {
            let held = self.object(table).cells.iter();
            let strings: Vec<(u64, ObjId)> =
                held.filter_map(|(off, cell)| Some((*off, self.target(cell.val)?))).collect();
            for (off, string) in strings {
                if !self.is_known_elsewhere(string, table) {
                    self.object_mut(table).cells.remove(&off);
                }
            }
        }
    }

    /// True if anything but a table refers to a string or to its length.
    fn is_known_elsewhere(&self, string: ObjId, table: ObjId) -> bool {
        let object = self.object(string);
        let own: Vec<SymId> = object.measures().collect();
        let about = |id: SymId| own.iter().any(|own| self.depends_on(id, *own) || self.are_related(id, *own));
        let refers = |val: Val| self.target(val) == Some(string) || matches!(val, Val::Sym(id) if about(id));
        let in_registers =
            self.frames.iter().flat_map(|frame| frame.regs.iter().flatten()).any(|val| refers(*val));
        in_registers
            || self.objects.iter().filter(|(id, _)| **id != string && **id != table).any(|(_, other)| {
                other.measures().any(about) || other.cells.values().any(|cell| refers(cell.val))
            })
    }

    /// True if all offsets that an address with an unknown index may have are multiples of a number.
    pub fn is_multiple(&self, ptr: Val, of: u64) -> bool {
        let Val::Sym(id) = ptr else { return false };
        let Def::At(base, _, scale) = self.syms[&id].def else { return false };
        base.off.unsigned_abs().is_multiple_of(of) && scale.unsigned_abs().is_multiple_of(of)
    }
}

impl Executor<'_> {
    /// The table that `argv` points to.
    pub fn arguments(&self, state: &mut State, argc: Val) -> Val {
        let width = state.pointer_bits();
        let count = state.resized(argc, 32, width, true);
        let entries = state.arithmetic(BinOp::Add, width, count, Val::Int(1));
        // The program has a name, so there are two entries at least.
        let mut object = Object::region(2 * state.pointer_bytes(), Storage::Arguments, Span::NONE);
        object.fresh = false;
        object.exact = false;
        if let Val::Sym(entries) = entries {
            object.size_sym = Some(entries);
        }
        Val::Addr(Addr { obj: state.add(object), off: 0, tg: Tg::Region })
    }

    /// A command line that is given: its number of arguments and its table.
    pub fn given_arguments(&self, state: &mut State, strings: &[Vec<u8>]) -> [Val; 2] {
        let word = state.pointer_bytes();
        let size = (strings.len() as u64 + 1) * word;
        let mut table = Object::region(size, Storage::Foreign, Span::NONE);
        for (index, string) in strings.iter().enumerate() {
            let mut object = Object::region(string.len() as u64 + 1, Storage::Foreign, Span::NONE);
            for (at, byte) in string.iter().chain([&0]).enumerate() {
                object.put(at as u64, 1, Val::Int(u128::from(*byte)));
            }
            let address = Val::Addr(Addr { obj: state.add(object), off: 0, tg: Tg::Region });
            table.put(index as u64 * word, word, address);
        }
        table.put(size - word, word, Val::ZERO);
        let argv = Val::Addr(Addr { obj: state.add(table), off: 0, tg: Tg::Region });
        [Val::Int(strings.len() as u128), argv]
    }

    /// Reads the entry at a known place, which is inside.
    pub fn load_argument(&self, state: State, dst: Reg, (obj, off): (ObjId, u64), len: u64) -> Next {
        let word = state.pointer_bytes();
        if len != word || !off.is_multiple_of(word) {
            return self.not_covered(&state, "a part of a pointer of `argv`");
        }
        if let Some(val) = state.object(obj).peek(off, len) {
            return Ok(vec![assign(state, dst, val)]);
        }
        let Some(entries) = state.object(obj).size_sym else {
            return self.not_covered(&state, "`argv` of unknown size");
        };
        // The last entry is null.
        let last = Val::Int(u128::from(off / word + 1));
        let mut next = Vec::new();
        for (mut state, is_last) in state.compare(CmpOp::Eq, state.pointer_bits(), Val::Sym(entries), last) {
            let val = if is_last { Val::ZERO } else { self.foreign_string(&mut state, 0, LONGEST) };
            state.write(obj, off, len, val);
            next.push(assign(state, dst, val));
        }
        Ok(next)
    }

    /// Reads an entry at a place that is not known: a string, or null if it may be the last one.
    pub fn load_any_argument(&self, mut state: State, dst: Reg, len: u64, last: bool) -> Next {
        if len != state.pointer_bytes() {
            return self.not_covered(&state, "a part of a pointer of `argv`");
        }
        let null = last.then(|| assign(state.clone(), dst, Val::ZERO));
        let val = self.foreign_string(&mut state, 0, LONGEST);
        Ok(null.into_iter().chain([assign(state, dst, val)]).collect())
    }
}
