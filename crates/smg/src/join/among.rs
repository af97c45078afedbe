//! Joining addresses of some node of a segment.

use super::{Joiner, Lift, NoJoin, Res};
use crate::graph::{Addr, ObjId, Tg, Val};
use std::collections::BTreeMap;

/// The number of the result for an address of either side.
pub(super) type Numbers = BTreeMap<[(ObjId, Tg); 2], u32>;

impl Joiner<'_> {
    /// Some node on one side, any node of the same segment on the other: some node. The segment has one on both sides.
    pub(super) fn some_nodes(&mut self, x: Addr, y: Addr, lift: Lift) -> Res<Addr> {
        if self.merging.is_some() || lift != Lift::NONE {
            return Err(NoJoin::Levels);
        }
        let has_nodes = |object: &crate::graph::Object| object.seg.is_none_or(|seg| seg.min > 0);
        let (l, r) = (self.left.state.object(x.obj), self.right.state.object(y.obj));
        if !has_nodes(l) || !has_nodes(r) || x.tg == Tg::All || y.tg == Tg::All {
            return Err(NoJoin::Address);
        }
        let obj = self.objects(x.obj, y.obj, lift)?;
        let pair = [(x.obj, x.tg), (y.obj, y.tg)];
        let next = self.among.len() as u32;
        let number = *self.among.entry(pair).or_insert(next);
        // Of two that are equal on a side but not in the result, that is lost.
        let [a, b] = [x, y].map(|addr| Val::Addr(Addr { off: 0, ..addr }));
        self.left.keeps &= x.tg.is_among() && super::partner(&mut self.left.partners, a, b);
        self.right.keeps &= y.tg.is_among() && super::partner(&mut self.right.partners, b, a);
        self.differences.shapes |= x.tg.is_among() != y.tg.is_among();
        Ok(Addr { obj, off: x.off, tg: Tg::Among(number) })
    }
}
