//! Compiles a program with clang's AddressSanitizer, runs it, and reads the report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::fault::Fault;
use crate::observed::{End, Observed, Unobserved};
use crate::process;

/// How to compile and run.
#[derive(Clone, Debug)]
pub struct Sanitizer {
    /// The compiler.
    pub clang: PathBuf,
    /// The program that turns addresses into lines.
    pub symbolizer: PathBuf,
    /// Also look for undefined behaviour of other kinds, and take warnings for errors: for programs that
    /// are meant to be correct.
    pub strict: bool,
    /// Limit for one run.
    pub limit: Duration,
}

impl Default for Sanitizer {
    fn default() -> Self {
        Sanitizer {
            clang: "clang-19".into(),
            symbolizer: "/usr/bin/llvm-symbolizer-19".into(),
            strict: false,
            limit: Duration::from_secs(20),
        }
    }
}

/// The position-dependent executable makes read-only addresses recognisable in a report.
const FLAGS: &[&str] = &[
    "-g",
    "-O0",
    "-std=gnu17",
    "-fsanitize=address",
    "-fsanitize-address-use-after-return=always",
    "-fno-omit-frame-pointer",
    "-fno-builtin",
    "-no-pie",
];

const STRICT: &[&str] = &[
    "-fsanitize=undefined",
    "-fno-sanitize-recover=undefined",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unused",
    "-Wno-unused-parameter",
    "-Wno-sign-compare",
    // Random expressions are full of these, and none of them is undefined.
    "-Wno-constant-conversion",
    "-Wno-constant-logical-operand",
    "-Wno-tautological-compare",
    "-Wno-self-assign",
    "-Wno-parentheses-equality",
    "-Wno-int-in-bool-context",
    "-Wno-bool-operation",
    "-Wno-missing-field-initializers",
];

const OPTIONS: &str = "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=0:\
    halt_on_error=1:handle_abort=0:handle_sigfpe=1:allocator_may_return_null=0:symbolize=1:\
    exitcode=199:color=never";

impl Sanitizer {
    /// Compiles and runs the C file `source`; the executable is put beside it.
    pub fn observe(&self, source: &Path) -> Result<Observed, Unobserved> {
        let executable = source.with_extension("asan");
        let mut compile = Command::new(&self.clang);
        compile.args(FLAGS);
        if self.strict {
            compile.args(STRICT);
        } else {
            compile.arg("-w");
        }
        compile.arg(source).arg("-o").arg(&executable);
        let compiled = process::run(&mut compile, Duration::from_secs(120))?;
        if compiled.code != Some(0) {
            return Err(Unobserved::NotCompiled(compiled.stderr));
        }
        let mut program = Command::new(&executable);
        program
            .env("ASAN_OPTIONS", OPTIONS)
            .env("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1:exitcode=198")
            .env("ASAN_SYMBOLIZER_PATH", &self.symbolizer);
        let done = process::run(&mut program, self.limit)?;
        if done.timed_out {
            return Err(Unobserved::TimedOut);
        }
        let image = std::fs::read(&executable)?;
        // It is large and can be had again.
        std::fs::remove_file(&executable)?;
        let file = source.file_name().unwrap_or_default().to_string_lossy();
        let end =
            match read_report(&done.stderr, &file, &read_only_ranges(&image))? {
                Some(error) => error,
                None => End::Exit(done.code.ok_or_else(|| {
                    Unobserved::NotUnderstood(format!("killed by a signal: {}", done.stderr))
                })?),
            };
        Ok(Observed { stdout: done.stdout, end })
    }
}

/// The error that a report describes, or `None` if there is no report. `file` is the name of the C file.
pub fn read_report(report: &str, file: &str, read_only: &[(u64, u64)]) -> Result<Option<End>, Unobserved> {
    let lines: Vec<&str> = report.lines().collect();
    if let Some(line) = lines.iter().find(|line| line.contains("Assertion `")) {
        let access_line = line_in(line, file);
        let alloc_lines = BTreeSet::new();
        return Ok(Some(End::Error { class: Fault::AssertionFailure, access_line, alloc_lines }));
    }
    if report.contains("ERROR: LeakSanitizer: detected memory leaks") {
        let alloc_lines = stacks_after(&lines, "leak of ", file);
        return Ok(Some(End::Error { class: Fault::Leak, access_line: None, alloc_lines }));
    }
    let Some(start) = lines.iter().position(|line| line.contains("ERROR: AddressSanitizer: ")) else {
        return if report.trim().is_empty() {
            Ok(None)
        } else {
            Err(Unobserved::NotUnderstood(report.to_string()))
        };
    };
    let kind = lines[start].split("ERROR: AddressSanitizer: ").nth(1).unwrap_or_default();
    let frames = lines[start + 1..].iter().skip_while(|line| !is_frame(line)).take_while(|l| is_frame(l));
    let frames: Vec<&&str> = frames.collect();
    // Freeing a constant makes the allocator itself write to it.
    let mut outer = frames.iter().take_while(|frame| line_in(frame, file).is_none());
    let class = match outer.any(|frame| frame.contains(" in free ")) {
        true if kind.starts_with("SEGV") => Some(Fault::InvalidFree),
        _ => classify(kind, report, read_only),
    };
    let class = class.ok_or_else(|| Unobserved::NotUnderstood(report.to_string()))?;
    let access_line = frames.iter().find_map(|frame| line_in(frame, file));
    let alloc_lines = stacks_after(&lines, "allocated by thread", file);
    Ok(Some(End::Error { class, access_line, alloc_lines }))
}

