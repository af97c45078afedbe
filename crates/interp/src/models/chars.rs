//! `ctype.h`.

use super::Call;
use crate::machine::{Machine, Res};
use crate::page::Fresh;
use crate::value::Value;
use heapproof_libc::{CharClass, CharTable, ModelKind};

/// Entries of a table: -128 to 255.
const ENTRIES: u64 = 384;

impl Machine<'_, '_> {
    pub(super) fn char_function(&mut self, call: &Call<'_>) -> Res<Value> {
        match call.model.kind {
            ModelKind::IsChar(class) => {
                let holds = u8::try_from(call.int(0)).is_ok_and(|c| class.holds(c));
                Ok(self.int_result(i64::from(holds)))
            }
            ModelKind::ToLower => Ok(self.int_result(i64::from(lower(call.int(0))))),
            ModelKind::ToUpper => Ok(self.int_result(i64::from(upper(call.int(0))))),
            ModelKind::CharTable(table) => self.char_table(table),
            _ => unreachable!("no function on characters"),
        }
    }

    /// The address of the pointer to entry 0 of a table.
    fn char_table(&mut self, table: CharTable) -> Res<Value> {
        let (name, pointer_name, entry) = match table {
            CharTable::Classes => ("the table of character classes", "__ctype_b", 2u64),
            CharTable::Lower => ("the table of lower case", "__ctype_tolower", 4),
            CharTable::Upper => ("the table of upper case", "__ctype_toupper", 4),
        };
        let word = self.word_bytes;
        let made = self.library.contains_key(pointer_name);
        let content = self.library_object(name, ENTRIES * entry, Fresh::Zero)?;
        let pointer = self.library_object(pointer_name, word, Fresh::Zero)?;
        if !made {
            for index in 0..ENTRIES {
                let c = index as i32 - 128;
                let bits = match table {
                    CharTable::Classes => u128::from(u8::try_from(c).map_or(0, classes)),
                    CharTable::Lower => lower(c) as u32 as u128,
                    CharTable::Upper => upper(c) as u32 as u128,
                };
                self.put(content, index * entry, entry, Value::plain(bits))?;
            }
            self.mem.get_mut(content).constant = true;
            let start = self.address_of(content);
            let zero = self.moved(start, 128 * entry);
            self.put(pointer, 0, word, zero)?;
            self.mem.get_mut(pointer).constant = true;
        }
        Ok(self.address_of(pointer))
    }
}

fn lower(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |c| i32::from(c.to_ascii_lowercase()))
}

fn upper(c: i32) -> i32 {
    u8::try_from(c).map_or(c, |c| i32::from(c.to_ascii_uppercase()))
}

/// glibc's bits of the classes of a character, on a little endian machine.
fn classes(c: u8) -> u16 {
    use CharClass::*;
    let bits = [
        (Upper, 8),
        (Lower, 9),
        (Alpha, 10),
        (Digit, 11),
        (XDigit, 12),
        (Space, 13),
        (Print, 14),
        (Graph, 15),
        (Blank, 0),
        (Cntrl, 1),
        (Punct, 2),
        (Alnum, 3),
    ];
    bits.into_iter().filter(|(class, _)| class.holds(c)).fold(0, |all, (_, bit)| all | 1 << bit)
}
