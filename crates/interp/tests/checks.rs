//! One test per check of memory accesses and of arithmetic.

mod common;

use common::*;
use heapproof_interp::{Options, Outcome, Source, Stop};
use heapproof_verdict::{AssumptionKind, ErrorClass, Property, StepKind};

const HEAP: &[&str] = &["malloc(i64) -> (ptr)", "free(ptr)", "calloc(i64, i64) -> (ptr)"];

fn heap(body: &str) -> heapproof_interp::Run {
    run_main(
        HEAP,
        "global g0 \"table\" size 4 align 4 constant = bytes 01 02 03 04\nglobal g1 \"cell\" size 8 align 8",
        body,
        &[],
        &options(),
    )
}

#[test]
fn null_and_small_addresses() {
    expect(&heap("b0:\nr0 = load i32 null\nreturn 0"), ErrorClass::NullDeref, 2);
    expect(&heap("b0:\nr0 = ptradd null + 40\nstore i8 0 -> r0\nreturn 0"), ErrorClass::NullDeref, 3);
    let through_memory =
        "b0:\nr0 = ptradd null - 8\nstore ptr r0 -> g1\nr1 = load ptr g1\nr2 = load i8 r1\nreturn 0";
    expect(&heap(through_memory), ErrorClass::NullDeref, 5);
    // Manufactured, however small.
    expect(&heap("b0:\nr0 = inttoptr i64 1 to ptr\nr1 = load i8 r0\nreturn 0"), ErrorClass::WildDeref, 3);
    expect(
        &heap("b0:\nstore i64 17 -> g1\nr0 = load ptr g1\nr1 = load i8 r0\nreturn 0"),
        ErrorClass::WildDeref,
        4,
    );
    expect(&heap("b0:\nr0 = inttoptr i64 17 to ptr\ncall *r0()\nreturn 0"), ErrorClass::WildDeref, 3);
    // Null that became an integer in between, as `container_of` may do it.
    let as_integer = "b0:\nr0 = ptrtoint ptr null to i64\nr1 = sub i64 r0, 8\nstore i64 r1 -> g1\nr2 = load i64 g1\nr3 = add i64 r2, 16\nr4 = inttoptr i64 r3 to ptr\nr5 = load i8 r4\nreturn 0";
    expect(&heap(as_integer), ErrorClass::NullDeref, 8);
    expect(
        &heap("b0:\nr0 = inttoptr i64 100000 to ptr\nr1 = load i8 r0\nreturn 0"),
        ErrorClass::WildDeref,
        3,
    );
}

#[test]
fn uninitialised_pointers() {
    let body = "reg r0: ptr var \"p\"\nb0:\nr1 = load i8 r0\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::WildDeref, 3);
    assert_eq!(run.inputs.len(), 1);
    assert_eq!(
        (run.inputs[0].source, run.inputs[0].width, run.inputs[0].name.as_str()),
        (Source::Uninitialised, 64, "p")
    );
    let body =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 16)\nr1 = load ptr r0\nr2 = load i8 r1\nreturn 0";
    expect(&heap(body), ErrorClass::WildDeref, 5);
}

#[test]
fn bounds_of_the_object() {
    let run = heap("b0:\nr0 = ptradd g1 + 8\nr1 = load i8 r0\nreturn 0");
    expect(&run, ErrorClass::OutOfBoundsRead, 3);
    assert_eq!(violation(&run).message, "read of 1 byte at offset 8 of `cell` of 8 bytes");
    expect(&heap("b0:\nr0 = ptradd g1 - 1\nstore i8 0 -> r0\nreturn 0"), ErrorClass::OutOfBoundsWrite, 3);
    expect(&heap("b0:\nr0 = ptradd g1 + 4\nstore i64 0 -> r0\nreturn 0"), ErrorClass::OutOfBoundsWrite, 3);
    expect(&heap("b0:\nstore i8 1 -> g0\nreturn 0"), ErrorClass::ReadonlyWrite, 2);
    expect(&heap("b0:\nr0 = load i8 $0\nreturn 0"), ErrorClass::OutOfBoundsRead, 2);
    // Nothing is touched by a block of no bytes.
    expect_end(&heap("b0:\ncopyblock disjoint null <- g0, 0\nfillblock null <- 0, 0\nreturn 7"), 7);
}

