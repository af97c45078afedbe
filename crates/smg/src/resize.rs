//! Blocks that are resized: their tables move with them.

use crate::graph::{ObjId, State};
use crate::rows::{TO_THE_END, Table};
use heapproof_ir::CmpOp;
use heapproof_numbers::Linear;

impl State {
    /// Moves the tables of a block to the one that takes its place. False if they may not fit: elements at the end would be lost.
    pub fn move_tables(&mut self, old: ObjId, new: ObjId) -> bool {
        self.tables_of(old).into_iter().all(|table| self.move_table(&table, new).is_some())
    }

    fn move_table(&mut self, table: &Table, new: ObjId) -> Option<()> {
        let moved = Table { obj: new, ..table.clone() };
        let more = match table.len {
            TO_THE_END => self.count(&moved)?.plus(&self.count(table)?, -1)?,
            len if table.base + len <= self.least_size(new) => Linear::constant(0),
            _ => return None,
        };
        if self.decide_forms(CmpOp::Sge, &more, &Linear::constant(0)) != Some(true) && !fault!(118) {
            return None;
        }
        if more != Linear::constant(0) {
            let last = *self.parts(table).last()?;
            let rest = self.blank_row(table, &more, self.object(new).fresh);
            let (link, ptr) = (self.part_link(rest), self.pointer_bytes());
            self.object_mut(last).put(table.stride, ptr, link);
        }
        let cell = self.object_mut(table.obj).cells.remove(&table.base)?;
        let object = self.object_mut(new);
        object.erase(table.base, cell.len.min(object.known_end().saturating_sub(table.base)));
        object.cells.insert(table.base, cell);
        Some(())
    }
}
