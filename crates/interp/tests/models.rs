//! One test per group of modelled functions.

mod common;

use common::*;
use heapproof_interp::{Options, Outcome, Run, Source, Stop};
use heapproof_verdict::ErrorClass;

/// Runs calls on `buf` (g0, 5 bytes), `big` (g1, 32 bytes), "hello" (g2) and others.
fn calls(externals: &[&str], body: &str, inputs: &[u128]) -> Run {
    calls_with(externals, body, inputs, &options())
}

fn calls_with(externals: &[&str], body: &str, inputs: &[u128], options: &Options) -> Run {
    let items = "global g0 \"buf\" size 5\nglobal g1 \"big\" size 32 align 8\n\
                 global g2 \"h\" size 6 constant anonymous = \"hello\\0\"\n\
                 global g3 \"abc\" size 3 = \"abc\"\n\
                 global g4 \"csv\" size 6 = \"a,,bc\\0\"\n\
                 global g5 \"comma\" size 2 constant anonymous = \",\\0\"\n\
                 global g6 \"number\" size 7 constant anonymous = \"-0x1fz\\0\"\nglobal g7 \"stdin\" size 8 = external\n\
                 global g8 \"mode\" size 2 constant anonymous = \"r\\0\"";
    run_linked(externals, items, body, inputs, options)
}

fn message(run: &Run) -> &str {
    &violation(run).message
}

#[test]
fn string_copies() {
    let strcpy = &["strcpy(ptr, ptr) -> (ptr)", "strncpy(ptr, ptr, i64) -> (ptr)"];
    let run = calls(strcpy, "b0:\nr0: ptr = call $strcpy(g0, g2)\nreturn 0", &[]);
    expect(&run, ErrorClass::OutOfBoundsWrite, 2);
    assert_eq!(message(&run), "`strcpy` writes 6 bytes into `buf` of 5 bytes");
    let run = calls(strcpy, "b0:\nr0: ptr = call $strcpy(g1, g3)\nreturn 0", &[]);
    expect(&run, ErrorClass::OutOfBoundsRead, 2);
    assert_eq!(message(&run), "`strcpy` reads 4 bytes of `abc` of 3 bytes");
    let body = "b0:\nr0: ptr = call $strcpy(g1, g2)\nr1 = ptradd r0 + 4\nr2 = load i8 r1\nr3 = zext i8 r2 to i32\nreturn r3";
    expect_end(&calls(strcpy, body, &[]), i32::from(b'o'));
    expect(
        &calls(strcpy, "b0:\nr0: ptr = call $strcpy(g2, g5)\nreturn 0", &[]),
        ErrorClass::ReadonlyWrite,
        2,
    );
    expect(&calls(strcpy, "b0:\nr0: ptr = call $strcpy(null, g5)\nreturn 0", &[]), ErrorClass::NullDeref, 2);
    // strncpy writes all its bytes and reads no further than it must.
    expect_end(&calls(strcpy, "b0:\nr0: ptr = call $strncpy(g0, g3, i64 3)\nreturn 0", &[]), 0);
    expect(
        &calls(strcpy, "b0:\nr0: ptr = call $strncpy(g0, g5, i64 6)\nreturn 0", &[]),
        ErrorClass::OutOfBoundsWrite,
        2,
    );
}

#[test]
fn concatenation_and_overlap() {
    let externals = &["strcpy(ptr, ptr) -> (ptr)", "strcat(ptr, ptr) -> (ptr)", "strlen(ptr) -> (i64)"];
    let body = "b0:\nr0: ptr = call $strcpy(g1, g2)\nr1: ptr = call $strcat(g1, g2)\nr2: i64 = call $strlen(g1)\nr3 = trunc i64 r2 to i32\nreturn r3";
    expect_end(&calls(externals, body, &[]), 10);
    let body = "b0:\nr0: ptr = call $strcpy(g0, g5)\nr1: ptr = call $strcat(g0, g2)\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OutOfBoundsWrite, 3);
    let body =
        "b0:\nr0: ptr = call $strcpy(g1, g2)\nr1 = ptradd g1 + 1\nr2: ptr = call $strcpy(r1, g1)\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OverlappingCopy, 4);
}

