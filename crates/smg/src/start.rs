//! The configuration in which a program starts.

use crate::graph::{Addr, Object, State, Storage, Tg, Val};
use crate::step::{Executor, Next};
use heapproof_ir::{FuncId, Global, GlobalInit, Program, Reloc, RelocTarget};

/// Longer tables are read as unknown numbers, except for their zeros and addresses.
const LONGEST: usize = 1 << 14;

impl<'p> Executor<'p> {
    /// All globals with their initial content, and a frame of the entry function.
    pub fn start(&self, entry: FuncId, mut state: State) -> Next {
        globals(self.program, &mut state);
        let args = self.entry_arguments(&mut state, entry);
        let sizes = vec![0; args.len()];
        self.enter_function(state, entry, &args, &sizes)
    }

    /// Any arguments; of `main` the first is at least 1 and the second the table of strings.
    fn entry_arguments(&self, state: &mut State, entry: FuncId) -> Vec<Val> {
        let function = &self.program.functions[entry];
        let target = self.program.target;
        let args: Vec<Val> = function.params.iter().map(|ty| state.unknown(ty.bits(target))).collect();
        if let ("main", Some(Val::Sym(argc))) = (function.name.as_str(), args.first()) {
            state.sym_mut(*argc).range.lo = 1;
        }
        let main = function.name == "main";
        if let (true, [argc @ Val::Sym(_), _, rest @ ..]) = (main, &args[..])
            && function.params[1] == heapproof_ir::Ty::Ptr
        {
            if let Some(strings) = &self.environment.argv {
                let given = self.given_arguments(state, strings);
                return given.into_iter().chain(rest.iter().copied()).collect();
            }
            let table = self.arguments(state, *argc);
            return [*argc, table].into_iter().chain(rest.iter().copied()).collect();
        }
        args
    }
}

fn globals(program: &Program, state: &mut State) {
    for (id, global) in &program.globals {
        let storage = Storage::Global(id, global.constant);
        let obj = state.add(Object::region(global.size, storage, global.span));
        state.globals.insert(id, obj);
    }
    for (id, global) in &program.globals {
        let obj = state.globals[&id];
        match &global.init {
            GlobalInit::Data { bytes, relocs } => {
                write_bytes(state, obj, global, bytes);
                relocs.iter().for_each(|reloc| write_address(state, obj, reloc));
            }
            _ => state.object_mut(obj).fresh = false,
        }
    }
}

fn write_bytes(state: &mut State, obj: crate::graph::ObjId, global: &Global, bytes: &[u8]) {
    if global.size > 0 {
        state.fill(obj, 0, global.size, Some(0));
    }
    for (at, chunk) in bytes.chunks(8).enumerate().take(LONGEST / 8) {
        let number = chunk.iter().rev().fold(0u128, |n, b| n << 8 | u128::from(*b));
        state.write(obj, 8 * at as u64, chunk.len() as u64, Val::Int(number));
    }
    if bytes.len() > LONGEST {
        let object = state.object_mut(obj);
        object.erase(LONGEST as u64, global.size - LONGEST as u64);
        object.fresh = false;
    }
}

fn write_address(state: &mut State, obj: crate::graph::ObjId, reloc: &Reloc) {
    let val = match reloc.target {
        RelocTarget::Global(to) => {
            Val::Addr(Addr { obj: state.globals[&to], off: reloc.addend, tg: Tg::Region })
        }
        RelocTarget::Func(func) => Val::Func(func),
    };
    state.write(obj, reloc.offset, state.pointer_bytes(), val);
}
