//! The parts of the C library that are written in C (`crates/libc/parts`) are kept compiled, so that no user compiles them.
//! `UPDATE_PARTS=1 cargo test -p heapproof-frontend --test parts` compiles them anew.

use heapproof_frontend::{Options, compile};
use heapproof_ir::{Body, InstKind, Program, Span, Target};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../libc/parts")
}

/// The parts without names of variables, types and positions: errors in them are errors of the call.
fn compiled(target: Target) -> Program {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    files.sort();
    let options = Options {
        target,
        clang_args: vec!["-ffreestanding".to_owned(), "-fno-builtin".to_owned()],
        ..Options::default()
    };
    let mut program = compile(&files, &options).unwrap().program;
    program.types.clear();
    program.files.clear();
    program.files.push("the C library".to_owned());
    for global in program.globals.values_mut() {
        (global.ctype, global.span) = (None, Span::NONE);
    }
    for function in program.functions.values_mut() {
        (function.ctype, function.span) = (None, Span::NONE);
        if let Some(body) = &mut function.body {
            strip(body);
        }
    }
    program
}

fn strip(body: &mut Body) {
    for reg in body.regs.values_mut() {
        reg.variable = None;
    }
    for local in body.locals.values_mut() {
        local.variable = None;
    }
    for block in body.blocks.values_mut() {
        block.term_span = Span::NONE;
        for inst in &mut block.insts {
            inst.span = Span::NONE;
            match &mut inst.kind {
                InstKind::PtrAdd { within, .. } => *within = None,
                InstKind::Alloca { name, .. } => *name = None,
                _ => {}
            }
        }
    }
}

#[test]
fn the_parts_are_compiled() {
    let mut names = String::new();
    for (target, file) in [(Target::Lp64, "lp64.ir"), (Target::Ilp32, "ilp32.ir")] {
        let program = compiled(target);
        assert_eq!(heapproof_ir::check::check(&program), []);
        names = program
            .functions
            .values()
            .filter(|function| function.body.is_some() && !function.internal)
            .map(|function| format!("{}\n", function.name))
            .collect();
        keep(file, &program.to_string());
    }
    keep("names", &names);
}

/// Compares what is kept with what it should be.
fn keep(file: &str, text: &str) {
    let path = folder().join(file);
    if std::env::var_os("UPDATE_PARTS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{file} is not what the C files are compiled to: see the head of this test");
}
