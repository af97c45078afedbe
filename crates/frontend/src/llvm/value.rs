//! Values, types and basic blocks of an LLVM module.

use super::{Meta, Module, text, walk};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind,
};
use std::ffi::CStr;
use std::marker::PhantomData;

/// A value: constant, argument, instruction, function, global …
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value<'m>(LLVMValueRef, PhantomData<&'m Module>);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(LLVMTypeRef, PhantomData<&'m Module>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BasicBlock<'m>(LLVMBasicBlockRef, PhantomData<&'m Module>);

/// The shape of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Void,
    Int(u32),
    Pointer,
    Float,
    Double,
    X87,
    Quad,
    Struct,
    Array,
    Vector,
    Function,
    Other,
}

// SAFETY of this file: every call hands the C API a live object of the right kind; the methods that need a
// special kind (an `alloca`, a `switch`) are called by lowering only after looking at the opcode.
impl<'m> Value<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        debug_assert!(!raw.is_null());
        Value(raw, PhantomData)
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.0
    }

    fn maybe(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        unsafe { text(LLVMGetValueName2(self.0, &mut length), length) }
    }

    pub fn ty(self) -> Type<'m> {
        Type::new(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        Value::new(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    pub fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub fn is_global_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    pub fn is_instruction(self) -> bool {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }
    }

    pub fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// The aliased value of an alias.
    pub fn aliasee(self) -> Option<Value<'m>> {
        unsafe {
            let alias = LLVMIsAGlobalAlias(self.0);
            if alias.is_null() { None } else { Value::maybe(LLVMAliasGetAliasee(alias)) }
        }
    }

    pub fn is_ifunc(self) -> bool {
        unsafe { !LLVMIsAGlobalIFunc(self.0).is_null() }
    }

    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    pub fn is_null_constant(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    pub fn is_undef(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    pub fn is_poison(self) -> bool {
        unsafe { LLVMIsPoison(self.0) != 0 }
    }

    /// The bits of an integer constant of at most 128 bits.
    pub fn int_constant(self) -> Option<u128> {
        unsafe {
            if LLVMIsAConstantInt(self.0).is_null() {
                return None;
            }
        }
        let TypeKind::Int(width) = self.ty().kind() else { return None };
        if width <= 64 {
            return Some(u128::from(unsafe { LLVMConstIntGetZExtValue(self.0) }));
        }
        // Wider constants are only to be had in print: `i128 -5`.
        let printed = self.print();
        let digits = printed.split_whitespace().nth(1)?;
        let bits = match digits.parse::<i128>() {
            Ok(value) => value as u128,
            Err(_) => digits.parse::<u128>().ok()?,
        };
        (width <= 128).then(|| bits & heapproof_ir::mask(width as u8))
    }

    /// The bits of an integer constant of more than 128 bits, in words of 64, lowest first.
    pub fn wide_constant(self) -> Option<Vec<u64>> {
        let TypeKind::Int(width @ 129..) = self.ty().kind() else { return None };
        if unsafe { LLVMIsAConstantInt(self.0).is_null() } {
            return None;
        }
        let printed = self.print();
        let digits = printed.split_whitespace().nth(1)?;
        let mut words = vec![0u64; width.div_ceil(64) as usize];
        for digit in digits.trim_start_matches('-').bytes() {
            let mut carry = u128::from(digit.checked_sub(b'0').filter(|&digit| digit < 10)?);
            for word in &mut words {
                carry += u128::from(*word) * 10;
                *word = carry as u64;
                carry >>= 64;
            }
        }
        if digits.starts_with('-') {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
        }
        if let (Some(last), rest @ 1..) = (words.last_mut(), width % 64) {
            *last &= (1 << rest) - 1;
        }
        Some(words)
    }

    /// The bits of a floating point constant.
    pub fn float_constant(self) -> Option<u128> {
        unsafe {
            if LLVMIsAConstantFP(self.0).is_null() {
                return None;
            }
        }
        let mut inexact = 0;
        match self.ty().kind() {
            TypeKind::Float => {
                let value = unsafe { LLVMConstRealGetDouble(self.0, &mut inexact) };
                Some(u128::from((value as f32).to_bits()))
            }
            TypeKind::Double => {
                Some(u128::from(unsafe { LLVMConstRealGetDouble(self.0, &mut inexact) }.to_bits()))
            }
            // `x86_fp80 0xK4000…` has 20 digits, `fp128 0xL…` has its halves swapped.
            TypeKind::X87 => {
                let printed = self.print();
                u128::from_str_radix(printed.split("0xK").nth(1)?.trim(), 16).ok()
            }
            TypeKind::Quad => {
                let printed = self.print();
                let bits = u128::from_str_radix(printed.split("0xL").nth(1)?.trim(), 16).ok()?;
                Some(bits.rotate_left(64))
            }
            _ => None,
        }
    }

    fn print(self) -> String {
        unsafe {
            let raw = LLVMPrintValueToString(self.0);
            let owned = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeMessage(raw);
            owned
        }
    }

    /// The bytes of a constant array of `i8` with data.
    pub fn string_constant(self) -> Option<Vec<u8>> {
        unsafe {
            if LLVMIsAConstantDataSequential(self.0).is_null() || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(self.0, &mut length);
            Some(std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec())
        }
    }

    /// A member of a constant structure, array or vector.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        Value::maybe(unsafe { LLVMGetAggregateElement(self.0, index) })
    }

    /// The operation of a constant expression.
    pub fn constant_opcode(self) -> Option<LLVMOpcode> {
        unsafe { (!LLVMIsAConstantExpr(self.0).is_null()).then(|| LLVMGetConstOpcode(self.0)) }
    }

    /// Function and block of a block address.
    pub fn block_address(self) -> Option<(Value<'m>, BasicBlock<'m>)> {
        unsafe {
            (!LLVMIsABlockAddress(self.0).is_null()).then(|| {
                let function = Value::new(LLVMGetBlockAddressFunction(self.0));
                (function, BasicBlock::new(LLVMGetBlockAddressBasicBlock(self.0)))
            })
        }
    }

    // Globals and functions.

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Invisible to other files: `static`, or nameless.
    pub fn is_private(self) -> bool {
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMLinkage::LLVMPrivateLinkage)
    }

    /// `static`: other files cannot name it.
    pub fn is_internal(self) -> bool {
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMLinkage::LLVMInternalLinkage)
    }

    /// A weak symbol that neither a file nor the C library defines: its address is null.
    pub fn is_undefined_weak(self) -> bool {
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMLinkage::LLVMExternalWeakLinkage)
            && !heapproof_libc::defines(&self.name())
    }

    pub fn is_global_constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn value_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn initializer(self) -> Option<Value<'m>> {
        Value::maybe(unsafe { LLVMGetInitializer(self.0) })
    }

    /// The section that a global or function was put into by its attribute.
    pub fn section(self) -> Option<String> {
        let section = unsafe { LLVMGetSection(self.0) };
        if section.is_null() {
            return None;
        }
        let text = unsafe { CStr::from_ptr(section) }.to_string_lossy().into_owned();
        (!text.is_empty()).then_some(text)
    }

    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) })
    }

    pub fn params(self) -> Vec<Value<'m>> {
        let count = unsafe { LLVMCountParams(self.0) };
        (0..count).map(|i| Value::new(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    pub fn blocks(self) -> impl Iterator<Item = BasicBlock<'m>> {
        let first = unsafe { LLVMGetFirstBasicBlock(self.0) };
        walk(first, |b| unsafe { LLVMGetNextBasicBlock(b) }).map(BasicBlock::new)
    }

    /// The type of a `byval` parameter (index from 0).
    pub fn byval_param(self, index: u32) -> Option<Type<'m>> {
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, index + 1, byval_kind());
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type of a `byval` argument of a call (index from 0).
    pub fn byval_argument(self, index: u32) -> Option<Type<'m>> {
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, byval_kind());
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The alignment that an argument of a call must have (index from 0), or 0.
    pub fn argument_alignment(self, index: u32) -> u64 {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            if attribute.is_null() { 0 } else { LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// The type of what an argument of inline assembly points to (index from 0).
    pub fn pointed_type(self, index: u32) -> Option<Type<'m>> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"elementtype".as_ptr(), 11);
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    // Instructions.

    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    pub fn allocated_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub fn gep_source_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn aggregate_indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The elements that a shuffle of two vectors chooses, counted through both; nothing where any will do.
    pub fn shuffle_mask(self) -> Vec<Option<usize>> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count).map(|at| usize::try_from(unsafe { LLVMGetMaskValue(self.0, at) }).ok()).collect()
    }

    pub fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// The instructions of the block that come after this one.
    pub fn following(self) -> impl Iterator<Item = Value<'m>> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        walk(next, |i| unsafe { LLVMGetNextInstruction(i) }).map(Value::new)
    }

    pub fn called_value(self) -> Value<'m> {
        Value::new(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub fn called_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub fn argument_count(self) -> u32 {
        unsafe { LLVMGetNumArgOperands(self.0) }
    }

    /// Template and constraints of inline assembly.
    pub fn asm_text(self) -> (String, String) {
        let mut length = 0;
        unsafe {
            let template = text(LLVMGetInlineAsmAsmString(self.0, &mut length), length);
            let constraints = LLVMGetInlineAsmConstraintString(self.0, &mut length);
            (template, text(constraints, length))
        }
    }

    pub fn incoming(self) -> Vec<(Value<'m>, BasicBlock<'m>)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| {
                    let block = BasicBlock::new(LLVMGetIncomingBlock(self.0, i));
                    (Value::new(LLVMGetIncomingValue(self.0, i)), block)
                })
                .collect()
        }
    }

    pub fn successors(self) -> Vec<BasicBlock<'m>> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0)).map(|i| BasicBlock::new(LLVMGetSuccessor(self.0, i))).collect()
        }
    }

    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The position of an instruction.
    pub fn debug_location(self) -> Option<Meta<'m>> {
        Meta::maybe(unsafe { llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.0) })
    }
}

