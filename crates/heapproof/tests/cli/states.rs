//! A state in which a function fails becomes a C program that fails.

use crate::support::Desk;
use heapproof_confirm::ctest::{Reproduction, of_state};
use heapproof_confirm::state::{Address, Argument, Block, Content, State};
use heapproof_confirm::vector::{Queued, Vector};
use heapproof_engine::{Environment, Source};
use heapproof_interp::{Options, Outcome, run_from};
use heapproof_ir::Target;
use heapproof_verdict::PropertySet;

const MODULE: &str = "#include <stdlib.h>\nstruct node { struct node *next; int value; };\nstatic int count;\n\
                      int drop(struct node *list, int n) {\n    while (list && n--) {\n        struct node *next = list->next;\n        \
                      free(list);\n        list = next;\n        count++;\n    }\n    return count;\n}\n";

#[test]
fn a_state_becomes_a_test() {
    let desk = Desk::with(MODULE);
    let path = desk.path("a.c");
    let compiled =
        heapproof_frontend::compile(std::slice::from_ref(&path), &heapproof_frontend::Options::default())
            .unwrap();
    let program = compiled.program;
    let environment = Environment::usual(Target::Lp64, PropertySet::default_of_check());
    let func = program.function("drop").unwrap();
    let node = |next| Block {
        size: 16,
        content: vec![(0, Content::Pointer(next)), (8, Content::Bytes(vec![1, 0, 0, 0]))],
    };
    let at = |index| Address::Object { index, offset: 0 };
    // A list that ends in a circle.
    let state = State {
        objects: vec![node(at(1)), node(at(0))],
        globals: Vec::new(),
        arguments: vec![Argument::Pointer(at(0)), Argument::Number(5)],
    };
    let options = Options {
        environment: environment.clone(),
        max_steps: 10_000,
        max_memory: 1 << 20,
        max_depth: 10,
        deadline: None,
        go_on: false,
        stop_at_choice: false,
        record_path: true,
    };
    let run = run_from(&program, &options, func, &state, &mut Queued::new(&Vector::default())).unwrap();
    let Outcome::Violation(violation) = &run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(violation.location.line, 6);
    let sources = [Source::file(path)];
    let case = Reproduction {
        program: &program,
        sources: &sources,
        compiler: &[],
        environment: &environment,
        inputs: &run.inputs,
        violation,
    };
    desk.file("t.c", of_state(&case, func, &state).unwrap());
    let output = desk.shell(
        "clang-19 -g -w -fsanitize=address t.c -o t && ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19 ./t",
    );
    assert!(output.stderr.contains("heap-use-after-free") && output.stderr.contains("a.c:6"), "{output:#?}");
}
