//! Invariants for people: as text and as Graphviz. Both show the same scene, which is made here.

mod dot;
mod fields;
mod scene;
mod text;

#[cfg(test)]
mod tests;

use crate::invariant::Invariant;
use heapproof_ir::Program;
use scene::Scene;
use std::collections::BTreeSet;

/// An invariant as text.
pub fn to_text(program: &Program, invariant: &Invariant) -> String {
    let scenes = scenes(program, invariant);
    let mut out = format!("{}:\n", heading(program, invariant, scenes.len()));
    for (index, scene) in scenes.iter().enumerate() {
        out.push_str(&format!("  configuration {} of {}\n", index + 1, scenes.len()));
        out.push_str(&text::render(scene));
    }
    if invariant.left_out > 0 {
        out.push_str(&format!("  {} more were not kept\n", invariant.left_out));
    }
    out
}

/// An invariant as a graph in the language of Graphviz.
pub fn to_dot(program: &Program, invariant: &Invariant) -> String {
    let scenes = scenes(program, invariant);
    dot::render(&heading(program, invariant, scenes.len()), &scenes, invariant.left_out)
}

fn heading(program: &Program, invariant: &Invariant, count: usize) -> String {
    let function = &program.functions[invariant.func].name;
    let place = if invariant.span.is_known() {
        let file = program.files.get(invariant.span.file).map_or("", String::as_str);
        format!("{file}:{}", invariant.span.line)
    } else {
        format!("block {}", invariant.block.as_u32())
    };
    let plural = if count == 1 { "configuration" } else { "configurations" };
    format!("{place}: loop in `{function}`, {count} {plural}")
}

/// What there is to see, without what looks the same.
fn scenes(program: &Program, invariant: &Invariant) -> Vec<Scene> {
    let mut seen = BTreeSet::new();
    let scenes = invariant.states.iter().map(|state| scene::make(program, state));
    let mut scenes: Vec<Scene> = scenes.filter(|scene| seen.insert(text::render(scene))).collect();
    // Small heaps first: the empty list, one node, many.
    scenes.sort_by_key(|scene| scene.nodes.len());
    scenes
}
