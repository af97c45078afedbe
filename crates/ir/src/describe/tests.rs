//! Tests of descriptions.

use super::*;
use crate::text::parse;
use cranelift_entity::EntityRef;

const TYPES: &str = r#"
type t0 = int "int" size 4 signed
type t1 = struct "node" size 32 { 0 "next" t2; 64 "data" t0; 128 "pos" t3; 192 "a" t5 }
type t2 = pointer t1
type t3 = struct "point" size 8 { 0 "x" t0; 32 "y" t0 }
type t4 = pointer t0
type t5 = array t0 count 2
type t6 = function t4(t0)
type t7 = pointer t6
type t8 = const t0
type t9 = pointer t8
type t10 = const t2
type t11 = array t2 count 4
type t12 = struct { 0 "items" t13 }
type t13 = array t1 count 4
type t14 = pointer t5
global g0 "g" size 32 align 8 type t1
global g1 "text" size 6 align 1 constant anonymous = "hi\n\0"
global g2 "a" size 8 align 4 type t5
func f0 "malloc"(i64) -> (ptr)
"#;

/// The description of the last register that the instructions assign.
fn describe(insts: &str) -> Option<String> {
    let text = format!(
        "{TYPES} func f1 \"f\"(r0: ptr, r1: ptr, r2: i64) {{
            reg r0: ptr var \"p\" type t2 reg r1: ptr var \"q\" type t4 reg r2: i64 var \"i\"
            local l0 size 8 var \"pt\" type t3 b0: {insts} return }}"
    );
    let program = parse(&text).unwrap();
    assert_eq!(crate::check::check(&program), []);
    let body = program.functions.values().last().unwrap().body.as_ref().unwrap();
    let last = Operand::Reg(Reg::new(body.regs.len() - 1));
    describe_operand(&program, FuncId::new(1), &last, Some((Body::ENTRY, 99)))
}

#[track_caller]
fn is(insts: &str, expected: &str) {
    assert_eq!(describe(insts).as_deref(), Some(expected));
}

#[test]
fn members_of_what_pointers_point_to() {
    is("r3 = ptradd r0 + 8 in t1 r4 = load i32 r3", "p->data");
    is("r3 = load ptr r0", "p->next");
    is("r3 = load ptr r0 r4 = ptradd r3 + 20 in t1 r5 = load i32 r4", "p->next->pos.y");
    is("r3 = ptradd r0 + 8 in t1", "&p->data");
    is("r3 = ptradd r0 + 24 in t1 r4 = ptradd r3 + r2 * 4 r5 = load i32 r4", "p->a[i]");
}

#[test]
fn elements() {
    is("r3 = ptradd r1 + r2 * 4 r4 = load i32 r3", "q[i]");
    is("r3 = ptradd r1 + 8 r4 = load i32 r3", "q[2]");
    is("r3 = ptradd g2 + r2 * 4 r4 = load i32 r3", "a[i]");
    is("r3 = ptradd r0 + 8 + r2 * 32 r4 = load i32 r3", "p[i].data");
    is("r3 = load i32 r1", "*q");
}

#[test]
fn objects_and_constants() {
    is("r3 = copy ptr l0", "&pt");
    is("r3 = ptradd l0 + 4 r4 = load i32 r3", "pt.y");
    is("r3 = ptradd g0 + 8 r4 = load i32 r3", "g.data");
    is("r3 = copy ptr g1", "\"hi\\n\"");
    is("r3 = copy ptr g2", "a");
    is("r3 = copy ptr null", "NULL");
    is("r3: ptr = call f0(i64 4)", "malloc(…)");
    is("r3: ptr = call f0(i64 4) r4 = ptradd r3 + 4", "(malloc(…) + 4)");
    is("r3 = ptradd r1 + 3", "(q + 3)");
    is("r3 = add i64 r2, 1", "(i + 1)");
    assert_eq!(describe("r3 = copy i64 undef"), None);
}

#[test]
fn a_temporary_with_two_definitions_has_no_name_elsewhere() {
    let text =
        "func f0 \"f\"(r0: ptr) { reg r0: ptr var \"p\" b0: r1 = copy ptr r0 r1 = copy ptr null return }";
    let program = parse(text).unwrap();
    let at = |at| describe_operand(&program, FuncId::new(0), &Operand::Reg(Reg::new(1)), at);
    assert_eq!(at(None), None);
    assert_eq!(at(Some((Body::ENTRY, 1))).as_deref(), Some("p"));
    assert_eq!(at(Some((Body::ENTRY, 2))).as_deref(), Some("NULL"));
}

#[test]
fn targets_of_pointers() {
    let text = format!(
        "{TYPES} func f1 \"f\"(r0: ptr) {{ reg r0: ptr var \"p\" type t2 b0: r1 = ptradd r0 + 16 in t1 return }}"
    );
    let program = parse(&text).unwrap();
    let target = |reg| describe_target(&program, FuncId::new(1), &Operand::Reg(Reg::new(reg)), None);
    assert_eq!(target(1).as_deref(), Some("p->pos.x"));
    assert_eq!(target(0).as_deref(), Some("p->next"));
}

#[test]
fn names_of_types() {
    let types = parse(TYPES).unwrap().types;
    let name = |index| type_name(&types, TypeId::new(index));
    assert_eq!(name(2), "struct node *");
    assert_eq!(name(5), "int[2]");
    assert_eq!(name(7), "int *(*)(int)");
    assert_eq!(name(9), "const int *");
    assert_eq!(name(10), "struct node *const");
    assert_eq!(name(11), "struct node *[4]");
    assert_eq!(name(12), "struct {…}");
    assert_eq!(name(14), "int (*)[2]");
    let endless = parse("type t0 = pointer t0").unwrap().types;
    assert!(type_name(&endless, TypeId::new(0)).contains('…'));
}

#[test]
fn members_at_offsets() {
    let types = parse(TYPES).unwrap().types;
    let member = |index, offset| member_at(&types, TypeId::new(index), offset, 8);
    assert_eq!(member(1, 20).as_deref(), Some("pos.y"));
    assert_eq!(member(1, 28).as_deref(), Some("a[1]"));
    assert_eq!(member(12, 3 * 32 + 8).as_deref(), Some("items[3].data"));
    assert_eq!(member(1, 12), None);
    assert_eq!(member(0, 0), None);
}
