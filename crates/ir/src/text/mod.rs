//! The text form of programs: [`print()`] (or `Display`) writes it, [`parse`] (or `FromStr`) reads it back.
//!
//! ```
//! let program: heapproof_ir::Program = r#"
//! target lp64                       // the default
//! file file0 "list.c"               // a file without name if there is none
//! type t0 = int "int" size 4 signed
//! type t1 = struct "node" size 16 @0:1:8 { 0 "next" t2; 64 "value" t0; 96 bits 3 "flags" t0 }
//! type t2 = pointer t1
//! global g0 "table" size 16 align 8 constant type t1 @0:3:5 = bytes 01 02 at 8 = g1 + 4
//! global g1 "text" size 6 align 1 anonymous = "hello\0"
//!
//! func f0 "malloc"(i64) -> (ptr)
//!
//! func f1 "main"(r0: i32, r1: ptr) -> (i32) @0:5:5 {
//!   reg r0: i32 var "argc" type t0 @0:5:14
//!   local l0 size 4 align 4 scoped var "x" type t0 @0:6:7
//! b0:
//!   r2: ptr = call f0(i64 16)       @0:6:3
//!   scope_start l0
//!   store i32 5 -> l0               @0:7:3
//!   r3 = load i32 l0
//!   r4 = add i32 r3, -1
//!   r5 = cmp slt i32 r4, r0
//!   br r5 ? b1 : b2                 @0:8:7
//! b1:
//!   r6 = ptradd r2 + 8 in t1
//!   store i32 r4 -> r6
//!   jump b2
//! b2:
//!   scope_end l0
//!   return 0
//! }
//! "#.parse().unwrap();
//! assert_eq!(program, program.to_string().parse().unwrap());
//! ```
//!
//! Rules:
//! - Files, types, globals, functions, locals and blocks are numbered from 0 in the order of the text. `//`
//!   starts a comment; line ends mean nothing. Positions are `@file:line:column`; where there is none, there
//!   is no position. `type`, `var`, `align` (then 1), `= …` of a global (then `zero`) may be left out.
//! - `func f0 internal "name"…` is a function that other files cannot call by its name.
//! - Scalar types are `i1` … `i128`, `ptr`, `float32`, `float64`, `x87`, `float128`.
//! - Operands are `r0`, `g0`, `l0`, `f0`, `null`, numbers and `undef`. Numbers and `undef` take the type that the
//!   instruction names; where it names none, or another, the type stands in front: `call f0(i64 16)`. A floating
//!   point number is decimal or the encoding in hexadecimal.
//! - A register gets its type from its `reg` line, else from the parameter list, else from the first
//!   assignment in the text. The results of calls and of `unsupported` have no evident type:
//!   `r2: ptr = call …`.
//! - A string has the escapes `\\ \" \n \t \r \0 \xNN \u{N}`.
//!
//! Instructions, with `T` a type and `a`, `b`, … operands:
//!
//! ```text
//! r = copy T a                      forget r
//! r = add T a, b                    sub mul udiv sdiv urem srem shl lshr ashr and or xor
//! r = popcount T a                  byteswap bitreverse leadingzeros trailingzeros
//! r = fadd T a, b                   fsub fmul fdiv frem fmin fmax fcopysign
//! r = fneg T a                      fabs fsqrt ffloor fceil ftrunc fround froundeven
//! r = cmp slt T a, b                eq ne ult ule ugt uge slt sle sgt sge
//! r = fcmp olt T a, b               false oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une true
//! r = zext T a to T                 trunc sext ptrtoint inttoptr ftoui ftosi uitof sitof ftof bits
//! r = select T a ? b : c            r = ptradd a + 8 + b * 4 in t0      (each part after `a` optional)
//! r = load T a                      store T a -> b
//! copyblock move a <- b, c          (move, struct, disjoint)
//! fillblock a <- b, c               r = alloca a align 16 "name"
//! r = stacksave                     stackrestore a
//! scope_start l0                    scope_end l0
//! r: T, r: T = call f0(a, b)        call *a(b)
//! vastart a    vacopy a <- b        vaend a
//! r: T = unsupported "what"
//!
//! jump b0                           br a ? b0 : b1
//! switch T a { 1 -> b0; else -> b1 }
//! return a, b                       unreachable
//! ```

mod inst;
mod lex;
mod names;
mod parse;
mod print;

#[cfg(test)]
mod tests;

pub use parse::{ParseError, parse};
pub use print::{print, print_inst, print_terminator};
