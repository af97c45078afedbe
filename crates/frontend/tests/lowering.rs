//! What C becomes: names, scopes, types, positions, and what is refused.

use heapproof_frontend::{Compiled, Error, Options, compile};
use heapproof_ir::{Body, CType, GlobalInit, InstKind, Program, RelocTarget, Target};
use std::path::PathBuf;

fn lower_with(sources: &[(&str, &str)], options: &Options) -> Result<Compiled, Error> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = sources
        .iter()
        .map(|(name, text)| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path
        })
        .collect();
    compile(&paths, options)
}

fn lower(source: &str) -> Program {
    lower_with(&[("a.c", source)], &Options::default()).expect("it compiles").program
}

fn body<'p>(program: &'p Program, name: &str) -> &'p Body {
    let id = program.function(name).expect("the function exists");
    program.functions[id].body.as_ref().expect("the function is defined")
}

fn kinds(body: &Body) -> impl Iterator<Item = &InstKind> {
    body.blocks.values().flat_map(|b| &b.insts).map(|i| &i.kind)
}

fn unsupported(program: &Program) -> Vec<String> {
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    bodies
        .flat_map(|b| kinds(b).collect::<Vec<_>>())
        .filter_map(|k| if let InstKind::Unsupported { what, .. } = k { Some(what.clone()) } else { None })
        .collect()
}

fn case_files() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases"))];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the cases").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_case_lowers_completely_to_a_valid_program() {
    let files = case_files();
    assert!(files.len() > 250, "only {} cases found", files.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let text = std::fs::read_to_string(file).expect("a readable case");
                    let ilp32 = text.contains("// target: ilp32");
                    let target = if ilp32 { Target::Ilp32 } else { Target::Lp64 };
                    for promote in [true, false] {
                        let options = Options { target, promote, ..Options::default() };
                        let program =
                            compile(std::slice::from_ref(file), &options).expect("it compiles").program;
                        let mut refused = unsupported(&program);
                        // Cases about orders of evaluation that C leaves open, where compilers differ.
                        let name = file.file_name().unwrap_or_default().to_string_lossy();
                        if name.starts_with("open-order-") {
                            refused.retain(|what| !what.contains("whose order C leaves open"));
                        }
                        assert_eq!(refused, Vec::<String>::new(), "{}", file.display());
                        let errors = heapproof_ir::check::check(&program);
                        assert!(errors.is_empty(), "{}: {errors:?}", file.display());
                    }
                }
            });
        }
    });
}

#[test]
fn a_variable_without_address_is_a_register_with_its_name() {
    let program = lower("int f(int n) { int total = 0; while (n > 0) total += n--; return total; }");
    let body = body(&program, "f");
    assert!(body.locals.is_empty());
    let names: Vec<_> = body.regs.values().filter_map(|r| r.variable.as_ref()).map(|v| &v.name).collect();
    assert!(names.contains(&&"total".to_owned()) && names.contains(&&"n".to_owned()), "{names:?}");
}

#[test]
fn a_variable_in_a_loop_is_a_new_object_each_time_round() {
    let program = lower("int *keep; void f(int n) { while (n--) { int x = n; keep = &x; } }");
    let body = body(&program, "f");
    let x = body.locals.values().find(|l| l.variable.as_ref().is_some_and(|v| v.name == "x"));
    assert!(x.expect("x is an object").scoped);
    assert!(kinds(body).any(|k| matches!(k, InstKind::ScopeStart { .. })));
    assert!(kinds(body).any(|k| matches!(k, InstKind::ScopeEnd { .. })));
}

#[test]
fn members_keep_their_names_and_offsets() {
    let program = lower(
        "struct node { int key; struct node *next; unsigned low : 3, high : 5; };
         struct node *step(struct node *p) { return p->next; }",
    );
    let node = program.types.values().find_map(|t| match t {
        CType::Struct { name: Some(name), members, size, .. } if name == "node" => Some((members, size)),
        _ => None,
    });
    let (members, size) = node.expect("struct node is known");
    assert_eq!(*size, Some(24));
    let shown: Vec<_> =
        members.iter().map(|m| (m.name.as_deref().unwrap_or(""), m.bit_offset, m.bit_width)).collect();
    assert_eq!(shown, [("key", 0, None), ("next", 64, None), ("low", 128, Some(3)), ("high", 131, Some(5))]);
    let within = kinds(body(&program, "step")).find_map(|k| match k {
        InstKind::PtrAdd { offset: 8, within, .. } => *within,
        _ => None,
    });
    assert!(within.is_some(), "the access says that it goes through struct node");
}

