//! The programs of `cases/` and random programs, compiled.

use super::tests::{blocks, buffers, compile_for, generator};
use heapproof_ir::{Program, Target};
use std::path::{Path, PathBuf};

/// A program with what is asked of it.
pub struct Case {
    /// Folder and name, or the seed.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The properties.
    pub property: String,
    /// The header says that it is unsafe.
    pub is_unsafe: bool,
}

/// The C files of a folder of `cases/`.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "c"));
    files.sort();
    files
}

/// A case; none if it is no whole program or asks for what the engine does not know.
pub fn read(path: &Path) -> Option<Case> {
    let text = std::fs::read_to_string(path).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    let target = if field("// target: ")? == "lp64" { Target::Lp64 } else { Target::Ilp32 };
    let property = match field("// property: ")?.as_str() {
        "data-structure" => "memsafety".to_owned(),
        "contracts" => return None,
        known => known.to_owned(),
    };
    let is_unsafe = field("// verdict: ")? == "unsafe";
    let folder = path.parent()?.file_name()?.to_string_lossy().into_owned();
    let name = format!("{folder}/{}", path.file_stem()?.to_string_lossy());
    let program = compile_for(path, target)?;
    program.function("main")?;
    Some(Case { name, program, property, is_unsafe })
}

/// All cases of some folders.
pub fn of(folders: &[&str]) -> impl Iterator<Item = Case> {
    let paths: Vec<PathBuf> = folders.iter().flat_map(|folder| files(folder)).collect();
    paths.into_iter().filter_map(|path| read(&path))
}

/// Random programs around lists.
pub fn random(seeds: impl Iterator<Item = u64>) -> impl Iterator<Item = Case> {
    generated("program", seeds, generator::generate)
}

/// Random programs around blocks of bytes.
pub fn random_blocks(seeds: impl Iterator<Item = u64>) -> impl Iterator<Item = Case> {
    generated("blocks", seeds, blocks::generate)
}

/// Random programs around blocks of unknown size.
pub fn random_buffers(seeds: impl Iterator<Item = u64>) -> impl Iterator<Item = Case> {
    generated("buffers", seeds, buffers::generate)
}

fn generated(
    kind: &'static str,
    seeds: impl Iterator<Item = u64>,
    generate: fn(u64) -> String,
) -> impl Iterator<Item = Case> {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    seeds.filter_map(move |seed| {
        let path = directory.path().join("program.c");
        std::fs::write(&path, generate(seed)).expect("the directory takes files");
        let target = if seed % 2 == 0 { Target::Lp64 } else { Target::Ilp32 };
        let program = compile_for(&path, target)?;
        let property = "memsafety,assertions".to_owned();
        Some(Case { name: format!("{kind} {seed}"), program, property, is_unsafe: false })
    })
}