#[test]
fn searches_and_comparisons() {
    let externals = &[
        "strchr(ptr, i32) -> (ptr)",
        "strcmp(ptr, ptr) -> (i32)",
        "strstr(ptr, ptr) -> (ptr)",
        "memcmp(ptr, ptr, i64) -> (i32)",
        "memchr(ptr, i32, i64) -> (ptr)",
        "strrchr(ptr, i32) -> (ptr)",
    ];
    let offset = |call: &str| {
        format!(
            "b0:\nr0: ptr = call {call}\nr1 = ptrtoint ptr r0 to i64\nr2 = ptrtoint ptr g2 to i64\nr3 = sub i64 r1, r2\nr4 = trunc i64 r3 to i32\nreturn r4"
        )
    };
    expect_end(&calls(externals, &offset("$strchr(g2, i32 108)"), &[]), 2);
    expect_end(&calls(externals, &offset("$strrchr(g2, i32 108)"), &[]), 3);
    expect_end(&calls(externals, &offset("$strchr(g2, i32 0)"), &[]), 5);
    expect_end(&calls(externals, &offset("$memchr(g2, i32 101, i64 100)"), &[]), 1);
    let body = "b0:\nr0: ptr = call $strchr(g2, i32 122)\nr1 = cmp eq ptr r0, null\nr2 = zext i1 r1 to i32\nreturn r2";
    expect_end(&calls(externals, body, &[]), 1);
    // No NUL: fine as long as the character or a difference comes first.
    let body = "b0:\nr0: ptr = call $strchr(g3, i32 98)\nr1: i32 = call $strcmp(g3, g2)\nreturn r1";
    expect_end(&calls(externals, body, &[]), i32::from(b'a') - i32::from(b'h'));
    expect(
        &calls(externals, "b0:\nr0: ptr = call $strchr(g3, i32 122)\nreturn 0", &[]),
        ErrorClass::OutOfBoundsRead,
        2,
    );
    expect(
        &calls(externals, "b0:\nr0: i32 = call $memcmp(g3, g2, i64 4)\nreturn 0", &[]),
        ErrorClass::OutOfBoundsRead,
        2,
    );
}

#[test]
fn tokens() {
    let externals = &["strtok(ptr, ptr) -> (ptr)", "puts(ptr) -> (i32)"];
    let body = "b0:\nr0: ptr = call $strtok(g4, g5)\nr1: i32 = call $puts(r0)\nr2: ptr = call $strtok(null, g5)\nr3: i32 = call $puts(r2)\nr4: ptr = call $strtok(null, g5)\nr5 = cmp eq ptr r4, null\nr6 = zext i1 r5 to i32\nreturn r6";
    let run = calls(externals, body, &[]);
    expect_end(&run, 1);
    assert_eq!(run.stdout, b"a\nbc\n");
}

#[test]
fn block_functions() {
    let externals =
        &["memcpy(ptr, ptr, i64) -> (ptr)", "memset(ptr, i32, i64) -> (ptr)", "bcopy(ptr, ptr, i64)"];
    expect(
        &calls(externals, "b0:\nr0: ptr = call $memset(g0, i32 0, i64 6)\nreturn 0", &[]),
        ErrorClass::OutOfBoundsWrite,
        2,
    );
    expect(
        &calls(externals, "b0:\nr0: ptr = call $memcpy(g1, g2, i64 7)\nreturn 0", &[]),
        ErrorClass::OutOfBoundsRead,
        2,
    );
    expect_end(
        &calls(
            externals,
            "b0:\nr0: ptr = call $memcpy(null, g2, i64 0)\ncall $bcopy(g2, g1, i64 6)\nreturn 0",
            &[],
        ),
        0,
    );
    let body = "b0:\nr1 = ptradd g1 + 3\nr0: ptr = call $memcpy(r1, g1, i64 4)\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OverlappingCopy, 3);
}

#[test]
fn allocation_functions() {
    let externals = &[
        "realloc(ptr, i64) -> (ptr)",
        "free(ptr)",
        "calloc(i64, i64) -> (ptr)",
        "strdup(ptr) -> (ptr)",
        "posix_memalign(ptr, i64, i64) -> (i32)",
        "malloc(i64) -> (ptr)",
    ];
    let body = "b0:\nr0: ptr = call $calloc(i64 2, i64 4)\nr1 = ptradd r0 + 4\nr2 = load i32 r1\nstore i32 9 -> r1\nr3: ptr = call $realloc(r0, i64 100)\nr4 = ptradd r3 + 4\nr5 = load i32 r4\ncall $free(r3)\nr6 = add i32 r5, r2\nreturn r6";
    expect_end(&calls(externals, body, &[]), 9);
    let body =
        "b0:\nr0: ptr = call $malloc(i64 8)\nr1: ptr = call $realloc(r0, i64 16)\nstore i8 1 -> r0\nreturn 0";
    let run = calls(externals, body, &[]);
    expect(&run, ErrorClass::Leak, 3);
    let body =
        "b0:\nr0: ptr = call $malloc(i64 8)\nr1: ptr = call $realloc(r0, i64 0)\ncall $free(r1)\nreturn 0";
    expect_end(&calls(externals, body, &[]), 0);
    let body =
        "b0:\nr0: ptr = call $malloc(i64 8)\ncall $free(r0)\nr1: ptr = call $realloc(r0, i64 8)\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::DoubleFree, 4);
    let body = "b0:\nr0: i32 = call $posix_memalign(g1, i64 64, i64 10)\nr1 = load ptr g1\nr2 = ptrtoint ptr r1 to i64\nr3 = urem i64 r2, 64\ncall $free(r1)\nstore i64 0 -> g1\nr4: ptr = call $strdup(g2)\nr5 = ptradd r4 + 5\nr6 = load i8 r5\ncall $free(r4)\nr7 = trunc i64 r3 to i32\nreturn r7";
    expect_end(&calls(externals, body, &[]), 0);
    let body = "b0:\nr0: ptr = call $malloc(i64 0)\nr1 = cmp eq ptr r0, null\nstore i8 0 -> r0\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OutOfBoundsWrite, 4);
}

