//! Symbolic execution of instructions (section 3.5 of the paper).
//!
//! A step gives all configurations that follow. Where an instruction needs to look into a list segment, the segment is
//! opened and the same instruction is executed again in each of the parts.

use crate::access::Access;
use crate::graph::{Addr, Def, ObjId, Object, State, Storage, Tg, Val};
use crate::halves::Half;
use crate::number::Range;
use crate::terms::Operation;
use crate::trouble::{Fork, Trouble, TroubleKind};
use heapproof_engine::{Environment, Resolutions};
use heapproof_ir::{
    BinOp, CastOp, CmpOp, Inst, InstKind, Operand, Program, Reg, Target, Terminator, Ty, mask, sign_extend,
};
use heapproof_verdict::{ErrorClass, Property};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Executes instructions of a program.
pub struct Executor<'p> {
    /// The program.
    pub program: &'p Program,
    /// What it runs in and what is asked.
    pub environment: &'p Environment,
    /// What calls of its functions do.
    pub resolutions: Resolutions,
    /// Functions without code that were called.
    pub called: RefCell<BTreeSet<heapproof_ir::FuncId>>,
    /// The error number of the library, which any call may change.
    pub error_number: Option<heapproof_ir::GlobalId>,
    /// Where answers of the environment are kept.
    pub answers: heapproof_libc::AnswerObjects,
    /// An array of pointers was used at an unknown index.
    pub wants_rows: std::cell::Cell<bool>,
    /// There would be no end of pointers in one.
    pub needs_rows: std::cell::Cell<bool>,
    /// Numbers that the program uses as masks, where these are variables.
    pub masks: RefCell<BTreeSet<i128>>,
}

/// What follows a step.
pub type Next = Result<Vec<State>, Trouble>;

/// Something that is known, or the configurations in which to look for it again.
pub type Parts<T> = Result<T, Vec<State>>;

impl<'p> Executor<'p> {
    /// True if a property is part of the question.
    pub fn asks(&self, property: Property) -> bool {
        self.environment.properties.has(property)
    }

    /// Executes the next instruction of the current frame, which is not a terminator.
    pub fn instruction(&self, state: State, inst: &'p Inst) -> Next {
        match state.cut {
            Some(_) => self.in_right_halves(self.execute(state, inst)?),
            None => self.execute(state, inst),
        }
    }

