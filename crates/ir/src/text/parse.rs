//! The parser of the text form: programs, types, globals and function headers. See [`crate::text`].

use super::lex::{Lexer, Token, error_at, unescape};
use super::names::Words;
use crate::ctype::{CType, Member, Qualifier, TypeId};
use crate::program::{
    Body, FuncId, Function, Global, GlobalId, GlobalInit, Local, Program, Reg, RegInfo, Reloc, RelocTarget,
    Span, Variable,
};
use crate::scalar::{FloatKind, Target, Ty};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::str::FromStr;

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What would have been right.
    pub expected: String,
    /// What is there.
    pub found: String,
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a program from its text form. What it refers to is not checked here: see [`crate::check`].
pub fn parse(source: &str) -> Result<Program> {
    let mut lexer = Lexer::new(source);
    let (token, at) = lexer.next();
    let mut parser = Parser { source, lexer, token, at, pointer: Ty::Int(64) };
    parser.program()
}

impl FromStr for Program {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Program> {
        parse(source)
    }
}

/// The parser: the next token decides everywhere.
pub(super) struct Parser<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    pub(super) token: Token<'a>,
    /// Where the token starts.
    pub(super) at: usize,
    /// The integer type of the pointer's width.
    pub(super) pointer: Ty,
}

impl<'a> Parser<'a> {
    pub(super) fn advance(&mut self) {
        (self.token, self.at) = self.lexer.next();
    }

    pub(super) fn error<T>(&self, expected: impl Into<String>) -> Result<T> {
        Err(error_at(self.source, self.at, expected.into(), self.token))
    }

    pub(super) fn error_at<T>(&self, at: usize, expected: impl Into<String>, found: &str) -> Result<T> {
        let mut error = error_at(self.source, at, expected.into(), Token::End);
        found.clone_into(&mut error.found);
        Err(error)
    }

