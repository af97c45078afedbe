//! Random valid programs for property tests, of this crate and (with the feature `arbitrary`) of others.
//!
//! A program is built from a list of numbers, each of which decides one thing; where the list is over, the
//! first choice is taken. So shrinking the list gives smaller programs.

use crate::ctype::{CType, Member, Qualifier, TypeId};
use crate::inst::{
    BinOp, Callee, CastOp, CmpOp, CopyKind, FloatBinOp, FloatCmpOp, FloatUnOp, Inst, InstKind, IntUnOp,
    Operand, Terminator,
};
use crate::program::{
    Block, BlockId, Body, FuncId, Function, Global, GlobalId, GlobalInit, Local, LocalId, Program, Reg,
    RegInfo, Reloc, RelocTarget, Span, Variable,
};
use crate::scalar::{FloatKind, Target, Ty, mask};
use cranelift_entity::{EntityRef, PrimaryMap};
use proptest::prelude::*;

/// Valid programs with up to four functions of up to six blocks. They use every instruction, and favour what the
/// passes work on: copies, and locals that are only loaded and stored.
pub fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u32>(), 0..600).prop_map(|choices| build(&choices))
}

/// The program that a list of choices stands for.
pub fn build(choices: &[u32]) -> Program {
    let mut builder = Builder {
        choices: Choices { list: choices, at: 0 },
        program: Program {
            target: Target::Lp64,
            files: PrimaryMap::new(),
            types: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
        },
    };
    builder.build();
    builder.program
}

struct Choices<'a> {
    list: &'a [u32],
    at: usize,
}

impl Choices<'_> {
    fn next(&mut self) -> u32 {
        let choice = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        choice
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A scalar type; often one of two, so that values meet.
    fn ty(&mut self) -> Ty {
        match self.below(3) {
            0 => self.one_of(&TYS),
            _ => self.one_of(&TYS[..2]),
        }
    }

    fn bits(&mut self, width: u8) -> u128 {
        let small = u128::from(self.next());
        let bits = match small % 4 {
            0 => small >> 28,
            1 => u128::MAX - (small >> 28),
            2 => small,
            _ => (small << 97) ^ u128::from(self.next()) << 48 ^ u128::from(self.next()),
        };
        bits & mask(width)
    }
}

const TYS: [Ty; 9] = [
    Ty::Int(32),
    Ty::Ptr,
    Ty::Int(64),
    Ty::Int(1),
    Ty::Int(8),
    Ty::Float(FloatKind::F64),
    Ty::Int(128),
    Ty::Float(FloatKind::F32),
    Ty::Float(FloatKind::X87),
];
const WIDTHS: [u8; 5] = [32, 64, 8, 1, 128];
const KINDS: [FloatKind; 3] = [FloatKind::F64, FloatKind::F32, FloatKind::X87];
const NAMES: [&str; 9] =
    ["x", "p", "list head", "", "quo\"te\\", "ä→\u{1}\u{7f}", "a\nb\tc\r", "b0: }", "// no"];

struct Builder<'a> {
    choices: Choices<'a>,
    program: Program,
}

