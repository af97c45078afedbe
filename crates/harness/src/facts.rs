//! What the code of a module does with its parameters and results: the observations that roles are inferred from.
//!
//! All of it is syntactic and about single functions and their callees. A wrong observation makes a client that no documentation
//! allows, or one that does too little; it never makes the analysis of that client wrong.

use heapproof_ir::{
    Block, Body, Callee, CastOp, CmpOp, FuncId, Inst, InstKind, Operand, Program, Reg, Terminator,
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a function ends the life of what a parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Ends {
    #[default]
    Never,
    Sometimes,
    Always,
}

/// What a function does with a pointer that it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// Reads through it.
    pub reads: bool,
    /// Writes through it.
    pub writes: bool,
    /// The first access through it may be a read.
    pub reads_first: bool,
    /// Frees it, as `free` does.
    pub ends: Ends,
    /// Keeps it: stores it somewhere.
    pub keeps: bool,
    /// Compares it with NULL before any access, and returns then.
    pub takes_null: bool,
    /// Hands it to a library function without knowing more.
    pub outside: bool,
    /// Calls it.
    pub calls: bool,
    /// Frees something that was loaded through it.
    pub frees_inside: bool,
    /// Offsets of pointers that are written.
    pub sets: BTreeSet<i64>,
    /// It is stepped or indexed through.
    pub indexes: bool,
    /// An integer that is used as an index or a size.
    pub is_index: bool,
    /// An integer that is compared with something, or cut to a range.
    pub is_compared: bool,
}

/// Where a result comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// A new block that is stored nowhere else.
    pub fresh: bool,
    /// A value that was read from memory, or a new block that was stored.
    pub loaded: bool,
    /// The address of a part of something, or of a global.
    pub inside: bool,
    /// Parameters.
    pub params: BTreeSet<usize>,
}

/// What is known of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub params: Vec<Use>,
    pub result: Origin,
}

/// What is known of all functions that are defined.
pub(crate) fn of(program: &Program) -> BTreeMap<FuncId, Facts> {
    let mut all: BTreeMap<FuncId, Facts> = BTreeMap::new();
    // Callees first would be enough without recursion; a few rounds do for the rest.
    for _ in 0..8 {
        let before = all.clone();
        for (id, function) in program.functions.iter() {
            if let Some(body) = &function.body {
                let known = Known { program, all: &before };
                all.insert(id, known.function(body));
            }
        }
        if all == before {
            break;
        }
    }
    all
}

struct Known<'a> {
    program: &'a Program,
    all: &'a BTreeMap<FuncId, Facts>,
}

/// The library functions that give a new block.
const ALLOCATE: [&str; 8] =
    ["malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup", "aligned_alloc", "memdup"];

fn insts(body: &Body) -> impl Iterator<Item = &Inst> {
    body.blocks.values().flat_map(|block| &block.insts)
}

