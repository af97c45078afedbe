//! Tests of the printer and the parser.

use super::*;
use crate::arbitrary;
use crate::program::Program;
use proptest::prelude::*;

fn error(source: &str) -> String {
    parse(source).unwrap_err().to_string()
}

#[test]
fn an_empty_text_is_an_empty_program() {
    let program = parse("// nothing\n").unwrap();
    assert_eq!(program.files.len(), 1);
    assert!(program.functions.is_empty());
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(error("target lp128"), "1:8: expected `lp64` or `ilp32`, found `lp128`");
    assert_eq!(error("func f1 \"f\"()"), "1:6: expected `f0`, the next number, found `f1`");
    let body = |inst: &str| error(&format!("func f0 \"f\"(r0: i8) {{\nb0:\n  {inst}\n}}"));
    assert_eq!(body("r1 = add i8 r0, 256"), "3:19: expected a number of 8 bits, found a larger one");
    assert_eq!(body("r1 = frob i8 r0"), "3:8: expected an instruction with a result, found `frob`");
    assert_eq!(body("call f0(1)"), "3:11: expected the type of the constant first, found `1`");
    assert_eq!(body("jump b0 @1:"), "4:1: expected a number, found `}`");
    assert_eq!(
        body("return r7"),
        "3:10: expected registers without gaps and with types (r1 has none), found r7"
    );
    assert_eq!(error("file file0 \"abc"), "1:12: expected a string, found a string that does not end");
    assert!(error("file file0 \"\\q\"").starts_with("1:12: expected an escape"));
    assert_eq!(error("file file0 \"\\xff\""), "1:12: expected a string of UTF-8, found other bytes");
}

#[test]
fn registers_get_their_types_from_declarations_first() {
    let program = parse(
        "func f0 \"f\"(r0: i8) {\n reg r2: i64 var \"n\"\nb0:\n r1 = zext i8 r0 to i64\n r2 = copy i64 r1\n return }",
    )
    .unwrap();
    let body = program.functions.values().next().unwrap().body.as_ref().unwrap();
    let types: Vec<String> = body.regs.values().map(|info| info.ty.to_string()).collect();
    assert_eq!(types, ["i8", "i64", "i64"]);
    assert!(
        error("func f0 \"f\"() {\n reg r0: i8 reg r0: i8 b0: return }").contains("one line for a register")
    );
}

#[test]
fn the_largest_numbers_do_not_panic() {
    for text in [
        "func f4294967295 \"f\"()",
        "func f0 \"f\"() { b0: jump b4294967295 }",
        "func f0 \"f\"() { b0: jump b4294967294 }",
        "func f0 \"f\"() { b0: return r4294967294 }",
        "func f0 \"f\"() { reg r4000000000: i8 b0: return }",
        "func f0 \"f\"() { b0: r0 = ptradd null - 9223372036854775809 return }",
        "func f0 \"f\"() @4294967295:1:1",
        "type t0 = enum size 4 { \"a\" = -170141183460469231731687303715884105728 }",
        "type t0 = enum size 4 { \"a\" = -170141183460469231731687303715884105729 }",
        "global g0 \"a\" size 99999999999999999999999",
        "func f0 \"f\"() -> (i128) { b0: return 0xffffffffffffffffffffffffffffffff }",
        "func f0 \"f\"() -> (i128) { b0: return 0x1ffffffffffffffffffffffffffffffff }",
        "func f0 \"f\"(i0, i129, i999999999999)",
    ] {
        let _ = parse(text);
    }
}

#[test]
fn a_big_program_is_printed_and_parsed_fast() {
    let mut text = String::from("func f0 \"f\"(r0: i32) {\nb0:\n");
    for index in 1..=20_000 {
        text += &format!("  r{index} = add i32 r{}, 7 @0:{index}:3\n", index - 1);
    }
    text += "  return\n}\n";
    let program = parse(&text).unwrap();
    assert_eq!(parse(&print(&program)).unwrap(), program);
}

/// Cuts, doubles and overwrites parts of a text at positions between characters.
fn mutate(text: &str, edits: &[(u16, u16, u8)]) -> String {
    const INSERTS: [&str; 12] =
        ["r", "4294967295", "-", "\"", "\\", "@", "}", "{", "b1:", "i129", "0x", "\u{2028}ä"];
    let mut chars: Vec<char> = text.chars().collect();
    for (at, len, kind) in edits {
        let at = usize::from(*at) % (chars.len() + 1);
        let end = (at + usize::from(*len) % 12).min(chars.len());
        match kind % 3 {
            0 => drop(chars.drain(at..end)),
            1 => {
                let copy: Vec<char> = chars[at..end].to_vec();
                chars.splice(at..at, copy);
            }
            _ => {
                let insert = INSERTS[usize::from(*kind) / 3 % INSERTS.len()];
                chars.splice(at..end, insert.chars());
            }
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #[test]
    fn programs_come_back_as_they_were(program in arbitrary::program()) {
        let text = program.to_string();
        let back: Program = text.parse().map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&back.to_string(), &text);
        prop_assert!(back == program, "{}", text);
    }

    #[test]
    fn mutated_programs_do_not_panic(
        program in arbitrary::program(),
        edits in prop::collection::vec(any::<(u16, u16, u8)>(), 1..6),
    ) {
        if let Ok(program) = parse(&mutate(&program.to_string(), &edits)) {
            // What was read can be written, and checked, whatever it refers to.
            let _ = crate::check::check(&program);
            prop_assert!(parse(&print(&program)).as_ref() == Ok(&program));
        }
    }

    #[test]
    fn random_text_does_not_panic(text in "\\PC*", words in "((func|f0|b0:|\\{|\\}|\"|r0|=|i32|,|-|[0-9]+|\\\\)[ \n]?)*") {
        let _ = parse(&text);
        let _ = parse(&words);
    }
}
