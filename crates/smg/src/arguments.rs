//! The command line: `argv` has as many strings as `argc` says, of any length, and a null pointer after them.

use crate::graph::{Addr, ObjId, Object, State, Storage, Tg, Val};
use crate::step::{Executor, Next, assign};
use heapproof_ir::{BinOp, CmpOp, Reg, Span};

/// The longest string of a command line of Linux.
const LONGEST: u64 = 128 * 1024 - 1;

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
            let val = if is_last { Val::ZERO } else { self.foreign_string(&mut state, LONGEST) };
            state.write(obj, off, len, val);
            next.push(assign(state, dst, val));
        }
        Ok(next)
    }

    /// Reads an entry at a place that is not known: a string, or null at the end.
    pub fn load_any_argument(&self, mut state: State, dst: Reg, len: u64) -> Next {
        if len != state.pointer_bytes() {
            return self.not_covered(&state, "a part of a pointer of `argv`");
        }
        let last = assign(state.clone(), dst, Val::ZERO);
        let val = self.foreign_string(&mut state, LONGEST);
        Ok(vec![last, assign(state, dst, val)])
    }
}