    fn execute(&self, mut state: State, inst: &'p Inst) -> Next {
        use InstKind::*;
        match &inst.kind {
            Copy { dst, src } => {
                let val = self.operand(&mut state, src);
                Ok(vec![assign(state, *dst, val)])
            }
            Forget { dst } => {
                state.frame_mut().regs[index(*dst)] = None;
                Ok(vec![advance(state)])
            }
            Bin { dst, op, width, a, b } => self.binary(state, *dst, *op, *width, a, b),
            IntUn { dst, width, .. } => {
                let val = state.unknown(*width);
                Ok(vec![assign(state, *dst, val)])
            }
            FloatBin { dst, kind, .. } | FloatUn { dst, kind, .. } => {
                let val = state.unknown(kind.bits());
                Ok(vec![assign(state, *dst, val)])
            }
            Cmp { dst, op, ty, a, b } => self.compare(state, *dst, *op, *ty, a, b),
            FloatCmp { dst, .. } => {
                let other = state.clone();
                Ok(vec![assign(state, *dst, Val::Int(1)), assign(other, *dst, Val::ZERO)])
            }
            Cast { dst, op, from, to, a } => {
                let val = self.operand(&mut state, a);
                let val = self.cast(&mut state, *op, *from, *to, val);
                Ok(vec![assign(state, *dst, val)])
            }
            Select { dst, cond, a, b, .. } => {
                let cond = self.operand(&mut state, cond);
                let outcomes = state.compare(CmpOp::Ne, 1, cond, Val::ZERO);
                Ok(outcomes
                    .into_iter()
                    .map(|(mut state, holds)| {
                        let val = self.operand(&mut state, if holds { a } else { b });
                        assign(state, *dst, val)
                    })
                    .collect())
            }
            PtrAdd { dst, base, offset, index, within } => {
                if let (Some(ty), Val::Addr(addr)) = (within, self.operand(&mut state, base)) {
                    note_use(&mut state, addr, *ty);
                }
                if let (Some((Operand::Reg(_), scale)), Val::Addr(addr)) =
                    (index, self.operand(&mut state, base))
                {
                    state.note_index(addr, *offset, *scale);
                }
                self.pointer_add(state, *dst, base, *offset, index.as_ref())
            }
            Load { dst, ty, ptr } => self.load(state, *dst, *ty, ptr),
            Store { ty, value, ptr } => self.store(state, *ty, value, ptr),
            CopyBlock { kind, to, from, len } => {
                let (to, from) = (self.operand(&mut state, to), self.operand(&mut state, from));
                let len = self.operand(&mut state, len);
                Ok(self
                    .copy_block(state, *kind, to, from, len)?
                    .into_iter()
                    .map(|s| s.retry_or(advance))
                    .collect())
            }
            FillBlock { to, byte, len } => {
                let (to, byte) = (self.operand(&mut state, to), self.operand(&mut state, byte));
                let len = self.operand(&mut state, len);
                Ok(self.fill_block(state, to, byte, len)?.into_iter().map(|s| s.retry_or(advance)).collect())
            }
            Alloca { dst, size, .. } => {
                let size_val = self.operand(&mut state, size);
                let bytes = heapproof_libc::SizeArg::Bytes(0);
                let (size, number) = self.block_size(&mut state, bytes, &[size_val])?;
                let mut object = Object::region(size, Storage::Alloca, inst.span);
                (object.exact, object.size_sym) = (number.is_none(), number);
                let obj = state.add(object);
                state.frame_mut().allocas.push(obj);
                Ok(vec![assign(state, *dst, Val::Addr(Addr { obj, off: 0, tg: Tg::Region }))])
            }
            StackSave { dst } => {
                let depth = state.frame().allocas.len() as u128;
                Ok(vec![assign(state, *dst, Val::Int(depth))])
            }
            StackRestore { saved } => {
                let Val::Int(depth) = self.operand(&mut state, saved) else {
                    return self.not_covered(&state, "a stack state that is not known");
                };
                let ended = state.frame_mut().allocas.split_off(depth as usize);
                end_life(&mut state, &ended);
                Ok(vec![advance(state)])
            }
            ScopeStart { local } => {
                if let Some(old) = state.frame_mut().locals.remove(local) {
                    end_life(&mut state, &[old]);
                }
                self.new_local(&mut state, *local);
                Ok(vec![advance(state)])
            }
            ScopeEnd { local } => {
                if let Some(old) = state.frame_mut().locals.remove(local) {
                    end_life(&mut state, &[old]);
                }
                Ok(vec![advance(state)])
            }
            Seal { local } => {
                if let Some(&obj) = state.frame().locals.get(local) {
                    state.object_mut(obj).storage = Storage::Constant;
                }
                Ok(vec![advance(state)])
            }
            Call { results, callee, args } => self.call(state, results, callee, args, inst.span),
            VaStart { list } => self.va_start(state, list),
            VaCopy { to, from } => self.va_copy(state, to, from),
            VaEnd { .. } => Ok(vec![advance(state)]),
            Unsupported { what, .. } => self.not_covered(&state, what),
        }
    }

