//! Functions started in states that somebody made up.

mod common;

use common::*;
use heapproof_interp::state::{Address, Argument, BadState, Block, Content, State};
use heapproof_interp::{Outcome, Run, run_from};
use heapproof_ir::{FuncId, Program};
use heapproof_verdict::ErrorClass;

/// `int second(struct node *n) { return n->next->value; }` with the value first, then `int drop(struct node *n)`, which frees it.
fn module() -> Program {
    let second = "\"second\"(r0: ptr) -> (i32) @0:1:1 {\nb0:\nr1: ptr = ptradd r0 + 8 @0:2:1\nr2: ptr = load ptr r1 @0:3:1\n\
                  r3: i32 = load i32 r2 @0:4:1\nreturn r3 @0:5:1\n}";
    let drop = "\"drop\"(r0: ptr) -> (i32) @0:6:1 {\nb0:\ncall $free(r0) @0:7:1\nreturn 0 @0:8:1\n}";
    program(&["free(ptr)"], "global g0 \"head\" size 8 align 8", &[second, drop])
}

fn func(program: &Program, name: &str) -> FuncId {
    program.function(name).expect("it is there")
}

fn node(value: u8, next: Address) -> Block {
    Block { size: 16, content: vec![(0, Content::Bytes(vec![value, 0, 0, 0])), (8, Content::Pointer(next))] }
}

fn start(name: &str, state: &State) -> Run {
    let program = module();
    run_from(&program, &options(), func(&program, name), state, &mut Given(vec![])).expect("it fits")
}

fn at(index: usize) -> Address {
    Address::Object { index, offset: 0 }
}

#[test]
fn a_function_sees_the_heap_of_the_state() {
    let state = State {
        objects: vec![node(1, at(1)), node(42, Address::Null)],
        globals: Vec::new(),
        arguments: vec![Argument::Pointer(at(0))],
    };
    let run = start("second", &state);
    assert_eq!(run.outcome, Outcome::Finished { exit_code: 42, aborted: false });
    // Nobody made a choice.
    assert_eq!(run.choice, None);
    let mut circle = state.clone();
    circle.objects[0] = node(7, at(0));
    assert_eq!(start("second", &circle).outcome, Outcome::Finished { exit_code: 7, aborted: false });
    let mut short = state;
    short.objects[0] = node(1, Address::Null);
    expect(&start("second", &short), ErrorClass::NullDeref, 4);
}

#[test]
fn what_is_not_said_is_uninitialised() {
    let state = State {
        objects: vec![Block { size: 16, content: Vec::new() }],
        globals: Vec::new(),
        arguments: vec![Argument::Pointer(at(0))],
    };
    expect(&start("second", &state), ErrorClass::WildDeref, 4);
}

#[test]
fn the_caller_holds_the_arguments() {
    let state = State {
        objects: vec![node(1, at(1)), node(2, Address::Null)],
        globals: Vec::new(),
        arguments: vec![Argument::Pointer(at(0))],
    };
    assert!(matches!(start("second", &state).outcome, Outcome::Finished { .. }));
    // With the first node the only pointer to the second one is gone.
    expect(&start("drop", &state), ErrorClass::Leak, 7);
    let mut held = state.clone();
    let global = module().globals.keys().next().expect("a global");
    held.globals.push((global, 0, Content::Pointer(at(1))));
    assert!(matches!(start("drop", &held).outcome, Outcome::Finished { .. }));
    let mut inside = state;
    inside.arguments = vec![Argument::Pointer(Address::Object { index: 0, offset: 8 })];
    expect(&start("drop", &inside), ErrorClass::InvalidFree, 7);
}

#[test]
fn a_state_has_to_fit() {
    let program = module();
    let refused = |state: &State| {
        run_from(&program, &options(), func(&program, "second"), state, &mut Given(vec![])).unwrap_err()
    };
    assert_eq!(refused(&State::default()), BadState::Arguments);
    let number = State { arguments: vec![Argument::Number(1)], ..State::default() };
    assert_eq!(refused(&number), BadState::Arguments);
    let dangling = State { arguments: vec![Argument::Pointer(at(0))], ..State::default() };
    assert_eq!(refused(&dangling), BadState::Dangling);
    let outside = State {
        objects: vec![Block { size: 8, content: vec![(4, Content::Pointer(Address::Null))] }],
        arguments: vec![Argument::Pointer(at(0))],
        ..State::default()
    };
    assert_eq!(refused(&outside), BadState::Outside { offset: 4, size: 8 });
    let external = run_from(&program, &options(), func(&program, "free"), &dangling, &mut Given(vec![]));
    assert_eq!(external.unwrap_err(), BadState::NoBody);
}