impl Builder<'_> {
    fn build(&mut self) {
        self.program.target = self.choices.one_of(&[Target::Lp64, Target::Ilp32]);
        for _ in 0..=self.choices.below(3) {
            let name = self.name();
            self.program.files.push(name);
        }
        let types = self.choices.below(8);
        for index in 0..types {
            let ctype = self.ctype(index, types);
            self.program.types.push(ctype);
        }
        let functions = 1 + self.choices.below(4);
        for index in 0..functions {
            let count = self.choices.below(3);
            let params = (0..count).map(|_| self.choices.ty()).collect();
            let count = self.choices.below(3);
            let results = (0..count).map(|_| self.choices.ty()).collect();
            let (variadic, ctype, span) = (self.choices.flip(), self.type_id(), self.span());
            let name = if index == 0 { "main".to_owned() } else { self.name() };
            let internal = self.choices.flip();
            let function = Function { name, params, results, variadic, internal, ctype, span, body: None };
            self.program.functions.push(function);
        }
        let globals = self.choices.below(4);
        for _ in 0..globals {
            let global = self.global(globals);
            self.program.globals.push(global);
        }
        // Calls look at whether the callee has a body, so who has one is decided first.
        for id in self.program.functions.keys() {
            if id.index() == 0 || self.choices.below(3) > 0 {
                self.program.functions[id].body = Some(Body::default());
            }
        }
        for id in self.program.functions.keys() {
            if self.program.functions[id].body.is_some() {
                let function = self.program.functions[id].clone();
                let body = BodyBuilder::new(self, function).build();
                self.program.functions[id].body = Some(body);
            }
        }
    }

    fn name(&mut self) -> String {
        self.choices.one_of(&NAMES).to_owned()
    }

    fn optional_name(&mut self) -> Option<String> {
        if self.choices.flip() { Some(self.name()) } else { None }
    }

    fn span(&mut self) -> Span {
        if self.choices.flip() {
            let file = EntityRef::new(self.choices.below(self.program.files.len()));
            Span { file, line: self.choices.below(4) as u32, column: self.choices.below(90) as u32 }
        } else {
            Span::NONE
        }
    }

    fn type_id(&mut self) -> Option<TypeId> {
        let count = self.program.types.len();
        (count > 0 && self.choices.flip()).then(|| TypeId::new(self.choices.below(count)))
    }

    fn variable(&mut self) -> Option<Variable> {
        if self.choices.below(4) == 0 {
            return None;
        }
        Some(Variable { name: self.name(), ctype: self.type_id(), span: self.span() })
    }

    /// Type `index` of `count`: it contains only earlier types and points to any.
    fn ctype(&mut self, index: usize, count: usize) -> CType {
        let any = TypeId::new(self.choices.below(count));
        let size = self.choices.below(9) as u64;
        let kind = self.choices.below(12);
        if index > 0 {
            let of = TypeId::new(self.choices.below(index));
            match kind {
                0 => return CType::Array { element: of, count: self.choices.flip().then_some(size) },
                1 | 2 => {
                    let members = (0..self.choices.below(4))
                        .map(|at| Member {
                            name: self.optional_name(),
                            ty: of,
                            bit_offset: at as u64 * 8,
                            bit_width: self.choices.flip().then_some(size),
                        })
                        .collect();
                    let size = self.choices.flip().then_some(32);
                    let (name, span) = (self.optional_name(), self.span());
                    return if kind == 1 {
                        CType::Struct { name, size, members, span }
                    } else {
                        CType::Union { name, size, members, span }
                    };
                }
                3 => return CType::Typedef { name: self.name(), of },
                4 => {
                    use Qualifier::*;
                    let qualifier = self.choices.one_of(&[Const, Volatile, Restrict, Atomic]);
                    return CType::Qualified { qualifier, of };
                }
                _ => {}
            }
        }
        match kind {
            0 | 5 => CType::Void,
            1 | 6 => CType::Int { name: self.name(), size, signed: self.choices.flip() },
            2 | 7 => CType::Pointer { to: any },
            3 | 8 => CType::Float { name: self.name(), size },
            4 | 9 => {
                let enumerators = (0..self.choices.below(3))
                    .map(|_| (self.name(), self.choices.bits(128) as i128))
                    .collect();
                CType::Enum { name: self.optional_name(), size, enumerators }
            }
            10 => {
                let params = (0..self.choices.below(3)).map(|_| any).collect();
                CType::Function { result: any, params, variadic: self.choices.flip() }
            }
            _ => CType::Opaque { name: self.name(), size },
        }
    }

    fn global(&mut self, globals: usize) -> Global {
        let init = if self.choices.below(5) == 4 {
            GlobalInit::External
        } else {
            let text = self.choices.flip();
            let bytes = (0..self.choices.below(8))
                .map(|_| if text { self.choices.one_of(b"ab\"\\\n\0") } else { self.choices.next() as u8 })
                .collect();
            let relocs = (0..self.choices.below(3))
                .map(|at| Reloc {
                    offset: at as u64 * 8 + 1,
                    target: if self.choices.flip() {
                        RelocTarget::Func(FuncId::new(self.choices.below(self.program.functions.len())))
                    } else {
                        RelocTarget::Global(GlobalId::new(self.choices.below(globals)))
                    },
                    addend: self.choices.one_of(&[0, 4, -4, i64::MIN, i64::MAX]),
                })
                .collect();
            GlobalInit::Data { bytes, relocs }
        };
        Global {
            name: self.name(),
            size: 25 + self.choices.below(100) as u64,
            align: 1 << self.choices.below(5),
            constant: self.choices.flip(),
            anonymous: self.choices.flip(),
            init,
            ctype: self.type_id(),
            span: self.span(),
        }
    }
}

