//! Where blocks are lost.

mod common;

use common::*;
use heapproof_interp::{Outcome, Run};
use heapproof_verdict::{AssumptionKind, ErrorClass, Property, PropertySet};

const HEAP: &[&str] = &["malloc(i64) -> (ptr)", "free(ptr)", "exit(i32)", "abort()", "atexit(ptr) -> (i32)"];
const ITEMS: &str = "global g0 \"head\" size 8 align 8";

fn heap(body: &str) -> Run {
    run_main(HEAP, ITEMS, body, &[], &options())
}

fn functions(bodies: &[&str]) -> Run {
    heapproof_interp::run(&program(HEAP, ITEMS, bodies), &options(), &mut Given(vec![]))
}

#[test]
fn the_line_that_drops_the_last_pointer() {
    let body = "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr1 = copy i32 5\nr0 = copy ptr null\nr2 = copy i32 5\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::Leak, 5);
    assert_eq!(
        violation(&run).message,
        "the last pointer to a heap block of 8 bytes is lost when `p` is assigned"
    );
    assert_eq!(violation(&run).property, Property::ValidMemtrack);
    assert_eq!(violation(&run).path[0].location.line, 3);
    expect(&heap("b0:\ncall $malloc(i64 8)\nr0 = copy i32 1\nreturn 0"), ErrorClass::Leak, 2);
    let body = "b0:\nr0: ptr = call $malloc(i64 8)\nstore ptr r0 -> g0\nr1 = copy i32 1\nstore ptr null -> g0\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 5);
}

#[test]
fn returning_from_main_loses_its_locals_and_exit_does_not() {
    let body = "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr1 = copy i32 1\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 5);
    expect_end(&heap(&body.replace("return 0", "call $exit(i32 3)\nunreachable")), 3);
    let aborted = heap(&body.replace("return 0", "call $abort()\nunreachable"));
    assert!(matches!(aborted.outcome, Outcome::Finished { aborted: true, .. }));
    let body = "b0:\nr0: ptr = call $malloc(i64 8)\nstore ptr r0 -> g0\nreturn 0";
    expect_end(&heap(body), 0);
}

#[test]
fn memcleanup_wants_everything_freed() {
    let mut options = options();
    options.environment.properties = PropertySet::new("memcleanup", [Property::MemCleanup]);
    let body = "b0:\nr0: ptr = call $malloc(i64 8)\nstore ptr r0 -> g0\nreturn 0";
    let run = run_main(HEAP, ITEMS, body, &[], &options);
    expect(&run, ErrorClass::Leak, 4);
    assert_eq!(violation(&run).property, Property::MemCleanup);
    let run =
        run_main(HEAP, ITEMS, &body.replace("return 0", "call $exit(i32 0)\nunreachable"), &[], &options);
    expect(&run, ErrorClass::Leak, 4);
    let run = run_main(HEAP, ITEMS, &body.replace("return 0", "call $free(r0)\nreturn 0"), &[], &options);
    expect_end(&run, 0);
}

#[test]
fn a_leak_before_another_error_comes_first_and_the_error_is_known_too() {
    let body =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\nr1 = load i8 r0\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::Leak, 4);
    let further: Vec<_> = run.further.iter().map(|v| (v.class, v.location.line)).collect();
    assert_eq!(further, [(ErrorClass::NullDeref, 5)]);
    let endless =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\njump b1\nb1:\njump b1";
    let run = heap(endless);
    expect(&run, ErrorClass::Leak, 4);
    assert!(run.further.is_empty());
}

#[test]
fn an_error_that_nobody_asked_about_is_not_told_after_a_leak() {
    let body =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\nr1 = load i8 r0\nreturn 0";
    let run = run_main(HEAP, ITEMS, body, &[], &only(&[Property::ValidMemtrack]));
    expect(&run, ErrorClass::Leak, 4);
    assert!(run.further.is_empty());
}

#[test]
fn blocks_left_over_beside_a_lost_one_are_told_too() {
    let mut options = options();
    options.environment.properties =
        PropertySet::new("both", [Property::ValidMemtrack, Property::MemCleanup]);
    let lost = "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\nr1 = copy i32 0\n";
    let run = run_main(HEAP, ITEMS, &format!("{lost}return 0"), &[], &options);
    expect(&run, ErrorClass::Leak, 4);
    // The lost block itself is not told twice.
    assert!(run.further.is_empty());
    let kept = "r2: ptr = call $malloc(i64 8)\nstore ptr r2 -> g0\nreturn 0";
    let run = run_main(HEAP, ITEMS, &format!("{lost}{kept}"), &[], &options);
    expect(&run, ErrorClass::Leak, 4);
    assert_eq!(run.further.len(), 1);
    assert_eq!(run.further[0].property, Property::MemCleanup);
}

#[test]
fn leaks_are_not_judged_where_provenance_was_lost() {
    let lost = |run: &Run| run.ledger.assumptions.iter().any(|a| a.kind == AssumptionKind::ProvenanceLost);
    let start = "reg r0: ptr var \"p\"\nb0:\nr1: ptr = call $malloc(i64 8)\nr2: ptr = call $malloc(i64 8)\nr3 = ptrtoint ptr r1 to i64\nr4 = ptrtoint ptr r2 to i64\nr5 = xor i64 r3, r4\nr6 = xor i64 r5, r3\n";
    // As a pointer, whether or not it is used.
    let cast = heap(&format!("{start}r7 = inttoptr i64 r6 to ptr\nr0 = copy ptr r7\nreturn 0"));
    expect_end(&cast, 0);
    assert!(lost(&cast));
    // Through memory.
    let stored = heap(&format!("{start}store i64 r6 -> g0\nr7 = load ptr g0\nr0 = copy ptr r7\nreturn 0"));
    expect_end(&stored, 0);
    assert!(lost(&stored));
    // Never used as a pointer: all is known.
    let unused = heap(&format!("{start}return 0"));
    expect(&unused, ErrorClass::Leak, 8);
    assert!(!lost(&unused));
}