#[test]
fn freed_blocks() {
    let body =
        "b0:\nr0: ptr = call $malloc(i64 16)\nstore i8 1 -> r0\ncall $free(r0)\nr1 = load i8 r0\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::UseAfterFree, 5);
    let steps: Vec<_> = violation(&run).path.iter().map(|s| (s.kind, s.location.line)).collect();
    assert_eq!(steps, [(StepKind::Allocated, 2), (StepKind::Freed, 4)]);
    let body = "b0:\nr0: ptr = call $malloc(i64 16)\ncall $free(r0)\ncall $free(r0)\nreturn 0";
    expect(&heap(body), ErrorClass::DoubleFree, 4);
    let body = "b0:\nr0: ptr = call $malloc(i64 16)\nr1 = ptradd r0 + 8\ncall $free(r1)\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::InvalidFree, 4);
    assert_eq!(violation(&run).cwe, Some(761));
    let run = heap("b0:\ncall $free(g1)\nreturn 0");
    expect(&run, ErrorClass::InvalidFree, 2);
    assert_eq!(violation(&run).cwe, Some(590));
    expect_end(&heap("b0:\ncall $free(null)\nreturn 0"), 0);
}

#[test]
fn scopes_and_frames() {
    let body = "local l0 size 4 align 4 scoped var \"x\" @0:9:1\nreg r0: ptr var \"p\"\nb0:\nscope_start l0\nr0 = copy ptr l0\nscope_end l0\nr1 = load i32 r0\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::UseAfterScope, 7);
    assert_eq!(
        violation(&run).path.iter().map(|s| s.kind).collect::<Vec<_>>(),
        [StepKind::Declared, StepKind::ScopeEnded]
    );
    let functions = [
        "\"main\"() -> (i32) {\nb0:\nr0: ptr = call $1() @0:2:1\nr1 = load i32 r0 @0:3:1\nreturn 0 }",
        "\"f\"() -> (ptr) {\nlocal l0 size 4 align 4 var \"x\"\nb0:\nreturn l0 @0:8:1 }",
    ];
    let run = heapproof_interp::run(&program(&[], "", &functions), &options(), &mut Given(vec![]));
    expect(&run, ErrorClass::UseAfterScope, 3);
}

#[test]
fn a_loop_with_a_scoped_local_needs_no_more_memory_each_time() {
    let body = "local l0 size 4 align 4 scoped var \"x\"\nreg r0: i32 var \"i\"\nb0:\nr0 = copy i32 0\njump b1\nb1:\nscope_start l0\nstore i32 r0 -> l0\nscope_end l0\nr0 = add i32 r0, 1\nr1 = cmp ult i32 r0, 100000\nbr r1 ? b1 : b2\nb2:\nreturn 0";
    let options = Options { max_memory: 10_000, ..options() };
    expect_end(&run_main(&[], "", body, &[], &options), 0);
}

#[test]
fn overlapping_copies() {
    let body = "b0:\nr0 = ptradd g1 + 2\ncopyblock disjoint r0 <- g1, 4\nreturn 0";
    expect(&heap(body), ErrorClass::OverlappingCopy, 3);
    expect_end(&heap(&body.replace("disjoint", "move")), 0);
    expect_end(&heap("b0:\ncopyblock struct g1 <- g1, 8\nreturn 0"), 0);
    expect(&heap(&body.replace("disjoint", "struct")), ErrorClass::OverlappingCopy, 3);
    let run = run_main(
        HEAP,
        "global g0 \"a\" size 4\nglobal g1 \"cell\" size 8",
        body,
        &[],
        &only(&[Property::ValidDeref]),
    );
    expect_end(&run, 0);
}

#[test]
fn arithmetic_errors() {
    expect(&heap("b0:\nr0 = sdiv i32 1, 0\nreturn 0"), ErrorClass::DivisionByZero, 2);
    let run = run_main(&[], "", "b0:\nr0 = urem i32 1, 0\nreturn 0", &[], &only(&[Property::ValidDeref]));
    assert!(matches!(stop(&run), Stop::OtherError(_)));
}