/// Translates the sanitizer's words into our vocabulary.
fn classify(kind: &str, report: &str, read_only: &[(u64, u64)]) -> Option<Fault> {
    let word = kind.split([' ', ':']).next().unwrap_or_default();
    let writes = report.contains("WRITE of size") || report.contains("caused by a WRITE");
    match word {
        "heap-use-after-free" => Some(Fault::UseAfterFree),
        "stack-use-after-scope" | "stack-use-after-return" => Some(Fault::UseAfterScope),
        "heap-buffer-overflow"
        | "stack-buffer-overflow"
        | "stack-buffer-underflow"
        | "dynamic-stack-buffer-overflow"
        | "global-buffer-overflow" => {
            Some(if writes { Fault::OutOfBoundsWrite } else { Fault::OutOfBoundsRead })
        }
        "attempting" if kind.contains("double-free") => Some(Fault::DoubleFree),
        "attempting" => Some(Fault::InvalidFree),
        "FPE" => Some(Fault::DivisionByZero),
        "SEGV" => {
            let address = kind.strip_prefix("SEGV on unknown address 0x");
            let digits = address.and_then(|rest| rest.split(' ').next());
            let address = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            Some(match address {
                Some(at) if at < 4096 => Fault::NullDeref,
                Some(at) if writes && read_only.iter().any(|(lo, hi)| (*lo..*hi).contains(&at)) => {
                    Fault::ReadonlyWrite
                }
                _ => Fault::WildDeref,
            })
        }
        overlap if overlap.ends_with("-param-overlap") => Some(Fault::OverlappingCopy),
        _ => None,
    }
}

fn is_frame(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The number in `…file:number…`.
fn line_in(text: &str, file: &str) -> Option<u32> {
    let at = text.find(&format!("{file}:"))? + file.len() + 1;
    let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The topmost lines in `file` of all stacks that follow a line containing `title`.
fn stacks_after(lines: &[&str], title: &str, file: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for (index, line) in lines.iter().enumerate() {
        if line.contains(title) {
            let mut frames = lines[index + 1..].iter().take_while(|line| is_frame(line));
            found.extend(frames.find_map(|frame| line_in(frame, file)));
        }
    }
    found
}

/// Address ranges of a 64-bit little-endian ELF image that a program cannot write to.
fn read_only_ranges(image: &[u8]) -> Vec<(u64, u64)> {
    const LOAD: u64 = 1;
    const RELRO: u64 = 0x6474_e552;
    const WRITABLE: u64 = 2;
    let number = |at: usize, size: usize| -> u64 {
        let bytes = image.get(at..at + size).unwrap_or_default();
        bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let (table, entry, count) = (number(32, 8) as usize, number(54, 2) as usize, number(56, 2) as usize);
    let mut ranges = Vec::new();
    for header in (0..count).map(|index| table + index * entry) {
        let (kind, flags) = (number(header, 4), number(header + 4, 4));
        let (start, size) = (number(header + 16, 8), number(header + 40, 8));
        if (kind == LOAD && flags & WRITABLE == 0) || kind == RELRO {
            ranges.push((start, start + size));
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(report: &str) -> End {
        read_report(report, "prog.c", &[(0x402000, 0x403000)]).unwrap().unwrap()
    }

    #[test]
    fn reads_the_topmost_frame_in_the_program() {
        let report = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1\n\
            READ of size 3 at 0x602 thread T0\n    #0 0x1 in strlen (prog+0x1)\n    \
            #1 0x2 in f /tmp/prog.c:17:5\n    #2 0x3 in main /tmp/prog.c:30:1\n\n\
            previously allocated by thread T0 here:\n    #0 0x1 in malloc (prog)\n    \
            #1 0x2 in g /tmp/prog.c:9:3\n";
        let end = End::Error {
            class: Fault::UseAfterFree,
            access_line: Some(17),
            alloc_lines: BTreeSet::from([9]),
        };
        assert_eq!(read(report), end);
    }

    #[test]
    fn tells_faulting_addresses_apart() {
        let class = |address: &str| {
            let report = format!(
                "==1==ERROR: AddressSanitizer: SEGV on unknown address {address}(pc 0x1 T0)\n\
                 ==1==The signal is caused by a WRITE memory access.\n    #0 0x1 in f prog.c:3:1\n"
            );
            match read(&report) {
                End::Error { class, .. } => class,
                End::Exit(_) => unreachable!(),
            }
        };
        assert_eq!(class("0x000000000008 "), Fault::NullDeref);
        assert_eq!(class("0x000000402010 "), Fault::ReadonlyWrite);
        assert_eq!(class("0x7f0000001230 "), Fault::WildDeref);
        assert_eq!(class(""), Fault::WildDeref);
    }

    #[test]
    fn no_report_is_no_error() {
        assert_eq!(read_report("", "prog.c", &[]), Ok(None));
        assert!(read_report("something else\n", "prog.c", &[]).is_err());
    }
}
