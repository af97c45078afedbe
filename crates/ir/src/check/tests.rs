//! Tests of the checker, one for each rule.

use super::*;
use crate::inst::{InstKind, Operand, Terminator};
use crate::program::{Body, FileId, FuncId, Function, GlobalId, Local, LocalId, Reg, RegInfo};
use crate::text::parse;

/// The problems of a program.
fn problems(program: &Program) -> Vec<String> {
    check(program).iter().map(|error| error.problem.to_string()).collect()
}

#[track_caller]
fn text_has(text: &str, problem: Problem) {
    assert_eq!(problems(&parse(text).unwrap()), [problem.to_string()], "{text}");
}

/// One instruction, in a function with registers of several types and with functions to call.
#[track_caller]
fn inst_has(inst: &str, problem: Problem) {
    let text = format!(
        "func f0 \"f\"(r0: i32, r1: ptr, r2: float64, r3: i64) {{ local l0 size 4 b0: {inst} return }}
        func f1 \"external\"(i32) -> (i32)
        func f2 \"fixed\"(r0: i32) -> (i32) {{ b0: return r0 }}
        func f3 \"more\"(r0: i32, ...) {{ b0: return }}"
    );
    text_has(&text, problem);
}

fn operand(index: usize, expected: Ty, found: Ty) -> Problem {
    Problem::OperandType { index, expected, found }
}

fn reg(index: usize) -> Reg {
    Reg::new(index)
}

/// A program with one function, changed before it is checked.
fn changed(change: impl FnOnce(&mut Function, &mut Body)) -> Vec<String> {
    let mut program =
        parse("func f0 \"f\"(r0: i32) { local l0 size 4 b0: r1 = add i32 r0, 1 return }").unwrap();
    let id = FuncId::new(0);
    let mut function = program.functions[id].clone();
    let mut body = function.body.take().unwrap();
    change(&mut function, &mut body);
    function.body = Some(body);
    program.functions[id] = function;
    problems(&program)
}

const I32: Ty = Ty::Int(32);
const I64: Ty = Ty::Int(64);
const F64: Ty = Ty::Float(crate::scalar::FloatKind::F64);

#[test]
fn there_is_a_file_and_positions_are_in_files() {
    let mut program = parse("").unwrap();
    program.files.clear();
    assert_eq!(check(&program), [CheckError { place: Place::Program, problem: Problem::NoFile }]);
    let missing = || Problem::NoSuchFile(FileId::new(7));
    text_has("func f0 \"f\"() @7:1:1", missing());
    text_has("global g0 \"g\" size 1 @7:1:1", missing());
    text_has("type t0 = struct @7:1:1 { }", missing());
    text_has("func f0 \"f\"() { local l0 size 1 var \"x\" @7:1:1 b0: return }", missing());
    inst_has("r4 = copy i32 0 @7:1:1", missing());
}

#[test]
fn ids_exist() {
    text_has("type t0 = pointer t1", Problem::NoSuchType(TypeId::new(1)));
    text_has("global g0 \"g\" size 8 = zero at 0 = g1", Problem::NoSuchGlobal(GlobalId::new(1)));
    text_has("global g0 \"g\" size 8 = zero at 0 = f1", Problem::NoSuchFunction(FuncId::new(1)));
    inst_has("call f9()", Problem::NoSuchFunction(FuncId::new(9)));
    inst_has("r4 = load i32 g0", Problem::NoSuchGlobal(GlobalId::new(0)));
    inst_has("r4 = load i32 l1", Problem::NoSuchLocal(LocalId::new(1)));
    inst_has("r4 = ptradd r1 in t0", Problem::NoSuchType(TypeId::new(0)));
    inst_has("jump b9 b1:", Problem::NoSuchBlock(EntityRef::new(9)));
    let problem = changed(|_, body| {
        body.blocks[Body::ENTRY].insts[0].kind = InstKind::Copy { dst: reg(0), src: Operand::Reg(reg(9)) };
    });
    assert_eq!(problem, [Problem::NoSuchReg(reg(9)).to_string()]);
    let problem =
        changed(|_, body| body.blocks[Body::ENTRY].insts[0].kind = InstKind::Forget { dst: reg(9) });
    assert_eq!(problem, [Problem::NoSuchReg(reg(9)).to_string()]);
}

#[test]
fn types_do_not_contain_themselves() {
    text_has("type t0 = typedef \"a\" t0", Problem::ContainsItself);
    text_has("type t0 = const t1 type t1 = typedef \"a\" t0", Problem::ContainsItself);
    text_has("type t0 = struct { 0 \"a\" t1 } type t1 = array t0", Problem::ContainsItself);
    let list = "type t0 = struct \"list\" size 8 { 0 \"next\" t1 } type t1 = pointer t0";
    assert_eq!(problems(&parse(list).unwrap()), [""; 0]);
}

