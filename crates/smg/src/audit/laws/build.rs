//! Graphs made from recipes.

use super::recipe::{Below, Extra, Links, List, Number, Piece, Recipe};
use crate::graph::{Addr, Def, Frame, ObjId, Object, Seg, State, Storage, Sym, SymId, Tg, Val};
use crate::number::Range;
use crate::tree::Kids;
use crate::twins::Twins;
use heapproof_ir::{Body, FuncId, LocalId, Span};
use std::collections::BTreeSet;

const POINTER: u64 = 8;
const DATA: u64 = 24;
const PAD: u64 = 28;
const BELOW: u64 = 32;
const NODE: u64 = 40;

struct Builder {
    state: State,
    common: SymId,
    /// The blocks of the whole graph, of which a register holds the first, and the array.
    blocks: [ObjId; 3],
    array: ObjId,
}

/// The graph of a recipe.
pub fn build(recipe: &Recipe) -> State {
    let mut state = State::new(POINTER);
    let common = state.add_sym(sym(range(recipe.common, 32), None, 0));
    let blocks = [(); 3].map(|()| state.add(Object::region(16, Storage::Heap, Span::NONE)));
    let array = state.add(Object::region(64, Storage::Heap, Span::NONE));
    let mut regs: Vec<(Option<Val>, u8)> =
        vec![(Some(region(blocks[0], 0)), 64), (Some(region(array, 0)), 64)];
    regs.push((Some(Val::Sym(common)), 32));
    let mut locals = Vec::new();
    let mut builder = Builder { state, common, blocks, array };
    for list in &recipe.lists {
        let (first, sentinel, ends) = builder.list(list);
        locals.extend(sentinel);
        regs.push((Some(first), 64));
        regs.extend(ends.map(|end| (end, 64)));
    }
    regs.extend(recipe.extras.iter().map(|extra| builder.extra(*extra)));
    let mut state = builder.state;
    state.frames.push(Frame {
        func: FuncId::from_u32(0),
        block: Body::ENTRY,
        inst: 0,
        regs: regs.iter().map(|(val, _)| *val).collect(),
        widths: regs.iter().map(|(_, width)| *width).collect(),
        locals: locals.iter().enumerate().map(|(at, id)| (LocalId::from_u32(at as u32), *id)).collect(),
        allocas: Vec::new(),
        cut: false,
        holds_heap: false,
    });
    state.collect_garbage();
    state
}

fn region(obj: ObjId, off: i64) -> Val {
    Val::Addr(Addr { obj, off, tg: Tg::Region })
}

fn range((lo, more): (i8, u8), width: u8) -> Range {
    let full = Range::full(width);
    // The largest width stands for no bound at all.
    if more == u8::MAX { full } else { Range { lo: i128::from(lo), hi: i128::from(lo) + i128::from(more) } }
}

fn sym(range: Range, not: Option<i8>, level: u32) -> Sym {
    // Something is left.
    let inner = |number: &i128| range.hi - range.lo > 1 && range.lo < *number && *number < range.hi;
    let not: BTreeSet<i128> = not.map(i128::from).filter(inner).into_iter().collect();
    Sym {
        width: 32,
        range,
        not,
        def: Def::Free,
        level,
        uninit: false,
        depth: 0,
        functions: Default::default(),
    }
}

