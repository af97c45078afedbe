//! Join of what segments know about the numbers of neighbouring nodes.

use super::{Joiner, Lift};
use crate::graph::{Object, Seg};
use crate::tags::Tags;
use std::rc::Rc;

impl Joiner<'_> {
    /// What a joined segment knows, if both sides know it.
    pub(super) fn joined_tags(
        &mut self,
        x: &Object,
        y: &Object,
        seg: Option<Seg>,
        lift: Lift,
    ) -> Option<Rc<Tags>> {
        let plain = x.level == 0 && y.level == 0 && !x.maybe && !y.maybe;
        let top = plain && self.merging.is_none() && lift == Lift::NONE;
        let tags = seg.filter(|_| top).and_then(|seg| self.either(x, y, seg));
        // A side without tags says as much only if the result says nothing.
        let keeps = |side: &Object| side.tags == tags;
        let (left, right) = (keeps(x), keeps(y));
        self.differences.tags |= !left || !right;
        self.left.keeps &= left || fault!(57);
        self.right.keeps &= right;
        tags
    }

    fn either(&self, x: &Object, y: &Object, seg: Seg) -> Option<Rc<Tags>> {
        let (off, len) = self.out.tag_field(x, y, seg)?;
        let tags = x.tags_at(off, len)?.or(&y.tags_at(off, len)?);
        tags.is_small().then(|| Rc::new(tags))
    }
}
