//! `--dump-invariants`: what holds at loops, as files for people.

use super::output::{complain, remark};
use heapproof_engine::{Artefact, ArtefactKind};
use heapproof_process::{Limits, limited};
use heapproof_verdict::Verdict;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long Graphviz may take for one picture.
const PATIENCE: Duration = Duration::from_secs(10);
/// Why nothing is drawn.
const NO_TIME: &str = "the time limit was reached";
const NO_GRAPHVIZ: &str = "Graphviz (`dot`) is not on the path";

/// Says before the work whether the files will find their place after it.
pub fn prepare(folder: &Path, engine: &str) -> Result<(), String> {
    if !["smg", "templates", "auto"].contains(&engine) {
        return Err(format!(
            "--dump-invariants needs engine smg, templates or auto: engine {engine} has no invariants"
        ));
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

/// The same for formulas.
pub fn prepare_formula(folder: &Path, engine: &str) -> Result<(), String> {
    if engine != "templates" && engine != "auto" {
        return Err(format!("--dump-ssa needs engine templates or auto: engine {engine} makes no formula"));
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

/// Writes the formulas that engines made of the program.
pub fn dump_formula(folder: &Path, artefacts: &[Artefact]) {
    let shown = folder.display();
    let mut formulas = artefacts.iter().filter(|a| a.kind == ArtefactKind::Formula).peekable();
    if formulas.peek().is_none() {
        remark(format_args!("no formula is written to {shown}: none was made"));
    }
    for formula in formulas {
        let path = folder.join(format!("{}.txt", file_name(formula)));
        match write_file(&path, &formula.text) {
            Ok(()) => remark(format_args!("the formula is in {}", path.display())),
            Err(error) => complain(format_args!("cannot write to {shown}: {error}")),
        }
    }
}

/// Writes the files; says what is missing and why. Graphviz draws until the deadline.
pub fn dump(folder: &Path, artefacts: &[Artefact], verdict: Verdict, limits: Limits) {
    let shown = folder.display();
    let pictures: Vec<&Artefact> = artefacts.iter().filter(|a| a.kind == ArtefactKind::Invariant).collect();
    if pictures.is_empty() {
        let why = match verdict {
            Verdict::Unsafe => "an execution found the error before a proof was tried",
            _ => "no engine reached a loop",
        };
        remark(format_args!("no invariants are written to {shown}: {why}"));
        return;
    }
    if let Err(error) = write(folder, &pictures, verdict) {
        complain(format_args!("cannot write to {shown}: {error}"));
        return;
    }
    let count = pictures.len();
    let loops = if count == 1 { "1 loop".to_owned() } else { format!("{count} loops") };
    let drawn = pictures.iter().filter(|picture| picture.dot.is_some());
    let failed = drawn.filter_map(|picture| render(folder, &file_name(picture), limits).err());
    let files = match failed.collect::<Vec<_>>().as_slice() {
        [] => "*.dot, *.svg".to_owned(),
        [why, ..] if [NO_GRAPHVIZ, NO_TIME].contains(&why.as_str()) => {
            format!("*.dot; no *.svg: {why}")
        }
        failed => format!("*.dot, *.svg; some are not drawn: {}", failed.join(", ")),
    };
    remark(format_args!("the invariants of {loops} are in {shown}: invariants.txt, {files}"));
}

fn write(folder: &Path, pictures: &[&Artefact], verdict: Verdict) -> std::io::Result<()> {
    let mut text = String::new();
    if verdict != Verdict::Safe {
        text.push_str(
            "There is no proof: these are the configurations seen so far, not all that there may be.\n\n",
        );
    }
    for picture in pictures {
        if let Some(dot) = &picture.dot {
            write_file(&folder.join(format!("{}.dot", file_name(picture))), dot)?;
        }
        text.push_str(&picture.text);
        text.push('\n');
    }
    write_file(&folder.join("invariants.txt"), &text)
}

/// Writes a file; a pipe or a device in its place could keep us waiting.
fn write_file(path: &Path, content: &str) -> std::io::Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            Err(std::io::Error::other(format!("{} is not a regular file", path.display())))
        }
        _ => std::fs::write(path, content),
    }
}

/// The name of the picture; symbols may hold characters that names of files may not.
fn file_name(picture: &Artefact) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.$".contains(c) { c } else { '_' };
    picture.name.chars().map(plain).collect()
}

/// Lets Graphviz draw one picture; without its frames if it fails on them.
fn render(folder: &Path, name: &str, limits: Limits) -> Result<(), String> {
    let plain = start(folder, name, &[], limits)?;
    if plain {
        return Ok(());
    }
    let unframed = start(folder, name, &["-Gclusterrank=none"], limits)?;
    if unframed { Ok(()) } else { Err(format!("`dot` fails on {name}.dot")) }
}

/// Starts Graphviz; tells whether it drew the picture.
fn start(folder: &Path, name: &str, options: &[&str], limits: Limits) -> Result<bool, String> {
    let now = Instant::now();
    if limits.deadline.is_some_and(|deadline| now >= deadline) {
        return Err(NO_TIME.to_owned());
    }
    let deadline = limits.deadline.unwrap_or(now + PATIENCE).min(now + PATIENCE);
    let svg = folder.join(format!("{name}.svg"));
    let mut command =
        limited("dot", Limits { deadline: Some(deadline), ..limits }).map_err(|_| NO_GRAPHVIZ)?;
    command.args(options).arg("-Tsvg").arg("-o").arg(&svg).arg(folder.join(format!("{name}.dot")));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().map_err(|why| format!("`dot` cannot be started: {why}"))?;
    if !status.success() {
        let _ = std::fs::remove_file(svg);
    }
    Ok(status.success())
}