impl Builder {
    fn list(&mut self, list: &List) -> (Val, Option<ObjId>, [Option<Val>; 4]) {
        let links = list.links;
        let head = if links.inside { 8 } else { 0 };
        let ids: Vec<ObjId> = list.pieces.iter().map(|piece| self.piece(piece, links)).collect();
        let sentinel = links.ring.then(|| self.state.add(Object::region(16, Storage::Local, Span::NONE)));
        let end = sentinel.map_or(Val::ZERO, |id| region(id, 0));
        let at = |state: &State, id: ObjId, segment: Tg| {
            let tg = if state.object(id).seg.is_some() { segment } else { Tg::Region };
            Val::Addr(Addr { obj: id, off: head, tg })
        };
        let firsts: Vec<Val> = ids.iter().map(|id| at(&self.state, *id, Tg::First)).collect();
        let lasts: Vec<Val> = ids.iter().map(|id| at(&self.state, *id, Tg::Last)).collect();
        let first = firsts.first().copied().unwrap_or(end);
        let last = lasts.last().copied().unwrap_or(end);
        for (index, id) in ids.iter().enumerate() {
            let next = firsts.get(index + 1).copied().unwrap_or(end);
            self.state.write(*id, head as u64, POINTER, next);
            if links.double {
                let prev = if index == 0 { end } else { lasts[index - 1] };
                self.state.write(*id, head as u64 + POINTER, POINTER, prev);
            }
            self.twins(*id, list.pieces[index].below, links);
        }
        if let Some(id) = sentinel {
            self.state.write(id, 0, POINTER, first);
            if links.double {
                self.state.write(id, POINTER, POINTER, last);
            }
        }
        let kept = |wanted: bool, val: Option<Val>| if wanted { val } else { Some(Val::Int(1)) };
        // Only doubly linked segments know their last node.
        let knows = links.double || list.pieces.last().is_none_or(|piece| piece.segment.is_none());
        let long = |id: &&ObjId| self.state.object(**id).seg.is_some_and(|seg| seg.min > 0);
        let segment = ids.iter().find(long).filter(|_| links.double);
        let cursor = |number: Option<u8>| match (number, segment) {
            (Some(number), Some(&obj)) => {
                Some(Val::Addr(Addr { obj, off: head, tg: Tg::Among(number.into()) }))
            }
            _ => Some(first),
        };
        let ends = [
            kept(list.last && knows, Some(last)),
            kept(list.middle, Some(firsts.get(1).copied().unwrap_or(end))),
            cursor(list.cursors[0]),
            cursor(list.cursors[1]),
        ];
        (first, sentinel, ends)
    }

    /// A field of a node, or of each node of a segment, is equal to a link.
    fn twins(&mut self, id: ObjId, below: Below, links: Links) {
        let link = if links.inside { 8 } else { 0 };
        let link = match below {
            Below::Next => link,
            Below::Prev if links.double => link + POINTER,
            _ => return,
        };
        match &mut self.state.object_mut(id).seg {
            Some(seg) => {
                let field = |link: Below| (below == link).then_some(BELOW);
                seg.twins = Twins::new(field(Below::Next), field(Below::Prev), POINTER);
            }
            None => {
                let val = self.state.object(id).peek(link, POINTER).expect("nodes have links");
                self.state.write(id, BELOW, POINTER, val);
            }
        }
    }

    fn piece(&mut self, piece: &Piece, links: Links) -> ObjId {
        let head = if links.inside { 8 } else { 0 };
        let mut object = Object::region(NODE, Storage::Heap, Span::NONE);
        object.seg = piece.segment.map(|min| Seg {
            head,
            next: head as u64,
            prev: links.double.then_some(head as u64 + POINTER),
            min: u32::from(min),
            kids: Kids::NONE,
            twins: Twins::NONE,
        });
        let level = u32::from(piece.segment.is_some());
        let id = self.state.add(object);
        if let Some(val) = self.number(piece.data, level) {
            self.state.write(id, DATA, 4, val);
        }
        if piece.padded {
            self.state.write(id, PAD, 4, Val::ZERO);
        }
        if let Some(val) = self.below(piece.below, id, head, level) {
            self.state.write(id, BELOW, POINTER, val);
        }
        id
    }

    /// A number at a place of this level.
    fn number(&mut self, number: Number, level: u32) -> Option<Val> {
        match number {
            Number::Absent => None,
            Number::Known(known) => Some(Val::Int(u128::from(known))),
            Number::Own { lo, more, not } => {
                Some(Val::Sym(self.state.add_sym(sym(range((lo, more), 32), not, level))))
            }
            Number::Shared { lo, more } => {
                Some(Val::Sym(self.state.add_sym(sym(range((lo, more), 32), None, 0))))
            }
            Number::Common => Some(Val::Sym(self.common)),
        }
    }

