//! A small safe view of LLVM's C API: just what lowering reads. All `unsafe` of the project is in this folder.
//!
//! Everything borrowed from a [`Module`] carries its life time, so nothing outlives the LLVM context.

#![allow(unsafe_code)]

pub mod clang;
mod debug;
mod value;

pub use debug::{Meta, MetaKind};
pub use value::{BasicBlock, Type, TypeKind, Value};

use crate::Error;
use heapproof_ir::Target;
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::core::*;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::path::Path;

/// A module with its context.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// What LLVM complained about since the last call; boxed because LLVM keeps its address.
    complaints: Box<Complaints>,
}

/// Messages of LLVM.
#[derive(Default)]
struct Complaints(Vec<String>);

extern "C" fn collect_complaint(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: `sink` is the box of the module whose context calls us, and nothing else borrows it then.
    unsafe {
        let text = LLVMGetDiagInfoDescription(info);
        (*sink.cast::<Complaints>()).0.push(CStr::from_ptr(text).to_string_lossy().into_owned());
        LLVMDisposeMessage(text);
    }
}

/// Why bitcode is of no use.
pub enum Unusable {
    /// It cannot be read.
    Broken(String),
    /// It is for another machine.
    Machine { found: String, wanted: String },
    /// It does not fit to the files before.
    Unlinked(String),
}

impl Unusable {
    /// The same of a file.
    pub fn of(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Unusable::Broken(why) => Error::Bitcode { path, why },
            Unusable::Machine { found, wanted } => Error::Machine { path, found, wanted },
            Unusable::Unlinked(why) => Error::Link { why },
        }
    }
}

/// The name and the data layout of a target's machine as clang 19 writes them.
fn machine(target: Target) -> (&'static str, &'static str) {
    match target {
        Target::Lp64 => {
            ("x86_64", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")
        }
        Target::Ilp32 => {
            ("i386", "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128")
        }
    }
}

impl Module {
    /// Reads a module for the target from bitcode.
    pub fn parse(bitcode: &[u8], target: Target) -> Result<Module, Unusable> {
        // SAFETY: plain construction; the context is disposed of by `Drop`.
        let mut result = unsafe {
            let context = LLVMContextCreate();
            let complaints: Box<Complaints> = Box::default();
            let sink = (&raw const *complaints).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(context, Some(collect_complaint), sink);
            Module { context, module: std::ptr::null_mut(), complaints }
        };
        result.module = result.read(bitcode, target)?;
        Ok(result)
    }

    /// Links another module of bitcode into this one.
    pub fn link(&mut self, bitcode: &[u8], target: Target) -> Result<(), Unusable> {
        let other = self.read(bitcode, target)?;
        // SAFETY: both modules live in our context; linking consumes `other` in any case.
        let failed = unsafe { LLVMLinkModules2(self.module, other) } != 0;
        if failed { Err(Unusable::Unlinked(self.complaint())) } else { Ok(()) }
    }

    fn read(&mut self, bitcode: &[u8], target: Target) -> Result<LLVMModuleRef, Unusable> {
        // SAFETY: the buffer copies the bytes and is disposed of; the module is owned by our context.
        unsafe {
            let name = c"bitcode".as_ptr();
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.as_ptr().cast(), bitcode.len(), name);
            let mut module = std::ptr::null_mut();
            let failed = LLVMParseBitcodeInContext2(self.context, buffer, &mut module) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed {
                return Err(Unusable::Broken(self.complaint()));
            }
            if let Err(other) = check_machine(module, target) {
                LLVMDisposeModule(module);
                return Err(other);
            }
            // Debug records back to `dbg.declare` calls, which the C API of LLVM 19 can walk.
            LLVMSetIsNewDbgInfoFormat(module, 0);
            Ok(module)
        }
    }

    fn complaint(&mut self) -> String {
        let all = std::mem::take(&mut self.complaints.0);
        if all.is_empty() { "LLVM gave no reason".to_owned() } else { all.join("; ") }
    }

    /// Assembly outside functions.
    pub fn assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: the text belongs to the module.
        unsafe { text(LLVMGetModuleInlineAsm(self.module, &mut length), length) }
    }

    /// All global variables.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's own list.
        let first = unsafe { LLVMGetFirstGlobal(self.module) };
        walk(first, |v| unsafe { LLVMGetNextGlobal(v) }).map(Value::new)
    }

    /// All functions.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's own list.
        let first = unsafe { LLVMGetFirstFunction(self.module) };
        walk(first, |v| unsafe { LLVMGetNextFunction(v) }).map(Value::new)
    }

    /// All other names of globals and functions.
    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's own list.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        walk(first, |v| unsafe { LLVMGetNextGlobalAlias(v) }).map(Value::new)
    }

    /// The layout of types.
    pub fn layout(&self) -> Layout<'_> {
        // SAFETY: the layout belongs to the module.
        Layout(unsafe { LLVMGetModuleDataLayout(self.module) }, PhantomData)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nothing borrowed from the module is alive here. The context disposes of its modules.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// Makes sure that a module is for the machine of the target: layout, calls and constants depend on it.
