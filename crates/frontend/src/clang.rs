//! Starts clang, once per file, and takes its bitcode from a pipe.

use crate::{Error, Options};
use heapproof_ir::Target;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

/// No optimisation, but the life time markers that clang writes only when it believes that it optimises;
/// no inlines of glibc, no builtins, old code accepted.
const FLAGS: [&str; 16] = [
    "-c",
    "-emit-llvm",
    "-g",
    "-O1",
    "-U__OPTIMIZE__",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-U_FORTIFY_SOURCE",
    "-fno-builtin",
    "-std=gnu17",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// The result of one start of clang.
pub struct Bitcode {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// What clang had to say.
    pub diagnostics: String,
}

/// Compiles one file.
pub fn compile(path: &Path, options: &Options) -> Result<Bitcode, Error> {
    let source = Source::open(path)?;
    let (clang, tried) = find_clang(options);
    let mut command = Command::new(&clang);
    command.args(FLAGS);
    if options.target == Target::Ilp32 {
        command.arg("-m32");
    }
    command.args(&options.clang_args);
    command.args(["-o", "-"]).args(source.arguments());
    command.stdin(if source.piped.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|why| match why.kind() {
        ErrorKind::NotFound => Error::ClangMissing { tried },
        _ => Error::ClangMissing { tried: format!("{}: {why}", clang.display()) },
    })?;
    finish(child, source, options.deadline)
}

/// The source of one file: its path, or its text where that must be changed before clang sees it.
struct Source {
    path: PathBuf,
    piped: Option<Vec<u8>>,
}

impl Source {
    fn open(path: &Path) -> Result<Source, Error> {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        if path.is_dir() {
            return Err(unreadable("it is a directory".to_owned()));
        }
        let mut file = std::fs::File::open(path).map_err(|why| unreadable(plain(&why)))?;
        let mut start = [0; 4];
        let length = file.read(&mut start).map_err(|why| unreadable(plain(&why)))?;
        let not_source = |what: &str| Error::NotSource { path: path.to_owned(), why: what.to_owned() };
        match &start[..length] {
            [b'B', b'C', 0xC0, 0xDE] => return Err(not_source("it is LLVM bitcode")),
            [0x7F, b'E', b'L', b'F'] => return Err(not_source("it is a compiled ELF file")),
            [b'!', b'<', b'a', b'r'] => return Err(not_source("it is an archive of object files")),
            _ => {}
        }
        let preprocessed = path.extension().is_some_and(|e| e == "i");
        let piped = if preprocessed {
            let mut text = start[..length].to_vec();
            file.read_to_end(&mut text).map_err(|why| unreadable(plain(&why)))?;
            Some(with_own_positions(path, text))
        } else {
            None
        };
        Ok(Source { path: path.to_owned(), piped })
    }

    fn arguments(&self) -> Vec<OsString> {
        let (language, input) = match self.piped {
            Some(_) => ("cpp-output", "-".into()),
            // A path that starts with a dash must not be read as an option.
            None if self.path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
                ("c", Path::new(".").join(&self.path).into_os_string())
            }
            None => ("c", self.path.clone().into_os_string()),
        };
        vec!["-x".into(), language.into(), input]
    }
}

/// The message of an operating system error without its number.
fn plain(why: &std::io::Error) -> String {
    let text = why.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// Blanks the line markers of preprocessed text, which point to files that are not there, so that positions are
/// those of the given file.
fn with_own_positions(path: &Path, text: Vec<u8>) -> Vec<u8> {
    let name = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut result = format!("# 1 \"{name}\"\n").into_bytes();
    result.reserve(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        if is_line_marker(line) {
            result.push(b'\n');
        } else {
            result.extend_from_slice(line);
        }
    }
    result
}

/// True for `# 12 "file.c" 3 4` and `#line 12 "file.c"`.
fn is_line_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit)
}

fn find_clang(options: &Options) -> (PathBuf, String) {
    if let Some(clang) = &options.clang {
        return (clang.clone(), format!("tried {}", clang.display()));
    }
    const NAME: &str = "clang-19";
    const FIXED: &str = "/usr/lib/llvm-19/bin/clang";
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|dir| dir.join(NAME)).find(|file| file.is_file()));
    (on_path.unwrap_or_else(|| FIXED.into()), format!("tried {NAME} on the path and {FIXED}"))
}

/// Feeds clang, gathers what it writes and waits for it, or kills it at the deadline.
fn finish(mut child: Child, source: Source, deadline: Option<Instant>) -> Result<Bitcode, Error> {
    let (send, receive) = mpsc::channel();
    for (index, mut pipe) in [
        child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>),
        child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>),
    ]
    .into_iter()
    .flatten()
    .enumerate()
    {
        let send = send.clone();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            let _ = send.send((index, bytes));
        });
    }
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), source.piped) {
        // clang may stop reading at an error; that is seen from its status.
        std::thread::spawn(move || {
            let _ = stdin.write_all(&text);
        });
    }
    let mut streams = [Vec::new(), Vec::new()];
    for _ in 0..2 {
        let received = match deadline {
            Some(at) => receive.recv_timeout(at.saturating_duration_since(Instant::now())).ok(),
            None => receive.recv().ok(),
        };
        let Some((index, bytes)) = received else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::Timeout { path: source.path });
        };
        streams[index] = bytes;
    }
    let [bytes, stderr] = streams;
    let diagnostics = String::from_utf8_lossy(&stderr).into_owned();
    match child.wait() {
        Ok(status) if status.success() => Ok(Bitcode { bytes, diagnostics }),
        Ok(status) if diagnostics.is_empty() => {
            Err(Error::Rejected { path: source.path, diagnostics: format!("clang ended with {status}") })
        }
        Ok(_) => Err(Error::Rejected { path: source.path, diagnostics }),
        Err(why) => Err(Error::Rejected { path: source.path, diagnostics: why.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_are_blanked_and_lines_keep_their_numbers() {
        let text = b"# 1 \"a.c\"\nint x;\n#pragma pack(1)\n # 7 \"b.h\" 3 4\nint y;".to_vec();
        let result = String::from_utf8(with_own_positions(Path::new("a.i"), text)).unwrap();
        assert_eq!(result, "# 1 \"a.i\"\n\nint x;\n#pragma pack(1)\n\nint y;");
    }
}