#[test]
fn initialisers_become_bytes_and_relocations() {
    let program =
        lower("int a[3] = {1, 2, 3}; int *p = &a[2]; void f(void) {} void (*q)(void) = f; int z[9];");
    let init = |name: &str| &program.globals[program.global(name).expect("a global")].init;
    let GlobalInit::Data { bytes, relocs } = init("a") else { panic!("a has content") };
    assert_eq!(bytes, &[1, 0, 0, 0, 2, 0, 0, 0, 3]);
    assert!(relocs.is_empty());
    let GlobalInit::Data { relocs, .. } = init("p") else { panic!("p has content") };
    assert_eq!(relocs[0].addend, 8);
    let GlobalInit::Data { relocs, .. } = init("q") else { panic!("q has content") };
    assert!(matches!(relocs[0].target, RelocTarget::Func(_)));
    let GlobalInit::Data { bytes, .. } = init("z") else { panic!("z has content") };
    assert!(bytes.is_empty());
}

#[test]
fn positions_of_preprocessed_files_are_their_own() {
    let text = "# 1 \"elsewhere.c\"\n# 40 \"elsewhere.c\" 2\nint g;\nint f(int *p) {\n  return *p;\n}\n";
    let program = lower_with(&[("a.i", text)], &Options::default()).expect("it compiles").program;
    let body = body(&program, "f");
    let load = body.blocks.values().flat_map(|b| &b.insts).find(|i| matches!(i.kind, InstKind::Load { .. }));
    let span = load.expect("a load").span;
    assert_eq!(span.line, 5);
    assert!(program.files[span.file].ends_with("a.i"));
}

#[test]
fn files_are_linked() {
    let files =
        [("a.c", "int g(int); int f(int x) { return g(x); }"), ("b.c", "int g(int x) { return x + 1; }")];
    let program = lower_with(&files, &Options::default()).expect("they link").program;
    assert!(program.functions.values().all(|f| f.body.is_some()));
    let twice = [("a.c", "int f(void) { return 1; }"), ("b.c", "int f(void) { return 2; }")];
    match lower_with(&twice, &Options::default()) {
        Err(Error::Link { why }) => assert!(why.contains('f'), "{why}"),
        other => panic!("two definitions of one function: {other:?}"),
    }
}

#[test]
fn what_the_compiler_found_undefined_is_unsupported_where_it_stands() {
    let program = lower("int f(int x) { if (x) return 1 << 40; return 0; }");
    assert_eq!(unsupported(&program).len(), 1);
}

#[test]
fn assembly_is_unsupported_but_barriers_and_byte_swaps_are_not() {
    let program = lower(
        "int f(int x) { __asm__ volatile(\"\" ::: \"memory\"); __asm__(\"bswap %0\" : \"=r\"(x) : \"0\"(x)); return x; }
         int g(void) { int x; __asm__(\"cpuid\" : \"=a\"(x)); return x; }",
    );
    assert_eq!(unsupported(&program), ["inline assembly"]);
}

#[test]
fn targets_differ_in_the_size_of_pointers() {
    let options = Options { target: Target::Ilp32, ..Options::default() };
    let program = lower_with(&[("a.c", "void *p[2]; long l;")], &options).expect("it compiles").program;
    assert_eq!(program.globals[program.global("p").expect("p")].size, 8);
    assert_eq!(program.globals[program.global("l").expect("l")].size, 4);
}

#[test]
fn options_reach_clang() {
    let options = Options { clang_args: vec!["-DN=7".into(), "-std=c89".into()], ..Options::default() };
    let program = lower_with(&[("a.c", "int a[N]; int inline = 1;")], &options).expect("it compiles").program;
    assert_eq!(program.globals[program.global("a").expect("a")].size, 28);
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let refused = |path: PathBuf| compile(&[path], &Options::default()).expect_err("refused").to_string();
    assert!(refused(folder.path().to_owned()).contains("directory"));
    assert!(refused(folder.path().join("absent.c")).contains("no such file"));
    let bitcode = folder.path().join("a.bc");
    std::fs::write(&bitcode, b"BC\xC0\xDE1234").expect("a file");
    assert!(refused(bitcode).contains("bitcode"));
    let text = folder.path().join("a.c");
    std::fs::write(&text, "this is not C").expect("a file");
    assert!(refused(text.clone()).contains("error:"));
    let options = Options { clang: Some("/nonexistent/clang".into()), ..Options::default() };
    assert!(matches!(compile(&[text], &options), Err(Error::ClangMissing { .. })));
}