#[test]
fn malloc_fails_only_if_asked() {
    struct Ones;
    impl heapproof_interp::Inputs for Ones {
        fn choose(&mut self, _: &heapproof_interp::Request) -> u128 {
            1
        }
    }
    let main = "\"main\"() -> (i32) {\nb0:\nr0: ptr = call $malloc(i64 8)\nr1 = cmp eq ptr r0, null\ncall $free(r0)\nr2 = zext i1 r1 to i32\nreturn r2 }";
    let program = program(&["malloc(i64) -> (ptr)", "free(ptr)"], "", &[main]);
    expect_end(&heapproof_interp::run(&program, &options(), &mut Ones), 0);
    let failing = with(|environment| environment.malloc_may_fail = true);
    expect_end(&heapproof_interp::run(&program, &failing, &mut Ones), 1);
}

#[test]
fn formatted_output() {
    let externals = &[
        "printf(ptr, ...) -> (i32)",
        "sprintf(ptr, ptr, ...) -> (i32)",
        "snprintf(ptr, i64, ptr, ...) -> (i32)",
    ];
    let items = "global g0 \"buf\" size 4\nglobal g1 \"f\" size 64 = \"%d|%5u|%-4x|%#lx|%s|%c|%%|%.2f|%p|%hhd|%3$\\0\"\nglobal g2 \"s\" size 3 = \"hi\\0\"\nglobal g3 \"n\" size 5 = \"%d%n\\0\"\nglobal g4 \"cell\" size 4\nglobal g5 \"t\" size 3 = \"%s\\0\"\nglobal g6 \"raw\" size 2 = \"xy\"";
    let body = "b0:\nr0: i32 = call $printf(g1, i32 -7, i32 42, i32 255, i64 4096, g2, i32 65, float64 3.14159, null, i32 257)\nreturn r0";
    let run = run_main(externals, &items.replace("|%3$", ""), body, &[], &options());
    assert_eq!(String::from_utf8_lossy(&run.stdout), "-7|   42|ff  |0x1000|hi|A|%|3.14|(nil)|1");
    expect_end(&run, run.stdout.len() as i32);
    let body = "b0:\nr0: i32 = call $sprintf(g0, g3, i32 123, g4)\nr1 = load i32 g4\nreturn r1";
    expect_end(&run_main(externals, items, body, &[], &options()), 3);
    let body = "b0:\nr0: i32 = call $sprintf(g0, g3, i32 1234, g4)\nreturn 0";
    let run = run_main(externals, items, body, &[], &options());
    expect(&run, ErrorClass::OutOfBoundsWrite, 2);
    assert_eq!(violation(&run).message, "`sprintf` writes 5 bytes into `buf` of 4 bytes");
    let body = "b0:\nr0: i32 = call $snprintf(g0, i64 4, g3, i32 123456, g4)\nr1 = ptradd g0 + 3\nr2 = load i8 r1\nr3 = zext i8 r2 to i32\nr4 = add i32 r0, r3\nreturn r4";
    expect_end(&run_main(externals, items, body, &[], &options()), 6);
    let body = "b0:\nr0: i32 = call $printf(g5, g6)\nreturn 0";
    expect(&run_main(externals, items, body, &[], &options()), ErrorClass::OutOfBoundsRead, 2);
}

#[test]
fn variadic_functions_on_both_targets() {
    for target in ["lp64", "ilp32"] {
        let text = format!(
            "target {target}\nfile file0 \"t.c\"\nglobal g0 \"f\" size 12 = \"%d %lld %s\\n\\0\"\nglobal g1 \"s\" size 3 = \"hi\\0\"\n\
             func f0 \"vprintf\"(ptr, ptr) -> (i32)\n\
             func f1 \"main\"() -> (i32) {{\nb0:\nr0: i32 = call f2(g0, i32 -1, i64 5000000000, g1)\nreturn r0 }}\n\
             func f2 \"say\"(r0: ptr, ...) -> (i32) {{\nlocal l0 size 24 align 8\nb0:\nvastart l0\n{}\nr2: i32 = call f0(r0, r1)\nvaend l0\nreturn r2 }}",
            if target == "lp64" { "r1 = copy ptr l0" } else { "r1 = load ptr l0" }
        );
        let program: heapproof_ir::Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let run = heapproof_interp::run(&program, &options(), &mut Given(vec![]));
        assert_eq!(String::from_utf8_lossy(&run.stdout), "-1 5000000000 hi\n", "{target} {:?}", run.outcome);
    }
}