fn byval_kind() -> u32 {
    use std::sync::OnceLock;
    static KIND: OnceLock<u32> = OnceLock::new();
    *KIND.get_or_init(|| unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) })
}

impl<'m> Type<'m> {
    fn new(raw: LLVMTypeRef) -> Self {
        debug_assert!(!raw.is_null());
        Type(raw, PhantomData)
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.0
    }

    fn raw_kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub fn kind(self) -> TypeKind {
        match self.raw_kind() {
            LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
            LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Int(unsafe { LLVMGetIntTypeWidth(self.0) }),
            LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer,
            LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float,
            LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Double,
            LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::X87,
            LLVMTypeKind::LLVMFP128TypeKind => TypeKind::Quad,
            LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
            LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array,
            LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector,
            LLVMTypeKind::LLVMFunctionTypeKind => TypeKind::Function,
            _ => TypeKind::Other,
        }
    }

    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    pub fn members(self) -> Vec<Type<'m>> {
        unsafe {
            let count = LLVMCountStructElementTypes(self.0);
            (0..count).map(|i| Type::new(LLVMStructGetTypeAtIndex(self.0, i))).collect()
        }
    }

    /// The name of a structure type, such as `struct.node`.
    pub fn struct_name(self) -> Option<String> {
        unsafe {
            let name = LLVMGetStructName(self.0);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// Whether it is a structure type without a name, which no declaration of the program has.
    pub fn is_literal_structure(self) -> bool {
        self.kind() == TypeKind::Struct && unsafe { LLVMIsLiteralStruct(self.0) != 0 }
    }

    /// The element type of an array or vector.
    pub fn element(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetElementType(self.0) })
    }

    /// The number of elements of an array or vector.
    pub fn count(self) -> u64 {
        unsafe {
            match self.raw_kind() {
                LLVMTypeKind::LLVMVectorTypeKind => u64::from(LLVMGetVectorSize(self.0)),
                _ => LLVMGetArrayLength2(self.0),
            }
        }
    }

    pub fn params(self) -> Vec<Type<'m>> {
        unsafe {
            let count = LLVMCountParamTypes(self.0) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    pub fn result(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

impl<'m> BasicBlock<'m> {
    fn new(raw: LLVMBasicBlockRef) -> Self {
        debug_assert!(!raw.is_null());
        BasicBlock(raw, PhantomData)
    }

    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        walk(first, |i| unsafe { LLVMGetNextInstruction(i) }).map(Value::new)
    }

    pub fn terminator(self) -> Option<Value<'m>> {
        Value::maybe(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}
