//! Debug information: positions, variables and types, read by kind, tag and operand index.

use super::{Module, Value, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::marker::PhantomData;

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meta<'m>(LLVMMetadataRef, PhantomData<&'m Module>);

/// The kinds of nodes that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaKind {
    BasicType,
    DerivedType,
    CompositeType,
    SubroutineType,
    Subrange,
    LocalVariable,
    GlobalVariableExpression,
    Other,
}

unsafe extern "C" {
    /// `debug.cpp`; any node may be asked.
    fn heapproof_is_parameter(node: LLVMMetadataRef) -> bool;
}

// SAFETY of this file: accessors of the C API are called on nodes of the kind they are made for; lowering looks at
// `kind` first.
impl<'m> Meta<'m> {
    pub(super) fn maybe(raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Meta(raw, PhantomData))
    }

    pub fn kind(self) -> MetaKind {
        use LLVMMetadataKind::*;
        match unsafe { LLVMGetMetadataKind(self.0) } {
            LLVMDIBasicTypeMetadataKind => MetaKind::BasicType,
            LLVMDIDerivedTypeMetadataKind => MetaKind::DerivedType,
            LLVMDICompositeTypeMetadataKind => MetaKind::CompositeType,
            LLVMDISubroutineTypeMetadataKind => MetaKind::SubroutineType,
            LLVMDISubrangeMetadataKind => MetaKind::Subrange,
            LLVMDILocalVariableMetadataKind => MetaKind::LocalVariable,
            LLVMDIGlobalVariableExpressionMetadataKind => MetaKind::GlobalVariableExpression,
            _ => MetaKind::Other,
        }
    }

    /// True for the variable of a parameter.
    pub fn is_parameter(self) -> bool {
        unsafe { heapproof_is_parameter(self.0) }
    }

    /// The DWARF tag.
    pub fn tag(self) -> u16 {
        unsafe { LLVMGetDINodeTag(self.0) }
    }

    /// The operands of a node as values of module `of`; holes are `None`.
    fn operand_values(self, of: Value<'m>) -> Vec<LLVMValueRef> {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(of.raw()));
            let node = LLVMMetadataAsValue(context, self.0);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            operands
        }
    }

    /// The nodes among the operands; `of` is any value of the module.
    pub fn operands(self, of: Value<'m>) -> Vec<Option<Meta<'m>>> {
        let values = self.operand_values(of);
        values
            .into_iter()
            .map(|v| if v.is_null() { None } else { Meta::maybe(unsafe { LLVMValueAsMetadata(v) }) })
            .collect()
    }

    /// An operand that is a string.
    pub fn string_operand(self, of: Value<'m>, index: usize) -> Option<String> {
        let value = *self.operand_values(of).get(index)?;
        if value.is_null() {
            return None;
        }
        let mut length = 0;
        unsafe {
            let start = LLVMGetMDString(value, &mut length);
            (!start.is_null()).then(|| text(start, length as usize))
        }
    }

    /// An operand that is an integer constant.
    pub fn int_operand(self, of: Value<'m>, index: usize) -> Option<u64> {
        let value = *self.operand_values(of).get(index)?;
        unsafe {
            (!value.is_null() && !LLVMIsAConstantInt(value).is_null())
                .then(|| LLVMConstIntGetZExtValue(value))
        }
    }

    pub fn type_name(self) -> String {
        let mut length = 0;
        unsafe { text(LLVMDITypeGetName(self.0, &mut length), length) }
    }

    pub fn type_bits(self) -> u64 {
        unsafe { LLVMDITypeGetSizeInBits(self.0) }
    }

    pub fn type_bit_offset(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.0) }
    }

    pub fn type_line(self) -> u32 {
        unsafe { LLVMDITypeGetLine(self.0) }
    }

    pub fn is_bit_field(self) -> bool {
        const BIT_FIELD: i32 = 1 << 19;
        unsafe { LLVMDITypeGetFlags(self.0) & BIT_FIELD != 0 }
    }

    pub fn is_forward_declaration(self) -> bool {
        const FORWARD: i32 = 1 << 2;
        unsafe { LLVMDITypeGetFlags(self.0) & FORWARD != 0 }
    }

    pub fn variable_line(self) -> u32 {
        unsafe { LLVMDIVariableGetLine(self.0) }
    }

    pub fn variable_file(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMDIVariableGetFile(self.0) })
    }

    /// The variable of a `DIGlobalVariableExpression`.
    pub fn global_variable(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.0) })
    }

    pub fn subprogram_line(self) -> u32 {
        unsafe { LLVMDISubprogramGetLine(self.0) }
    }

    /// Line and column of a location.
    pub fn line_and_column(self) -> (u32, u32) {
        unsafe { (LLVMDILocationGetLine(self.0), LLVMDILocationGetColumn(self.0)) }
    }

    /// The file of a location.
    pub fn location_file(self) -> Option<Meta<'m>> {
        unsafe { Meta::maybe(LLVMDIScopeGetFile(LLVMDILocationGetScope(self.0))) }
    }

    /// The innermost scope of a location.
    pub fn location_scope(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMDILocationGetScope(self.0) })
    }

    /// The scope around a block of the source; none for a subprogram.
    pub fn enclosing_scope(self, of: Value<'m>) -> Option<Meta<'m>> {
        use LLVMMetadataKind::*;
        const SCOPE: usize = 1;
        match unsafe { LLVMGetMetadataKind(self.0) } {
            LLVMDILexicalBlockMetadataKind | LLVMDILexicalBlockFileMetadataKind => {
                self.operands(of).get(SCOPE).copied().flatten()
            }
            _ => None,
        }
    }

    /// The file of a scope: a subprogram, a type.
    pub fn scope_file(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMDIScopeGetFile(self.0) })
    }

    /// The path of a file as clang was told it, in the folder in which clang was started if that is not ours.
    pub fn file_name(self) -> String {
        let mut length = 0;
        let name = unsafe { text(LLVMDIFileGetFilename(self.0, &mut length), length as usize) };
        let folder = unsafe { text(LLVMDIFileGetDirectory(self.0, &mut length), length as usize) };
        match folder.as_str() {
            "" | "." => name,
            _ => std::path::Path::new(&folder).join(name).to_string_lossy().into_owned(),
        }
    }
}

impl<'m> Value<'m> {
    /// The subprogram of a function.
    pub fn subprogram(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMGetSubprogram(self.raw()) })
    }

    /// The metadata behind a metadata operand of a call.
    pub fn as_metadata(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { LLVMValueAsMetadata(self.raw()) })
    }

    /// The value that a metadata operand of a call wraps.
    pub fn wrapped_value(self) -> Option<Value<'m>> {
        unsafe {
            if LLVMGetNumOperands(self.raw()) != 1 {
                return None;
            }
            let value = LLVMGetOperand(self.raw(), 0);
            (!value.is_null()).then(|| Value::new(value))
        }
    }

    /// The `dbg` attachments of a global.
    pub fn global_debug(self) -> Option<Meta<'m>> {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw(), &mut count);
            let mut found = None;
            for index in 0..count {
                let node = LLVMValueMetadataEntriesGetMetadata(entries, index as u32);
                let meta = Meta::maybe(node);
                if meta.is_some_and(|m| m.kind() == MetaKind::GlobalVariableExpression) {
                    found = meta;
                    break;
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }
}
