//! Where blocks are lost.

mod common;

use common::*;
use heapproof_interp::{Outcome, Run};
use heapproof_verdict::{ErrorClass, Property, PropertySet};

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
    options.properties = PropertySet::new("memcleanup", [Property::MemCleanup]);
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
fn a_leak_before_another_error_comes_first() {
    let body =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\nr1 = load i8 r0\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 4);
    let endless =
        "reg r0: ptr var \"p\"\nb0:\nr0 = call $malloc(i64 8)\nr0 = copy ptr null\njump b1\nb1:\njump b1";
    expect(&heap(endless), ErrorClass::Leak, 4);
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
    options.properties =
        PropertySet::new("all", [Property::ValidDeref, Property::ValidMemtrack, Property::MemCleanup]);
    let run = heapproof_interp::run(&program(HEAP, ITEMS, &bodies), &options, &mut Given(vec![]));
    expect_end(&run, 4);
}

#[test]
fn long_runs_are_searched_in_few_replays() {
    let body = "reg r0: ptr var \"p\"\nreg r1: i32 var \"i\"\nb0:\nr1 = copy i32 0\njump b1\nb1:\nr2 = cmp eq i32 r1, 777\nbr r2 ? b2 : b3\nb2:\nr0 = call $malloc(i64 8)\njump b3\nb3:\nr3 = cmp eq i32 r1, 900\nbr r3 ? b4 : b5\nb4:\nr0 = copy ptr null\njump b5\nb5:\nr1 = add i32 r1, 1\nr4 = cmp ult i32 r1, 100000\nbr r4 ? b1 : b6\nb6:\nreturn 0";
    expect(&heap(body), ErrorClass::Leak, 16);
}