#[test]
fn members_start_inside() {
    let text = "type t0 = void type t1 = struct size 4 { 33 \"a\" t0 }";
    text_has(text, Problem::MemberOutside { member: 0 });
}

#[test]
fn alignments_are_powers_of_two() {
    text_has("global g0 \"g\" size 1 align 3", Problem::Align(3));
    text_has("func f0 \"f\"() { local l0 size 1 align 0 b0: return }", Problem::Align(0));
    inst_has("r4 = alloca 1 align 6", Problem::Align(6));
}

#[test]
fn initial_content_fits() {
    text_has("global g0 \"g\" size 1 = bytes 01 02", Problem::TooManyBytes);
    text_has("global g0 \"g\" size 8 = zero at 1 = g0", Problem::RelocOutside { offset: 1 });
    let text = "global g0 \"g\" size 24 = zero at 9 = g0 at 2 = g0";
    text_has(text, Problem::RelocsOverlap { offset: 9 });
    text_has(&format!("target ilp32 {text}").replace("9", "5"), Problem::RelocsOverlap { offset: 5 });
}

#[test]
fn widths_are_1_to_128() {
    let problem = changed(|function, _| function.results.push(Ty::Int(0)));
    assert_eq!(problem[0], Problem::Width(0).to_string());
    let problem = changed(|_, body| {
        body.regs.push(RegInfo { ty: Ty::Int(200), variable: None });
    });
    assert_eq!(problem, [Problem::Width(200).to_string()]);
}

#[test]
fn bodies_have_a_block_and_registers_for_parameters() {
    let problem = changed(|_, body| body.blocks.clear());
    assert_eq!(problem, [Problem::NoBlock.to_string()]);
    let problem = changed(|_, body| body.params.clear());
    assert_eq!(problem, [Problem::ParamCount { expected: 1, found: 0 }.to_string()]);
    text_has("func f0 \"f\"(r0: i32, r0: i32) { b0: return }", Problem::ParamTwice(reg(0)));
    let wrong = Problem::RegType { reg: reg(0), expected: I32, found: I64 };
    text_has("func f0 \"f\"(r0: i32) { reg r0: i64 b0: return }", wrong);
}

#[test]
fn operands_and_results_have_the_types_of_the_instruction() {
    inst_has("r4 = add i32 r0, r3", operand(1, I32, I64));
    inst_has("r4 = popcount i32 r3", operand(0, I32, I64));
    inst_has("r4 = fadd float64 r2, r3", operand(1, F64, I64));
    inst_has("r4 = fneg float64 r3", operand(0, F64, I64));
    inst_has("r4 = cmp eq i32 r0, r1", operand(1, I32, Ty::Ptr));
    inst_has("r4 = fcmp oeq float64 r0, r2", operand(0, F64, I32));
    inst_has("r4 = zext i32 r3 to i64", operand(0, I32, I64));
    inst_has("r4 = select i32 r0 ? r0 : r0", operand(0, Ty::BOOL, I32));
    inst_has("r4 = select i32 1 ? r0 : r1", operand(2, I32, Ty::Ptr));
    inst_has("r4 = ptradd r0", operand(0, Ty::Ptr, I32));
    inst_has("r4 = ptradd r1 + r0 * 4", operand(1, I64, I32));
    inst_has("r4 = load i32 r0", operand(0, Ty::Ptr, I32));
    inst_has("store i32 r3 -> r1", operand(0, I32, I64));
    inst_has("store i32 r0 -> r3", operand(1, Ty::Ptr, I64));
    inst_has("copyblock move r1 <- r0, r3", operand(1, Ty::Ptr, I32));
    inst_has("copyblock move r1 <- r1, r0", operand(2, I64, I32));
    inst_has("fillblock r1 <- r0, r3", operand(1, Ty::Int(8), I32));
    inst_has("r4 = alloca r0 align 1", operand(0, I64, I32));
    inst_has("stackrestore r0", operand(0, Ty::Ptr, I32));
    inst_has("call *r0()", operand(0, Ty::Ptr, I32));
    inst_has("vaend r0", operand(0, Ty::Ptr, I32));
    inst_has("vacopy r1 <- r0", operand(1, Ty::Ptr, I32));
    inst_has("r0 = copy i32 r3", Problem::RegType { reg: reg(0), expected: I64, found: I32 });
    inst_has("r0 = load ptr r1", Problem::RegType { reg: reg(0), expected: Ty::Ptr, found: I32 });
    inst_has("r0 = stacksave", Problem::RegType { reg: reg(0), expected: Ty::Ptr, found: I32 });
}

