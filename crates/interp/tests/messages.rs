//! What violations and their paths say.

mod common;

use common::*;
use heapproof_interp::Run;
use heapproof_ir::Program;
use heapproof_verdict::StepKind;

const TYPES: &str = "type t0 = pointer t1\n\
    type t1 = struct \"node\" size 16 { 0 \"next\" t0; 64 \"data\" t2 }\n\
    type t2 = int \"int\" size 4 signed\n";

/// Runs a `main` with a `struct node *p` in r0 and what `nodes` declares.
fn nodes(body: &str) -> Run {
    let body = format!("reg r0: ptr var \"p\" type t0\nb0:\n{body}\nreturn 0");
    run_main(&["malloc(i64) -> (ptr)", "free(ptr)", "strlen(ptr) -> (i64)"], TYPES, &body, &[], &options())
}

fn message(run: &Run) -> &str {
    &violation(run).message
}

fn told(run: &Run) -> Vec<(StepKind, u32, &str)> {
    violation(run).path.iter().map(|s| (s.kind, s.location.line, s.message.as_str())).collect()
}

#[test]
fn pointers_are_named_as_the_source_names_them() {
    let run = nodes("r0 = copy ptr null\nr1 = ptradd r0 + 8 in t1\nr2 = load i32 r1");
    assert_eq!(message(&run), "read of `p->data`, but `p` is null");
    let next = "r0 = call $malloc(i64 16)\nr1 = ptradd r0 in t1\nstore ptr null -> r1\nr2 = load ptr r1\nr3 = ptradd r2 + 8 in t1\nstore i32 1 -> r3";
    assert_eq!(message(&nodes(next)), "write of `p->next->data`, but `p->next` is null");
    let freed = "r0 = call $malloc(i64 16)\ncall $free(r0)\nr1 = ptradd r0 + 8 in t1\nr2 = load i32 r1";
    assert_eq!(message(&nodes(freed)), "`p` points to a heap block of 16 bytes that was freed");
    let fresh = "r0 = call $malloc(i64 16)\nr1 = ptradd r0 in t1\nr2 = load ptr r1\nr3 = ptradd r2 + 8 in t1\nr4 = load i32 r3";
    let run = nodes(fresh);
    assert_eq!(message(&run), "read through `p->next`, which is not initialised");
    assert_eq!(
        message(&nodes("r0 = copy ptr null\nr1: i64 = call $strlen(r0)")),
        "argument 1 of `strlen` (`p`) is null"
    );
    let behind = "r0 = copy ptr null\nr0 = ptradd r0 + 16\nr1 = ptradd r0 + 8 in t1\nr2 = load i32 r1";
    assert_eq!(
        message(&nodes(behind)),
        "read of `p->data`, but `p` is an address computed from the null pointer"
    );
}

#[test]
fn division_by_zero_says_what_is_zero() {
    let body = "reg r0: i32 var \"n\"\nb0:\nr0 = copy i32 0\nr1 = sdiv i32 7, r0\nreturn 0";
    assert_eq!(message(&run_main(&[], "", body, &[], &options())), "`n` is zero");
    assert_eq!(
        message(&run_main(&[], "", "b0:\nr0 = urem i32 7, 0\nreturn 0", &[], &options())),
        "the divisor is zero"
    );
}

#[test]
fn what_was_never_written_is_told_with_its_size_and_origin() {
    let run = nodes("r0 = call $malloc(i64 16)\nr1 = load i32 r0\nr2 = load i8 null");
    let text = "4 bytes of the heap block allocated at line 3 were never written and read as 0xa5a5a5a5";
    assert_eq!(told(&run), [(StepKind::Input, 4, text)]);
    let run = nodes("r1 = load i8 r0");
    let text = "`p` was never assigned and reads as 0xa5a5a5a5a5a5a5a5";
    assert_eq!(told(&run), [(StepKind::Input, 3, text)]);
    let body = "local l0 size 4 align 4 var \"x\"\nb0:\nr0 = load i32 l0\nr1 = load i8 l0\nr2 = load i8 null\nreturn 0";
    let run = run_main(&[], "", body, &[], &options());
    assert_eq!(told(&run), [(StepKind::Input, 3, "`x` was never assigned and reads as 0xa5a5a5a5")]);
}

#[test]
fn failing_allocations_are_told_and_others_are_not() {
    struct Second(u32);
    impl heapproof_interp::Inputs for Second {
        fn choose(&mut self, _: &heapproof_interp::Request) -> u128 {
            self.0 += 1;
            u128::from(self.0 == 2)
        }
    }
    let text = "file file0 \"t.c\"\nfunc f0 \"malloc\"(i64) -> (ptr)\nglobal g0 \"head\" size 8 align 8\nfunc f1 \"main\"() -> (i32) {\nb0:\nr0: ptr = call f0(i64 4) @0:1:1\nstore ptr r0 -> g0\nr1: ptr = call f0(i64 4) @0:2:1\nstore i32 0 -> r1 @0:3:1\nreturn 0 }";
    let program: Program = text.parse().unwrap();
    let options = with(|environment| environment.malloc_may_fail = true);
    let run = heapproof_interp::run(&program, &options, &mut Second(0));
    assert_eq!(told(&run), [(StepKind::Input, 2, "`malloc` fails here")]);
}

#[test]
fn what_happens_to_the_object_stands_where_it_happened() {
    let externals = &["malloc(i64) -> (ptr)", "free(ptr)", "__VERIFIER_nondet_int() -> (i32)"];
    let body = "b0:\nr0: i32 = call $__VERIFIER_nondet_int()\nr1: ptr = call $malloc(i64 8)\nr2: i32 = call $__VERIFIER_nondet_int()\ncall $free(r1)\nr3: i32 = call $__VERIFIER_nondet_int()\nr4 = load i8 r1\nreturn 0";
    let run = run_main(externals, "", body, &[5, 6, 7], &options());
    let steps: Vec<_> = told(&run).into_iter().map(|(kind, line, _)| (kind, line)).collect();
    use StepKind::{Allocated, Freed, Input};
    assert_eq!(steps, [(Input, 2), (Allocated, 3), (Input, 4), (Freed, 5), (Input, 6)]);
}
