//! The printer of the text form. See [`crate::text`] for the form itself.

use super::names::Words;
use crate::ctype::{CType, Member, TypeId};
use crate::inst::{Callee, InstKind, Operand, Terminator};
use crate::program::{
    BlockId, Body, FuncId, Function, Global, GlobalInit, Program, Reg, RelocTarget, Span, Variable,
};
use crate::scalar::{FloatKind, Target, Ty, mask, sign_extend};
use cranelift_entity::EntityRef;
use std::fmt::{self, Display, Formatter, Write};

/// The text of a whole program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program.target);
    printer.program(program);
    printer.out
}

/// The text of one instruction, without its position.
pub fn print_inst(target: Target, body: &Body, inst: &InstKind) -> String {
    let mut printer = Printer::new(target);
    printer.inst(body, inst);
    printer.out
}

/// The text of one terminator, without its position.
pub fn print_terminator(target: Target, function: &Function, term: &Terminator) -> String {
    let mut printer = Printer::new(target);
    printer.terminator(&function.results, term);
    printer.out
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(width) => write!(f, "i{width}"),
            Ty::Ptr => f.write_str("ptr"),
            Ty::Float(kind) => f.write_str(kind.word()),
        }
    }
}

/// Writes into one string; writing to a string cannot fail.
struct Printer {
    out: String,
    pointer: Ty,
}

macro_rules! put {
    ($printer:expr, $($arg:tt)*) => { { let _ = write!($printer.out, $($arg)*); } };
}