    fn below(&mut self, below: Below, node: ObjId, head: i64, level: u32) -> Option<Val> {
        let mut block = Object::region(16, Storage::Heap, Span::NONE);
        block.level = level;
        match below {
            Below::Absent | Below::Next | Below::Prev => None,
            Below::Null => Some(Val::ZERO),
            Below::Block(data) | Below::Maybe(data) => {
                block.maybe = matches!(below, Below::Maybe(_));
                let id = self.state.add(block);
                if let Some(val) = self.number(data, level) {
                    self.state.write(id, 8, 4, val);
                }
                Some(region(id, 0))
            }
            Below::Back => {
                let id = self.state.add(block);
                let tg = if level > 0 { Tg::All } else { Tg::Region };
                self.state.write(id, 0, POINTER, Val::Addr(Addr { obj: node, off: head, tg }));
                Some(region(id, 0))
            }
            Below::List(least, data) => {
                block.seg = Some(Seg {
                    head: 0,
                    next: 0,
                    prev: None,
                    min: u32::from(least),
                    kids: Kids::NONE,
                    twins: Twins::NONE,
                });
                let id = self.state.add(block);
                self.state.write(id, 0, POINTER, Val::ZERO);
                if let Some(val) = self.number(data, level + 1) {
                    self.state.write(id, 8, 4, val);
                }
                Some(Val::Addr(Addr { obj: id, off: 0, tg: Tg::First }))
            }
            Below::Begins(most) => Some(self.begins(most, level)),
            Below::Common(which) => Some(region(self.blocks[usize::from(which)], 0)),
            Below::Freed => {
                block.valid = false;
                Some(region(self.state.add(block), 0))
            }
        }
    }

    /// The address of a block that begins at an offset up to 16 times a number, and holds the address of its beginning.
    fn begins(&mut self, most: u8, level: u32) -> Val {
        let range = Range { lo: 0, hi: 16 * i128::from(most) };
        let begin = self.state.add_sym(Sym { width: 64, ..sym(range, None, level) });
        let mut block = Object::region(100, Storage::Heap, Span::NONE);
        (block.level, block.begin, block.aligned) = (level, Some(begin), Some(64));
        let id = self.state.add(block);
        let base = Addr { obj: id, off: 0, tg: Tg::Region };
        let raw = Sym { width: 64, def: Def::At(base, begin, 1), ..sym(Range::full(64), None, level) };
        let raw = Val::Sym(self.state.add_sym(raw));
        self.state.write(id, 56, POINTER, raw);
        region(id, 64)
    }

    /// The common number in the width of an index.
    fn index(&mut self) -> Option<SymId> {
        match self.state.derived(64, Range::full(64), Def::Same(self.common)) {
            Val::Sym(id) => Some(id),
            _ => None,
        }
    }

    fn extra(&mut self, extra: Extra) -> (Option<Val>, u8) {
        match extra {
            Extra::Unset => (None, 32),
            Extra::Number(number) => (self.number(number, 0), 32),
            Extra::Next => {
                let full = Range::full(32);
                // A sum that may wrap is not taken as one.
                let wraps = self.state.range(Val::Sym(self.common), 32).hi == full.hi;
                let def = if wraps { Def::Free } else { Def::Plus(self.common, 1) };
                (Some(self.state.derived(32, full, def)), 32)
            }
            Extra::Below => {
                let sym = sym(Range { lo: -4, hi: 100 }, None, 0);
                let id = self.state.add_sym(sym);
                self.state.note_at_most(Val::Sym(id), Val::Sym(self.common), 32, 1);
                (Some(Val::Sym(id)), 32)
            }
            Extra::Times => {
                let range = self.state.range(Val::Sym(self.common), 32);
                let wraps = range.hi > 1 << 28 || range.lo < -(1 << 28);
                let def = if wraps { Def::Free } else { Def::Times(self.common, 4) };
                (Some(self.state.derived(32, Range::full(32), def)), 32)
            }
            Extra::Wide => (self.index().map(Val::Sym), 64),
            Extra::Indexed => {
                let base = Addr { obj: self.array, off: 0, tg: Tg::Region };
                let def = self.index().map(|index| Def::At(base, index, 4));
                (def.map(|def| self.state.derived(64, Range::full(64), def)), 64)
            }
            Extra::Block => (Some(region(self.blocks[0], 8)), 64),
            Extra::Sized(least) => {
                let mut block = Object::region(u64::from(least), Storage::Heap, Span::NONE);
                let index = self.index();
                (block.exact, block.size_sym) = (index.is_none(), index);
                (Some(region(self.state.add(block), 0)), 64)
            }
            Extra::Begins(most) => (Some(self.begins(most, 0)), 64),
            Extra::Freed => {
                let mut block = Object::region(16, Storage::Heap, Span::NONE);
                block.valid = false;
                (Some(region(self.state.add(block), 0)), 64)
            }
        }
    }
}
