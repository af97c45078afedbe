//! A scene as text.

use super::scene::{Node, Scene, Shown, segment};
use crate::graph::Tg;

/// The scene, one object after the other.
pub fn render(scene: &Scene) -> String {
    let mut out = String::new();
    for var in &scene.vars {
        out.push_str(&format!("    {}{}\n", var.name, value(&var.value)));
    }
    for relation in &scene.relations {
        out.push_str(&format!("    {relation}\n"));
    }
    for (number, node) in scene.nodes.iter().enumerate() {
        out.push_str(&format!("    #{number}: {}\n", title(node)));
        for row in &node.rows {
            let name = if row.name.is_empty() { String::new() } else { format!(" {}", row.name) };
            out.push_str(&format!("      +{}{name}{}\n", row.offset, value(&row.value)));
        }
        if node.more > 0 {
            out.push_str(&format!("      … {} more\n", node.more));
        }
    }
    out
}

fn title(node: &Node) -> String {
    let mut words = Vec::new();
    words.extend(node.seg.map(segment));
    if node.maybe {
        words.push("0/1".to_owned());
    }
    if node.freed {
        words.push("freed".to_owned());
    }
    words.push(node.title.clone());
    words.push(node.size.clone());
    if let Some(parent) = node.parent {
        words.push(format!("below each node of #{parent}"));
    }
    words.join(", ")
}

fn value(value: &Shown) -> String {
    match value {
        Shown::Plain(text) => format!(" = {text}"),
        Shown::Pointer { to, offset, index, tg } => {
            let which = match tg {
                Tg::Region | Tg::First => "",
                Tg::Last => " (last node)",
                Tg::All => " (its own node)",
                Tg::Among(_) => " (some node)",
            };
            format!(" -> #{to}{}{which}", plus(*offset, index))
        }
    }
}

/// What is added to an address; nothing for the start of an object.
pub fn plus(offset: i64, index: &str) -> String {
    let index = if index.is_empty() { String::new() } else { format!("+{index}") };
    if offset == 0 { index } else { format!("{offset:+}{index}") }
}