fn check_machine(module: LLVMModuleRef, target: Target) -> Result<(), Unusable> {
    // SAFETY: the module is alive, and both strings belong to it.
    let (triple, layout) = unsafe {
        let owned = |raw| CStr::from_ptr(raw).to_string_lossy().into_owned();
        (owned(LLVMGetTarget(module)), owned(LLVMGetDataLayoutStr(module)))
    };
    let (name, expected) = machine(target);
    // `x86_64-pc-linux-gnux32` has pointers of another size, and another layout.
    let architecture = triple.split('-').next().unwrap_or_default();
    let same =
        architecture == name || target == Target::Ilp32 && matches!(architecture, "i486" | "i586" | "i686");
    if same && triple.contains("-linux-gnu") && layout == expected {
        return Ok(());
    }
    let wanted = format!("{} ({name}-linux-gnu)", target.name());
    Err(Unusable::Machine {
        found: if same { format!("{triple} with layout {layout}") } else { triple },
        wanted,
    })
}

/// Sizes and offsets of types.
#[derive(Clone, Copy)]
pub struct Layout<'m>(LLVMTargetDataRef, PhantomData<&'m Module>);

impl<'m> Layout<'m> {
    /// Bytes that an object of the type takes in an array.
    pub fn alloc_size(self, ty: Type<'m>) -> u64 {
        // SAFETY: the type belongs to the same module and is sized.
        unsafe { llvm_sys::target::LLVMABISizeOfType(self.0, ty.raw()) }
    }

    /// Size of the type without the padding after it.
    pub fn store_size(self, ty: Type<'m>) -> u64 {
        // SAFETY: as above.
        unsafe { llvm_sys::target::LLVMStoreSizeOfType(self.0, ty.raw()) }
    }

    /// Alignment of the type.
    pub fn align(self, ty: Type<'m>) -> u64 {
        // SAFETY: as above.
        u64::from(unsafe { llvm_sys::target::LLVMABIAlignmentOfType(self.0, ty.raw()) })
    }

    /// Offset of a member of a structure type.
    pub fn member_offset(self, ty: Type<'m>, index: u32) -> u64 {
        // SAFETY: as above; the index is in range.
        unsafe { llvm_sys::target::LLVMOffsetOfElement(self.0, ty.raw(), index) }
    }
}

/// Follows a linked list of the C API.
fn walk<T: 'static>(first: *mut T, next: fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    std::iter::successors((!first.is_null()).then_some(first), move |&item| {
        let item = next(item);
        (!item.is_null()).then_some(item)
    })
}

/// Copies a string that the C API owns.
unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: the caller passes a range that the C API returned.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