#[test]
fn inputs_are_recorded() {
    let externals = &[
        "__VERIFIER_nondet_int() -> (i32)",
        "rand() -> (i32)",
        "__VERIFIER_assume(i32)",
        "getchar() -> (i32)",
    ];
    let body = "b0:\nr0: i32 = call $__VERIFIER_nondet_int()\nr1: i32 = call $rand()\nr2: i32 = call $getchar()\nr3 = add i32 r0, r1\nr4 = add i32 r3, r2\nreturn r4";
    let run = calls(externals, body, &[0xffff_ffff, 0xffff_ffff, 0xffff_ffff]);
    // rand is not negative: the value is brought into its range; -1 is the end of the input.
    expect_end(&run, -1 + i32::MAX - 1);
    let seen: Vec<_> = run.inputs.iter().map(|i| (i.source, i.width, i.name.as_str())).collect();
    assert_eq!(seen[0], (Source::Call, 32, "__VERIFIER_nondet_int"));
    assert_eq!(run.inputs[1].value, 0x7fff_ffff);
    let run = calls(externals, "b0:\ncall $__VERIFIER_assume(i32 0)\nreturn 0", &[]);
    assert_eq!(stop(&run), &Stop::Infeasible);
}

#[test]
fn lines_of_input() {
    let externals = &["fgets(ptr, i32, ptr) -> (ptr)", "strlen(ptr) -> (i64)"];
    let body = "b0:\nr3 = load ptr g7\nr0: ptr = call $fgets(g1, i32 10, r3)\nr1 = cmp eq ptr r0, null\nr2 = zext i1 r1 to i32\nreturn r2";
    expect_end(&calls(externals, body, &[0]), 1);
    expect_end(&calls(externals, body, &[5]), 0);
    let body = "b0:\nr1 = load ptr g7\nr0: ptr = call $fgets(g0, i32 10, r1)\nreturn 0";
    expect_end(&calls(externals, body, &[5]), 0);
    expect(&calls(externals, body, &[6]), ErrorClass::OutOfBoundsWrite, 3);
    let body = "b0:\nr0: ptr = call $fgets(g1, i32 10, g0)\nreturn 0";
    expect(&calls(externals, body, &[5]), ErrorClass::WildDeref, 2);
}

#[test]
fn numbers_from_strings() {
    let externals = &[
        "atoi(ptr) -> (i32)",
        "strtol(ptr, ptr, i32) -> (i64)",
        "abs(i32) -> (i32)",
        "sqrt(float64) -> (float64)",
    ];
    let body = "b0:\nr0: i64 = call $strtol(g6, g1, i32 0)\nr1 = load ptr g1\nr2 = load i8 r1\nr3 = zext i8 r2 to i32\nr4 = trunc i64 r0 to i32\nr5: i32 = call $abs(r4)\nr6 = add i32 r3, r5\nr7: float64 = call $sqrt(float64 16.0)\nr8 = ftosi float64 r7 to i32\nr9 = add i32 r6, r8\nreturn r9";
    expect_end(&calls(externals, body, &[]), i32::from(b'z') + 31 + 4);
    expect(&calls(externals, "b0:\nr0: i32 = call $atoi(g3)\nreturn 0", &[]), ErrorClass::OutOfBoundsRead, 2);
}

#[test]
fn character_tables() {
    let externals = &["__ctype_b_loc() -> (ptr)", "toupper(i32) -> (i32)", "isalpha(i32) -> (i32)"];
    let body = "b0:\nr0: ptr = call $__ctype_b_loc()\nr1 = load ptr r0\nr2 = ptradd r1 + 194\nr3 = load i16 r2\nr4 = ptradd r1 - 256\nr5 = load i16 r4\nr6 = and i16 r3, 1024\nr7 = zext i16 r6 to i32\nreturn r7";
    expect_end(&calls(externals, body, &[]), 1024);
    let body = "b0:\nr0: ptr = call $__ctype_b_loc()\nr1 = load ptr r0\nr2 = ptradd r1 + 512\nr3 = load i16 r2\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OutOfBoundsRead, 5);
}

#[test]
fn a_jump_without_setjmp_has_no_meaning() {
    let run = calls(&["longjmp(ptr, i32)"], "b0:\ncall $longjmp(g1, i32 1)\nreturn 0", &[]);
    assert!(matches!(stop(&run), Stop::Unsupported { .. }));
}

#[test]
fn the_command_line() {
    let main = "\"main\"(r0: i32, r1: ptr) -> (i32) {\nb0:\nr2 = sext i32 r0 to i64\nr3 = ptradd r1 + r2 * 8\nr4 = load ptr r3\nr5 = cmp eq ptr r4, null\nr6 = load ptr r1\nr7 = load i8 r6\nr8 = zext i8 r7 to i32\nr9 = zext i1 r5 to i32\nr10 = add i32 r8, r9\nreturn r10 }";
    let program = program(&[], "", &[main]);
    let given = with(|environment| environment.argv = Some(vec![b"abc".to_vec(), b"d".to_vec()]));
    let run = heapproof_interp::run(&program, &given, &mut Given(vec![]));
    expect_end(&run, i32::from(b'a') + 1);
    let run = heapproof_interp::run(&program, &options(), &mut Given(vec![]));
    assert!(matches!(run.outcome, Outcome::Finished { exit_code: 1, .. }));
    assert_eq!(run.inputs[0].name, "argc");
}