impl Printer {
    fn new(target: Target) -> Printer {
        Printer { out: String::new(), pointer: Ty::Int(target.pointer_bits()) }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A number: most are small, and the formatting machinery is slow.
    fn number(&mut self, number: usize) {
        if number < 10 {
            self.out.push((b'0' + number as u8) as char);
        } else {
            put!(self, "{number}");
        }
    }

    fn id(&mut self, prefix: char, id: impl EntityRef) {
        self.out.push(prefix);
        self.number(id.index());
    }

    fn ty(&mut self, ty: Ty) {
        match ty {
            Ty::Int(width) => {
                self.out.push('i');
                self.number(width.into());
            }
            Ty::Ptr => self.text("ptr"),
            Ty::Float(kind) => self.text(kind.word()),
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\n' => self.text("\\n"),
                '\t' => self.text("\\t"),
                '\r' => self.text("\\r"),
                // Control characters, and separators that an editor may take for the end of a line.
                c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                    put!(self, "\\u{{{:x}}}", c as u32)
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn span(&mut self, span: Span) {
        if span != Span::NONE {
            self.text(" @");
            self.number(span.file.index());
            self.out.push(':');
            self.number(span.line as usize);
            self.out.push(':');
            self.number(span.column as usize);
        }
    }

    fn ctype_of(&mut self, ctype: Option<TypeId>) {
        if let Some(id) = ctype {
            self.text(" type ");
            self.id('t', id);
        }
    }

    fn variable(&mut self, variable: &Option<Variable>) {
        if let Some(variable) = variable {
            self.text(" var ");
            self.string(&variable.name);
            self.ctype_of(variable.ctype);
            self.span(variable.span);
        }
    }

    fn program(&mut self, program: &Program) {
        put!(self, "target {}\n", program.target.word());
        for (id, file) in program.files.iter() {
            put!(self, "file {id} ");
            self.string(file);
            self.out.push('\n');
        }
        for (id, ctype) in program.types.iter() {
            put!(self, "type {id} = ");
            self.ctype(ctype);
            self.out.push('\n');
        }
        for (id, global) in program.globals.iter() {
            put!(self, "global {id} ");
            self.global(global);
            self.out.push('\n');
        }
        for (id, function) in program.functions.iter() {
            self.function(id, function);
        }
    }

    fn ctype(&mut self, ctype: &CType) {
        match ctype {
            CType::Void => self.text("void"),
            CType::Int { name, size, signed } => {
                self.text("int ");
                self.string(name);
                put!(self, " size {size} {}", if *signed { "signed" } else { "unsigned" });
            }
            CType::Float { name, size } => {
                self.text("float ");
                self.string(name);
                put!(self, " size {size}");
            }
            CType::Enum { name, size, enumerators } => {
                self.text("enum");
                self.optional_name(name);
                put!(self, " size {size} {{");
                for (index, (name, value)) in enumerators.iter().enumerate() {
                    self.text(if index == 0 { " " } else { "; " });
                    self.string(name);
                    put!(self, " = {value}");
                }
                self.text(" }");
            }
            CType::Pointer { to } => put!(self, "pointer {to}"),
            CType::Array { element, count } => {
                put!(self, "array {element}");
                if let Some(count) = count {
                    put!(self, " count {count}");
                }
            }
            CType::Struct { name, size, members, span } => {
                self.text("struct");
                self.aggregate(name, *size, members, *span);
            }
            CType::Union { name, size, members, span } => {
                self.text("union");
                self.aggregate(name, *size, members, *span);
            }
            CType::Typedef { name, of } => {
                self.text("typedef ");
                self.string(name);
                put!(self, " {of}");
            }
            CType::Qualified { qualifier, of } => put!(self, "{} {of}", qualifier.word()),
            CType::Function { result, params, variadic } => {
                put!(self, "function {result}(");
                for (index, param) in params.iter().enumerate() {
                    put!(self, "{}{param}", if index == 0 { "" } else { ", " });
                }
                self.ellipsis(*variadic, params.is_empty());
                self.out.push(')');
            }
            CType::Opaque { name, size } => {
                self.text("opaque ");
                self.string(name);
                put!(self, " size {size}");
            }
        }
    }

    fn optional_name(&mut self, name: &Option<String>) {
        if let Some(name) = name {
            self.out.push(' ');
            self.string(name);
        }
    }

    fn ellipsis(&mut self, variadic: bool, first: bool) {
        if variadic {
            self.text(if first { "..." } else { ", ..." });
        }
    }

    fn aggregate(&mut self, name: &Option<String>, size: Option<u64>, members: &[Member], span: Span) {
        self.optional_name(name);
        if let Some(size) = size {
            put!(self, " size {size}");
        }
        self.span(span);
        self.text(" {");
        for (index, member) in members.iter().enumerate() {
            put!(self, "{}{}", if index == 0 { " " } else { "; " }, member.bit_offset);
            if let Some(width) = member.bit_width {
                put!(self, " bits {width}");
            }
            self.optional_name(&member.name);
            put!(self, " {}", member.ty);
        }
        self.text(" }");
    }

    fn global(&mut self, global: &Global) {
        self.string(&global.name);
        put!(self, " size {} align {}", global.size, global.align);
        if global.constant {
            self.text(" constant");
        }
        if global.anonymous {
            self.text(" anonymous");
        }
        self.ctype_of(global.ctype);
        self.span(global.span);
        self.text(" = ");
        match &global.init {
            GlobalInit::External => self.text("external"),
            GlobalInit::Data { bytes, relocs } => {
                self.bytes(bytes);
                for reloc in relocs {
                    put!(self, " at {} = ", reloc.offset);
                    match reloc.target {
                        RelocTarget::Global(id) => put!(self, "{id}"),
                        RelocTarget::Func(id) => put!(self, "{id}"),
                    }
                    self.signed(reloc.addend);
                }
            }
        }
    }

    /// Text as text, anything else in hexadecimal.
    fn bytes(&mut self, bytes: &[u8]) {
        let readable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | 0);
        if bytes.is_empty() {
            self.text("zero");
        } else if bytes.iter().all(readable) && bytes.iter().any(|byte| *byte != 0) {
            self.out.push('"');
            for byte in bytes {
                match byte {
                    0 => self.text("\\0"),
                    b'\n' => self.text("\\n"),
                    b'\t' => self.text("\\t"),
                    b'"' => self.text("\\\""),
                    b'\\' => self.text("\\\\"),
                    byte => self.out.push(*byte as char),
                }
            }
            self.out.push('"');
        } else {
            self.text("bytes");
            for byte in bytes {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                self.out.push(' ');
                self.out.push(DIGITS[usize::from(byte >> 4)] as char);
                self.out.push(DIGITS[usize::from(byte & 15)] as char);
            }
        }
    }

    /// ` + n` or ` - n`, nothing for zero.
    fn signed(&mut self, value: i64) {
        match value {
            0 => {}
            value if value < 0 => put!(self, " - {}", value.unsigned_abs()),
            value => put!(self, " + {value}"),
        }
    }

    fn function(&mut self, id: FuncId, function: &Function) {
        put!(self, "\nfunc {id} ");
        self.text(if function.internal { "internal " } else { "" });
        self.string(&function.name);
        self.out.push('(');
        let names = function.body.as_ref().map_or(&[][..], |body| &body.params);
        for (index, ty) in function.params.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            if let Some(reg) = names.get(index) {
                self.id('r', *reg);
                self.text(": ");
            }
            self.ty(*ty);
        }
        self.ellipsis(function.variadic, function.params.is_empty());
        self.out.push(')');
        if !function.results.is_empty() {
            self.text(" -> (");
            for (index, ty) in function.results.iter().enumerate() {
                self.text(if index == 0 { "" } else { ", " });
                self.ty(*ty);
            }
            self.out.push(')');
        }
        self.ctype_of(function.ctype);
        self.span(function.span);
        if let Some(body) = &function.body {
            self.text(" {\n");
            self.body(function, body);
            self.text("}\n");
        } else {
            self.out.push('\n');
        }
    }

    fn body(&mut self, function: &Function, body: &Body) {
        let evident = evident_types(function, body);
        for (reg, info) in body.regs.iter() {
            if info.variable.is_some() || evident[reg.index()] != Some(info.ty) {
                put!(self, "  reg {reg}: {}", info.ty);
                self.variable(&info.variable);
                self.out.push('\n');
            }
        }
        for (id, local) in body.locals.iter() {
            put!(self, "  local {id} size {} align {}", local.size, local.align);
            if local.scoped {
                self.text(" scoped");
            }
            if local.unmarked {
                self.text(" unmarked");
            }
            self.variable(&local.variable);
            self.out.push('\n');
        }
        for (id, block) in body.blocks.iter() {
            self.id('b', id);
            self.text(":\n");
            for inst in &block.insts {
                self.text("  ");
                self.inst(body, &inst.kind);
                self.span(inst.span);
                self.out.push('\n');
            }
            self.text("  ");
            self.terminator(&function.results, &block.term);
            self.span(block.term_span);
            self.out.push('\n');
        }
    }

    fn terminator(&mut self, results: &[Ty], term: &Terminator) {
        match term {
            Terminator::Jump(to) => {
                self.text("jump ");
                self.id('b', *to);
            }
            Terminator::Branch { cond, then, otherwise } => {
                self.text("br ");
                self.operand(cond, Some(Ty::BOOL));
                self.text(" ? ");
                self.id('b', *then);
                self.text(" : ");
                self.id('b', *otherwise);
            }
            Terminator::Switch { value, width, cases, default } => {
                let ty = Ty::Int(*width);
                self.text("switch ");
                self.ty(ty);
                self.out.push(' ');
                self.operand(value, Some(ty));
                self.text(" { ");
                for (bits, to) in cases {
                    self.integer(*bits, *width);
                    self.arrow(*to);
                    self.text("; ");
                }
                self.text("else");
                self.arrow(*default);
                self.text(" }");
            }
            Terminator::Return(values) => {
                self.text("return");
                for (index, value) in values.iter().enumerate() {
                    self.text(if index == 0 { " " } else { ", " });
                    self.operand(value, results.get(index).copied());
                }
            }
            Terminator::Unreachable => self.text("unreachable"),
        }
    }

    fn arrow(&mut self, to: BlockId) {
        self.text(" -> ");
        self.id('b', to);
    }

    /// An integer constant, negative where the sign bit is set.
    fn integer(&mut self, bits: u128, width: u8) {
        match bits {
            0..10 => self.number(bits as usize),
            _ if width > 1 && width <= 128 && bits <= mask(width) && bits >> (width - 1) == 1 => {
                put!(self, "{}", sign_extend(bits, width))
            }
            _ => put!(self, "{bits}"),
        }
    }

    fn float(&mut self, bits: u128, kind: FloatKind) {
        match kind {
            FloatKind::F32 if bits >> 32 == 0 && f32::from_bits(bits as u32).is_finite() => {
                put!(self, "{:?}", f32::from_bits(bits as u32))
            }
            FloatKind::F64 if bits >> 64 == 0 && f64::from_bits(bits as u64).is_finite() => {
                put!(self, "{:?}", f64::from_bits(bits as u64))
            }
            _ => put!(self, "{bits:#x}"),
        }
    }

    /// An operand where the context has the type `expected`; constants of another type name it.
    fn operand(&mut self, operand: &Operand, expected: Option<Ty>) {
        let mut prefix = |ty: Ty| {
            if expected != Some(ty) {
                self.ty(ty);
                self.out.push(' ');
            }
        };
        match operand {
            Operand::Reg(reg) => self.id('r', *reg),
            Operand::Int { bits, width } => {
                prefix(Ty::Int(*width));
                self.integer(*bits, *width);
            }
            Operand::Float { bits, kind } => {
                prefix(Ty::Float(*kind));
                self.float(*bits, *kind);
            }
            Operand::Null => self.text("null"),
            Operand::Global(id) => self.id('g', *id),
            Operand::Local(id) => self.id('l', *id),
            Operand::Func(id) => self.id('f', *id),
            Operand::Undef(ty) => {
                prefix(*ty);
                self.text("undef");
            }
        }
    }

    fn operands(&mut self, operands: &[&Operand], expected: Ty) {
        for (index, operand) in operands.iter().enumerate() {
            self.text(if index == 0 { " " } else { ", " });
            self.operand(operand, Some(expected));
        }
    }

    /// `dst = word type a, b`
    fn op(&mut self, dst: Reg, word: &str, ty: Ty, operands: &[&Operand]) {
        self.id('r', dst);
        self.text(" = ");
        self.text(word);
        self.out.push(' ');
        self.ty(ty);
        self.operands(operands, ty);
    }

    fn results(&mut self, body: &Body, results: &[Reg]) {
        for (index, reg) in results.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.id('r', *reg);
            if let Some(info) = body.regs.get(*reg)
                && info.variable.is_none()
            {
                self.text(": ");
                self.ty(info.ty);
            }
        }
        if !results.is_empty() {
            self.text(" = ");
        }
    }