struct BodyBuilder<'b, 'a> {
    outer: &'b mut Builder<'a>,
    function: Function,
    body: Body,
    /// The type that most accesses to a local have.
    local_tys: Vec<Ty>,
    blocks: usize,
}

impl<'b, 'a> BodyBuilder<'b, 'a> {
    fn new(outer: &'b mut Builder<'a>, function: Function) -> Self {
        BodyBuilder { outer, function, body: Body::default(), local_tys: Vec::new(), blocks: 0 }
    }

    fn build(mut self) -> Body {
        for ty in self.function.params.clone() {
            let variable = self.outer.variable();
            let reg = self.body.regs.push(RegInfo { ty, variable });
            self.body.params.push(reg);
        }
        for _ in 0..self.outer.choices.below(5) {
            let size = self.outer.choices.one_of(&[8, 16, 4, 1, 0]);
            let align = 1 << self.outer.choices.below(4);
            let scoped = self.outer.choices.flip();
            let variable = self.outer.variable();
            self.body.locals.push(Local { size, align, scoped, unmarked: false, variable });
            self.local_tys.push(self.outer.choices.ty());
        }
        self.blocks = 1 + self.outer.choices.below(6);
        for _ in 0..self.blocks {
            let count = self.outer.choices.below(12);
            let insts = (0..count)
                .map(|_| {
                    let kind = self.inst();
                    Inst { kind, span: self.outer.span() }
                })
                .collect();
            let term = self.terminator();
            self.body.blocks.push(Block { insts, term, term_span: self.outer.span() });
        }
        self.body
    }

    fn below(&mut self, bound: usize) -> usize {
        self.outer.choices.below(bound)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        self.outer.choices.one_of(all)
    }

    fn pointer_int(&self) -> Ty {
        Ty::Int(self.outer.program.target.pointer_bits())
    }

    /// A register to assign: one of the type, or a new one.
    fn dst(&mut self, ty: Ty) -> Reg {
        self.reg_of(ty, 2).unwrap_or_else(|| {
            let variable = if self.below(3) == 0 { self.outer.variable() } else { None };
            self.body.regs.push(RegInfo { ty, variable })
        })
    }

    /// A register of the type, if there is one, most of `odds` + 1 times.
    fn reg_of(&mut self, ty: Ty, odds: usize) -> Option<Reg> {
        let all: Vec<Reg> = self.body.regs.iter().filter(|(_, info)| info.ty == ty).map(|(r, _)| r).collect();
        (!all.is_empty() && self.below(odds + 1) < odds).then(|| self.one_of(&all))
    }

    fn block(&mut self) -> BlockId {
        BlockId::new(self.below(self.blocks))
    }

    fn operand(&mut self, ty: Ty) -> Operand {
        if let Some(reg) = self.reg_of(ty, 3) {
            return Operand::Reg(reg);
        }
        if self.below(8) == 7 {
            return Operand::Undef(ty);
        }
        match ty {
            Ty::Int(width) => Operand::Int { bits: self.outer.choices.bits(width), width },
            Ty::Float(kind) => Operand::Float { bits: self.outer.choices.bits(kind.bits()), kind },
            Ty::Ptr => {
                let program = &self.outer.program;
                let (globals, functions) = (program.globals.len(), program.functions.len());
                match self.below(5) {
                    1 if globals > 0 => Operand::Global(GlobalId::new(self.below(globals))),
                    2 => Operand::Func(FuncId::new(self.below(functions))),
                    3 if !self.body.locals.is_empty() => {
                        Operand::Local(LocalId::new(self.below(self.body.locals.len())))
                    }
                    _ => Operand::Null,
                }
            }
        }
    }

    fn operands(&mut self, tys: &[Ty]) -> Vec<Operand> {
        tys.iter().map(|ty| self.operand(*ty)).collect()
    }

