//! Takes the options that belong to the C compiler out of the command line, where clap could not read them.

use clap::CommandFactory;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Options whose value may stick to them or follow as the next argument.
const JOINED_OR_SEPARATE: [&str; 3] = ["-I", "-D", "-U"];
/// Options whose value is the next argument.
const SEPARATE: [&str; 6] = ["-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-Xclang"];

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
    let with_value = options_with_value();
    let mut split = Split::default();
    let mut args = args.into_iter().peekable();
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
            split.clang.extend(args.by_ref().map(|a| a.to_string_lossy().into_owned()));
        } else if rest_is_ours {
            split.ours.push(arg);
        } else if text == "--args" {
            rest_is_ours = true;
            split.ours.push(arg);
        } else if with_value.contains(text.as_str()) {
            split.ours.push(arg);
            split.ours.extend(args.next());
        } else if text == "-m32" || text == "-m64" {
            let target = if text == "-m32" { "ilp32" } else { "lp64" };
            split.ours.push(format!("--target={target}").into());
        } else if text.starts_with("-std=") {
            split.clang.push(text);
        } else if SEPARATE.contains(&text.as_str()) || JOINED_OR_SEPARATE.contains(&text.as_str()) {
            match args.next() {
                Some(value) => split.clang.extend([text, value.to_string_lossy().into_owned()]),
                None => split.ours.push(arg),
            }
        } else if JOINED_OR_SEPARATE.iter().any(|option| text.starts_with(option)) {
            split.clang.push(text);
        } else {
            split.ours.push(arg);
        }
    }
    split
}

/// Our options that take the next argument as their value.
fn options_with_value() -> BTreeSet<String> {
    let command = super::args::Cli::command();
    let mut names = BTreeSet::new();
    for arg in command.get_subcommands().flat_map(|c| c.get_arguments()) {
        if arg.get_action().takes_values() {
            names.extend(arg.get_long().map(|name| format!("--{name}")));
            names.extend(arg.get_short().map(|name| format!("-{name}")));
        }
    }
    names
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
    fn values_of_our_options_are_not_taken() {
        check("h check --argv -DX a.c", "h check --argv -DX a.c", "");
        check("h run a.c --args -DX -I", "h run a.c --args -DX -I", "");
        check("h check -o -I a.c", "h check -o -I a.c", "");
        check("h run a.c --args -x -- -DX", "h run a.c --args -x", "-DX");
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