    /// Executes the terminator of the current block; a return is left to the caller.
    pub fn terminator(&self, mut state: State, term: &Terminator) -> Next {
        match term {
            Terminator::Jump(to) => Ok(vec![enter(state, *to)]),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.operand(&mut state, cond);
                let outcomes = state.compare(CmpOp::Ne, 1, cond, Val::ZERO);
                Ok(outcomes
                    .into_iter()
                    .map(|(state, holds)| enter(state, if holds { *then } else { *otherwise }))
                    .collect())
            }
            Terminator::Switch { value, width, cases, default } => {
                let first = self.operand(&mut state, value);
                let mut next = Vec::new();
                let mut rest = vec![state];
                for (case, to) in cases {
                    let mut others = Vec::new();
                    for mut state in rest {
                        // A comparison may have split the object that the register leads to.
                        let value = match value {
                            Operand::Reg(_) => self.operand(&mut state, value),
                            _ => first,
                        };
                        for (state, holds) in state.compare(CmpOp::Eq, *width, value, Val::Int(*case)) {
                            if holds {
                                next.push(enter(state, *to));
                            } else {
                                others.push(state);
                            }
                        }
                    }
                    rest = others;
                }
                next.extend(rest.into_iter().map(|state| enter(state, *default)));
                Ok(next)
            }
            Terminator::Return(_) => Ok(vec![state]),
            Terminator::Unreachable => {
                self.not_covered(&state, "code that the compiler takes to be unreachable")
            }
        }
    }

    /// The value of an operand. A forgotten register gets one unknown number.
    pub fn operand(&self, state: &mut State, operand: &Operand) -> Val {
        match operand {
            Operand::Reg(reg) => {
                let slot = index(*reg);
                if let Some(val) = state.frame().regs[slot] {
                    return val;
                }
                let width = state.frame().widths[slot];
                let val = self.uninit(state, width);
                state.frame_mut().regs[slot] = Some(val);
                val
            }
            Operand::Int { bits, .. } | Operand::Float { bits, .. } => Val::Int(*bits),
            Operand::Null => Val::ZERO,
            Operand::Global(global) => Val::Addr(Addr { obj: state.globals[global], off: 0, tg: Tg::Region }),
            Operand::Local(local) => match state.frame().locals.get(local) {
                Some(&obj) => Val::Addr(Addr { obj, off: 0, tg: Tg::Region }),
                // Outside its scope: any address will do, for every use of it is an error.
                None => self.uninit(state, state.pointer_bits()),
            },
            Operand::Func(func) => Val::Func(*func),
            Operand::Undef(ty) => self.uninit(state, ty.bits(self.program.target)),
        }
    }

    fn uninit(&self, state: &mut State, width: u8) -> Val {
        let val = state.unknown(width);
        if let Val::Sym(id) = val {
            state.sym_mut(id).uninit = true;
        }
        val
    }

    /// The position of the instruction being executed.
    fn here(&self, state: &State) -> (heapproof_ir::Span, heapproof_ir::FuncId) {
        let frame = state.frame();
        let body = self.program.functions[frame.func].body.as_ref();
        let block = body.map(|body| &body.blocks[frame.block]);
        let span = block.map(|b| b.insts.get(frame.inst).map_or(b.term_span, |inst| inst.span));
        (span.unwrap_or(heapproof_ir::Span::NONE), frame.func)
    }

    /// The analysis ends: something is not covered.
    pub fn not_covered<T>(&self, state: &State, what: &str) -> Result<T, Trouble> {
        let (span, func) = self.here(state);
        Err(Trouble::new(TroubleKind::NotCovered, what, span, func))
    }

    /// The analysis ends: there may be an error.
    pub fn suspect<T>(&self, state: &State, class: ErrorClass, message: &str) -> Result<T, Trouble> {
        let (span, func) = self.here(state);
        Err(Trouble::new(TroubleKind::Suspicion(class), message, span, func))
    }

    /// There is an error if one of some comparisons holds; otherwise the execution goes on.
    pub fn suspect_if<T>(
        &self,
        state: &State,
        class: ErrorClass,
        message: &str,
        error: &[(CmpOp, u8, Val, Val)],
    ) -> Result<T, Trouble> {
        if error.is_empty() {
            return self.suspect(state, class, message);
        }
        self.suspect(state, class, message).map_err(|mut trouble| {
            let mut fine = state.clone();
            let possible = error.iter().all(|&(op, width, a, b)| {
                fine.assume(op.negated(), width, a, b) && fine.decide(op, width, a, b) == Some(false)
            });
            trouble.fork = Some(Box::new(Fork { fine: possible.then_some(fine).into_iter().collect() }));
            trouble
        })
    }

    fn binary(&self, mut state: State, dst: Reg, op: BinOp, width: u8, a: &Operand, b: &Operand) -> Next {
        let constant = [a, b].iter().any(|operand| matches!(operand, Operand::Int { .. }));
        let (a, b) = (self.operand(&mut state, a), self.operand(&mut state, b));
        if op == BinOp::And && !constant {
            self.note_masks(&state, a, b, width);
        }
        if matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
            && state.decide(CmpOp::Ne, width, b, Val::ZERO) != Some(true)
        {
            return self.division_by_zero(state, dst, width, b);
        }
        for val in [a, b] {
            if let Val::Addr(addr) = val
                && addr.tg != Tg::Region
                && matches!(op, BinOp::And | BinOp::URem)
            {
                return Ok(state.open(addr));
            }
            if let Val::Addr(addr) = val
                && state.object(addr.obj).maybe
            {
                return Ok(state.split_maybe(addr.obj));
            }
        }
        if op == BinOp::And
            && let Some(cases) = state.each_mask(a, b, width)
        {
            return Ok(cases);
        }
        let val = if state.is_number(a) && state.is_number(b) {
            state.once(Operation::Binary(op, width), [a, b], |state| state.arithmetic(op, width, a, b))
        } else {
            self.address_arithmetic(&mut state, op, width, a, b)
        };
        Ok(vec![assign(state, dst, val)])
    }

    /// Arithmetic on numbers that are addresses.
    fn address_arithmetic(&self, state: &mut State, op: BinOp, width: u8, a: Val, b: Val) -> Val {
        let signed = |n: u128| sign_extend(n & mask(width), width) as i64;
        let malloc_align = |state: &State, obj: ObjId| match state.object(obj) {
            Object { aligned: Some(multiple), .. } => u128::from(*multiple),
            Object { half: Some(Half { link: true, .. }), .. } => 1,
            Object { storage: Storage::Heap, .. } => self.program.target.malloc_align() as u128,
            _ => 1,
        };
        let align = |state: &State, addr: Addr| malloc_align(state, addr.obj);
        match (op, a, b) {
            _ if width != state.pointer_bits() => state.widened_arithmetic(op, width, a, b),
            (BinOp::Add, Val::Addr(addr), Val::Int(n)) | (BinOp::Add, Val::Int(n), Val::Addr(addr))
                if addr.tg == Tg::Region =>
            {
                Val::Addr(state.moved(addr, signed(n)))
            }
            (BinOp::Sub, Val::Addr(addr), Val::Int(n)) if addr.tg == Tg::Region => {
                Val::Addr(state.moved(addr, signed(n).wrapping_neg()))
            }
            (BinOp::Sub, ptr, by) if state.is_number(by) => state.address_plus(ptr, by, -1),
            (BinOp::Sub, ..) => state.distance(a, b, width),
            (BinOp::URem, Val::Addr(addr), Val::Int(n))
                if addr.tg == Tg::Region && n.is_power_of_two() && n <= align(state, addr) =>
            {
                Val::Int(addr.off as u128 & (n - 1))
            }
            // Low bits of an address are those of its offset.
            (BinOp::And, Val::Addr(addr), Val::Int(n)) if addr.tg == Tg::Region && n < align(state, addr) => {
                Val::Int(addr.off as u128 & n)
            }
            (BinOp::And, Val::Addr(addr), Val::Int(n))
                if addr.tg == Tg::Region && (!n & mask(width)) < align(state, addr) =>
            {
                Val::Addr(Addr { off: addr.off & signed(n), ..addr })
            }
            (BinOp::Or, Val::Addr(addr), Val::Int(n)) if addr.tg == Tg::Region && n < align(state, addr) => {
                Val::Addr(Addr { off: addr.off | n as i64, ..addr })
            }
            (BinOp::And, ptr, mask) | (BinOp::And, mask, ptr) if state.is_number(mask) => {
                let align = state.target(ptr).map_or(1, |obj| malloc_align(state, obj));
                state.masked_address(ptr, mask, align as i128).unwrap_or_else(|| state.unknown(width))
            }
            (BinOp::Add, ptr, by) | (BinOp::Add, by, ptr) if state.is_number(by) => {
                state.address_plus(ptr, by, 1)
            }
            _ => state.unknown(width),
        }
    }

    fn compare(&self, mut state: State, dst: Reg, op: CmpOp, ty: Ty, a: &Operand, b: &Operand) -> Next {
        let (a, b) = (self.operand(&mut state, a), self.operand(&mut state, b));
        let width = ty.bits(self.program.target);
        if let Some(addr) = state.has_to_be_cut(a, b) {
            return Ok(state.open(addr));
        }
        let outcomes = state.compare(op, width, a, b);
        Ok(outcomes.into_iter().map(|(s, holds)| assign(s, dst, Val::Int(u128::from(holds)))).collect())
    }

    fn cast(&self, state: &mut State, op: CastOp, from: Ty, to: Ty, val: Val) -> Val {
        let target: Target = self.program.target;
        let (from, to) = (from.bits(target), to.bits(target));
        match op {
            CastOp::PtrToInt | CastOp::IntToPtr => val,
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
                if state.is_number(val) {
                    let sign = op == CastOp::SExt;
                    let resize = Operation::Resize { from, to, sign };
                    state.once(resize, [val, Val::ZERO], |state| state.resized(val, from, to, sign))
                } else if state.is_same_address(op, from, to, val) {
                    val
                } else {
                    state.unknown(to)
                }
            }
            CastOp::Bits if from == to => val,
            _ => state.unknown(to),
        }
    }

    fn pointer_add(
        &self,
        mut state: State,
        dst: Reg,
        base: &Operand,
        offset: i64,
        index: Option<&(Operand, i64)>,
    ) -> Next {
        let base = self.operand(&mut state, base);
        let index = index.map(|(operand, scale)| (self.operand(&mut state, operand), *scale));
        let width = state.pointer_bits();
        let (moved, index) = match index {
            Some((Val::Int(n), scale)) => {
                let by = (sign_extend(n & mask(width), width) as i64).wrapping_mul(scale);
                (offset.wrapping_add(by), None)
            }
            Some((val, scale)) if scale != 0 => (offset, Some((val, scale))),
            _ => (offset, None),
        };
        if let Val::Addr(addr) = base
            && addr.tg != Tg::Region
            && (moved != 0 || index.is_some())
        {
            return Ok(state.open(addr));
        }
        if let Val::Addr(addr) = base
            && state.object(addr.obj).maybe
            && (moved != 0 || index.is_some())
        {
            return Ok(state.split_maybe(addr.obj));
        }
        let val = match (base, index) {
            (_, None) if moved == 0 => base,
            (Val::Addr(addr), None) => Val::Addr(state.moved(addr, moved)),
            (Val::Int(n), None) => Val::Int(n.wrapping_add(moved as u128) & mask(width)),
            (Val::Addr(addr), Some((Val::Sym(index), scale))) if state.is_number(Val::Sym(index)) => {
                let base = state.moved(addr, moved);
                let range = state.range(Val::Sym(index), width);
                if range.lo == range.hi {
                    Val::Addr(state.moved(base, (range.lo as i64).wrapping_mul(scale)))
                } else {
                    state.derived(width, Range::full(width), Def::At(base, index, scale))
                }
            }
            (Val::Sym(id), None) => match state.syms[&id].def {
                Def::At(base, index, scale) => {
                    let base = state.moved(base, moved);
                    state.derived(width, Range::full(width), Def::At(base, index, scale))
                }
                _ => self.uninit(&mut state, width),
            },
            (Val::Sym(id), Some((index, scale))) => match state.syms[&id].def {
                Def::At(base, ..) if base.tg == Tg::Region => {
                    state.moved_by(base.obj, Val::Sym(id), moved, index, scale)
                }
                _ => self.uninit(&mut state, width),
            },
            _ => self.uninit(&mut state, width),
        };
        Ok(vec![assign(state, dst, val)])
    }

    fn load(&self, mut state: State, dst: Reg, ty: Ty, ptr: &Operand) -> Next {
        let ptr = self.operand(&mut state, ptr);
        let len = ty.bytes(self.program.target);
        let width = ty.bits(self.program.target);
        let place = self.access_of(&mut state, ptr, len, false, ty == Ty::Ptr)?;
        if let Some(next) = self.load_element(&state, dst, ptr, &place, (len, width))? {
            return Ok(next);
        }
        match place {
            Access::Again(states) => Ok(states),
            Access::At(obj, off) if state.object(obj).storage == Storage::Arguments => {
                self.load_argument(state, dst, (obj, off), len)
            }
            Access::Between(obj, _, hi) if state.object(obj).storage == Storage::Arguments => {
                if !state.is_multiple(ptr, len) {
                    return self.not_covered(&state, "a part of a pointer of `argv`");
                }
                // With another entry behind it, it is not the last one.
                let last = !self.fits(&state, ptr, state.object(obj), hi.into(), 2 * len);
                self.load_any_argument(state, dst, len, last)
            }
            Access::At(obj, off) if len == 1 && state.object(obj).text.is_some() => {
                Ok(self.load_char(state, dst, obj, off))
            }
            Access::At(obj, off) => {
                let known = state.object(obj).peek(off, len).is_some();
                self.check_vague(&state, obj, known, len)?;
                let val = state.read(obj, off, len);
                let fits = state.has_width(val, width);
                let val = if fits { val } else { state.unknown(width) };
                Ok(vec![assign(state, dst, val)])
            }
            Access::Between(obj, ..)
                if len == 1
                    && let Some(next) = state.before_nul(dst, obj, ptr) =>
            {
                Ok(next)
            }
            Access::Between(obj, ..) if state.object(obj).vague && len >= state.pointer_bytes() => {
                self.not_covered(&state, "an address at an unknown place of an array")
            }
            Access::Between(obj, lo, hi) => Ok(self
                .table(&mut state, ptr, (obj, lo, hi), len, width)
                .into_iter()
                .map(|val| assign(state.clone(), dst, val))
                .collect()),
        }
    }

    fn store(&self, mut state: State, ty: Ty, value: &Operand, ptr: &Operand) -> Next {
        if let Some(addr) = state.some_node(value) {
            return Ok(state.open(addr));
        }
        let (val, ptr) = (self.operand(&mut state, value), self.operand(&mut state, ptr));
        let len = ty.bytes(self.program.target);
        let pointer = ty == Ty::Ptr || state.target(val).is_some();
        let place = self.access_of(&mut state, ptr, len, true, pointer)?;
        if let Some(next) = self.store_element(&state, val, ptr, &place, len)? {
            return Ok(next);
        }
        match place {
            Access::Again(states) => Ok(states),
            Access::At(obj, off) => {
                if pointer && state.object(obj).indexed.is_some() {
                    self.wants_rows.set(true);
                    self.needs_rows.set(self.needs_rows.get() | state.note_pointer(obj, off, val));
                }
                let offset = crate::relation::Form::constant(off.into());
                let text = state.text_after(obj, &offset, len, val);
                state.write(obj, off, len, val);
                state.set_text(obj, text);
                Ok(vec![advance(state)])
            }
            Access::Between(obj, lo, hi) => {
                let text = state.offset(ptr).and_then(|offset| state.text_after(obj, &offset, len, val));
                self.blur(&mut state, obj, lo, hi + len, Some(val));
                state.set_text(obj, text);
                Ok(vec![advance(state)])
            }
        }
    }

    /// A new incarnation of a local.
    pub fn new_local(&self, state: &mut State, local: heapproof_ir::LocalId) {
        let func = state.frame().func;
        let Some(body) = &self.program.functions[func].body else { return };
        let info = &body.locals[local];
        let span = info.variable.as_ref().map_or(heapproof_ir::Span::NONE, |v| v.span);
        let obj = state.add(Object::region(info.size, Storage::Local, span));
        state.frame_mut().locals.insert(local, obj);
    }
}

