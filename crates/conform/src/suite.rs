//! Which programs a suite has, and how each is compiled.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A suite, by the layout of its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// GCC's torture tests: `execute` and `execute/ieee`; each calls `abort` if it fails.
    Torture,
    /// LLVM's single-source tests that need no particular processor.
    Llvm,
    /// The tests of libfirm and cparser.
    Firm,
    /// c-testsuite.
    CTestsuite,
    /// The tests of musl's library; the status says whether they failed.
    LibcTest,
    /// Programs of a directory, one per file.
    Own,
    /// Random programs of csmith.
    Csmith,
}

impl Kind {
    /// The name used in the table and in the list of what is out of scope.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Torture => "torture",
            Kind::Llvm => "llvm",
            Kind::Firm => "firm",
            Kind::CTestsuite => "c-testsuite",
            Kind::LibcTest => "libc-test",
            Kind::Own => "own",
            Kind::Csmith => "csmith",
        }
    }

    /// The suite of this name.
    pub fn by_name(name: &str) -> Option<Kind> {
        let all = [Kind::Torture, Kind::Llvm, Kind::Firm, Kind::CTestsuite, Kind::LibcTest, Kind::Own];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a program that fails says so by its status.
    pub fn checks_itself(self) -> bool {
        matches!(self, Kind::Torture | Kind::LibcTest | Kind::Own)
    }

    /// Directories with tests, relative to the suite's; subdirectories are not entered.
    fn directories(self) -> &'static [&'static str] {
        match self {
            Kind::Torture => &["", "ieee"],
            Kind::Llvm => &[
                "Regression/C",
                "UnitTests",
                "UnitTests/Float",
                "UnitTests/Integer",
                "UnitTests/SetjmpLongjmp/C",
                "UnitTests/SignlessTypes",
                "UnitTests/Vector",
                "UnitTests/Vector/SSE",
            ],
            Kind::Firm => &[
                "C",
                "C/gnu99",
                "C/nowarn",
                "C/pragmatic",
                "C/should_warn",
                "C/should_warn_pedantic",
                "ack",
                "backend",
                "bitwise",
                "codegen",
                "csmith",
                "extreme",
                "gcc",
                "langshootout",
                "llvm",
                "opt",
                "preproctest",
            ],
            Kind::CTestsuite => &["tests/single-exec"],
            Kind::LibcTest => &["src/functional", "src/regression"],
            Kind::Own | Kind::Csmith => &[""],
        }
    }
}

/// One program.
#[derive(Clone, Debug)]
pub struct Test {
    /// The suite it is from.
    pub kind: Kind,
    /// Its path below the suite.
    pub name: String,
    /// Its C files.
    pub files: Vec<PathBuf>,
    /// Options of the compiler.
    pub options: Vec<String>,
}

impl Test {
    /// How reports and the list of what is out of scope call it.
    pub fn id(&self) -> String {
        format!("{}/{}", self.kind.name(), self.name)
    }
}

/// What compilers only warn of in old programs stays a warning.
const LENIENT: &[&str] = &[
    "-w",
    "-Wno-implicit-int",
    "-Wno-implicit-function-declaration",
    "-Wno-int-conversion",
    "-Wno-return-type",
];

/// The tests of a suite, in order of their names.
pub fn tests(kind: Kind, root: &Path) -> io::Result<Vec<Test>> {
    let mut tests = Vec::new();
    for directory in kind.directories() {
        let Ok(entries) = fs::read_dir(root.join(directory)) else { continue };
        for entry in entries {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == "c") {
                tests.push(test(kind, root, file)?);
            }
        }
    }
    if tests.is_empty() {
        let why = format!("no test of {} below {}", kind.name(), root.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}

fn test(kind: Kind, root: &Path, file: PathBuf) -> io::Result<Test> {
    let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
    let mut options: Vec<String> = LENIENT.iter().map(ToString::to_string).collect();
    let mut files = vec![file.clone()];
    match kind {
        Kind::Torture => options.extend(wanted_options(&String::from_utf8_lossy(&fs::read(&file)?))),
        Kind::LibcTest => {
            let common = root.join("src/common");
            options.push(format!("-I{}", common.display()));
            options.extend(["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-fno-builtin"].map(String::from));
            for part in ["mtest", "print", "rand", "utf8", "path", "fdfill", "memfill", "setrlim", "vmfill"] {
                files.push(common.join(part).with_extension("c"));
            }
        }
        Kind::Firm => {
            let directory = file.parent().unwrap_or(root);
            options.push(format!("-I{}", directory.display()));
        }
        Kind::Llvm | Kind::CTestsuite | Kind::Own | Kind::Csmith => {}
    }
    Ok(Test { kind, name, files, options })
}

/// A program of csmith, which is at `file`.
pub fn csmith(seed: u64, file: PathBuf) -> Test {
    let options = vec!["-w".to_string(), "-I/usr/include/csmith".to_string()];
    Test { kind: Kind::Csmith, name: seed.to_string(), files: vec![file], options }
}

/// The options in a test's `dg-options` that change what the program means.
fn wanted_options(source: &str) -> Vec<String> {
    let mut options = Vec::new();
    for line in source.lines().filter(|line| line.contains("dg-options")) {
        let quoted = line.split('"').nth(1).unwrap_or("");
        let meaning = |option: &&str| {
            ["-std=", "-fwrapv", "-fgnu89-inline", "-fno-strict-overflow", "-D"]
                .iter()
                .any(|start| option.starts_with(start))
        };
        options.extend(quoted.split_whitespace().filter(meaning).map(String::from));
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_change_the_meaning_are_used() {
        let source = "/* { dg-options \"-O2 -fwrapv -std=gnu89\" } */\nint main(void) { return 0; }\n";
        assert_eq!(wanted_options(source), ["-fwrapv", "-std=gnu89"]);
    }
}