#[test]
fn what_comes_from_one_object_only_loses_nothing() {
    let lost = |run: &Run| run.ledger.assumptions.iter().any(|a| a.kind == AssumptionKind::ProvenanceLost);
    let start = "b0:\nr0: ptr = call $malloc(i64 64)\nr1 = ptrtoint ptr r0 to i64\n";
    let ways = [
        // A tag, alignment upwards, and the halves put together again.
        "r2 = or i64 r1, 1\nr3 = and i64 r2, -2\nr4 = add i64 r3, 0\nr5 = copy i32 0\n",
        "r2 = add i64 r1, 15\nr3 = and i64 r2, -16\nr4 = sub i64 r3, 0\nr5 = copy i32 0\n",
        "r2 = lshr i64 r1, 32\nr3 = shl i64 r2, 32\nr5 = and i64 r1, 4294967295\nr4 = or i64 r3, r5\n",
        "r2 = xor i64 r1, -1\nr3 = xor i64 r2, -1\nr4 = add i64 r3, 0\nr5 = copy i32 0\n",
    ];
    for way in ways {
        let run = heap(&format!("{start}{way}r6 = inttoptr i64 r4 to ptr\nstore i8 1 -> r6\nreturn 0"));
        expect(&run, ErrorClass::Leak, way.lines().count() as u32 + 5);
        assert!(!lost(&run), "{way}");
    }
}

#[test]
fn blocks_reached_through_blocks_and_interior_pointers() {
    let body = "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 16)\nr1: ptr = call $malloc(i64 16)\nr2 = ptradd r0 + 8\nr3 = ptradd r1 + 20\nstore ptr r3 -> r2\nr4 = copy i32 1\ncall $free(r0)\nr5 = copy i32 1\nreturn 0";
    // The second block is lost with the first one that held its address, although out of its bounds.
    expect(&heap(body), ErrorClass::Leak, 9);
}

#[test]
fn dead_temporaries_are_no_roots_and_live_ones_are() {
    let body = "b0:\nr0: ptr = call $malloc(i64 8)\nr1 = copy i32 1\nr2 = copy i32 2\nstore i8 0 -> r0\nr3 = copy i32 2\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 5);
}

#[test]
fn results_that_the_caller_drops_are_lost_at_the_call() {
    let run = functions(&[
        "\"main\"() -> (i32) {\nb0:\nr0: ptr = call $1() @0:2:1\nr1 = copy i32 0 @0:3:1\nreturn 0 @0:4:1 }",
        "\"make\"() -> (ptr) {\nb0:\nr0: ptr = call $malloc(i64 8) @0:7:1\nreturn r0 @0:8:1 }",
    ]);
    expect(&run, ErrorClass::Leak, 2);
    let run = functions(&[
        "\"main\"() -> (i32) {\nb0:\ncall $1() @0:2:1\nreturn 0 @0:4:1 }",
        "\"make\"() {\nreg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8) @0:7:1\nr1 = copy i32 1 @0:8:1\nreturn @0:9:1 }",
    ]);
    expect(&run, ErrorClass::Leak, 9);
}

#[test]
fn handlers_run_at_the_end() {
    let bodies = [
        "\"main\"() -> (i32) {\nb0:\nr0: ptr = call $malloc(i64 8) @0:2:1\nstore ptr r0 -> g0\nr1: i32 = call $atexit($1)\nreturn 4 @0:4:1 }",
        "\"clean\"() {\nb0:\nr0 = load ptr g0\ncall $free(r0)\nreturn }",
    ];
    let mut options = options();
    options.environment.properties =
        PropertySet::new("all", [Property::ValidDeref, Property::ValidMemtrack, Property::MemCleanup]);
    let run = heapproof_interp::run(&program(HEAP, ITEMS, &bodies), &options, &mut Given(vec![]));
    expect_end(&run, 4);
}

#[test]
fn long_runs_are_searched_in_few_replays() {
    let body = "reg r0: ptr var \"p\"\nreg r1: i32 var \"i\"\nb0:\nr1 = copy i32 0\njump b1\nb1:\nr2 = cmp eq i32 r1, 777\nbr r2 ? b2 : b3\nb2:\nr0 = call $malloc(i64 8)\njump b3\nb3:\nr3 = cmp eq i32 r1, 900\nbr r3 ? b4 : b5\nb4:\nr0 = copy ptr null\njump b5\nb5:\nr1 = add i32 r1, 1\nr4 = cmp ult i32 r1, 100000\nbr r4 ? b1 : b6\nb6:\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 16);
}

#[test]
fn leaks_at_several_places_are_told_apart() {
    let body = "reg r0: ptr var \"p\"\nreg r1: ptr var \"q\"\nb0:\nr0 = call $malloc(i64 8)\nr1 = call $malloc(i64 8)\n\
                r0 = copy ptr null\nr1 = copy ptr null\nreturn 0";
    let run = heap(body);
    expect(&run, ErrorClass::Leak, 6);
    let further: Vec<_> = run.further.iter().map(|v| (v.class, v.location.line)).collect();
    assert_eq!(further, [(ErrorClass::Leak, 7)]);
}
