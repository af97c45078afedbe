//! The end of the program, assertions and assumptions.

use crate::Model;
use crate::Scalar::{self, Ptr, Void};
use crate::kind::ModelKind;
use crate::{Extent, ResultOf};

const INT: Scalar = Scalar::INT;

/// The function that is called where an index leaves an array that is a part of an object: what array, in words; the index; 1 if it is written.
pub const INDEX_OUT_OF_BOUNDS: &str = "an index that leaves a part of an object";

pub(crate) fn models() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, handlers) in
        [("exit", true), ("_exit", false), ("_Exit", false), ("quick_exit", false), ("exit_group", false)]
    {
        let doc = "Ends the program; frames stay as they are.";
        all.push(Model::new(name, ModelKind::Exit { handlers }, Void, &[INT], doc).ends());
    }
    for name in ["abort", "__builtin_trap", "__builtin_abort"] {
        all.push(Model::new(name, ModelKind::Abort, Void, &[], "Ends the program abnormally.").ends());
    }
    let mut atexit = Model::new("atexit", ModelKind::AtExit, INT, &[Ptr], "The function runs at the end.");
    atexit.effect.calls_back = true;
    all.push(atexit);
    let failed = "An assertion failed; the program ends.";
    for (name, text, params) in [
        ("__assert_fail", Some(0), &[Ptr, Ptr, Scalar::UINT, Ptr][..]),
        ("__assert", Some(0), &[Ptr, Ptr, INT]),
        ("__assert_rtn", Some(3), &[Ptr, Ptr, INT, Ptr]),
        ("__assert_perror_fail", None, &[INT, Ptr, Scalar::UINT, Ptr]),
        ("__assert2", Some(3), &[Ptr, INT, Ptr, Ptr]),
        ("_assert", Some(0), &[Ptr, Ptr, Scalar::UINT]),
        (INDEX_OUT_OF_BOUNDS, Some(0), &[Ptr, Scalar::LONG, INT]),
    ] {
        all.push(Model::new(name, ModelKind::AssertFail { text }, Void, params, failed).ends());
    }
    for name in ["reach_error", "__VERIFIER_error"] {
        all.push(Model::new(name, ModelKind::ReachError, Void, &[], "The error function.").ends());
    }
    let doc = "Only executions in which the condition holds are meant.";
    all.push(Model::new("__VERIFIER_assume", ModelKind::Assume, Void, &[INT], doc));
    all.push(Model::new("__VERIFIER_assert", ModelKind::Assert, Void, &[INT], "An assertion."));
    let nothing = "Has no effect in a program of one thread.";
    for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
        all.push(Model::effect(name, Void, &[], nothing));
    }
    all.extend(processes());
    let open = "Reached where a part of the library does not say what happens.";
    for name in [
        crate::locale::OTHER,
        "an argument whose meaning is left open",
        "a stream that could not be opened again",
        "a signal that ends the program",
        "floating point exceptions",
    ] {
        all.push(Model::new(name, ModelKind::Unsupported, Void, &[], open));
    }
    all.extend(crate::jump::models());
    all
}

/// Other processes.
fn processes() -> Vec<Model> {
    let mut all = vec![
        Model::effect("fork", INT, &[], "-1, 0 or any process number: parent and child are two executions.")
            .gives(ResultOf::Between(-1, 1 << 22)),
        Model::effect("wait", INT, &[Ptr], "-1 or any process number.")
            .writes_unless_null(0, Extent::Bytes(4))
            .gives(ResultOf::Between(-1, 1 << 22)),
        Model::effect("waitpid", INT, &[INT, Ptr, INT], "-1 or any process number.")
            .writes_unless_null(1, Extent::Bytes(4))
            .gives(ResultOf::Between(-1, 1 << 22)),
        Model::effect("system", INT, &[Ptr], "Reads the command and gives any status.")
            .reads_unless_null(0, Extent::Nul)
            .gives(ResultOf::Between(-1, 0xffff)),
        Model::effect("kill", INT, &[INT, INT], "0 or -1; what the signal does is left out.")
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    ];
    let limits = Extent::Sizes(16, 8);
    for name in ["getrlimit", "setrlimit"] {
        let model = Model::effect(name, INT, &[INT, Ptr], "0 or -1; limits of the process are any numbers.");
        let model = if name == "getrlimit" { model.writes(1, limits) } else { model.reads(1, limits) };
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    let doc = "-1 or any number, the same every time.";
    all.push(
        Model::effect("sysconf", Scalar::LONG, &[INT], doc)
            .gives(ResultOf::AtLeast(-1))
            .answers(crate::Answers::Steady),
    );
    let doc = "Reads the path and all strings and gives -1; an execution in which it succeeds ends there without an error.";
    for (name, params) in [("execv", &[Ptr, Ptr][..]), ("execvp", &[Ptr, Ptr]), ("execve", &[Ptr, Ptr, Ptr])]
    {
        all.push(
            Model::new(name, ModelKind::Exec { list: false }, INT, params, doc)
                .reads(0, Extent::Nul)
                .reads_unless_null(1, Extent::Pointer)
                .gives(ResultOf::Number(-1)),
        );
    }
    for name in ["execl", "execlp"] {
        all.push(
            Model::new(name, ModelKind::Exec { list: true }, INT, &[Ptr, Ptr], doc)
                .reads(0, Extent::Nul)
                .reads_unless_null(1, Extent::Nul)
                .gives(ResultOf::Number(-1))
                .variadic(),
        );
    }
    all
}
