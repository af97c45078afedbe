//! Takes the options that belong to the C compiler out of the command line, where clap could not read them.
//!
//! A word with one dash that is none of our own short options is one of the compiler's, before `--` as after it. What
//! would change what the analysis needs (optimisation, debug information, instrumentation) or asks for files and
//! linking is left out, so that the line of a build can be given as it is.

use clap::CommandFactory;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Options whose value may stick to them or follow as the next argument.
const JOINED_OR_SEPARATE: [&str; 6] = ["-I", "-D", "-U", "-F", "-L", "-l"];
/// Options whose value is the next argument.
const SEPARATE: [&str; 24] = [
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-Xclang",
    "-Xpreprocessor",
    "-Xlinker",
    "-Xassembler",
    "-mllvm",
    "-target",
    "-arch",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-T",
    "-u",
    "-z",
];
/// Options whose value is a file or a folder.
const PATHS: [&str; 7] = ["-I", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-isysroot"];

/// Options that mean nothing to us: outputs, dependencies, linking.
const LEFT_OUT: [&str; 34] = [
    "-c",
    "-S",
    "-E",
    "-s",
    "-p",
    "-pg",
    "-x",
    "-T",
    "-u",
    "-z",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-pipe",
    "-shared",
    "-static",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-nostdlib",
    "-emit-llvm",
    "-fsyntax-only",
    "-fbuiltin",
    "-pedantic-errors",
];
/// Beginnings of such options: also optimisation, debug information and instrumentation, which are ours to choose.
const LEFT_OUT_STARTS: [&str; 24] = [
    "-O",
    "-g",
    "-o",
    "-l",
    "-L",
    "-Wl,",
    "-Wa,",
    "-Werror",
    "-save-temps",
    "--coverage",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fcoverage",
    "-ftest-coverage",
    "-flto",
    "-fno-lto",
    "-ftime-trace",
    "-finstrument",
    "-fstack-protector",
    "-fdiscard-value-names",
    "-fcolor-diagnostics",
    "-fdiagnostics-color",
    "-fuse-ld",
];

/// Beginnings of options that only gcc knows, and that change nothing of what a program means.
const ONLY_GCC_STARTS: [&str; 58] = [
    "-fanalyzer",
    "-fno-analyzer",
    "-fira-",
    "-fipa-",
    "-fno-ipa-",
    "-fno-ira-",
    "-ftree-",
    "-fno-tree-",
    "-fgcse",
    "-fno-gcse",
    "-fconserve-stack",
    "-fno-conserve-stack",
    "-fno-allow-store-data-races",
    "-fallow-store-data-races",
    "-fmax-errors",
    "-fvar-tracking",
    "-fno-var-tracking",
    "-fcode-hoisting",
    "-fno-code-hoisting",
    "-freorder-",
    "-fno-reorder-",
    "-fdump-",
    "-fplugin",
    "-fharden-",
    "-fguess-branch",
    "-fno-guess-branch",
    "-fif-conversion",
    "-fno-if-conversion",
    "-fcaller-saves",
    "-fno-caller-saves",
    "-fpartial-inlining",
    "-fno-partial-inlining",
    "-flimit-function-alignment",
    "-fsched",
    "-fno-sched",
    "-fselective-scheduling",
    "-fopt-info",
    "-fwhole-program",
    "-fuse-linker-plugin",
    "-fno-use-linker-plugin",
    "-fprefetch-loop-arrays",
    "-fno-prefetch-loop-arrays",
    "-fcrossjumping",
    "-fno-crossjumping",
    "-fthread-jumps",
    "-fno-thread-jumps",
    "-fstack-usage",
    "-fcallgraph-info",
    "-fstack-check",
    "-fmem-report",
    "-fno-inline-small-functions",
    "-finline-limit",
    "-fno-inline-functions-called-once",
    "-mrecord-mcount",
    "-mpreferred-stack-boundary",
    "-mfunction-return",
    "-specs",
    "-static-libgcc",
];

/// The command line in two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// For clap.
    pub ours: Vec<OsString>,
    /// For clang.
    pub clang: Vec<String>,
}

/// Splits a command line. An option without its value is left to clap, which says that it does not know it.
pub fn split(args: impl IntoIterator<Item = OsString>) -> Split {
    let (with_value, short) = our_options();
    let mut split = Split::default();
    let mut args = args.into_iter();
    // Only these commands compile.
    let compiles = |arg: &OsString| arg == "check" || arg == "run" || arg == "ir";
    let mut compiling = false;
    let mut rest_is_ours = false;
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        if !compiling {
            compiling = compiles(&arg);
            split.ours.push(arg);
        } else if text == "--" {
            // Not `-o`, which is the compiler's here.
            split.compiler_line(&mut args);
        } else if rest_is_ours {
            split.ours.push(arg);
        } else if text == "--args" {
            rest_is_ours = true;
            split.ours.push(arg);
        } else if with_value.contains(text.as_str()) {
            split.ours.push(arg);
            split.ours.extend(args.next());
        } else if is_compilers(&text, &short) {
            split.compiler_option(arg, &mut args);
        } else {
            split.ours.push(arg);
        }
    }
    split
}

/// The options of a compiler's command line, without its name. Source files are among what is ours.
pub fn of_build(args: impl IntoIterator<Item = OsString>) -> Split {
    let mut split = Split::default();
    split.compiler_line(&mut args.into_iter());
    split
}

