//! The program: globals, functions, blocks and registers, each with its C name, C type and position.

use crate::ctype::{TypeId, Types};
use crate::inst::{Inst, Terminator};
use crate::scalar::{Target, Ty};
use cranelift_entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};

/// Names a global object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "g");

/// Names a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FuncId(u32);
entity_impl!(FuncId, "f");

/// Names a block of a function. The first block is the entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockId(u32);
entity_impl!(BlockId, "b");

/// Names a register of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reg(u32);
entity_impl!(Reg, "r");

/// Names a local object of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocalId(u32);
entity_impl!(LocalId, "l");

/// Names a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A source position. Line and column count from 1; 0 means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Span {
    /// No position.
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };

    /// True if this names a line.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The data model.
    pub target: Target,
    /// Paths of the source files as clang names them. There is at least one.
    pub files: PrimaryMap<FileId, String>,
    /// The C types.
    pub types: Types,
    /// The global objects.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The functions, defined or only declared.
    pub functions: PrimaryMap<FuncId, Function>,
}

/// A global object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    /// The symbol.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Writing to it is a violation.
    pub constant: bool,
    /// It is a string literal or another nameless constant.
    pub anonymous: bool,
    /// The content at the start.
    pub init: GlobalInit,
    /// The C type.
    pub ctype: Option<TypeId>,
    /// The declaration.
    pub span: Span,
}

/// The content of a global at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum GlobalInit {
    /// Defined elsewhere: unknown.
    External,
    /// These bytes, then zeros up to the size; addresses are put over them at the relocations.
    Data { bytes: Vec<u8>, relocs: Vec<Reloc> },
}

/// An address in the initial content of a global, of the pointer's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reloc {
    /// Where, in bytes from the start.
    pub offset: u64,
    /// The address of what.
    pub target: RelocTarget,
    /// Bytes added to the address.
    pub addend: i64,
}

/// What a relocation points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RelocTarget {
    /// An object.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
}

/// A function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The symbol.
    pub name: String,
    /// Types of the parameters (structures come as their parts or as a pointer).
    pub params: Vec<Ty>,
    /// Types of the results; several for a structure in registers.
    pub results: Vec<Ty>,
    /// More arguments than parameters are allowed.
    pub variadic: bool,
    /// Other files cannot call it by its name: `static`.
    pub internal: bool,
    /// The C type.
    pub ctype: Option<TypeId>,
    /// The declaration.
    pub span: Span,
    /// The code, if it is defined.
    pub body: Option<Body>,
}

/// The code of a function.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Body {
    /// The registers that hold the arguments at the entry.
    pub params: Vec<Reg>,
    /// The registers.
    pub regs: PrimaryMap<Reg, RegInfo>,
    /// The local objects.
    pub locals: PrimaryMap<LocalId, Local>,
    /// The blocks; the first is the entry.
    pub blocks: PrimaryMap<BlockId, Block>,
}

/// A C variable or parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ctype: Option<TypeId>,
    /// Its declaration.
    pub span: Span,
}

/// What a register is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegInfo {
    /// The type of its content.
    pub ty: Ty,
    /// The C variable that it holds. Such a register is a root for reachability from its assignment to the next
    /// assignment or `Forget`; any other register only while it is live.
    pub variable: Option<Variable>,
}

/// A local object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Its life is marked by `ScopeStart` and `ScopeEnd`; otherwise it lives as long as the frame.
    pub scoped: bool,
    /// In C its life is that of a block, but the compiler marked no scope; it lives as long as the frame here, which
    /// hides a use after the end of the block.
    pub unmarked: bool,
    /// The C variable that it holds; none for temporaries and compound literals.
    pub variable: Option<Variable>,
}

/// A sequence of instructions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// What comes next.
    pub term: Terminator,
    /// Position of the terminator.
    pub term_span: Span,
}

impl Program {
    /// The function with this symbol.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The function with this symbol, which is declared if there is none.
    pub fn declared(&mut self, name: &str, params: Vec<Ty>, results: Vec<Ty>) -> FuncId {
        let new = || Function {
            name: name.to_owned(),
            params,
            results,
            variadic: false,
            internal: false,
            ctype: None,
            span: Span::NONE,
            body: None,
        };
        let known = self.function(name);
        known.unwrap_or_else(|| self.functions.push(new()))
    }

    /// The global with this symbol.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }
}

impl Body {
    /// The block at which execution starts.
    pub const ENTRY: BlockId = BlockId(0);

    /// The type of an operand, where the operand alone tells.
    pub fn operand_ty(&self, operand: &crate::inst::Operand) -> Ty {
        use crate::inst::Operand::*;
        match operand {
            Reg(reg) => self.regs[*reg].ty,
            Int { width, .. } => Ty::Int(*width),
            Float { kind, .. } => Ty::Float(*kind),
            Null | Global(_) | Local(_) | Func(_) => Ty::Ptr,
            Undef(ty) => *ty,
        }
    }
}