#[test]
fn streams_are_opened_used_and_closed() {
    let externals = &[
        "fopen(ptr, ptr) -> (ptr)",
        "fclose(ptr) -> (i32)",
        "fread(ptr, i64, i64, ptr) -> (i64)",
        "fputs(ptr, ptr) -> (i32)",
        "fgets(ptr, i32, ptr) -> (ptr)",
    ];
    let open = "b0:\nr0: ptr = call $fopen(g2, g8)\n";
    let run = calls(
        externals,
        &format!("{open}r1: i32 = call $fputs(g2, r0)\nr2: i32 = call $fclose(r0)\nreturn 0"),
        &[],
    );
    expect_end(&run, 0);
    assert!(run.stdout.is_empty());
    let closed = calls(
        externals,
        &format!("{open}r1: i32 = call $fclose(r0)\nr2: i32 = call $fputs(g2, r0)\nreturn 0"),
        &[],
    );
    expect(&closed, ErrorClass::UseAfterFree, 4);
    assert_eq!(message(&closed), "argument 2 of `fputs` (`fopen(…)`) points to a stream that was closed");
    let twice = calls(
        externals,
        &format!("{open}r1: i32 = call $fclose(r0)\nr2: i32 = call $fclose(r0)\nreturn 0"),
        &[],
    );
    expect(&twice, ErrorClass::UseAfterFree, 4);
    // 32 bytes have room for 4 items of 8, not of 9.
    let read = |size: u32| {
        let body = format!(
            "{open}r1: i64 = call $fread(g1, i64 {size}, i64 4, r0)\nr2: i32 = call $fclose(r0)\nr3 = trunc i64 r1 to i32\nreturn r3"
        );
        calls(externals, &body, &[4])
    };
    expect_end(&read(8), 4);
    expect(&read(9), ErrorClass::OutOfBoundsWrite, 3);
    expect(&calls(externals, "b0:\nr0: i32 = call $fclose(null)\nreturn 0", &[]), ErrorClass::NullDeref, 2);
}

#[test]
fn calls_of_the_operating_system() {
    let externals = &[
        "unlink(ptr) -> (i32)",
        "syslog(i32, ptr, ...)",
        "strerror(i32) -> (ptr)",
        "strlen(ptr) -> (i64)",
        "readlink(ptr, ptr, i64) -> (i64)",
    ];
    expect_end(&calls(externals, "b0:\nr0: i32 = call $unlink(g2)\nreturn r0", &[]), 0);
    expect(
        &calls(externals, "b0:\nr0: i32 = call $unlink(g3)\nreturn r0", &[]),
        ErrorClass::OutOfBoundsRead,
        2,
    );
    let run = calls(externals, "b0:\ncall $syslog(i32 1, g2)\nreturn 0", &[]);
    expect_end(&run, 0);
    assert!(run.stdout.is_empty() && run.stderr.is_empty());
    let text = "b0:\nr0: ptr = call $strerror(i32 2)\nr1: i64 = call $strlen(r0)\nreturn 0";
    expect_end(&calls(externals, text, &[]), 0);
    let link =
        |n: u32| calls(externals, &format!("b0:\nr0: i64 = call $readlink(g2, g0, i64 {n})\nreturn 0"), &[6]);
    expect_end(&link(5), 0);
    expect(&link(6), ErrorClass::OutOfBoundsWrite, 2);
}

#[test]
fn the_environment_answers_steadily_and_in_range() {
    let externals =
        &["isatty(i32) -> (i32)", "getpid() -> (i32)", "random() -> (i64)", "open(ptr, i32, ...) -> (i32)"];
    let body = "b0:\nr0: i32 = call $isatty(i32 0)\nr1: i32 = call $isatty(i32 0)\nr2: i32 = call $getpid()\nr3: i32 = call $getpid()\nr4 = sub i32 r0, r1\nr5 = sub i32 r2, r3\nr6 = add i32 r4, r5\nreturn r6";
    let run = calls(externals, body, &[1, 7, 0, 9]);
    expect_end(&run, 0);
    assert_eq!(run.inputs.len(), 2);
    let body = "b0:\nr0: i64 = call $random()\nr1 = lshr i64 r0, 31\nr2 = trunc i64 r1 to i32\nreturn r2";
    expect_end(&calls(externals, body, &[u128::from(u64::MAX)]), 0);
    let body =
        "b0:\nr0: i32 = call $open(g2, i32 0)\nr1 = cmp slt i32 r0, -1\nr2 = zext i1 r1 to i32\nreturn r2";
    expect_end(&calls(externals, body, &[0x8000_0000]), 0);
}

