//! `--html`: the page of a run.

use super::args::Check;
use super::check::{Decided, write_to};
use super::output::{complain, remark};
use super::setup;
use heapproof_engine::ArtefactKind;
use heapproof_report::html::{self, Page};
use std::path::Path;
use std::time::Instant;

/// Writes the page, and says where it is.
pub fn write(folder: &Path, args: &Check, clang: &[String], decided: &Decided, deadline: Option<Instant>) {
    let artefacts = decided.artefacts.iter().flatten();
    let invariants: Vec<String> =
        artefacts.filter(|a| a.kind == ArtefactKind::Invariant).map(|a| a.text.clone()).collect();
    let replay = setup::replay(&args.source, &args.execution, clang);
    let names: Vec<String> = args.source.files.iter().map(|file| file.display().to_string()).collect();
    let page = html::render(&Page {
        answer: &decided.answer,
        name: &names.join(", "),
        films: &decided.films,
        invariants: &invariants,
        sources: &decided.sources,
        units: &[],
        replay: replay.compiler.is_empty().then_some(replay.command.as_str()),
    });
    let path = folder.join("index.html");
    match write_to(&path, page, &decided.sources, deadline) {
        Ok(()) => remark(format_args!("the page is {}", path.display())),
        Err(message) => complain(message),
    }
}