    fn inst(&mut self, body: &Body, inst: &InstKind) {
        use InstKind::*;
        match inst {
            Copy { dst, src } => {
                let ty = body.regs.get(*dst).map_or(Ty::Ptr, |info| info.ty);
                self.op(*dst, "copy", ty, &[src]);
            }
            Forget { dst } => {
                self.text("forget ");
                self.id('r', *dst);
            }
            Bin { dst, op, width, a, b } => self.op(*dst, op.word(), Ty::Int(*width), &[a, b]),
            IntUn { dst, op, width, a } => self.op(*dst, op.word(), Ty::Int(*width), &[a]),
            FloatBin { dst, op, kind, a, b } => self.op(*dst, op.word(), Ty::Float(*kind), &[a, b]),
            FloatUn { dst, op, kind, a } => self.op(*dst, op.word(), Ty::Float(*kind), &[a]),
            Cmp { dst, op, ty, a, b } => {
                self.id('r', *dst);
                self.text(" = cmp ");
                self.text(op.word());
                self.out.push(' ');
                self.ty(*ty);
                self.operands(&[a, b], *ty);
            }
            FloatCmp { dst, op, kind, a, b } => {
                self.id('r', *dst);
                self.text(" = fcmp ");
                self.text(op.word());
                self.out.push(' ');
                self.text(kind.word());
                self.operands(&[a, b], Ty::Float(*kind));
            }
            Cast { dst, op, from, to, a } => {
                self.op(*dst, op.word(), *from, &[a]);
                self.text(" to ");
                self.ty(*to);
            }
            Select { dst, ty, cond, a, b } => {
                self.id('r', *dst);
                self.text(" = select ");
                self.ty(*ty);
                self.out.push(' ');
                self.operand(cond, Some(Ty::BOOL));
                self.text(" ?");
                self.operands(&[a], *ty);
                self.text(" :");
                self.operands(&[b], *ty);
            }
            PtrAdd { dst, base, offset, index, within } => {
                self.id('r', *dst);
                self.text(" = ptradd ");
                self.operand(base, Some(Ty::Ptr));
                self.signed(*offset);
                if let Some((index, scale)) = index {
                    self.text(" + ");
                    self.operand(index, Some(self.pointer));
                    put!(self, " * {scale}");
                }
                if let Some(within) = within {
                    self.text(" in ");
                    self.id('t', *within);
                }
            }
            Load { dst, ty, ptr } => {
                self.id('r', *dst);
                self.text(" = load ");
                self.ty(*ty);
                self.operands(&[ptr], Ty::Ptr);
            }
            Store { ty, value, ptr } => {
                self.text("store ");
                self.ty(*ty);
                self.operands(&[value], *ty);
                self.text(" ->");
                self.operands(&[ptr], Ty::Ptr);
            }
            CopyBlock { kind, to, from, len } => {
                self.text("copyblock ");
                self.text(kind.word());
                self.operands(&[to], Ty::Ptr);
                self.text(" <-");
                self.operands(&[from], Ty::Ptr);
                self.text(",");
                self.operands(&[len], self.pointer);
            }
            FillBlock { to, byte, len } => {
                self.text("fillblock");
                self.operands(&[to], Ty::Ptr);
                self.text(" <-");
                self.operands(&[byte], Ty::Int(8));
                self.text(",");
                self.operands(&[len], self.pointer);
            }
            Alloca { dst, size, align, name } => {
                self.id('r', *dst);
                self.text(" = alloca");
                self.operands(&[size], self.pointer);
                put!(self, " align {align}");
                self.optional_name(name);
            }
            StackSave { dst } => {
                self.id('r', *dst);
                self.text(" = stacksave");
            }
            StackRestore { saved } => {
                self.text("stackrestore");
                self.operands(&[saved], Ty::Ptr);
            }
            ScopeStart { local } => {
                self.text("scope_start ");
                self.id('l', *local);
            }
            ScopeEnd { local } => {
                self.text("scope_end ");
                self.id('l', *local);
            }
            Seal { local } => {
                self.text("seal ");
                self.id('l', *local);
            }
            Call { results, callee, args } => {
                self.results(body, results);
                match callee {
                    Callee::Direct(id) => {
                        self.text("call ");
                        self.id('f', *id);
                    }
                    Callee::Indirect(operand) => {
                        self.text("call *");
                        self.operand(operand, Some(Ty::Ptr));
                    }
                }
                self.out.push('(');
                for (index, arg) in args.iter().enumerate() {
                    self.text(if index == 0 { "" } else { ", " });
                    self.operand(arg, None);
                }
                self.out.push(')');
            }
            VaStart { list } => {
                self.text("vastart");
                self.operands(&[list], Ty::Ptr);
            }
            VaCopy { to, from } => {
                self.text("vacopy");
                self.operands(&[to], Ty::Ptr);
                self.text(" <-");
                self.operands(&[from], Ty::Ptr);
            }
            VaEnd { list } => {
                self.text("vaend");
                self.operands(&[list], Ty::Ptr);
            }
            Unsupported { results, what } => {
                self.results(body, results);
                self.text("unsupported ");
                self.string(what);
            }
        }
    }
}

/// The types of registers that the parser finds without a `reg` line: from the parameters, else from
/// the first assignment in the text.
fn evident_types(function: &Function, body: &Body) -> Vec<Option<Ty>> {
    let mut types = vec![None; body.regs.len()];
    let mut set = |reg: Reg, ty: Ty| {
        if let Some(slot @ None) = types.get_mut(reg.index()) {
            *slot = Some(ty);
        }
    };
    for (reg, ty) in body.params.iter().zip(&function.params) {
        set(*reg, *ty);
    }
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        match &inst.kind {
            // These are printed with the type of the register.
            kind @ (InstKind::Copy { .. } | InstKind::Call { .. } | InstKind::Unsupported { .. }) => {
                for reg in kind.defs() {
                    if let Some(info) = body.regs.get(*reg) {
                        set(*reg, info.ty);
                    }
                }
            }
            kind => {
                if let Some(ty) = kind.result_ty() {
                    set(kind.defs()[0], ty);
                }
            }
        }
    }
    types
}