#[test]
fn what_a_stream_says_follows_from_its_use() {
    let externals = &["feof(ptr) -> (i32)", "ferror(ptr) -> (i32)", "fgetc(ptr) -> (i32)", "clearerr(ptr)"];
    // Ten times what `feof` gives, and what `ferror` does.
    let says = |before: &str, inputs: &[u128]| {
        let body = format!(
            "b0:\nr0 = load ptr g7\n{before}r2: i32 = call $feof(r0)\nr3: i32 = call $ferror(r0)\nr4 = mul i32 r2, 10\nr5 = add i32 r4, r3\nreturn r5"
        );
        calls(externals, &body, inputs)
    };
    let (get, clear) = ("r1: i32 = call $fgetc(r0)\n", "call $clearerr(r0)\n");
    let end = u128::from(u32::MAX);
    expect_end(&says("r1: i32 = call $ferror(r0)\n", &[1, 1, 1]), 0);
    expect_end(&says(get, &[65, 1, 1]), 0);
    expect_end(&says(get, &[end, 0]), 1);
    expect_end(&says(get, &[end, 1, 0]), 10);
    expect_end(&says(&format!("{get}{clear}"), &[end, 1, 1]), 0);
    let sticky = "b0:\nr0 = load ptr g7\nr1: i32 = call $fgetc(r0)\nr2: i32 = call $feof(r0)\nr3: i32 = call $fgetc(r0)\nreturn r3";
    expect_end(&calls(externals, sticky, &[end, 1, 65]), -1);
    expect_end(&calls(externals, sticky, &[end, 0, 65]), 65);
    expect(&calls(externals, "b0:\nr0: i32 = call $fgetc(null)\nreturn 0", &[]), ErrorClass::NullDeref, 2);
}

/// What `getopt` gives for a command line: the option, and the length of its argument or -1.
fn option(command: &[&str], long: bool) -> Vec<(char, i32)> {
    let (name, more) = if long { ("getopt_long", ", g1, null") } else { ("getopt", "") };
    let params = if long { "i32, ptr, ptr, ptr, ptr" } else { "i32, ptr, ptr" };
    let mut found = Vec::new();
    for count in 1..5 {
        let calls: String = (0..count)
            .map(|index| format!("r{} : i32 = call f0(r0, r1, g0{more})\n", index + 3).replace(" :", ":"))
            .collect();
        let (last, len, null) = (count + 2, count + 4, count + 3);
        let text = format!(
            "file file0 \"t.c\"\nglobal g0 \"o\" size 4 = \"qs:\\0\"\n\
             global g1 \"table\" size 64 align 8 = bytes 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 73 00 00 00 at 0 = g2\n\
             global g2 \"name\" size 5 = \"size\\0\"\nglobal g3 \"optarg\" size 8 align 8 = external\n\
             func f0 \"{name}\"({params}) -> (i32)\nfunc f1 \"strlen\"(ptr) -> (i64)\n\
             func f2 \"main\"(r0: i32, r1: ptr) -> (i32) {{\nb0:\nr2 = load ptr g3\n{calls}\
             r2 = load ptr g3\nr{null} = cmp eq ptr r2, null\nbr r{null} ? b1 : b2\nb1:\n\
             r{} = mul i32 r{last}, 100\nreturn r{}\nb2:\nr{len}: i64 = call f1(r2)\nr{} = trunc i64 r{len} to i32\n\
             r{} = mul i32 r{last}, 100\nr{} = add i32 r{}, r{}\nr{} = add i32 r{}, 1\nreturn r{} }}",
            len + 1,
            len + 1,
            len + 2,
            len + 3,
            len + 4,
            len + 3,
            len + 2,
            len + 5,
            len + 4,
            len + 5,
        );
        let mut program: heapproof_ir::Program =
            text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        heapproof_libc::link(&mut program, |_| true);
        let mut given = options();
        given.environment.argv = Some(command.iter().map(|part| part.as_bytes().to_vec()).collect());
        let run = heapproof_interp::run(&program, &given, &mut Given(vec![]));
        let Outcome::Finished { exit_code, .. } = run.outcome else { panic!("{:?}", run.outcome) };
        if exit_code < 0 {
            break;
        }
        let letter = char::from(u8::try_from(exit_code / 100).expect("a letter"));
        found.push((letter, exit_code % 100 - 1));
    }
    found
}

#[test]
fn options_of_the_command_line() {
    assert_eq!(option(&["p", "-q", "-sabc", "x"], false), [('q', -1), ('s', 3)]);
    assert_eq!(option(&["p", "-qs", "ab"], false), [('q', -1), ('s', 2)]);
    assert_eq!(option(&["p", "-z"], false), [('?', -1)]);
    assert_eq!(option(&["p", "--size=12", "--si", "7", "-q"], true), [('s', 2), ('s', 1), ('q', -1)]);
    assert_eq!(option(&["p", "--other"], true), [('?', -1)]);
    assert_eq!(option(&["p", "--", "-q"], false), []);
}

