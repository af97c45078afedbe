//! `--dump-invariants`: what holds at loops, as files for people.

use super::output::{complain, remark};
use crate::engines::Engine;
use crate::engines::smg::Picture;
use heapproof_verdict::Verdict;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long Graphviz may take for one picture.
const PATIENCE: Duration = Duration::from_secs(10);
/// Why nothing is drawn.
const NO_GRAPHVIZ: &str = "Graphviz (`dot`) is not on the path";

/// Says before the work whether the files will find their place after it.
pub fn prepare(folder: &Path, engine: Engine) -> Result<(), String> {
    if engine == Engine::Random {
        return Err("--dump-invariants needs engine smg or auto: engine random has no invariants".to_owned());
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))
}

/// Writes the files; says what is missing and why.
pub fn dump(folder: &Path, pictures: &[Picture], verdict: Verdict) {
    let shown = folder.display();
    if pictures.is_empty() {
        let why = match verdict {
            Verdict::Unsafe => "an execution found the error before a proof was tried",
            _ => "engine smg reached no loop",
        };
        remark(format_args!("no invariants are written to {shown}: {why}"));
        return;
    }
    if let Err(error) = write(folder, pictures, verdict) {
        complain(format_args!("cannot write to {shown}: {error}"));
        return;
    }
    let count = pictures.len();
    let loops = if count == 1 { "1 loop".to_owned() } else { format!("{count} loops") };
    let failed = pictures.iter().filter_map(|picture| render(folder, &file_name(picture)).err());
    let files = match failed.collect::<Vec<_>>().as_slice() {
        [] => "*.dot, *.svg".to_owned(),
        [why, ..] if why == NO_GRAPHVIZ => format!("*.dot; no *.svg: {why}"),
        failed => format!("*.dot, *.svg; some are not drawn: {}", failed.join(", ")),
    };
    remark(format_args!("the invariants of {loops} are in {shown}: invariants.txt, {files}"));
}

fn write(folder: &Path, pictures: &[Picture], verdict: Verdict) -> std::io::Result<()> {
    let mut text = String::new();
    if verdict != Verdict::Safe {
        text.push_str(
            "There is no proof: these are the configurations seen so far, not all that there may be.\n\n",
        );
    }
    for picture in pictures {
        std::fs::write(folder.join(format!("{}.dot", file_name(picture))), &picture.dot)?;
        text.push_str(&picture.text);
        text.push('\n');
    }
    std::fs::write(folder.join("invariants.txt"), text)
}

/// The name of the picture; symbols may hold characters that names of files may not.
fn file_name(picture: &Picture) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.$".contains(c) { c } else { '_' };
    picture.name.chars().map(plain).collect()
}

/// Lets Graphviz draw one picture; without its frames if it fails on them.
fn render(folder: &Path, name: &str) -> Result<(), String> {
    let plain = start(folder, name, &[])?;
    if plain {
        return Ok(());
    }
    let unframed = start(folder, name, &["-Gclusterrank=none"])?;
    if unframed { Ok(()) } else { Err(format!("`dot` fails on {name}.dot")) }
}

/// Starts Graphviz; tells whether it drew the picture.
fn start(folder: &Path, name: &str, options: &[&str]) -> Result<bool, String> {
    let svg = folder.join(format!("{name}.svg"));
    let child = Command::new("dot")
        .args(options)
        .arg("-Tsvg")
        .arg("-o")
        .arg(&svg)
        .arg(folder.join(format!("{name}.dot")))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.map_err(|_| NO_GRAPHVIZ.to_owned())?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(true),
            Ok(None) if started.elapsed() < PATIENCE => sleep(Duration::from_millis(5)),
            _ => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    let _ = std::fs::remove_file(svg);
    Ok(false)
}