/// True for words with one dash other than our short options.
fn is_compilers(text: &str, short: &BTreeSet<char>) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some('-'), Some(first)) if first != '-' => {
            let is_jobs = text.strip_prefix("-j").is_some_and(|n| n.parse::<u32>().is_ok());
            !(short.contains(&first) && text.len() == 2 || text.starts_with("-o") || is_jobs)
        }
        _ => false,
    }
}

impl Split {
    /// What follows `--`: options of the compiler and, as on a compiler's line, source files.
    fn compiler_line(&mut self, args: &mut impl Iterator<Item = OsString>) {
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy();
            let is_file = !text.starts_with(['-', '@']) && (text.ends_with(".c") || text.ends_with(".i"));
            if is_file {
                self.ours.push(arg);
            } else if text == "-o" {
                args.next();
            } else {
                self.compiler_option(arg, args);
            }
        }
    }

    fn compiler_option(&mut self, arg: OsString, args: &mut impl Iterator<Item = OsString>) {
        let text = arg.to_string_lossy().into_owned();
        if text == "-m32" || text == "-m64" {
            let target = if text == "-m32" { "ilp32" } else { "lp64" };
            self.ours.push(format!("--target={target}").into());
            return;
        }
        let value = if SEPARATE.contains(&text.as_str()) || JOINED_OR_SEPARATE.contains(&text.as_str()) {
            match args.next() {
                Some(value) => Some(value.to_string_lossy().into_owned()),
                None => return self.ours.push(arg),
            }
        } else {
            None
        };
        let mut starts = LEFT_OUT_STARTS.iter().chain(&ONLY_GCC_STARTS);
        let left_out = LEFT_OUT.contains(&text.as_str()) || starts.any(|start| text.starts_with(start));
        if left_out {
            return;
        }
        // clang splits `-I@x` and would read options from a file `x`.
        let joined = JOINED_OR_SEPARATE.iter().find_map(|option| text.strip_prefix(option));
        if joined.is_some_and(|value| value.starts_with('@')) {
            match text.strip_prefix("-I") {
                Some(folder) => self.clang.push(format!("-I./{folder}")),
                None => self.ours.push(arg),
            }
            return;
        }
        match value {
            // clang would read options from a file of that name.
            Some(value) if value.starts_with('@') && PATHS.contains(&text.as_str()) => {
                self.clang.extend([text, format!("./{value}")]);
            }
            Some(value) => self.clang.extend([text, value]),
            None => self.clang.push(text),
        }
    }
}

/// Our options that take the next argument as their value, and the letters of our short options.
fn our_options() -> (BTreeSet<String>, BTreeSet<char>) {
    let command = super::args::Cli::command();
    let mut names = BTreeSet::new();
    // clap's own.
    let mut short = BTreeSet::from(['h', 'V']);
    for arg in command.get_subcommands().flat_map(|c| c.get_arguments()) {
        short.extend(arg.get_short());
        if arg.get_action().takes_values() {
            names.extend(arg.get_long().map(|name| format!("--{name}")));
            names.extend(arg.get_short().map(|name| format!("-{name}")));
        }
    }
    (names, short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, ours: &str, clang: &str) {
        let split = split(line.split(' ').map(OsString::from));
        let text: Vec<_> = split.ours.iter().map(|a| a.to_str().unwrap()).collect();
        assert_eq!((text.join(" ").as_str(), split.clang.join(" ").as_str()), (ours, clang));
    }

    #[test]
    fn the_usual_spellings() {
        check("h check -Ia -I b -DX=1 -D Y a.c", "h check a.c", "-Ia -I b -DX=1 -D Y");
        check("h run a.c -include f.h -std=c99 -UX", "h run a.c", "-include f.h -std=c99 -UX");
        check("h ir -m32 a.c -- -w -fshort-enums", "h ir --target=ilp32 a.c", "-w -fshort-enums");
    }

    #[test]
    fn the_line_of_a_build() {
        check("h check -Wall -O2 -g -c -o x a.c", "h check -o x a.c", "-Wall");
        check("h check -- -Wall -O2 -g3 -c -o x.o a.c -MMD -MF x.d", "h check a.c", "-Wall");
        check("h check a.c -fno-tree-vectorize -fanalyzer -fmax-errors=3", "h check a.c", "");
        check("h check a.c -v -Wextra -pthread -lm -L lib", "h check a.c -v", "-Wextra -pthread");
        check("h check -- -m32 a.c b.c -fsanitize=address -Werror", "h check --target=ilp32 a.c b.c", "");
        check(
            "h check a.c -- -ansi -fno-common -march=native",
            "h check a.c",
            "-ansi -fno-common -march=native",
        );
    }

    #[test]
    fn values_of_our_options_are_not_taken() {
        check("h check --argv -DX a.c", "h check --argv -DX a.c", "");
        check("h run a.c --args -DX -I", "h run a.c --args -DX -I", "");
        check("h check -o -I a.c", "h check -o -I a.c", "");
        check("h run a.c --args -x -- -DX", "h run a.c --args -x", "-DX");
    }

    #[test]
    fn values_are_never_files_with_options() {
        check(
            "h check a.c -include @x.h -I @i -I@j -D@y",
            "h check a.c -D@y",
            "-include ./@x.h -I ./@i -I./@j",
        );
    }

    #[test]
    fn an_option_without_value_is_left_to_clap() {
        check("h check a.c -D", "h check a.c -D", "");
    }

    #[test]
    fn other_commands_have_no_compiler_options() {
        check("h explain -D", "h explain -D", "");
    }
}