#[test]
fn lines_in_blocks() {
    let externals = &["getline(ptr, ptr, ptr) -> (i64)", "free(ptr)"];
    let line =
        "b0:\nr0 = load ptr g7\nr4 = ptradd g1 + 8\nr1: i64 = call $getline(g1, r4, r0)\nr2 = load ptr g1\n";
    let kept = format!("{line}store i64 0 -> g1\ncall $free(r2)\nr3 = trunc i64 r1 to i32\nreturn r3");
    expect_end(&calls(externals, &kept, &[5]), 5);
    expect_end(&calls(externals, &kept, &[u128::from(u64::MAX)]), -1);
    let beyond = format!("{line}r3 = ptradd r2 + 130\nstore i8 1 -> r3\nreturn 0");
    expect(&calls(externals, &beyond, &[5]), ErrorClass::OutOfBoundsWrite, 7);
    // The second line does not fit: the first block is gone.
    let twice = format!("{line}r3: i64 = call $getline(g1, r4, r0)\nstore i8 1 -> r2\nreturn 0");
    expect(&calls(externals, &twice, &[5, 130]), ErrorClass::UseAfterFree, 7);
    let fits = format!("{line}r3: i64 = call $getline(g1, r4, r0)\nstore i8 1 -> r2\nreturn 0");
    expect_end(&calls(externals, &fits, &[5, 100]), 0);
}

#[test]
fn formatted_input() {
    let items = "global g0 \"word\" size 4\nglobal g1 \"n\" size 4 align 4\nglobal g2 \"text\" size 9 = \" 12 abcd\\0\"\nglobal g3 \"f\" size 7 = \"%d %3s\\0\"\nglobal g4 \"long\" size 7 = \"%d %4s\\0\"";
    let externals = &["sscanf(ptr, ptr, ...) -> (i32)", "scanf(ptr, ...) -> (i32)"];
    let run = |body: &str, inputs: &[u128]| run_linked(externals, items, body, inputs, &options());
    let body = "b0:\nr0: i32 = call $sscanf(g2, g3, g1, g0)\nr1 = load i32 g1\nr2 = mul i32 r0, 100\nr3 = add i32 r1, r2\nreturn r3";
    expect_end(&run(body, &[]), 212);
    let body = "b0:\nr0: i32 = call $sscanf(g2, g4, g1, g0)\nreturn r0";
    expect(&run(body, &[]), ErrorClass::OutOfBoundsWrite, 2);
    // From standard input: a number, then a word of three characters; then no match at all.
    let body = "b0:\nr0: i32 = call $scanf(g3, g1, g0)\nreturn r0";
    expect_end(&run(body, &[1, 1, 3, 7]), 2);
    expect_end(&run(body, &[0, 0]), 0);
    let body = "b0:\nr0: i32 = call $scanf(g4, g1, g0)\nreturn r0";
    expect(&run(body, &[1, 1, 4, 7]), ErrorClass::OutOfBoundsWrite, 2);
}

#[test]
fn times_and_buffers() {
    let externals = &[
        "localtime(ptr) -> (ptr)",
        "setbuf(ptr, ptr)",
        "strtok_r(ptr, ptr, ptr) -> (ptr)",
        "puts(ptr) -> (i32)",
    ];
    let body = "b0:\nr0: ptr = call $localtime(g1)\nr1 = ptradd r0 + 16\nr2 = load i32 r1\nreturn r2";
    let run = calls(externals, body, &[0, 0, 0, 1, 12]);
    assert!(matches!(run.outcome, Outcome::Finished { exit_code: 0..=11, .. }), "{:?}", run.outcome);
    let body = "b0:\nr0 = load ptr g7\ncall $setbuf(r0, g1)\nreturn 0";
    expect(&calls(externals, body, &[]), ErrorClass::OutOfBoundsWrite, 3);
    let body = "b0:\nr0: ptr = call $strtok_r(g4, g5, g1)\nr1: i32 = call $puts(r0)\nr2: ptr = call $strtok_r(null, g5, g1)\nr3: i32 = call $puts(r2)\nreturn 0";
    let run = calls(externals, body, &[]);
    assert_eq!(run.stdout, b"a\nbc\n");
}

/// `int a[4]`, a comparison of ints, and a `main`.
fn sorted(main: &str) -> Run {
    let items = "global g0 \"a\" size 16 align 4 = bytes 03 00 00 00 01 00 00 00 02 00 00 00 00 00 00 00\nglobal g1 \"key\" size 4 align 4 = bytes 02 00 00 00";
    let compare = "\"compare\"(r0: ptr, r1: ptr) -> (i32) {\nb0:\nr2 = load i32 r0 @0:20:1\nr3 = load i32 r1 @0:20:9\nr4 = sub i32 r2, r3\nreturn r4 }";
    let externals = &["qsort(ptr, i64, i64, ptr)", "bsearch(ptr, ptr, i64, i64, ptr) -> (ptr)"];
    let main = format!("\"main\"() -> (i32) @0:1:1 {{\n{}\n}}", number_lines(main));
    let mut program = program(externals, items, &[&main, compare]);
    assert_eq!(heapproof_libc::link(&mut program, |_| true), ["qsort", "bsearch"]);
    heapproof_interp::run(&program, &options(), &mut Given(vec![]))
}