    /// Takes the sign if it is next.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.token, Token::Sign(next) if next == sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Takes the word if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.token, Token::Word(next) if next == word);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn sign(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { self.error(format!("`{sign}`")) }
    }

    pub(super) fn word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("`{word}`")) }
    }

    /// A word of an enumeration.
    pub(super) fn one_of<T: Words>(&mut self, what: &str) -> Result<T> {
        if let Token::Word(word) = self.token
            && let Some(value) = T::from_word(word)
        {
            self.advance();
            return Ok(value);
        }
        self.error(what)
    }

    /// The index of an id such as `r12` if it is next.
    pub(super) fn peek_id(&self, prefix: &str) -> Option<u32> {
        let Token::Word(word) = self.token else { return None };
        let digits = word.strip_prefix(prefix)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // The largest index is reserved by the maps.
        digits.parse().ok().filter(|index| *index < u32::MAX)
    }

    pub(super) fn eat_id<T: EntityRef>(&mut self, prefix: &str) -> Option<T> {
        let index = self.peek_id(prefix)?;
        self.advance();
        Some(T::new(index as usize))
    }

    pub(super) fn id<T: EntityRef>(&mut self, prefix: &str) -> Result<T> {
        match self.eat_id(prefix) {
            Some(id) => Ok(id),
            None => self.error(format!("`{prefix}` and a number")),
        }
    }

    /// The id of the next item of a map: numbers follow the order of the text.
    pub(super) fn next_id<T: EntityRef, V>(&mut self, prefix: &str, map: &PrimaryMap<T, V>) -> Result<()> {
        if self.peek_id(prefix).is_some_and(|index| index as usize == map.len()) {
            self.advance();
            return Ok(());
        }
        self.error(format!("`{prefix}{}`, the next number", map.len()))
    }

    /// A magnitude, decimal or hexadecimal.
    pub(super) fn magnitude(&mut self) -> Result<u128> {
        if let Token::Number(text) = self.token {
            let value = match text.strip_prefix("0x") {
                Some(digits) => u128::from_str_radix(digits, 16),
                None => text.parse(),
            };
            if let Ok(value) = value {
                self.advance();
                return Ok(value);
            }
        }
        self.error("a number")
    }

    pub(super) fn number<T: TryFrom<u128>>(&mut self) -> Result<T> {
        let (token, at) = (self.token, self.at);
        let value = self.magnitude()?;
        T::try_from(value).map_err(|_| error_at(self.source, at, "a smaller number".into(), token))
    }

    pub(super) fn signed<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let negative = self.eat("-");
        self.signed_after(negative)
    }

    /// The magnitude of a number whose sign was read.
    pub(super) fn signed_after<T: TryFrom<i128>>(&mut self, negative: bool) -> Result<T> {
        let (token, at) = (self.token, self.at);
        let magnitude = self.magnitude()?;
        let value =
            if negative { 0i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() };
        match value.and_then(|value| T::try_from(value).ok()) {
            Some(value) => Ok(value),
            None => Err(error_at(self.source, at, "a smaller number".into(), token)),
        }
    }

    pub(super) fn string_bytes(&mut self) -> Result<Vec<u8>> {
        let Token::String(content) = self.token else { return self.error("a string") };
        match unescape(content) {
            Ok(bytes) => {
                let bytes = bytes.into_owned();
                self.advance();
                Ok(bytes)
            }
            Err(expected) => self.error(expected),
        }
    }

    pub(super) fn string(&mut self) -> Result<String> {
        let at = self.at;
        match String::from_utf8(self.string_bytes()?) {
            Ok(text) => Ok(text),
            Err(_) => self.error_at(at, "a string of UTF-8", "other bytes"),
        }
    }

    pub(super) fn optional_string(&mut self) -> Result<Option<String>> {
        if matches!(self.token, Token::String(_)) { self.string().map(Some) } else { Ok(None) }
    }

    /// A scalar type if one is next.
    pub(super) fn eat_ty(&mut self) -> Option<Ty> {
        let Token::Word(word) = self.token else { return None };
        let ty = match word {
            "ptr" => Ty::Ptr,
            _ => match self.peek_id("i") {
                Some(width @ 1..=128) => Ty::Int(width as u8),
                Some(_) => return None,
                None => Ty::Float(FloatKind::from_word(word)?),
            },
        };
        self.advance();
        Some(ty)
    }

    pub(super) fn ty(&mut self) -> Result<Ty> {
        match self.eat_ty() {
            Some(ty) => Ok(ty),
            None => self.error("a type (i1 … i128, ptr, float32, float64, x87, float128)"),
        }
    }

    pub(super) fn span(&mut self) -> Result<Span> {
        if !self.eat("@") {
            return Ok(Span::NONE);
        }
        let at = self.at;
        let file: u32 = self.number()?;
        if file == u32::MAX {
            return self.error_at(at, "a smaller number", "the largest");
        }
        self.sign(":")?;
        let line = self.number()?;
        self.sign(":")?;
        let column = self.number()?;
        Ok(Span { file: EntityRef::new(file as usize), line, column })
    }

    fn ctype_of(&mut self) -> Result<Option<TypeId>> {
        if self.eat_word("type") { self.id("t").map(Some) } else { Ok(None) }
    }

    fn variable(&mut self) -> Result<Option<Variable>> {
        if !self.eat_word("var") {
            return Ok(None);
        }
        Ok(Some(Variable { name: self.string()?, ctype: self.ctype_of()?, span: self.span()? }))
    }

    fn size(&mut self) -> Result<u64> {
        self.word("size")?;
        self.number()
    }

    fn align(&mut self) -> Result<u64> {
        if self.eat_word("align") { self.number() } else { Ok(1) }
    }

    fn program(&mut self) -> Result<Program> {
        let target = if self.eat_word("target") { self.one_of("`lp64` or `ilp32`")? } else { Target::Lp64 };
        self.pointer = Ty::Int(target.pointer_bits());
        let mut program = Program {
            target,
            files: PrimaryMap::new(),
            types: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
        };
        loop {
            if self.eat_word("file") {
                self.next_id("file", &program.files)?;
                program.files.push(self.string()?);
            } else if self.eat_word("type") {
                self.next_id("t", &program.types)?;
                self.sign("=")?;
                program.types.push(self.ctype()?);
            } else if self.eat_word("global") {
                self.next_id("g", &program.globals)?;
                program.globals.push(self.global()?);
            } else if self.eat_word("func") {
                self.next_id("f", &program.functions)?;
                program.functions.push(self.function()?);
            } else if self.token == Token::End {
                break;
            } else {
                return self.error("`file`, `type`, `global` or `func`");
            }
        }
        if program.files.is_empty() {
            program.files.push(String::new());
        }
        Ok(program)
    }

    fn ctype(&mut self) -> Result<CType> {
        let Token::Word(word) = self.token else { return self.error("a kind of C type") };
        if let Some(qualifier) = Qualifier::from_word(word) {
            self.advance();
            return Ok(CType::Qualified { qualifier, of: self.id("t")? });
        }
        match word {
            "void" | "int" | "float" | "enum" | "pointer" | "array" | "struct" | "union" | "typedef"
            | "function" | "opaque" => self.advance(),
            _ => return self.error("a kind of C type"),
        }
        Ok(match word {
            "int" => {
                let (name, size) = (self.string()?, self.size()?);
                let signed = self.eat_word("signed");
                if !signed {
                    self.word("unsigned")?;
                }
                CType::Int { name, size, signed }
            }
            "float" => CType::Float { name: self.string()?, size: self.size()? },
            "enum" => {
                let (name, size) = (self.optional_string()?, self.size()?);
                let enumerators = self.list(|this| {
                    let name = this.string()?;
                    this.sign("=")?;
                    Ok((name, this.signed()?))
                })?;
                CType::Enum { name, size, enumerators }
            }
            "pointer" => CType::Pointer { to: self.id("t")? },
            "array" => {
                let element = self.id("t")?;
                let count = if self.eat_word("count") { Some(self.number()?) } else { None };
                CType::Array { element, count }
            }
            "struct" => {
                let (name, size, span, members) = self.aggregate()?;
                CType::Struct { name, size, members, span }
            }
            "union" => {
                let (name, size, span, members) = self.aggregate()?;
                CType::Union { name, size, members, span }
            }
            "typedef" => CType::Typedef { name: self.string()?, of: self.id("t")? },
            "function" => {
                let result = self.id("t")?;
                let (params, variadic) = self.params(|this| this.id("t"))?;
                CType::Function { result, params, variadic }
            }
            "opaque" => CType::Opaque { name: self.string()?, size: self.size()? },
            _ => CType::Void,
        })
    }

    /// `{ item; item }`
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.sign("{")?;
        while !self.eat("}") {
            items.push(item(self)?);
            if !self.eat(";") {
                self.sign("}")?;
                break;
            }
        }
        Ok(items)
    }

    /// `(item, item, ...)`
    fn params<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<(Vec<T>, bool)> {
        let mut items = Vec::new();
        let mut variadic = false;
        self.sign("(")?;
        while !self.eat(")") {
            variadic = self.eat("...");
            if variadic {
                self.sign(")")?;
                break;
            }
            items.push(item(self)?);
            if !self.eat(",") {
                self.sign(")")?;
                break;
            }
        }
        Ok((items, variadic))
    }

    #[allow(clippy::type_complexity)]
    fn aggregate(&mut self) -> Result<(Option<String>, Option<u64>, Span, Vec<Member>)> {
        let name = self.optional_string()?;
        let size = if self.eat_word("size") { Some(self.number()?) } else { None };
        let span = self.span()?;
        let members = self.list(|this| {
            let bit_offset = this.number()?;
            let bit_width = if this.eat_word("bits") { Some(this.number()?) } else { None };
            Ok(Member { name: this.optional_string()?, ty: this.id("t")?, bit_offset, bit_width })
        })?;
        Ok((name, size, span, members))
    }

    fn global(&mut self) -> Result<Global> {
        let name = self.string()?;
        let (size, align) = (self.size()?, self.align()?);
        let constant = self.eat_word("constant");
        let anonymous = self.eat_word("anonymous");
        let (ctype, span) = (self.ctype_of()?, self.span()?);
        let init =
            if self.eat("=") { self.init()? } else { GlobalInit::Data { bytes: vec![], relocs: vec![] } };
        Ok(Global { name, size, align, constant, anonymous, init, ctype, span })
    }

    fn init(&mut self) -> Result<GlobalInit> {
        let mut bytes = Vec::new();
        if self.eat_word("external") {
            return Ok(GlobalInit::External);
        } else if matches!(self.token, Token::String(_)) {
            bytes = self.string_bytes()?;
        } else if self.eat_word("bytes") {
            while let Token::Word(digits) | Token::Number(digits) = self.token
                && digits.len() == 2
                && let Ok(byte) = u8::from_str_radix(digits, 16)
            {
                bytes.push(byte);
                self.advance();
            }
        } else if !self.eat_word("zero") {
            return self.error("`external`, `zero`, a string or `bytes`");
        }
        let mut relocs = Vec::new();
        while self.eat_word("at") {
            let offset = self.number()?;
            self.sign("=")?;
            let target = if let Some(id) = self.eat_id::<GlobalId>("g") {
                RelocTarget::Global(id)
            } else if let Some(id) = self.eat_id::<FuncId>("f") {
                RelocTarget::Func(id)
            } else {
                return self.error("a global or a function");
            };
            let negative = matches!(self.token, Token::Sign("-"));
            let addend = if negative || matches!(self.token, Token::Sign("+")) {
                self.advance();
                self.signed_after(negative)?
            } else {
                0
            };
            relocs.push(Reloc { offset, target, addend });
        }
        Ok(GlobalInit::Data { bytes, relocs })
    }

    fn function(&mut self) -> Result<Function> {
        let internal = self.eat_word("internal");
        let name = self.string()?;
        let (params, variadic) = self.params(|this| {
            let at = this.at;
            let reg: Option<Reg> = this.eat_id("r");
            if reg.is_some() {
                this.sign(":")?;
            }
            Ok((at, reg, this.ty()?))
        })?;
        let results = if self.eat("->") { self.params(Self::ty)?.0 } else { Vec::new() };
        let (ctype, span) = (self.ctype_of()?, self.span()?);
        let body = if matches!(self.token, Token::Sign("{")) {
            let mut names = Vec::with_capacity(params.len());
            for (at, reg, ty) in &params {
                match reg {
                    Some(reg) => names.push((*at, *reg, *ty)),
                    None => return self.error_at(*at, "a register for the parameter", "its type only"),
                }
            }
            Some(self.body(&names, &results)?)
        } else {
            None
        };
        let params = params.into_iter().map(|(_, _, ty)| ty).collect();
        Ok(Function { name, params, results, variadic, internal, ctype, span, body })
    }

    fn body(&mut self, params: &[(usize, Reg, Ty)], results: &[Ty]) -> Result<Body> {
        self.sign("{")?;
        let mut regs = Registers { limit: self.source.len(), known: Vec::new(), last: None };
        let mut body = Body { params: params.iter().map(|(_, reg, _)| *reg).collect(), ..Body::default() };
        loop {
            let at = self.at;
            if self.eat_word("reg") {
                let reg: Reg = self.id("r")?;
                self.sign(":")?;
                let info = RegInfo { ty: self.ty()?, variable: self.variable()? };
                if !regs.declare(at, reg, info) {
                    return self.error_at(at, "one line for a register", "another");
                }
            } else if self.eat_word("local") {
                self.next_id("l", &body.locals)?;
                let (size, align) = (self.size()?, self.align()?);
                let scoped = self.eat_word("scoped");
                let unmarked = self.eat_word("unmarked");
                let variable = self.variable()?;
                body.locals.push(Local { size, align, scoped, unmarked, variable });
            } else {
                break;
            }
        }
        for (at, reg, ty) in params {
            regs.assign(*at, *reg, *ty);
        }
        while !self.eat("}") {
            self.next_id("b", &body.blocks)?;
            self.sign(":")?;
            body.blocks.push(self.block(&mut regs, results)?);
        }
        for info in regs.known {
            match info {
                Some(info) => {
                    body.regs.push(info);
                }
                None => break,
            }
        }
        if let Some((at, reg)) = regs.last
            && reg.index() >= body.regs.len()
        {
            let missing = Reg::new(body.regs.len());
            let expected = format!("registers without gaps and with types ({missing} has none)");
            return self.error_at(at, expected, &reg.to_string());
        }
        Ok(body)
    }
}

/// The registers of a body as far as they were met.
pub(super) struct Registers {
    /// No register may have a greater index: each needs some text.
    limit: usize,
    known: Vec<Option<RegInfo>>,
    /// The register with the greatest index and where it was met.
    last: Option<(usize, Reg)>,
}

impl Registers {
    /// Notes that a register is used.
    pub(super) fn mention(&mut self, at: usize, reg: Reg) {
        if self.last.is_none_or(|(_, last)| last < reg) {
            self.last = Some((at, reg));
        }
    }

    /// Gives a register its type, unless it has one.
    pub(super) fn assign(&mut self, at: usize, reg: Reg, ty: Ty) {
        self.declare(at, reg, RegInfo { ty, variable: None });
    }

    /// False if the register is known already.
    fn declare(&mut self, at: usize, reg: Reg, info: RegInfo) -> bool {
        self.mention(at, reg);
        // Greater ones are found missing at the end.
        if reg.index() < self.limit {
            if self.known.len() <= reg.index() {
                self.known.resize(reg.index() + 1, None);
            }
            if self.known[reg.index()].is_some() {
                return false;
            }
            self.known[reg.index()] = Some(info);
        }
        true
    }
}
