//! Blocks that do not begin at offset 0: a new block in which an address is rounded up by a mask is seen from that address.
//!
//! `(raw + 71) & ~63` lies 16 to 64 bytes after `raw`. What is stored around it has known places seen from there, and lists may go through
//! such addresses. So offset 0 is put at a multiple of 64, and the block begins at an offset that is a number of its own. Bytes
//! before its beginning do not belong to it; its size is where it ends.

use crate::address::PAGE;
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, Tg, Val};
use crate::number::{Range, bits};
use crate::relation::Form;
use heapproof_ir::BinOp;
use heapproof_numbers::Linear;
use std::collections::BTreeMap;

/// The start of a block is not known to be a multiple of more than this.
const MOST_ALIGNED: u128 = 1 << 20;

impl State {
    /// A new block starts at a multiple of a power of two.
    pub fn set_alignment(&mut self, block: Val, align: Option<u128>) {
        let known = align.filter(|align| align.is_power_of_two() && *align <= MOST_ALIGNED);
        if let (Val::Addr(addr), Some(align)) = (block, known) {
            self.object_mut(addr.obj).aligned = Some(align as u64);
        }
    }

    /// The least offset that surely belongs to an object.
    pub fn first_offset(&self, object: &Object) -> i128 {
        object.begin.map_or(0, |begin| self.range(Val::Sym(begin), self.pointer_bits()).hi)
    }

    /// Where an object begins; none if nothing is known of it as a number.
    pub fn beginning(&self, object: &Object) -> Option<Form> {
        match object.begin {
            Some(begin) => self.form_of(begin),
            None => Some(Linear::constant(0)),
        }
    }

    /// True if an offset is surely not before the beginning of an object.
    pub fn is_after_begin(&self, object: &Object, offset: &Form) -> bool {
        self.beginning(object).is_some_and(|begin| self.is_at_most(&begin, offset, -i128::from(fault!(95))))
    }

    /// True if an address of a region is surely its beginning.
    pub fn begins_at(&self, ptr: Val) -> bool {
        let Some(((obj, Tg::Region), ..)) = self.place(ptr) else { return false };
        match (self.beginning(self.object(obj)), self.offset(ptr)) {
            (Some(begin), Some(offset)) => begin == offset,
            _ => false,
        }
    }

    /// Sees a new block from an address in it that is a multiple of a power of two: its offset is `step` times one of the numbers of a range
    /// now. Gives the address; none if the block stays as it is.
    pub fn seen_from_aligned(&mut self, obj: ObjId, multiple: i128, step: i128, index: Range) -> Option<Val> {
        if !self.is_untouched(obj) || index.lo < 0 {
            return None;
        }
        let off = index.hi.checked_mul(step)?.checked_add(multiple - 1)? / multiple * multiple;
        let begins = Range { lo: off / step - index.hi, hi: off / step - index.lo };
        if multiple % step != 0 || begins.hi * step >= PAGE {
            return None;
        }
        let before = self.clone();
        let seen = self.move_beginning(obj, begins, step);
        if seen.is_none() {
            *self = before;
        }
        seen?;
        self.object_mut(obj).aligned = Some(multiple as u64);
        Some(Val::Addr(Addr { obj, off: off as i64, tg: Tg::Region }))
    }

    /// True for a heap block that holds nothing yet, with addresses of known offsets only.
    fn is_untouched(&self, obj: ObjId) -> bool {
        let object = self.object(obj);
        let blank = object.cells.is_empty() && object.zeros.is_empty() && object.text.is_none();
        let plain = object.seg.is_none() && !object.maybe && object.level == 0 && object.valid;
        let known = |def: Def| !matches!(def, Def::At(base, ..) if base.obj == obj);
        blank
            && plain
            && object.storage == Storage::Heap
            && object.begin.is_none()
            && self.syms.values().all(|sym| known(sym.def))
    }

    /// A block begins at `step` times a number of a range instead of 0.
    fn move_beginning(&mut self, obj: ObjId, times: Range, step: i128) -> Option<()> {
        let width = self.pointer_bits();
        let number = self.derived(width, times, Def::Free);
        let begin = self.arithmetic(BinOp::Mul, width, number, Val::Int(bits(step, width)));
        let Val::Sym(id) = begin else { return None };
        let object = self.object(obj);
        let (size, exact, old) = (object.size, object.exact, object.size_sym);
        let end = match old {
            _ if exact => self.arithmetic(BinOp::Add, width, begin, Val::Int(size.into())),
            Some(old) => {
                let end = self.form_of(old)?.plus(&self.form_of(id)?, 1)?;
                let bounds = self.bounds(&end)?;
                let fits = self.range(Val::Sym(old), width).lo >= 0 && Range::full(width).covers(bounds);
                if fits { self.number_of(&end, width) } else { return None }
            }
            None => Val::ZERO,
        };
        let least = self.range(begin, width).lo as u64;
        let object = self.object_mut(obj);
        object.begin = Some(id);
        object.size = size.checked_add(least)?;
        (object.exact, object.size_sym) = match end {
            Val::Sym(end) => (false, Some(end)),
            _ => (false, None),
        };
        self.address_from_begin(obj, id);
        Some(())
    }

    /// All addresses of an object are counted from its beginning.
    fn address_from_begin(&mut self, obj: ObjId, begin: crate::graph::SymId) {
        let (values, _) = self.roots();
        let cells = self.objects.values().flat_map(|object| object.cells.values().map(|cell| cell.val));
        let own = |val: Val| match val {
            Val::Addr(addr) if addr.obj == obj => Some(addr),
            _ => None,
        };
        let known: Vec<Addr> = values.into_iter().chain(cells).filter_map(own).collect();
        let width = self.pointer_bits();
        let mut moved: BTreeMap<Addr, Val> = BTreeMap::new();
        for addr in known {
            let val = self.derived(width, Range::full(width), Def::At(addr, begin, 1));
            moved.insert(addr, val);
        }
        // Those that the new symbols are based on stay.
        self.replace_values(|val| match val {
            Val::Addr(addr) => moved.get(&addr).copied().unwrap_or(val),
            other => other,
        });
    }
}