impl Known<'_> {
    fn function(&self, body: &Body) -> Facts {
        let params = body.params.iter().map(|param| self.parameter(body, *param)).collect();
        Facts { params, result: self.result(body) }
    }

    fn name(&self, func: FuncId) -> &str {
        &self.program.functions[func].name
    }

    fn callee_use(&self, callee: &Callee, arg: usize) -> Option<&Use> {
        let Callee::Direct(func) = callee else { return None };
        self.all.get(func)?.params.get(arg)
    }

    /// Registers that may hold the value of one of these.
    fn copies(&self, body: &Body, of: Reg) -> BTreeSet<Reg> {
        let mut set = BTreeSet::from([of]);
        loop {
            let before = set.len();
            for inst in insts(body) {
                match &inst.kind {
                    InstKind::Copy { dst, src: Operand::Reg(src) } if set.contains(src) => {
                        set.insert(*dst);
                    }
                    InstKind::Cast { dst, op: CastOp::Bits, a: Operand::Reg(src), .. }
                        if set.contains(src) =>
                    {
                        set.insert(*dst);
                    }
                    _ => {}
                }
            }
            if set.len() == before {
                return set;
            }
        }
    }

    /// Registers that hold addresses inside what these point to, with the offset where it is known.
    fn inside(&self, body: &Body, set: &BTreeSet<Reg>) -> BTreeMap<Reg, Option<i64>> {
        let mut inside: BTreeMap<Reg, Option<i64>> = set.iter().map(|reg| (*reg, Some(0))).collect();
        loop {
            let before = inside.len();
            for inst in insts(body) {
                if let InstKind::PtrAdd { dst, base: Operand::Reg(base), offset, index, .. } = &inst.kind
                    && let Some(at) = inside.get(base).copied()
                    && !inside.contains_key(dst)
                {
                    inside.insert(*dst, at.filter(|_| index.is_none()).map(|at| at + offset));
                }
                if let InstKind::Copy { dst, src: Operand::Reg(src) } = &inst.kind
                    && let Some(at) = inside.get(src).copied()
                    && !inside.contains_key(dst)
                {
                    inside.insert(*dst, at);
                }
            }
            if inside.len() == before {
                return inside;
            }
        }
    }

    fn parameter(&self, body: &Body, param: Reg) -> Use {
        let set = self.copies(body, param);
        let inside = self.inside(body, &set);
        let is = |operand: &Operand| matches!(operand, Operand::Reg(reg) if set.contains(reg));
        let is_inside = |operand: &Operand| matches!(operand, Operand::Reg(reg) if inside.contains_key(reg));
        let mut found = Use::default();
        let mut loaded: BTreeSet<Reg> = BTreeSet::new();
        for _ in 0..3 {
            for inst in insts(body) {
                match &inst.kind {
                    InstKind::Load { dst, ptr, .. } => {
                        let through = matches!(ptr, Operand::Reg(reg) if loaded.contains(reg));
                        if is_inside(ptr) || through {
                            loaded.insert(*dst);
                        }
                    }
                    InstKind::Copy { dst, src: Operand::Reg(src) }
                    | InstKind::PtrAdd { dst, base: Operand::Reg(src), .. }
                        if loaded.contains(src) && !set.contains(dst) =>
                    {
                        loaded.insert(*dst);
                    }
                    _ => {}
                }
            }
        }
        for inst in insts(body) {
            match &inst.kind {
                InstKind::Load { ptr, .. } if is_inside(ptr) => found.reads = true,
                InstKind::Store { ptr, value, ty } => {
                    if is_inside(ptr) {
                        found.writes = true;
                        if let Operand::Reg(reg) = ptr
                            && *ty == heapproof_ir::Ty::Ptr
                        {
                            found.sets.extend(inside[reg]);
                        }
                    }
                    if is(value) || (is_inside(value) && !is_inside(ptr)) {
                        found.keeps = true;
                    }
                }
                InstKind::CopyBlock { to, from, .. } => {
                    found.writes |= is_inside(to);
                    found.reads |= is_inside(from);
                }
                InstKind::FillBlock { to, len, .. } => {
                    found.writes |= is_inside(to);
                    if let (true, Operand::Int { bits, .. }) = (is(to), len) {
                        found.sets.extend(0..(*bits as i64).min(4096));
                    }
                }
                InstKind::PtrAdd { base, index: Some(_), .. } if is(base) => found.indexes = true,
                // Its bits may matter.
                InstKind::Cast { op: CastOp::PtrToInt, a, .. } if is(a) => found.outside = true,
                InstKind::Call { callee, args, .. } => {
                    if matches!(callee, Callee::Indirect(operand) if is(operand)) {
                        found.calls = true;
                    }
                    for (at, arg) in args.iter().enumerate() {
                        self.argument(&mut found, callee, at, arg, &inside, &is, &loaded);
                    }
                }
                _ => {}
            }
        }
        self.as_integer(body, param, &mut found);
        found.reads_first = self.reads_first(body, param);
        found.takes_null = self.takes_null(body, param);
        if found.ends != Ends::Never {
            found.ends = if self.returns_without(body, &set) { Ends::Sometimes } else { Ends::Always };
        }
        found
    }

    /// What is done with an integer and what is computed from it.
    fn as_integer(&self, body: &Body, param: Reg, found: &mut Use) {
        if body.regs[param].ty == heapproof_ir::Ty::Ptr {
            return;
        }
        let mut set = BTreeSet::from([param]);
        loop {
            let before = set.len();
            for inst in insts(body) {
                let from = |operand: &Operand| matches!(operand, Operand::Reg(reg) if set.contains(reg));
                match &inst.kind {
                    InstKind::Copy { dst, src } if from(src) => {
                        set.insert(*dst);
                    }
                    InstKind::Cast { dst, a, .. } if from(a) => {
                        set.insert(*dst);
                    }
                    InstKind::Bin { dst, op, a, b, .. } if from(a) || from(b) => {
                        use heapproof_ir::BinOp::*;
                        match op {
                            URem | SRem | And | LShr => found.is_compared = true,
                            _ => {
                                set.insert(*dst);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if set.len() == before {
                break;
            }
        }
        let from = |operand: &Operand| matches!(operand, Operand::Reg(reg) if set.contains(reg));
        for inst in insts(body) {
            match &inst.kind {
                InstKind::Cmp { a, b, .. } if from(a) || from(b) => found.is_compared = true,
                InstKind::PtrAdd { index: Some((index, _)), .. } if from(index) => found.is_index = true,
                InstKind::CopyBlock { len, .. } | InstKind::FillBlock { len, .. } if from(len) => {
                    found.is_index = true;
                }
                InstKind::Call { callee, args, .. } => {
                    for (at, _) in args.iter().enumerate().filter(|(_, arg)| from(arg)) {
                        match self.callee_use(callee, at) {
                            Some(usage) => {
                                found.is_index |= usage.is_index;
                                found.is_compared |= usage.is_compared;
                            }
                            None => {
                                let is_size = matches!(callee, Callee::Direct(func)
                                    if ["mem", "str"].iter().any(|start| self.name(*func).starts_with(start)));
                                found.is_index |= is_size;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        for block in body.blocks.values() {
            found.is_compared |= matches!(&block.term, Terminator::Switch { value, .. } if from(value));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn argument(
        &self,
        found: &mut Use,
        callee: &Callee,
        at: usize,
        arg: &Operand,
        inside: &BTreeMap<Reg, Option<i64>>,
        is: &impl Fn(&Operand) -> bool,
        loaded: &BTreeSet<Reg>,
    ) {
        let Operand::Reg(reg) = arg else { return };
        if loaded.contains(reg) && !is(arg) {
            let frees = match callee {
                Callee::Direct(func) if self.frees(*func) => true,
                _ => self
                    .callee_use(callee, at)
                    .is_some_and(|usage| usage.ends != Ends::Never || usage.frees_inside),
            };
            found.frees_inside |= frees;
        }
        let Some(offset) = inside.get(reg) else { return };
        match callee {
            Callee::Direct(func) if self.frees(*func) && at == 0 => {
                if is(arg) {
                    found.ends = Ends::Sometimes;
                }
            }
            _ => match self.callee_use(callee, at) {
                Some(usage) => {
                    found.reads |= usage.reads;
                    found.writes |= usage.writes;
                    found.keeps |= usage.keeps;
                    found.outside |= usage.outside;
                    found.calls |= usage.calls;
                    found.frees_inside |= usage.frees_inside;
                    found.indexes |= usage.indexes;
                    if let Some(offset) = offset {
                        found.sets.extend(usage.sets.iter().map(|set| set + offset));
                    }
                    if is(arg) && usage.ends != Ends::Never {
                        found.ends = Ends::Sometimes;
                    }
                }
                None => found.outside |= matches!(callee, Callee::Direct(_)),
            },
        }
    }

    fn frees(&self, func: FuncId) -> bool {
        self.program.functions[func].body.is_none()
            && matches!(self.name(func), "free" | "realloc" | "reallocarray")
    }

    /// True if the instruction ends the life of what a register of the set points to.
    fn is_end(&self, inst: &Inst, set: &BTreeSet<Reg>) -> bool {
        let InstKind::Call { callee, args, .. } = &inst.kind else { return false };
        args.iter().enumerate().any(|(at, arg)| {
            matches!(arg, Operand::Reg(reg) if set.contains(reg))
                && match callee {
                    Callee::Direct(func) if self.frees(*func) => at == 0,
                    _ => self.callee_use(callee, at).is_some_and(|usage| usage.ends == Ends::Always),
                }
        })
    }

    /// True if the function can return without freeing, the parameter not being null.
    fn returns_without(&self, body: &Body, set: &BTreeSet<Reg>) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo = vec![Body::ENTRY];
        while let Some(at) = todo.pop() {
            if !seen.insert(at) {
                continue;
            }
            let block = &body.blocks[at];
            if block.insts.iter().any(|inst| self.is_end(inst, set)) {
                continue;
            }
            match &block.term {
                Terminator::Return(_) => return true,
                term => match null_side(block, set) {
                    Some((_, other)) => todo.push(other),
                    None => todo.extend(term.successors()),
                },
            }
        }
        false
    }

    /// True if some path compares the parameter with NULL before any access, and returns.
    fn takes_null(&self, body: &Body, param: Reg) -> bool {
        // The parameter's value is in these registers, and it was compared with null.
        let mut todo = vec![(Body::ENTRY, BTreeSet::from([param]), false)];
        let mut seen = BTreeSet::new();
        while let Some((at, mut set, mut is_null)) = todo.pop() {
            if !seen.insert((at, set.clone(), is_null)) || seen.len() > 2_000 {
                continue;
            }
            let block = &body.blocks[at];
            let mut accessed = false;
            for inst in &block.insts {
                match self.look(inst, &mut set) {
                    Look::Access => accessed = true,
                    Look::TakesNull => is_null = true,
                    Look::Nothing => {}
                }
                if accessed {
                    break;
                }
            }
            if accessed {
                continue;
            }
            match &block.term {
                Terminator::Return(_) if is_null => return true,
                Terminator::Return(_) | Terminator::Unreachable => {}
                term => match null_side(block, &set) {
                    Some((null, other)) => {
                        todo.push((null, set.clone(), true));
                        if !is_null {
                            todo.push((other, set, false));
                        }
                    }
                    None => {
                        todo.extend(term.successors().into_iter().map(|next| (next, set.clone(), is_null)))
                    }
                },
            }
        }
        false
    }

    /// Follows the parameter's value over an instruction.
    fn look(&self, inst: &Inst, set: &mut BTreeSet<Reg>) -> Look {
        let is = |operand: &Operand| matches!(operand, Operand::Reg(reg) if set.contains(reg));
        let seen = match &inst.kind {
            InstKind::Load { ptr, .. } if is(ptr) => Look::Access,
            InstKind::Store { ptr, .. } if is(ptr) => Look::Access,
            InstKind::PtrAdd { base, .. } if is(base) => Look::Access,
            InstKind::CopyBlock { to, from, .. } if is(to) || is(from) => Look::Access,
            InstKind::FillBlock { to, .. } if is(to) => Look::Access,
            InstKind::Call { callee, args, .. } => {
                let mut seen = Look::Nothing;
                if matches!(callee, Callee::Indirect(operand) if is(operand)) {
                    seen = Look::Access;
                }
                for (at, _) in args.iter().enumerate().filter(|(_, arg)| is(arg)) {
                    seen = match self.callee_use(callee, at) {
                        Some(usage) if usage.takes_null => Look::TakesNull,
                        Some(usage) if usage.reads || usage.writes || usage.calls => Look::Access,
                        None if matches!(callee, Callee::Direct(func) if self.name(*func) == "free") => seen,
                        None => Look::Access,
                        _ => seen,
                    };
                }
                seen
            }
            _ => Look::Nothing,
        };
        match &inst.kind {
            InstKind::Copy { dst, src: Operand::Reg(src) } if set.contains(src) => {
                set.insert(*dst);
            }
            InstKind::Forget { .. } => {}
            kind => kind.defs().iter().for_each(|dst| {
                set.remove(dst);
            }),
        }
        seen
    }

    /// True if the first access through the parameter may be a read.
    fn reads_first(&self, body: &Body, param: Reg) -> bool {
        let set = self.copies(body, param);
        let inside = self.inside(body, &set);
        let is_inside = |operand: &Operand| matches!(operand, Operand::Reg(reg) if inside.contains_key(reg));
        let mut seen = BTreeSet::new();
        let mut todo = vec![Body::ENTRY];
        'paths: while let Some(at) = todo.pop() {
            if !seen.insert(at) {
                continue;
            }
            for inst in &body.blocks[at].insts {
                match &inst.kind {
                    InstKind::Load { ptr, .. } if is_inside(ptr) => return true,
                    InstKind::CopyBlock { from, .. } if is_inside(from) => return true,
                    InstKind::Store { ptr, .. } if is_inside(ptr) => continue 'paths,
                    InstKind::CopyBlock { to, .. } | InstKind::FillBlock { to, .. } if is_inside(to) => {
                        continue 'paths;
                    }
                    InstKind::Call { callee, args, .. } => {
                        for (at, _) in args.iter().enumerate().filter(|(_, arg)| is_inside(arg)) {
                            match self.callee_use(callee, at) {
                                Some(usage) if usage.reads_first => return true,
                                Some(usage) if usage.writes => continue 'paths,
                                Some(_) => {}
                                None => return true,
                            }
                        }
                    }
                    _ => {}
                }
            }
            todo.extend(body.blocks[at].term.successors());
        }
        false
    }

    fn result(&self, body: &Body) -> Origin {
        let mut origin = Origin::default();
        let mut seen = BTreeSet::new();
        let mut todo = Vec::new();
        for block in body.blocks.values() {
            if let Terminator::Return(values) = &block.term {
                todo.extend(values.first().copied());
            }
        }
        let stored: BTreeSet<Reg> = insts(body)
            .filter_map(|inst| match &inst.kind {
                InstKind::Store { value: Operand::Reg(reg), .. } => Some(*reg),
                InstKind::Call { callee, args, .. } => {
                    args.iter().enumerate().find_map(|(at, arg)| match arg {
                        Operand::Reg(reg) if self.callee_use(callee, at).is_some_and(|usage| usage.keeps) => {
                            Some(*reg)
                        }
                        _ => None,
                    })
                }
                _ => None,
            })
            .collect();
        while let Some(operand) = todo.pop() {
            let reg = match operand {
                Operand::Reg(reg) => reg,
                Operand::Global(_) | Operand::Local(_) => {
                    origin.inside = true;
                    continue;
                }
                _ => continue,
            };
            if !seen.insert(reg) {
                continue;
            }
            if let Some(index) = body.params.iter().position(|param| *param == reg) {
                origin.params.insert(index);
            }
            for inst in insts(body).filter(|inst| inst.kind.defs().contains(&reg)) {
                match &inst.kind {
                    InstKind::Copy { src, .. } => todo.push(*src),
                    InstKind::Select { a, b, .. } => todo.extend([*a, *b]),
                    InstKind::Load { .. } => origin.loaded = true,
                    InstKind::PtrAdd { .. } => origin.inside = true,
                    InstKind::Call { callee: Callee::Direct(func), args, .. } => {
                        let name = self.name(*func);
                        match self.all.get(func).map(|facts| &facts.result) {
                            Some(result) => {
                                origin.fresh |= result.fresh;
                                origin.loaded |= result.loaded;
                                origin.inside |= result.inside;
                                todo.extend(result.params.iter().filter_map(|at| args.get(*at).copied()));
                            }
                            None if ALLOCATE.contains(&name) => origin.fresh = true,
                            None if name.starts_with("mem") || name.starts_with("strc") => {
                                todo.extend(args.first().copied());
                            }
                            None => origin.loaded = true,
                        }
                    }
                    InstKind::Call { .. } => origin.loaded = true,
                    _ => {}
                }
            }
        }
        if origin.fresh && seen.iter().any(|reg| stored.contains(reg)) {
            origin.fresh = false;
            origin.loaded = true;
        }
        origin
    }
}

enum Look {
    Access,
    TakesNull,
    Nothing,
}

/// Where a block goes on if a register of the set is null, and where if not, if that is what it asks.
fn null_side(block: &Block, set: &BTreeSet<Reg>) -> Option<(heapproof_ir::BlockId, heapproof_ir::BlockId)> {
    let Terminator::Branch { cond: Operand::Reg(cond), then, otherwise } = &block.term else { return None };
    let compared = block.insts.iter().rev().find(|inst| inst.kind.defs().contains(cond))?;
    let InstKind::Cmp { op, a, b, .. } = &compared.kind else { return None };
    let is = |operand: &Operand| matches!(operand, Operand::Reg(reg) if set.contains(reg));
    if !((is(a) && *b == Operand::Null) || (is(b) && *a == Operand::Null)) {
        return None;
    }
    match op {
        CmpOp::Eq => Some((*then, *otherwise)),
        CmpOp::Ne => Some((*otherwise, *then)),
        _ => None,
    }
}