    fn inst(&mut self) -> InstKind {
        if !self.body.locals.is_empty() && self.below(2) == 0 {
            return self.local_inst();
        }
        let pointer_int = self.pointer_int();
        let ty = self.outer.choices.ty();
        let width = self.one_of(&WIDTHS);
        let int = Ty::Int(width);
        let kind = self.one_of(&KINDS);
        let float = Ty::Float(kind);
        match self.below(24) {
            0..=4 => InstKind::Copy { src: self.operand(ty), dst: self.dst(ty) },
            5 => InstKind::Forget { dst: self.dst(ty) },
            6 | 7 => {
                use BinOp::*;
                let op = self.one_of(&[Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor]);
                InstKind::Bin { op, width, a: self.operand(int), b: self.operand(int), dst: self.dst(int) }
            }
            8 => {
                use IntUnOp::*;
                let op = self.one_of(&[ByteSwap, BitReverse, PopCount, LeadingZeros, TrailingZeros]);
                InstKind::IntUn { op, width, a: self.operand(int), dst: self.dst(int) }
            }
            9 => {
                use FloatBinOp::*;
                let op = self.one_of(&[Add, Sub, Mul, Div, Rem, Min, Max, CopySign]);
                let (a, b) = (self.operand(float), self.operand(float));
                InstKind::FloatBin { op, kind, a, b, dst: self.dst(float) }
            }
            10 => {
                use FloatUnOp::*;
                let op = self.one_of(&[Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, RoundEven]);
                InstKind::FloatUn { op, kind, a: self.operand(float), dst: self.dst(float) }
            }
            11 => {
                use CmpOp::*;
                let op = self.one_of(&[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge]);
                let ty = if self.below(2) == 0 { int } else { Ty::Ptr };
                InstKind::Cmp { op, ty, a: self.operand(ty), b: self.operand(ty), dst: self.dst(Ty::BOOL) }
            }
            12 => {
                use FloatCmpOp::*;
                let op = self.one_of(&[
                    False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True,
                ]);
                let (a, b) = (self.operand(float), self.operand(float));
                InstKind::FloatCmp { op, kind, a, b, dst: self.dst(Ty::BOOL) }
            }
            13 => self.cast(int, float),
            14 => {
                let (cond, a, b) = (self.operand(Ty::BOOL), self.operand(ty), self.operand(ty));
                InstKind::Select { ty, cond, a, b, dst: self.dst(ty) }
            }
            15 => {
                let base = self.operand(Ty::Ptr);
                let offset = self.one_of(&[0, 8, -8, i64::MIN, i64::MAX]);
                let index = (self.below(2) == 1)
                    .then(|| (self.operand(pointer_int), self.one_of(&[1, 4, 24, -4, i64::MIN])));
                let within = self.outer.type_id();
                InstKind::PtrAdd { base, offset, index, within, dst: self.dst(Ty::Ptr) }
            }
            16 => InstKind::Load { ty, ptr: self.operand(Ty::Ptr), dst: self.dst(ty) },
            17 => InstKind::Store { ty, value: self.operand(ty), ptr: self.operand(Ty::Ptr) },
            18 => {
                let kind = self.one_of(&[CopyKind::Move, CopyKind::Struct, CopyKind::Disjoint]);
                let (to, from) = (self.operand(Ty::Ptr), self.operand(Ty::Ptr));
                InstKind::CopyBlock { kind, to, from, len: self.operand(pointer_int) }
            }
            19 => {
                let (to, byte) = (self.operand(Ty::Ptr), self.operand(Ty::Int(8)));
                InstKind::FillBlock { to, byte, len: self.operand(pointer_int) }
            }
            20 => {
                let (size, align) = (self.operand(pointer_int), 1 << self.below(5));
                InstKind::Alloca { size, align, name: self.outer.optional_name(), dst: self.dst(Ty::Ptr) }
            }
            21 => self.rare(),
            _ => self.call(),
        }
    }

