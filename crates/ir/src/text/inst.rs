//! The parser of the text form: blocks, instructions and operands. See [`crate::text`].

use super::lex::Token;
use super::names::Words;
use super::parse::{Parser, Registers, Result};
use crate::inst::{
    BinOp, Callee, CastOp, CmpOp, FloatBinOp, FloatCmpOp, FloatUnOp, Inst, InstKind, IntUnOp, Operand,
    Terminator,
};
use crate::program::{Block, Reg};
use crate::scalar::{FloatKind, Ty, mask};

impl Parser<'_> {
    pub(super) fn block(&mut self, regs: &mut Registers, results: &[Ty]) -> Result<Block> {
        let mut insts = Vec::new();
        loop {
            if let Some(term) = self.terminator(regs, results)? {
                return Ok(Block { insts, term, term_span: self.span()? });
            }
            let kind = self.inst(regs)?;
            insts.push(Inst { kind, span: self.span()? });
        }
    }

    fn terminator(&mut self, regs: &mut Registers, results: &[Ty]) -> Result<Option<Terminator>> {
        let Token::Word(word) = self.token else { return Ok(None) };
        Ok(Some(match word {
            "jump" => {
                self.advance();
                Terminator::Jump(self.id("b")?)
            }
            "br" => {
                self.advance();
                let cond = self.operand(regs, Some(Ty::BOOL))?;
                self.sign("?")?;
                let then = self.id("b")?;
                self.sign(":")?;
                Terminator::Branch { cond, then, otherwise: self.id("b")? }
            }
            "switch" => {
                self.advance();
                self.switch(regs)?
            }
            "return" => {
                self.advance();
                let mut values = Vec::new();
                while self.operand_is_next() {
                    values.push(self.operand(regs, results.get(values.len()).copied())?);
                    if !self.eat(",") {
                        break;
                    }
                }
                Terminator::Return(values)
            }
            "unreachable" => {
                self.advance();
                Terminator::Unreachable
            }
            _ => return Ok(None),
        }))
    }

    fn switch(&mut self, regs: &mut Registers) -> Result<Terminator> {
        let width = self.int_ty()?;
        let value = self.operand(regs, Some(Ty::Int(width)))?;
        let mut cases = Vec::new();
        self.sign("{")?;
        loop {
            let default = self.eat_word("else");
            let bits = if default { 0 } else { self.integer(width)? };
            self.sign("->")?;
            let to = self.id("b")?;
            if default {
                self.eat(";");
                self.sign("}")?;
                return Ok(Terminator::Switch { value, width, cases, default: to });
            }
            cases.push((bits, to));
            self.sign(";")?;
        }
    }

    fn inst(&mut self, regs: &mut Registers) -> Result<InstKind> {
        let at = self.at;
        let mut results = Vec::new();
        while let Some(reg) = self.eat_id::<Reg>("r") {
            regs.mention(at, reg);
            if self.eat(":") {
                let ty = self.ty()?;
                regs.assign(at, reg, ty);
            }
            results.push(reg);
            if !self.eat(",") {
                break;
            }
        }
        if !results.is_empty() {
            self.sign("=")?;
        }
        let Token::Word(word) = self.token else { return self.error("an instruction") };
        let kind = match (word, &results[..]) {
            ("call", _) => {
                self.advance();
                self.call(regs, results)?
            }
            ("unsupported", _) => {
                self.advance();
                InstKind::Unsupported { results, what: self.string()? }
            }
            (_, []) => self.effect(regs, word)?,
            (_, &[dst]) => {
                let kind = self.assignment(regs, dst, word, at)?;
                if let Some(ty) = kind.result_ty() {
                    regs.assign(at, dst, ty);
                }
                kind
            }
            _ => return self.error("`call` or `unsupported`, which may have several results"),
        };
        Ok(kind)
    }

    /// An instruction without result.
    fn effect(&mut self, regs: &mut Registers, word: &str) -> Result<InstKind> {
        match word {
            "forget" | "store" | "copyblock" | "fillblock" | "stackrestore" | "scope_start" | "scope_end"
            | "seal" | "vastart" | "vacopy" | "vaend" => self.advance(),
            _ => return self.error("an instruction or the end of the block"),
        }
        Ok(match word {
            "forget" => {
                let at = self.at;
                let dst = self.id("r")?;
                regs.mention(at, dst);
                InstKind::Forget { dst }
            }
            "store" => {
                let ty = self.ty()?;
                let value = self.operand(regs, Some(ty))?;
                self.sign("->")?;
                InstKind::Store { ty, value, ptr: self.pointer(regs)? }
            }
            "copyblock" => {
                let kind = self.one_of("`move`, `struct` or `disjoint`")?;
                let to = self.pointer(regs)?;
                self.sign("<-")?;
                let from = self.pointer(regs)?;
                self.sign(",")?;
                InstKind::CopyBlock { kind, to, from, len: self.operand(regs, Some(self.pointer))? }
            }
            "fillblock" => {
                let to = self.pointer(regs)?;
                self.sign("<-")?;
                let byte = self.operand(regs, Some(Ty::Int(8)))?;
                self.sign(",")?;
                InstKind::FillBlock { to, byte, len: self.operand(regs, Some(self.pointer))? }
            }
            "stackrestore" => InstKind::StackRestore { saved: self.pointer(regs)? },
            "scope_start" => InstKind::ScopeStart { local: self.id("l")? },
            "scope_end" => InstKind::ScopeEnd { local: self.id("l")? },
            "seal" => InstKind::Seal { local: self.id("l")? },
            "vastart" => InstKind::VaStart { list: self.pointer(regs)? },
            "vacopy" => {
                let to = self.pointer(regs)?;
                self.sign("<-")?;
                InstKind::VaCopy { to, from: self.pointer(regs)? }
            }
            _ => InstKind::VaEnd { list: self.pointer(regs)? },
        })
    }

    /// An instruction with one result, from its first word on.
    fn assignment(&mut self, regs: &mut Registers, dst: Reg, word: &str, at: usize) -> Result<InstKind> {
        if let Some(op) = BinOp::from_word(word) {
            self.advance();
            let width = self.int_ty()?;
            let (a, b) = self.pair(regs, Ty::Int(width))?;
            return Ok(InstKind::Bin { dst, op, width, a, b });
        }
        if let Some(op) = CastOp::from_word(word) {
            self.advance();
            let from = self.ty()?;
            let a = self.operand(regs, Some(from))?;
            self.word("to")?;
            return Ok(InstKind::Cast { dst, op, from, to: self.ty()?, a });
        }
        if let Some(op) = IntUnOp::from_word(word) {
            self.advance();
            let width = self.int_ty()?;
            return Ok(InstKind::IntUn { dst, op, width, a: self.operand(regs, Some(Ty::Int(width)))? });
        }
        if let Some(op) = FloatBinOp::from_word(word) {
            self.advance();
            let kind = self.float_kind()?;
            let (a, b) = self.pair(regs, Ty::Float(kind))?;
            return Ok(InstKind::FloatBin { dst, op, kind, a, b });
        }
        if let Some(op) = FloatUnOp::from_word(word) {
            self.advance();
            let kind = self.float_kind()?;
            return Ok(InstKind::FloatUn { dst, op, kind, a: self.operand(regs, Some(Ty::Float(kind)))? });
        }
        match word {
            "copy" | "cmp" | "fcmp" | "select" | "ptradd" | "load" | "alloca" | "stacksave" => self.advance(),
            _ => return self.error("an instruction with a result"),
        }
        Ok(match word {
            "copy" => {
                let ty = self.ty()?;
                regs.assign(at, dst, ty);
                InstKind::Copy { dst, src: self.operand(regs, Some(ty))? }
            }
            "cmp" => {
                let op: CmpOp = self.one_of("a comparison")?;
                let ty = self.ty()?;
                let (a, b) = self.pair(regs, ty)?;
                InstKind::Cmp { dst, op, ty, a, b }
            }
            "fcmp" => {
                let op: FloatCmpOp = self.one_of("a comparison")?;
                let kind = self.float_kind()?;
                let (a, b) = self.pair(regs, Ty::Float(kind))?;
                InstKind::FloatCmp { dst, op, kind, a, b }
            }
            "select" => {
                let ty = self.ty()?;
                let cond = self.operand(regs, Some(Ty::BOOL))?;
                self.sign("?")?;
                let a = self.operand(regs, Some(ty))?;
                self.sign(":")?;
                InstKind::Select { dst, ty, cond, a, b: self.operand(regs, Some(ty))? }
            }
            "ptradd" => self.ptr_add(regs, dst)?,
            "load" => InstKind::Load { dst, ty: self.ty()?, ptr: self.pointer(regs)? },
            "alloca" => {
                let size = self.operand(regs, Some(self.pointer))?;
                self.word("align")?;
                InstKind::Alloca { dst, size, align: self.number()?, name: self.optional_string()? }
            }
            _ => InstKind::StackSave { dst },
        })
    }

    /// `base [± offset] [+ index * scale] [in type]`
    fn ptr_add(&mut self, regs: &mut Registers, dst: Reg) -> Result<InstKind> {
        let base = self.pointer(regs)?;
        let mut offset = None;
        let mut index = None;
        while index.is_none() {
            let negative = self.eat("-");
            if !negative && !self.eat("+") {
                break;
            }
            // A number may turn out to be a constant index.
            let number = !negative && matches!(self.token, Token::Number(_) | Token::Sign("-"));
            if negative || number {
                let at = self.at;
                let negative = negative || self.eat("-");
                let value: i128 = self.signed_after(negative)?;
                if !matches!(self.token, Token::Sign("*")) {
                    match i64::try_from(value) {
                        Ok(value) if offset.is_none() => offset = Some(value),
                        _ => return self.error_at(at, "one offset of 64 bits", "another"),
                    }
                    continue;
                }
                let Some(operand) = int_operand(value, self.pointer) else {
                    return self.error_at(at, "an index of the pointer's width", "a larger number");
                };
                self.sign("*")?;
                index = Some((operand, self.signed()?));
            } else {
                let operand = self.operand(regs, Some(self.pointer))?;
                self.sign("*")?;
                index = Some((operand, self.signed()?));
            }
        }
        let within = if self.eat_word("in") { Some(self.id("t")?) } else { None };
        Ok(InstKind::PtrAdd { dst, base, offset: offset.unwrap_or(0), index, within })
    }

    fn call(&mut self, regs: &mut Registers, results: Vec<Reg>) -> Result<InstKind> {
        let callee =
            if self.eat("*") { Callee::Indirect(self.pointer(regs)?) } else { Callee::Direct(self.id("f")?) };
        let mut args = Vec::new();
        self.sign("(")?;
        while !self.eat(")") {
            args.push(self.operand(regs, None)?);
            if !self.eat(",") {
                self.sign(")")?;
                break;
            }
        }
        Ok(InstKind::Call { results, callee, args })
    }

    fn int_ty(&mut self) -> Result<u8> {
        match self.peek_id("i") {
            Some(width @ 1..=128) => {
                self.advance();
                Ok(width as u8)
            }
            _ => self.error("an integer type (i1 … i128)"),
        }
    }

    fn float_kind(&mut self) -> Result<FloatKind> {
        self.one_of("a floating point type")
    }

    fn pair(&mut self, regs: &mut Registers, ty: Ty) -> Result<(Operand, Operand)> {
        let a = self.operand(regs, Some(ty))?;
        self.sign(",")?;
        Ok((a, self.operand(regs, Some(ty))?))
    }

    fn pointer(&mut self, regs: &mut Registers) -> Result<Operand> {
        self.operand(regs, Some(Ty::Ptr))
    }

    fn operand_is_next(&self) -> bool {
        match self.token {
            Token::Number(_) | Token::Sign("-") => true,
            // A block may follow, and the end of the function, but no other word.
            Token::Word(_) => self.peek_id("b").is_none(),
            _ => false,
        }
    }

    fn operand(&mut self, regs: &mut Registers, expected: Option<Ty>) -> Result<Operand> {
        let at = self.at;
        if let Some(reg) = self.eat_id("r") {
            regs.mention(at, reg);
            return Ok(Operand::Reg(reg));
        }
        if let Some(id) = self.eat_id("l") {
            return Ok(Operand::Local(id));
        }
        if let Some(id) = self.eat_id("g") {
            return Ok(Operand::Global(id));
        }
        if let Some(id) = self.eat_id("f") {
            return Ok(Operand::Func(id));
        }
        if self.eat_word("null") {
            return Ok(Operand::Null);
        }
        let expected = self.eat_ty().or(expected);
        match (expected, self.token) {
            (Some(ty), Token::Word("undef")) => {
                self.advance();
                Ok(Operand::Undef(ty))
            }
            (Some(Ty::Int(width)), Token::Number(_) | Token::Sign("-")) => {
                Ok(Operand::Int { bits: self.integer(width)?, width })
            }
            (Some(Ty::Float(kind)), Token::Number(_) | Token::Sign("-")) => self.float(kind),
            (None, Token::Word("undef") | Token::Number(_) | Token::Sign("-")) => {
                self.error("the type of the constant first")
            }
            _ => self.error("an operand"),
        }
    }

    /// The bits of an integer constant.
    fn integer(&mut self, width: u8) -> Result<u128> {
        let at = self.at;
        let negative = self.eat("-");
        let magnitude = self.magnitude()?;
        let (limit, bits) = if negative {
            (1u128 << (width - 1), magnitude.wrapping_neg() & mask(width))
        } else {
            (mask(width), magnitude)
        };
        if magnitude > limit {
            return self.error_at(at, format!("a number of {width} bits"), "a larger one");
        }
        Ok(bits)
    }

    fn float(&mut self, kind: FloatKind) -> Result<Operand> {
        let negative = self.eat("-");
        let Token::Number(text) = self.token else { return self.error("a number") };
        if text.starts_with("0x") && !negative {
            let at = self.at;
            let bits = self.magnitude()?;
            if bits > mask(kind.bits()) {
                return self.error_at(at, format!("an encoding of {} bits", kind.bits()), "a larger one");
            }
            return Ok(Operand::Float { bits, kind });
        }
        let bits = match kind {
            FloatKind::F32 => text
                .parse::<f32>()
                .ok()
                .map(|value| u128::from((if negative { -value } else { value }).to_bits())),
            FloatKind::F64 => text
                .parse::<f64>()
                .ok()
                .map(|value| u128::from((if negative { -value } else { value }).to_bits())),
            FloatKind::X87 | FloatKind::F128 => None,
        };
        match bits {
            Some(bits) => {
                self.advance();
                Ok(Operand::Float { bits, kind })
            }
            None => self.error("a floating point number or its encoding in hexadecimal"),
        }
    }
}

/// A signed number as a constant of an integer type, if it fits.
fn int_operand(value: i128, ty: Ty) -> Option<Operand> {
    let Ty::Int(width) = ty else { return None };
    let limit = 1i128 << (width - 1);
    (-limit..=(mask(width) as i128))
        .contains(&value)
        .then_some(Operand::Int { bits: value as u128 & mask(width), width })
}
