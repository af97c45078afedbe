//! `malloc` and its relatives.

use super::Call;
use crate::api::{Source, Stop};
use crate::fault::{Actor, Fault};
use crate::machine::{Machine, Res};
use crate::memory::{Life, ObjectKind};
use crate::page::Fresh;
use crate::value::{ObjId, Prov, Value};
use heapproof_engine::BadRelease;
use heapproof_ir::mask;
use heapproof_libc::{Fallible, ModelKind, SizeArg};

/// What `valloc` gives begins at a multiple of this.
const PAGE: u64 = 4096;

impl Machine<'_, '_> {
    pub(super) fn allocation(&mut self, call: &Call<'_>) -> Res<Option<Value>> {
        match call.model.kind {
            ModelKind::Alloc { size, zeroed, align, fallible } => {
                let size = self.block_size(call, size)?;
                if fallible == Fallible::IfAsked && self.allocation_fails(call) {
                    return Ok(Some(Value::NULL));
                }
                let fresh = if zeroed { Fresh::Zero } else { Fresh::Uninit };
                let page = if call.name() == "valloc" { PAGE } else { 0 };
                let align = align.map_or(page, |index| call.size(index));
                let id = self.new_block(size, align, fresh)?;
                Ok(Some(self.address_of(id)))
            }
            ModelKind::Alloca => {
                let id = self.new_alloca(call.size(0), 16)?;
                Ok(Some(self.address_of(id)))
            }
            ModelKind::PosixMemalign => {
                let word = self.word_bytes;
                let (place, at) = self.check(
                    call.value(0),
                    word,
                    crate::fault::Access::Write,
                    Actor::Model(call.name(), 0),
                )?;
                if self.allocation_fails(call) {
                    return Ok(Some(Value::plain(12)));
                }
                let id = self.new_block(call.size(2), call.size(1), Fresh::Uninit)?;
                let address = self.address_of(id);
                self.put(place, at, word, address)?;
                Ok(Some(Value::plain(0)))
            }
            ModelKind::Realloc { size } => self.realloc(call, size).map(Some),
            ModelKind::Free => {
                if let Some(id) = self.releasable(call.name(), call.value(0))? {
                    let site = self.site();
                    self.mem.end(id, Life::Freed, site);
                }
                Ok(None)
            }
            ModelKind::DupString { bounded } => {
                let most = if bounded { call.size(1) } else { u64::MAX };
                let text = self.string_at_most(call.value(0), most, Actor::Model(call.name(), 0))?;
                if self.allocation_fails(call) {
                    return Ok(Some(Value::NULL));
                }
                let id = self.new_block(text.len() as u64 + 1, 0, Fresh::Uninit)?;
                self.put_text(id, 0, &text)?;
                Ok(Some(self.address_of(id)))
            }
            _ => unreachable!("no allocation"),
        }
    }

    fn allocation_fails(&mut self, call: &Call<'_>) -> bool {
        self.allocation_fails_in(call.name())
    }

    /// Whether a function gets no memory.
    pub(super) fn allocation_fails_in(&mut self, name: &'static str) -> bool {
        if !self.options.environment.malloc_may_fail {
            return false;
        }
        let fails = self.choose(Source::Environment, 1, false, None, format!("{name} fails")) == 1;
        self.reword(|_| fails.then(|| format!("`{name}` fails here")));
        fails
    }

    fn block_size(&self, call: &Call<'_>, size: SizeArg) -> Res<u64> {
        let size = match size {
            SizeArg::Bytes(index) => call.value(index).bits,
            SizeArg::Product(a, b) => call.value(a).bits.saturating_mul(call.value(b).bits),
        };
        if size > mask(self.word_bits) / 2 {
            return Err(Stop::Memory(self.options.max_memory).into());
        }
        Ok(size as u64)
    }

    /// A new heap block.
    pub fn new_block(&mut self, size: u64, align: u64, fresh: Fresh) -> Res<ObjId> {
        if u128::from(size) > mask(self.word_bits) / 2 || align > 1 << 30 {
            return Err(Stop::Memory(self.options.max_memory).into());
        }
        let align = align.max(self.program.target.malloc_align());
        let align = align.checked_next_power_of_two().unwrap_or(align);
        let site = self.site();
        self.create(size, align, ObjectKind::Heap, fresh, site)
    }

    /// The block that a pointer given to `free` or `realloc` names; none for null.
    pub(super) fn releasable(&mut self, name: &str, pointer: Value) -> Res<Option<ObjId>> {
        let pointer = self.as_pointer(pointer);
        let invalid =
            |message: String, object| Err(Fault::new(BadRelease::NotHeap.class(), message, object).into());
        let id = match pointer.prov {
            Prov::Null if pointer.bits == 0 => return Ok(None),
            Prov::Object(id) => id,
            Prov::Mixed(_) | Prov::Foreign => {
                return Err(Stop::Other(format!("`{name}` is given an unknown address")).into());
            }
            Prov::Uninit | Prov::Forgotten => {
                return invalid(format!("`{name}` is given a pointer that is not initialised"), None);
            }
            Prov::Null | Prov::None => {
                return invalid(format!("`{name}` is given an address that is no heap block"), None);
            }
        };
        let object = self.mem.get(id);
        let what = self.object_phrase(id);
        if object.kind != ObjectKind::Heap {
            return invalid(
                format!("`{name}` is given the address of {what}, which is not on the heap"),
                Some(id),
            );
        }
        if object.life == Life::Freed {
            let message = format!("`{name}` is given {what} that was freed already");
            return Err(Fault::new(BadRelease::Freed.class(), message, Some(id)).into());
        }
        let offset = self.signed_offset(pointer, id);
        if offset != 0 {
            let message = format!("`{name}` is given an address at offset {offset} of {what}, not its start");
            let mut fault = Fault::new(BadRelease::Inside.class(), message, Some(id));
            fault.cwe = BadRelease::Inside.cwe();
            return Err(fault.into());
        }
        Ok(Some(id))
    }

    fn realloc(&mut self, call: &Call<'_>, size: SizeArg) -> Res<Value> {
        let old = self.releasable(call.name(), call.value(0))?;
        let size = self.block_size(call, size)?;
        let site = self.site();
        if let Some(old) = old
            && size == 0
        {
            self.mem.end(old, Life::Freed, site);
            return Ok(Value::NULL);
        }
        if self.allocation_fails(call) {
            return Ok(Value::NULL);
        }
        let new = self.new_block(size, 0, Fresh::Uninit)?;
        if let Some(old) = old {
            let n = size.min(self.mem.get(old).size);
            let done = self.mem.copy((new, 0), (old, 0), n);
            self.room(done)?;
            self.mem.end(old, Life::Freed, site);
        }
        Ok(self.address_of(new))
    }
}