    /// What is done to locals: mostly loads and stores of one type.
    fn local_inst(&mut self) -> InstKind {
        let local = LocalId::new(self.below(self.body.locals.len()));
        let ptr = Operand::Local(local);
        let ty = if self.below(12) == 11 { self.one_of(&TYS) } else { self.local_tys[local.index()] };
        match self.below(7) {
            0 | 1 => InstKind::Load { ty, ptr, dst: self.dst(ty) },
            2 | 3 => InstKind::Store { ty, value: self.operand(ty), ptr },
            4 if self.body.locals[local].scoped => InstKind::ScopeStart { local },
            5 if self.body.locals[local].scoped => InstKind::ScopeEnd { local },
            6 if self.body.locals[local].scoped => InstKind::Seal { local },
            _ => InstKind::Copy { src: self.operand(ty), dst: self.dst(ty) },
        }
    }

    fn cast(&mut self, int: Ty, float: Ty) -> InstKind {
        use CastOp::*;
        let pointer_int = self.pointer_int();
        let (op, from, to) = match self.below(11) {
            0 => (Trunc, Ty::Int(64), Ty::Int(8)),
            1 => (ZExt, Ty::Int(8), Ty::Int(32)),
            2 => (SExt, Ty::Int(32), Ty::Int(128)),
            3 => (PtrToInt, Ty::Ptr, pointer_int),
            4 => (IntToPtr, pointer_int, Ty::Ptr),
            5 => (FloatToUInt, float, int),
            6 => (FloatToSInt, float, int),
            7 => (UIntToFloat, int, float),
            8 => (SIntToFloat, int, float),
            9 => (FloatToFloat, float, Ty::Float(FloatKind::F128)),
            _ => (Bits, Ty::Int(64), Ty::Float(FloatKind::F64)),
        };
        InstKind::Cast { op, from, to, a: self.operand(from), dst: self.dst(to) }
    }

    fn rare(&mut self) -> InstKind {
        match self.below(6) {
            0 => InstKind::StackSave { dst: self.dst(Ty::Ptr) },
            1 => InstKind::StackRestore { saved: self.operand(Ty::Ptr) },
            2 if self.function.variadic => InstKind::VaStart { list: self.operand(Ty::Ptr) },
            3 => InstKind::VaCopy { to: self.operand(Ty::Ptr), from: self.operand(Ty::Ptr) },
            4 => InstKind::VaEnd { list: self.operand(Ty::Ptr) },
            _ => {
                let results = self.results(&[Ty::Int(32), Ty::Ptr]);
                InstKind::Unsupported { results, what: self.outer.name() }
            }
        }
    }

    /// Different registers of these types.
    fn results(&mut self, tys: &[Ty]) -> Vec<Reg> {
        let mut results = Vec::new();
        for ty in tys {
            let mut dst = self.dst(*ty);
            if results.contains(&dst) {
                dst = self.body.regs.push(RegInfo { ty: *ty, variable: None });
            }
            results.push(dst);
        }
        results
    }

    fn call(&mut self) -> InstKind {
        let id = FuncId::new(self.below(self.outer.program.functions.len()));
        let callee = &self.outer.program.functions[id];
        let (mut params, results, variadic) =
            (callee.params.clone(), callee.results.clone(), callee.variadic);
        if variadic && self.below(2) == 1 {
            params.push(Ty::Int(32));
        }
        let args = self.operands(&params);
        let results = self.results(&results);
        let callee =
            if self.below(3) == 2 { Callee::Indirect(self.operand(Ty::Ptr)) } else { Callee::Direct(id) };
        InstKind::Call { results, callee, args }
    }

    fn terminator(&mut self) -> Terminator {
        match self.below(7) {
            1 | 2 => Terminator::Jump(self.block()),
            3 | 4 => {
                let cond = self.operand(Ty::BOOL);
                Terminator::Branch { cond, then: self.block(), otherwise: self.block() }
            }
            5 => {
                let width = self.one_of(&WIDTHS);
                let value = self.operand(Ty::Int(width));
                let cases =
                    (0..self.below(4)).map(|_| (self.outer.choices.bits(width), self.block())).collect();
                Terminator::Switch { value, width, cases, default: self.block() }
            }
            6 if self.below(3) == 0 => Terminator::Unreachable,
            _ => {
                let results = self.function.results.clone();
                Terminator::Return(self.operands(&results))
            }
        }
    }
}
