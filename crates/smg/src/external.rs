//! External functions of which only the user's word is known: any result, and perhaps overwritten arguments.

use crate::graph::{Addr, State, Storage, Tg, Val};
use crate::step::{Executor, Next, advance, index};
use heapproof_ir::{Reg, Ty};
use heapproof_libc::Outside;

impl Executor<'_> {
    /// A function that changes no memory: its results are unknown.
    pub fn pure(&self, mut state: State, results: &[Reg]) -> Next {
        for &dst in results {
            let val = state.unknown(state.frame().widths[index(dst)]);
            state.frame_mut().regs[index(dst)] = Some(val);
        }
        Ok(vec![advance(state)])
    }

    /// A function that may overwrite what its pointer arguments point to: the whole objects.
    pub fn havoc(&self, mut state: State, name: &str, results: &[Reg], args: &[(Val, Ty)]) -> Next {
        let pointers = args.iter().filter(|(_, ty)| *ty == Ty::Ptr).map(|(val, _)| state.settled(*val));
        for val in pointers.collect::<Vec<_>>() {
            let Some(((obj, tg), lo, _)) = state.place(val) else {
                let harmless = match val {
                    Val::Int(_) | Val::Func(_) => true,
                    Val::Sym(id) => !state.syms[&id].functions.is_empty(),
                    Val::Addr(_) => false,
                };
                if harmless {
                    continue;
                }
                // It may lead anywhere.
                let what = format!("`{name}` may overwrite what an unknown pointer points to");
                return self.not_covered(&state, &what);
            };
            if tg != Tg::Region {
                return Ok(state.open(Addr { obj, off: lo as i64, tg }));
            }
            if state.object(obj).maybe {
                return Ok(state.split_maybe(obj));
            }
            self.check_whole(&state, obj)?;
            let object = state.object_mut(obj);
            if object.valid && !matches!(object.storage, Storage::Global(_, true)) {
                object.cells.clear();
                object.zeros.clear();
                object.text = None;
                object.fresh = false;
            }
        }
        self.forget_answers(&mut state, Outside::Everything);
        self.pure(state, results)
    }
}