#[test]
fn sorting_and_searching_call_back() {
    let digits = "r1 = load i32 g0\nr2 = ptradd g0 + 4\nr3 = load i32 r2\nr4 = ptradd g0 + 8\nr5 = load i32 r4\nr6 = mul i32 r5, 10\nr7 = add i32 r6, r3\nr8 = mul i32 r1, 100\nr9 = add i32 r7, r8";
    let body = format!("b0:\nr0 = copy i32 0\ncall $qsort(g0, i64 4, i64 4, $1)\n{digits}\nreturn r9");
    expect_end(&sorted(&body), 21);
    let body = "b0:\ncall $qsort(g0, i64 4, i64 4, $1)\nr0: ptr = call $bsearch(g1, g0, i64 4, i64 4, $1)\nr1 = ptrtoint ptr r0 to i64\nr2 = ptrtoint ptr g0 to i64\nr3 = sub i64 r1, r2\nr4 = trunc i64 r3 to i32\nreturn r4";
    expect_end(&sorted(body), 8);
    // Too many elements: the comparison reads behind the array.
    let run = sorted("b0:\ncall $qsort(g0, i64 5, i64 4, $1)\nreturn 0");
    expect(&run, ErrorClass::OutOfBoundsRead, 20);
    // Elements too large: the copy in the library does, at the line of the call.
    let run = sorted("b0:\nr0 = copy i32 0\ncall $qsort(g0, i64 2, i64 12, $1)\nreturn 0");
    expect(&run, ErrorClass::OutOfBoundsRead, 3);
    expect(&sorted("b0:\ncall $qsort(null, i64 2, i64 4, $1)\nreturn 0"), ErrorClass::NullDeref, 20);
    expect_end(&sorted("b0:\ncall $qsort(null, i64 0, i64 4, $1)\nreturn 0"), 0);
}

#[test]
fn no_model_panics_whatever_it_is_given() {
    use heapproof_libc::Scalar;
    let mut options = options();
    options.environment.malloc_may_fail = true;
    for model in heapproof_libc::all() {
        let ty = |scalar: &Scalar| match scalar {
            Scalar::Ptr => "ptr".to_owned(),
            Scalar::Float => "float32".to_owned(),
            Scalar::Double => "float64".to_owned(),
            Scalar::LongDouble => "x87".to_owned(),
            other => format!("i{}", other.bits(64)),
        };
        let params: Vec<String> = model.params.iter().map(ty).collect();
        let dots = if model.variadic { ", ..." } else { "" };
        let result =
            if model.result == Scalar::Void { String::new() } else { format!(" -> ({})", ty(&model.result)) };
        let prototype = format!("{}({}{dots}){result}", model.name, params.join(", "));
        let target = if result.is_empty() { String::new() } else { format!("r0: {} = ", ty(&model.result)) };
        for variant in 0..16usize {
            let args: Vec<String> = params
                .iter()
                .enumerate()
                .map(|(index, ty)| {
                    let choice = variant * 7 + index * (variant / 7 + 1);
                    match ty.as_str() {
                        "ptr" => {
                            ["g0", "g1", "g2", "g3", "g4", "null", "$0", "ptr undef"][choice % 8].to_owned()
                        }
                        "float32" | "float64" | "x87" => format!("{ty} undef"),
                        _ => format!(
                            "{ty} {}",
                            [0, 1, 2, 5, 37, -1, -2][choice % 7]
                                .max(if ty == "i1" { 0 } else { -9 })
                                .min(if ty == "i1" { 1 } else { 99 })
                        ),
                    }
                })
                .collect();
            let inputs = [variant as u128, u128::MAX, 3, 0, 40];
            calls_with(
                &[&prototype],
                &format!("b0:\n{target}call ${}({})\nreturn 0", model.name, args.join(", ")),
                &inputs,
                &options,
            );
        }
    }
}

#[test]
fn standard_input_that_is_given_is_read_by_whoever_does_not_name_it() {
    let options = with(|environment| environment.world.stdin = Some(b"7!".as_slice().into()));
    let body = "b0:\nr0: i32 = call $getchar()\nr1: i32 = call $getchar()\nr2: i32 = call $getchar()\nr3 = add i32 r0, r1\n\
                r4 = add i32 r3, r2\nreturn r4";
    let run = run_linked(&["getchar() -> (i32)"], "", body, &[], &options);
    expect_end(&run, 55 + 33 - 1);
    assert!(run.inputs.is_empty() && run.choice.is_none());
}