#[test]
fn uninitialised_bytes_are_chosen_once_and_copied_unchosen() {
    let body = "b0:\nr0: ptr = call $malloc(i64 16)\nr1 = load i32 r0\nr2 = load i32 r0\nr3 = cmp eq i32 r1, r2\nr4 = ptradd r0 + 8\ncopyblock move r4 <- r0, 8\nr5 = load i32 r4\nr6 = ptradd r0 + 12\nr7 = load i32 r6\ncall $free(r0)\nr8 = zext i1 r3 to i32\nreturn r8";
    let run = heap(body);
    expect_end(&run, 1);
    // The first four bytes and, in the copy, only the other four.
    assert_eq!(run.inputs.iter().map(|i| i.width).collect::<Vec<_>>(), [32, 32]);
}

#[test]
fn a_pointer_copied_byte_by_byte_is_still_one() {
    let mut body = String::from(
        "b0:\nr0: ptr = call $malloc(i64 1)\nstore i8 5 -> r0\nr1: ptr = call $malloc(i64 16)\nstore ptr r0 -> r1\n",
    );
    for byte in 0..8 {
        let (from, value, to) = (10 + byte * 3, 11 + byte * 3, 12 + byte * 3);
        body += &format!(
            "r{from} = ptradd r1 + {byte}\nr{value} = load i8 r{from}\nr{to} = ptradd r1 + {}\nstore i8 r{value} -> r{to}\n",
            byte + 8
        );
    }
    body += "r2 = ptradd r1 + 8\nr3 = load ptr r2\nr4 = load i8 r3\ncall $free(r3)\ncall $free(r1)\nr5 = zext i8 r4 to i32\n";
    body += "r6 = copy i32 0\nr7 = copy i32 0\nr8 = copy i32 0\nr9 = copy i32 0\nreturn r5";
    expect_end(&heap(&body), 5);
}

#[test]
fn xor_of_two_addresses_is_found_back() {
    let body = "b0:\nr0: ptr = call $malloc(i64 8)\nr1: ptr = call $malloc(i64 8)\nstore i64 9 -> r1\nr2 = ptrtoint ptr r0 to i64\nr3 = ptrtoint ptr r1 to i64\nr4 = xor i64 r2, r3\nstore i64 r4 -> g1\nr5 = load i64 g1\nr6 = xor i64 r5, r2\nr7 = inttoptr i64 r6 to ptr\nr8 = load i32 r7\ncall $free(r7)\ncall $free(r0)\nreturn r8";
    expect_end(&heap(body), 9);
    // Deeper mixtures are undecided, never an error.
    let body = "b0:\nr0 = ptrtoint ptr g1 to i64\nr1 = mul i64 r0, 3\nr2 = inttoptr i64 r1 to ptr\nr3 = load i8 r2\nreturn 0";
    assert!(matches!(stop(&heap(body)), Stop::Other(_)));
}

#[test]
fn tagged_pointers_keep_their_object() {
    let body = "b0:\nr0 = ptrtoint ptr g1 to i64\nr1 = or i64 r0, 1\nr2 = and i64 r1, -2\nr3 = inttoptr i64 r2 to ptr\nstore i32 4 -> r3\nr4 = load i32 g1\nreturn r4";
    expect_end(&heap(body), 4);
}

#[test]
fn calls_through_pointers() {
    expect(&heap("b0:\ncall *null()\nreturn 0"), ErrorClass::NullDeref, 2);
    expect(&heap("b0:\ncall *g1()\nreturn 0"), ErrorClass::WildDeref, 2);
    let functions = [
        "\"main\"() -> (i32) {\nb0:\nr0 = copy ptr $1\nr1: i32 = call *r0(i32 20)\nreturn r1 }",
        "\"f\"(r0: i32) -> (i32) {\nb0:\nr1 = add i32 r0, 1\nreturn r1 }",
    ];
    let run = heapproof_interp::run(&program(&[], "", &functions), &options(), &mut Given(vec![]));
    expect_end(&run, 21);
    let wrong = functions.map(|f| f.replace("i32 20", "i64 20"));
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    let run = heapproof_interp::run(&program(&[], "", &wrong), &options(), &mut Given(vec![]));
    assert!(matches!(stop(&run), Stop::Other(_)));
}

#[test]
fn limits() {
    let endless = "b0:\njump b0";
    assert_eq!(stop(&heap(endless)), &Stop::Steps(1_000_000));
    let functions = ["\"main\"() -> (i32) {\nb0:\nr0: i32 = call $0()\nreturn r0 }"];
    let run = heapproof_interp::run(&program(&[], "", &functions), &options(), &mut Given(vec![]));
    assert_eq!(stop(&run), &Stop::Depth(1000));
    let body = "b0:\nr0: ptr = call $malloc(i64 4294967296)\nr1 = ptradd r0 + 4294967288\nstore i64 3 -> r1\nr2 = load i32 r1\ncall $free(r0)\nreturn r2";
    expect_end(&heap(body), 3);
    assert!(matches!(stop(&heap("b0:\nr0: ptr = call $malloc(i64 -1)\nreturn 0")), Stop::Memory(_)));
}

