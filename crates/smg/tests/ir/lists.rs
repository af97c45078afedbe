//! Lists: built, walked, freed, and the errors on the way.

use crate::{proved, suspected};
use heapproof_verdict::ErrorClass;

/// `main` builds a list of any length in `r1`, all tags 1, and goes on at `b3`.
fn with_list(rest: &str) -> String {
    format!(
        r#"
func f4 "main"() -> (i32) {{
  reg r1: ptr var "list"
  reg r2: ptr var "node"
  reg r9: ptr var "next"
b0:
  r1 = copy ptr null
  jump b1
b1:
  r3: i32 = call f0()
  r4 = cmp ne i32 r3, 0
  br r4 ? b2 : b3
b2:
  r2 = call f1(i64 16)
  store ptr r1 -> r2
  r5 = ptradd r2 + 8 in t1
  store i32 1 -> r5
  r1 = copy ptr r2
  forget r2
  jump b1
{rest}
}}
"#
    )
}

/// Frees the list in `r1` from block `b3` on.
const FREE: &str = r#"
b3:
  r6 = cmp ne ptr r1, null
  br r6 ? b4 : b5
b4:
  r9 = load ptr r1
  call f2(r1)
  r1 = copy ptr r9
  forget r9
  jump b3
b5:
  return 0
"#;

#[test]
fn a_list_is_built_and_freed() {
    proved(&with_list(FREE));
}

#[test]
fn a_list_is_lost() {
    suspected(ErrorClass::Leak, &with_list("b3:\n forget r1\n return 0"));
}

#[test]
fn a_list_that_may_be_empty_has_no_first_node() {
    suspected(ErrorClass::NullDeref, &with_list("b3:\n r9 = load ptr r1\n return 0"));
}

#[test]
fn the_next_node_is_read_after_the_node_was_freed() {
    let text = FREE.replace("  r9 = load ptr r1\n  call f2(r1)", "  call f2(r1)\n  r9 = load ptr r1");
    suspected(ErrorClass::UseAfterFree, &with_list(&text));
}

#[test]
fn a_node_is_freed_twice() {
    let text = FREE.replace("  call f2(r1)", "  call f2(r1)\n  call f2(r1)");
    suspected(ErrorClass::DoubleFree, &with_list(&text));
}

#[test]
fn all_tags_of_a_segment_are_known() {
    let text = with_list(
        r#"
b3:
  r7 = copy ptr r1
  jump b4
b4:
  r8 = cmp ne ptr r7, null
  br r8 ? b5 : b8
b5:
  r10 = ptradd r7 + 8 in t1
  r11 = load i32 r10
  r12 = cmp eq i32 r11, 1
  br r12 ? b6 : b7
b6:
  r7 = load ptr r7
  jump b4
b7:
  call f3()
  jump b8
b8:
  r6 = cmp ne ptr r1, null
  br r6 ? b9 : b10
b9:
  r9 = load ptr r1
  call f2(r1)
  r1 = copy ptr r9
  forget r9
  jump b8
b10:
  return 0
"#,
    );
    proved(&text);
    suspected(ErrorClass::AssertionFailure, &text.replace("cmp eq i32 r11, 1", "cmp eq i32 r11, 2"));
}

#[test]
fn nodes_with_other_tags_stay_apart() {
    // The last node has tag 2: the walk to it never meets null.
    let text = r#"
func f4 "main"() -> (i32) {
  reg r1: ptr var "list"
  reg r2: ptr var "node"
b0:
  r1 = call f1(i64 16)
  store ptr null -> r1
  r5 = ptradd r1 + 8 in t1
  store i32 2 -> r5
  jump b1
b1:
  r3: i32 = call f0()
  r4 = cmp ne i32 r3, 0
  br r4 ? b2 : b3
b2:
  r2 = call f1(i64 16)
  store ptr r1 -> r2
  r5 = ptradd r2 + 8 in t1
  store i32 1 -> r5
  r1 = copy ptr r2
  forget r2
  jump b1
b3:
  r6 = ptradd r1 + 8 in t1
  r7 = load i32 r6
  r8 = load ptr r1
  call f2(r1)
  r1 = copy ptr r8
  r9 = cmp eq i32 r7, 2
  br r9 ? b4 : b3
b4:
  return 0
}
"#;
    proved(text);
    suspected(ErrorClass::NullDeref, &text.replace("store i32 2 -> r5", "store i32 3 -> r5"));
}

#[test]
fn a_list_of_known_length_needs_no_abstraction() {
    // Three nodes with the tags 2, 1, 0: the third one is looked at without asking for null.
    let text = r#"
func f4 "main"() -> (i32) {
  reg r1: ptr var "list"
  reg r2: ptr var "node"
  reg r10: i32 var "i"
b0:
  r1 = copy ptr null
  r10 = copy i32 0
  jump b1
b1:
  r4 = cmp slt i32 r10, 3
  br r4 ? b2 : b3
b2:
  r2 = call f1(i64 16)
  store ptr r1 -> r2
  r5 = ptradd r2 + 8 in t1
  store i32 r10 -> r5
  r1 = copy ptr r2
  forget r2
  r10 = add i32 r10, 1
  jump b1
b3:
  r6 = load ptr r1
  r7 = load ptr r6
  r8 = ptradd r7 + 8 in t1
  r9 = load i32 r8
  r11 = cmp eq i32 r9, 0
  br r11 ? b5 : b4
b4:
  call f3()
  jump b5
b5:
  call f2(r7)
  call f2(r6)
  call f2(r1)
  return 0
}
"#;
    proved(text);
    suspected(ErrorClass::Leak, &text.replace("  call f2(r6)\n", ""));
    suspected(ErrorClass::AssertionFailure, &text.replace("cmp eq i32 r9, 0", "cmp eq i32 r9, 1"));
}

#[test]
fn a_called_function_frees_what_it_is_given() {
    let text = r#"
func f4 "main"() -> (i32) {
  reg r1: ptr var "node"
b0:
  r1 = call f1(i64 16)
  call f5(r1)
  return 0
}
func f5 "drop"(r0: ptr) {
  reg r0: ptr var "node"
b0:
  call f2(r0)
  return
}
"#;
    proved(text);
    let again = text.replace("  call f5(r1)\n", "  call f5(r1)\n  call f5(r1)\n");
    suspected(ErrorClass::DoubleFree, &again);
}
