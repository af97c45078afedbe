//! Blocks of a size that is not known, and indices that were compared with it.

use crate::{proved, suspected};
use heapproof_verdict::ErrorClass;

/// `malloc(n * 4)` for any `n` of at least 1, and a loop with the given condition that writes the elements.
fn loop_while(condition: &str, index: &str) -> String {
    format!(
        r#"
func f4 "main"() -> (i32) {{
  reg r1: ptr var "block"
  reg r2: i32 var "n"
  reg r3: i32 var "i"
b0:
  r2 = call f0()
  r4 = cmp slt i32 r2, 1
  br r4 ? b6 : b1
b1:
  r5 = sext i32 r2 to i64
  r6 = mul i64 r5, 4
  r1 = call f1(r6)
  r3 = copy i32 0
  jump b2
b2:
  r7 = cmp {condition}
  br r7 ? b3 : b5
b3:
  r8 = add i32 r3, {index}
  r9 = sext i32 r8 to i64
  r10 = ptradd r1 + r9 * 4
  store i32 7 -> r10
  jump b4
b4:
  r3 = add i32 r3, 1
  jump b2
b5:
  call f2(r1)
  jump b6
b6:
  return 0
}}
"#
    )
}

#[test]
fn an_index_below_the_number_of_elements() {
    proved(&loop_while("slt i32 r3, r2", "0"));
}

#[test]
fn an_index_that_may_be_the_number_of_elements() {
    suspected(ErrorClass::OutOfBoundsWrite, &loop_while("sle i32 r3, r2", "0"));
}

#[test]
fn the_element_after_the_one_that_was_compared() {
    suspected(ErrorClass::OutOfBoundsWrite, &loop_while("slt i32 r3, r2", "1"));
}

#[test]
fn an_index_that_was_compared_with_something_else() {
    suspected(ErrorClass::OutOfBoundsWrite, &loop_while("slt i32 r3, 50", "0"));
}

#[test]
fn elements_that_are_larger_than_those_of_the_block() {
    let text = loop_while("slt i32 r3, r2", "0").replace("mul i64 r5, 4", "mul i64 r5, 3");
    suspected(ErrorClass::OutOfBoundsWrite, &text);
}

#[test]
fn a_size_that_may_wrap() {
    // In 32 bits the product of a large number is a small one.
    let text = loop_while("slt i32 r3, r2", "0").replace(
        "  r5 = sext i32 r2 to i64\n  r6 = mul i64 r5, 4\n",
        "  r5 = mul i32 r2, 4\n  r6 = zext i32 r5 to i64\n",
    );
    suspected(ErrorClass::OutOfBoundsWrite, &text);
}

#[test]
fn a_number_of_elements_that_changes_after_the_comparison() {
    // The loop runs to a number that grows; the block does not.
    let text = loop_while("slt i32 r3, r2", "0")
        .replace("  r3 = add i32 r3, 1\n", "  r3 = add i32 r3, 1\n  r2 = call f0()\n");
    suspected(ErrorClass::OutOfBoundsWrite, &text);
}

#[test]
fn a_comparison_in_a_called_function() {
    let text = r#"
func f4 "main"() -> (i32) {
  reg r1: ptr var "block"
  reg r2: i32 var "n"
  reg r3: i32 var "i"
b0:
  r2 = call f0()
  r4 = cmp slt i32 r2, 1
  br r4 ? b3 : b1
b1:
  r5 = sext i32 r2 to i64
  r6 = mul i64 r5, 4
  r1 = call f1(r6)
  r3 = call f0()
  r7 = cmp slt i32 r3, 0
  br r7 ? b2 : b4
b2:
  call f2(r1)
  jump b3
b3:
  return 0
b4:
  call f5(r1, r3, r2)
  jump b2
}
func f5 "set"(r0: ptr, r1: i32, r2: i32) {
b0:
  r3 = cmp slt i32 r1, r2
  br r3 ? b1 : b2
b1:
  r4 = sext i32 r1 to i64
  r5 = ptradd r0 + r4 * 4
  store i32 7 -> r5
  jump b2
b2:
  return
}
"#;
    proved(text);
    suspected(ErrorClass::OutOfBoundsWrite, &text.replace("cmp slt i32 r1, r2", "cmp ne i32 r1, r2"));
}