#[test]
fn external_functions_and_objects() {
    let body = "b0:\nr0: i32 = call $frob(g0)\nreturn 0";
    let items = "global g0 \"x\" size 8 align 8 = external";
    let run = run_main(&["frob(ptr) -> (i32)"], items, body, &[], &options());
    assert_eq!(stop(&run), &Stop::External { name: "frob".to_owned() });
    assert!(run.ledger.assumptions.iter().any(|a| a.kind == AssumptionKind::ExternalFunction && !a.accepted));
    let pure = with(|environment| environment.pure = ["frob".to_owned()].into());
    expect_end(&run_main(&["frob(ptr) -> (i32)"], items, body, &[], &pure), 0);
    let havoc = with(|environment| environment.havoc = ["frob".to_owned()].into());
    let body = "b0:\nstore i32 5 -> g0\nr0: i32 = call $frob(g0)\nr1 = load i32 g0\nreturn r1";
    expect_end(&run_main(&["frob(ptr) -> (i32)"], items, body, &[], &havoc), 0);
    // A pointer from outside is undecided.
    let body = "b0:\nr0 = load ptr g0\nr1 = load i8 r0\nreturn 0";
    assert!(matches!(stop(&run_main(&[], items, body, &[], &options())), Stop::Other(_)));
}

#[test]
fn assertions_end_the_path_unless_asked_for() {
    let externals = &["__assert_fail(ptr, ptr, i32, ptr)", "reach_error()"];
    let items = "global g0 \"text\" size 6 constant anonymous = \"x > 0\\0\"";
    let body = "b0:\ncall $__assert_fail(g0, g0, i32 1, g0)\nreturn 0";
    let run = run_main(externals, items, body, &[], &options());
    expect(&run, ErrorClass::AssertionFailure, 2);
    assert_eq!(violation(&run).message, "the assertion `x > 0` fails");
    let run = run_main(externals, items, body, &[], &only(&[Property::ValidDeref]));
    assert_eq!(run.outcome, Outcome::Finished { exit_code: 134, aborted: true });
    let body = "b0:\ncall $reach_error()\nreturn 0";
    assert!(matches!(
        run_main(externals, items, body, &[], &options()).outcome,
        Outcome::Finished { aborted: true, .. }
    ));
    let run = run_main(externals, items, body, &[], &only(&[Property::UnreachCall]));
    assert_eq!(violation(&run).property, Property::UnreachCall);
}

#[test]
fn undefined_operations_are_inputs_and_unsupported_ones_stop() {
    let run = heap("b0:\nr0 = shl i32 1, 40\nreturn r0");
    expect_end(&run, 0);
    assert_eq!(run.inputs.len(), 1);
    let run = heap("b0:\nunsupported \"inline assembly\"\nreturn 0");
    assert_eq!(stop(&run), &Stop::Unsupported { what: "inline assembly".to_owned() });
    assert!(matches!(stop(&heap("b0:\nunreachable")), Stop::Unsupported { .. }));
}

#[test]
fn an_execution_goes_on_after_errors() {
    let options = Options { go_on: true, ..options() };
    let body = "reg r0: ptr var \"p\"\nb0:\nr0 = copy ptr null\nstore i8 1 -> r0\nstore i8 2 -> r0\nr1 = load ptr r0\n\
                store i8 1 -> r1\nr2 = load i8 g0 + 9\nreturn 0";
    let body = body.replace("g0 + 9", "r3").replace("r2 = load", "r3 = ptradd g0 + 9\nr2 = load");
    let run = run_main(&[], "global g0 \"g\" size 4 align 4 = zero", &body, &[], &options);
    expect(&run, ErrorClass::NullDeref, 4);
    // The same pointer again, and what was not read, are no errors of their own.
    let further: Vec<_> = run.further.iter().map(|v| (v.class, v.location.line, v.later)).collect();
    assert_eq!(further, [(ErrorClass::OutOfBoundsRead, 9, true)]);
}
