//! What a program does when it is compiled and run: the truth.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::{self, Done, End};
use crate::suite::Test;

/// Sizes of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// 64 bit.
    Lp64,
    /// 32 bit.
    Ilp32,
}

impl Target {
    /// Its name, as heapproof takes it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Lp64 => "lp64",
            Target::Ilp32 => "ilp32",
        }
    }

    fn option(self) -> &'static str {
        match self {
            Target::Lp64 => "-m64",
            Target::Ilp32 => "-m32",
        }
    }
}

/// Output and status of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Standard output.
    pub stdout: String,
    /// Exit status.
    pub status: i32,
}

/// The truth, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Native {
    /// Both compilers agree, or only clang compiles it.
    Agreed(Truth),
    /// Not a program for this machine: it does not compile, fails, or is not the same twice.
    NoTest(String),
    /// gcc's program does something else than clang's.
    Apart(String),
}

/// The same as [`observe`], but what is in the directory `known` is believed, and what is not is written there.
pub fn recall(
    known: Option<&Path>,
    test: &Test,
    target: Target,
    scratch: &Path,
    limit: Duration,
) -> io::Result<Native> {
    let Some(known) = known else { return observe(test, target, scratch, limit) };
    let file = known.join(format!("{}.{}", test.id().replace('/', "+"), target.name()));
    if let Some(native) = fs::read_to_string(&file).ok().and_then(|text| from_text(&text)) {
        return Ok(native);
    }
    let native = observe(test, target, scratch, limit)?;
    fs::create_dir_all(known)?;
    fs::write(file, to_text(&native))?;
    Ok(native)
}

fn to_text(native: &Native) -> String {
    match native {
        Native::Agreed(truth) => format!("agreed\n{}\n{}", truth.status, truth.stdout),
        Native::NoTest(why) => format!("no test\n0\n{why}"),
        Native::Apart(how) => format!("apart\n0\n{how}"),
    }
}

fn from_text(text: &str) -> Option<Native> {
    let (kind, rest) = text.split_once('\n')?;
    let (status, rest) = rest.split_once('\n')?;
    let rest = rest.to_string();
    match kind {
        "agreed" => Some(Native::Agreed(Truth { stdout: rest, status: status.parse().ok()? })),
        "no test" => Some(Native::NoTest(rest)),
        "apart" => Some(Native::Apart(rest)),
        _ => None,
    }
}

/// Compiles and runs `test` with clang, twice, and with gcc.
fn observe(test: &Test, target: Target, scratch: &Path, limit: Duration) -> io::Result<Native> {
    let clang = match execute("clang-19", test, target, scratch, limit)? {
        Ok(truth) => truth,
        Err(why) => return Ok(Native::NoTest(why)),
    };
    if clang.status >= 128 || (test.kind.checks_itself() && clang.status != 0) {
        return Ok(Native::NoTest(format!("ends with status {}", clang.status)));
    }
    match run(scratch, limit)? {
        Ok(again) if again == clang => {}
        Ok(_) => return Ok(Native::NoTest("is not the same twice".to_string())),
        Err(why) => return Ok(Native::NoTest(why)),
    }
    Ok(match execute("gcc", test, target, scratch, limit)? {
        Ok(gcc) if gcc != clang => Native::Apart(format!(
            "gcc: status {}, clang: {}{}",
            gcc.status,
            clang.status,
            differing(&gcc, &clang)
        )),
        // What gcc does not compile has one opinion only.
        Ok(_) | Err(_) => Native::Agreed(clang),
    })
}

/// The first line that differs.
pub fn differing(one: &Truth, other: &Truth) -> String {
    let (mut ours, mut theirs) = (one.stdout.lines(), other.stdout.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return String::new(),
            (a, b) if a == b => {}
            (a, b) => return format!(", `{}` instead of `{}`", a.unwrap_or("(end)"), b.unwrap_or("(end)")),
        }
    }
}

/// A compiler that takes longer does not end.
const COMPILING: Duration = Duration::from_secs(120);

type Outcome = Result<Truth, String>;

fn execute(
    compiler: &str,
    test: &Test,
    target: Target,
    scratch: &Path,
    limit: Duration,
) -> io::Result<Outcome> {
    let mut command = Command::new(compiler);
    command.args([target.option(), "-O0", "-o"]).arg(scratch.join("program"));
    command.args(&test.options).args(&test.files).args(["-lm", "-lpthread"]);
    let compiled = process::run(&mut command, scratch, COMPILING)?;
    if compiled.end != End::Status(0) {
        let first = compiled.stderr.lines().find(|line| line.contains("error")).unwrap_or("");
        return Ok(Err(format!("{compiler} does not compile it: {first}")));
    }
    run(scratch, limit)
}

fn run(scratch: &Path, limit: Duration) -> io::Result<Outcome> {
    let directory = tempfile::tempdir_in(scratch)?;
    let mut command = Command::new(scratch.join("program"));
    command.current_dir(directory.path());
    let Done { end, stdout, .. } = process::run(&mut command, scratch, limit)?;
    Ok(match end {
        End::Status(status) => Ok(Truth { stdout, status }),
        End::TimedOut => Err("takes too long".to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_read_as_it_was_written() {
        let truth = Truth { stdout: "a\n\nb".to_string(), status: 3 };
        for native in [Native::Agreed(truth), Native::NoTest("fails".into()), Native::Apart("1, 2".into())] {
            assert_eq!(from_text(&to_text(&native)), Some(native));
        }
        assert_eq!(from_text("agreed\nx\n"), None);
    }
}