/// Remembers as what structure a heap block is used first.
fn note_use(state: &mut State, addr: Addr, ty: heapproof_ir::TypeId) {
    let object = state.object(addr.obj);
    if addr.off == 0 && addr.tg == Tg::Region && object.storage == Storage::Heap && object.used_as.is_none() {
        state.object_mut(addr.obj).used_as = Some(ty);
    }
}

/// The index of a register.
pub fn index(reg: Reg) -> usize {
    reg.as_u32() as usize
}

/// The next instruction is next.
pub fn advance(mut state: State) -> State {
    state.frame_mut().inst += 1;
    state
}

/// Assigns a register and goes on.
pub fn assign(mut state: State, dst: Reg, val: Val) -> State {
    state.frame_mut().regs[index(dst)] = Some(val);
    advance(state)
}

fn enter(mut state: State, block: heapproof_ir::BlockId) -> State {
    let frame = state.frame_mut();
    frame.block = block;
    frame.inst = 0;
    state
}

/// Objects whose life ends keep their identity, so that later uses are seen, but not their content.
pub fn end_life(state: &mut State, ended: &[ObjId]) {
    for &id in ended {
        let object = state.object_mut(id);
        object.valid = fault!(40) && object.storage == Storage::Heap;
        object.cells.clear();
        object.zeros.clear();
        object.text = None;
        object.fresh = true;
    }
}