#[test]
fn constants_fit_their_type() {
    let problem = changed(|_, body| {
        let src = Operand::Int { bits: 1 << 32, width: 32 };
        body.blocks[Body::ENTRY].insts[0].kind = InstKind::Copy { dst: reg(0), src };
    });
    assert_eq!(problem, [Problem::ConstantBits(I32).to_string()]);
}

#[test]
fn comparisons_and_casts_are_of_their_kinds() {
    inst_has("r4 = cmp eq float64 r2, r2", Problem::CmpType(F64));
    use crate::inst::CastOp::*;
    for (inst, op, from, to) in [
        ("trunc i32 r0 to i32", Trunc, I32, I32),
        ("zext i64 r3 to i32", ZExt, I64, I32),
        ("sext i64 r3 to i64", SExt, I64, I64),
        ("ptrtoint ptr r1 to i32", PtrToInt, Ty::Ptr, I32),
        ("inttoptr i32 r0 to ptr", IntToPtr, I32, Ty::Ptr),
        ("ftosi i32 r0 to i64", FloatToSInt, I32, I64),
        ("uitof float64 r2 to float64", UIntToFloat, F64, F64),
        ("ftof i32 r0 to float64", FloatToFloat, I32, F64),
        ("bits i32 r0 to float64", Bits, I32, F64),
    ] {
        inst_has(&format!("r4 = {inst}"), Problem::Cast { op, from, to });
    }
}

#[test]
fn scope_markers_are_of_scoped_locals() {
    inst_has("scope_start l0", Problem::NotScoped(LocalId::new(0)));
    inst_has("scope_end l0", Problem::NotScoped(LocalId::new(0)));
    inst_has("scope_end l7", Problem::NoSuchLocal(LocalId::new(7)));
    let problem = changed(|_, body| {
        let local =
            body.locals.push(Local { size: 4, align: 4, scoped: true, unmarked: false, variable: None });
        body.blocks[Body::ENTRY].insts[0].kind = InstKind::ScopeStart { local };
    });
    assert_eq!(problem, [""; 0]);
}

#[test]
fn calls_of_defined_functions_match() {
    let count = |callee, expected, found| Problem::ArgCount { callee: FuncId::new(callee), expected, found };
    inst_has("r4: i32 = call f2()", count(2, 1, 0));
    inst_has("r4: i32 = call f2(r0, r0)", count(2, 1, 2));
    inst_has("call f3()", count(3, 1, 0));
    inst_has("r4: i32 = call f2(r3)", operand(0, I32, I64));
    inst_has("call f3(r3)", operand(0, I32, I64));
    inst_has("call f2(r0)", Problem::ResultCount { expected: 1, found: 0 });
    inst_has("r3 = call f2(r0)", Problem::RegType { reg: reg(3), expected: I32, found: I64 });
    inst_has("r4: i32, r4 = call f1(r0)", Problem::ResultTwice(reg(4)));
    inst_has("r4: i32, r4 = unsupported \"x\"", Problem::ResultTwice(reg(4)));
}

#[test]
fn calls_of_external_functions_may_disagree() {
    let text =
        "func f0 \"f\"(r0: i32) { b0: call f1(r0, i64 1) r1: ptr = call f1() call f2(i32 1, i64 2) return }
        func f1 \"old\"(i32) -> (i32)
        func f2 \"more\"(r0: i32, ...) { b0: return }";
    assert_eq!(problems(&parse(text).unwrap()), [""; 0]);
}

#[test]
fn variadic_lists_start_in_variadic_functions() {
    inst_has("vastart l0", Problem::NotVariadic);
}

#[test]
fn terminators_match() {
    inst_has("br r0 ? b0 : b0 b1:", operand(0, Ty::BOOL, I32));
    inst_has("switch i32 r3 { else -> b0 } b1:", operand(0, I32, I64));
    inst_has("return r0 b1:", Problem::ResultCount { expected: 0, found: 1 });
    text_has("func f0 \"f\"(r0: i64) -> (i32) { b0: return r0 }", operand(0, I32, I64));
    let problem = changed(|_, body| {
        let (value, default) = (Operand::Int { bits: 0, width: 8 }, Body::ENTRY);
        body.blocks[default].term =
            Terminator::Switch { value, width: 8, cases: vec![(256, default)], default };
    });
    assert_eq!(problem, [Problem::ConstantBits(Ty::Int(8)).to_string()]);
}

#[test]
fn errors_name_their_place() {
    let program = parse("func f0 \"f\"(r0: i32) { b0: return b1: r1 = add i64 r0, 1 return }").unwrap();
    let text = check(&program)[0].to_string();
    assert_eq!(text, "function f0, b1, instruction 0: operand 0 has type i32 instead of i64");
}
