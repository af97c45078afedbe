//! What the native program prints: the truth.

use super::Batch;
use crate::process;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A compiler with its options.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program.
    pub command: &'static str,
    /// Its options for the data model.
    pub options: Vec<&'static str>,
}

/// clang 19, whose code ours has to agree with.
pub fn clang(ilp32: bool) -> Compiler {
    let options = if ilp32 { vec!["-m32"] } else { vec![] };
    Compiler { command: "clang-19", options }
}

/// gcc, the second opinion. Its floating-point numbers are not wider than their types.
pub fn gcc(ilp32: bool) -> Compiler {
    let options = if ilp32 { vec!["-m32", "-msse2", "-mfpmath=sse"] } else { vec![] };
    Compiler { command: "gcc", options }
}

/// Options that every compiler gets: the batches are full of what is allowed but unusual.
pub const OPTIONS: [&str; 3] = ["-std=gnu17", "-O0", "-w"];

/// Writes the files of a batch to a folder.
pub fn write(batch: &Batch, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for (name, text) in &batch.files {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        paths.push(path);
    }
    Ok(paths)
}

/// The numbers of all points, by the program that the compiler makes of the files.
pub fn numbers(compiler: &Compiler, files: &[PathBuf], points: usize) -> Result<Vec<i32>, String> {
    let executable = files[0].with_extension(compiler.command);
    let mut compile = Command::new(compiler.command);
    compile.args(OPTIONS).args(&compiler.options).args(files).arg("-o").arg(&executable);
    let compiled = process::run(&mut compile, Duration::from_secs(600)).map_err(|e| format!("{e:?}"))?;
    if compiled.code != Some(0) {
        return Err(format!(
            "{} does not compile {}: {}",
            compiler.command,
            files[0].display(),
            compiled.stderr
        ));
    }
    let done = process::run(&mut Command::new(&executable), Duration::from_secs(60))
        .map_err(|e| format!("{e:?}"))?;
    let found = read(&done.stdout);
    let _ = std::fs::remove_file(&executable);
    match done.code {
        Some(0) if found.len() == points => Ok(found.into_iter().map(|(_, number)| number).collect()),
        code => {
            Err(format!("{}: the program ends with {code:?} after {} points", compiler.command, found.len()))
        }
    }
}

/// The lines `point number` that a program has printed.
pub fn read(output: &str) -> Vec<(usize, i32)> {
    let line = |line: &str| {
        let (point, number) = line.split_once(' ')?;
        Some((point.parse().ok()?, number.parse().ok()?))
    };
    output.lines().filter_map(line).collect()
}
