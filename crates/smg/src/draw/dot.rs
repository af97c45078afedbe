//! Scenes in the language of Graphviz.

use super::scene::{Link, Node, Row, Scene, Shown, segment};
use super::text::plus;
use crate::graph::Tg;
use std::cmp::Ordering;

/// The most configurations in one picture.
const MOST: usize = 12;

/// Colours of a box: its border, its title and its fields.
struct Paint {
    border: &'static str,
    title: &'static str,
    field: &'static str,
}

const SEGMENT: Paint = Paint { border: "#1f5fa8", title: "#bcd9f7", field: "#eef5fd" };
const VARIABLE: Paint = Paint { border: "#7a6a1e", title: "#f6e9a8", field: "#fffbe6" };
const REGION: Paint = Paint { border: "#404040", title: "#dcdcdc", field: "#ffffff" };
const FREED: Paint = Paint { border: "#a0a0a0", title: "#e4e4e4", field: "#f0f0f0" };
/// Of what is nested, by level.
const LEVELS: [&str; 3] = ["#f3f9ee", "#e4f1da", "#d5e8c6"];

/// One graph with a cluster per configuration.
pub fn render(heading: &str, scenes: &[Scene], left_out: usize) -> String {
    let mut label = heading.to_owned();
    if scenes.len() > MOST || left_out > 0 {
        let shown = scenes.len().min(MOST);
        label.push_str(&format!(" (the {shown} smallest are drawn)"));
    }
    let mut out = String::from("digraph invariant {\n");
    out.push_str("  graph [rankdir=LR, labelloc=t, labeljust=l, fontname=\"Helvetica\", fontsize=13, ");
    out.push_str("nodesep=0.22, ranksep=0.75, color=\"#b0b0b0\"];\n");
    out.push_str("  node [shape=plain, fontname=\"Helvetica\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n");
    out.push_str(&format!("  label={};\n", quoted(&label)));
    // Graphviz puts what comes first to the bottom.
    for (index, scene) in scenes.iter().take(MOST).enumerate().rev() {
        out.push_str(&format!("  subgraph cluster_{index} {{\n"));
        let number = format!("{} of {}", index + 1, scenes.len());
        out.push_str(&format!("    label={}; style=rounded; fontsize=10;\n", quoted(&number)));
        Drawing { out: &mut out, scene, index }.draw();
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

struct Drawing<'a> {
    out: &'a mut String,
    scene: &'a Scene,
    index: usize,
}

impl Drawing<'_> {
    fn draw(&mut self) {
        self.variables();
        self.boxes(None, 2);
        for number in 0..self.scene.nodes.len() {
            self.edges(number);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&format!("{}{text}\n", "  ".repeat(depth)));
    }

    /// Pointers are ovals; numbers share one table.
    fn variables(&mut self) {
        let (index, scene) = (self.index, self.scene);
        let mut rows = String::new();
        for (number, var) in scene.vars.iter().enumerate() {
            match &var.value {
                Shown::Plain(text) => {
                    let (name, text) = (escaped(&var.name), escaped(text));
                    rows.push_str(&format!(
                        "<TR><TD ALIGN=\"RIGHT\">{name}</TD><TD ALIGN=\"LEFT\">= {text}</TD></TR>"
                    ));
                }
                Shown::Pointer { .. } => {
                    let style = if var.caller { "dashed, filled" } else { "filled" };
                    let text = format!(
                        "v{index}_{number} [shape=oval, style=\"{style}\", fillcolor=\"{}\", color=\"{}\", \
                         margin=\"0.04,0.02\", height=0.2, width=0.3, label={}];",
                        VARIABLE.field,
                        VARIABLE.border,
                        quoted(&var.name)
                    );
                    self.line(2, &text);
                    let name = format!("v{index}_{number}");
                    self.edge(None, &name, &var.value, VARIABLE.border, "");
                }
            }
        }
        if !rows.is_empty() {
            let table = format!(
                "n{index}_numbers [label=<<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\" \
                 STYLE=\"ROUNDED\" COLOR=\"{}\" BGCOLOR=\"{}\">{rows}</TABLE>>];",
                VARIABLE.border, VARIABLE.field
            );
            self.line(2, &table);
        }
    }

    /// The boxes that are nested below one, in a cluster of their own.
    fn boxes(&mut self, parent: Option<usize>, depth: usize) {
        let scene = self.scene;
        for (number, node) in scene.nodes.iter().enumerate().filter(|(_, node)| node.parent == parent) {
            let text = self.table(number, node);
            self.line(depth, &text);
            if scene.nodes.iter().any(|node| node.parent == Some(number)) {
                let fill = LEVELS[(node.level as usize).min(LEVELS.len() - 1)];
                let label = format!("below each {}", node.title);
                self.line(depth, &format!("subgraph cluster_{}_{number} {{", self.index));
                let style = "style=\"rounded,filled\"; fontsize=10; color=\"#7fa868\"";
                self.line(depth + 1, &format!("label={}; {style}; fillcolor=\"{fill}\";", quoted(&label)));
                self.boxes(Some(number), depth + 1);
                self.line(depth, "}");
            }
        }
    }

    fn table(&self, number: usize, node: &Node) -> String {
        let paint = match node {
            Node { freed: true, .. } => FREED,
            Node { seg: Some(_), .. } => SEGMENT,
            Node { variable: true, .. } => VARIABLE,
            _ => REGION,
        };
        let mut title = String::new();
        if let Some(seg) = node.seg {
            title.push_str(&format!("<B>{}</B> ", segment(seg)));
        }
        if node.maybe {
            title.push_str("<B>0/1</B> ");
        }
        match node.freed {
            true => title.push_str(&format!("<S>{}</S> freed", escaped(&node.title))),
            false => title.push_str(&escaped(&node.title)),
        }
        let small = format!("<FONT POINT-SIZE=\"8\" COLOR=\"#606060\">{}</FONT>", escaped(&node.size));
        let (border, fill) = (paint.border, paint.field);
        let mut rows = format!(
            "<TR><TD COLSPAN=\"3\" PORT=\"t\" BGCOLOR=\"{}\">{title}<BR/>{small}</TD></TR>",
            paint.title
        );
        for row in &node.rows {
            rows.push_str(&self.row(number, row));
        }
        if node.more > 0 {
            rows.push_str(&format!("<TR><TD COLSPAN=\"3\">… {} more</TD></TR>", node.more));
        }
        let inner = format!(
            "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"2\" COLOR=\"{border}\" \
             BGCOLOR=\"{fill}\">{rows}</TABLE>"
        );
        let dashed = if node.maybe { " STYLE=\"DASHED\"" } else { "" };
        let label = match node.seg.is_some() || node.maybe {
            true => format!(
                "<TABLE BORDER=\"2\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"3\" COLOR=\"{border}\"{dashed}>\
                 <TR><TD>{inner}</TD></TR></TABLE>"
            ),
            false => inner,
        };
        format!("n{}_{number} [label=<{label}>];", self.index)
    }

    fn row(&self, number: usize, row: &Row) -> String {
        let at = row.offset;
        let value = match &row.value {
            Shown::Plain(text) => escaped(text),
            pointer @ Shown::Pointer { to, .. } if *to == number => format!("self {}", self.label(pointer)),
            // What is said about the pointer stands in the box: Graphviz places labels of arrows badly.
            pointer if row.link == Link::Prev => format!("◂ {}", self.label(pointer)).trim().to_owned(),
            pointer => format!("{} ▸", self.label(pointer)).trim().to_owned(),
        };
        let name = match row.link {
            Link::No => escaped(&row.name),
            _ => format!("<I>{}</I>", escaped(if row.name.is_empty() { "link" } else { &row.name })),
        };
        format!(
            "<TR><TD PORT=\"l{at}\"><FONT POINT-SIZE=\"8\" COLOR=\"#606060\">{at}</FONT></TD>\
             <TD ALIGN=\"LEFT\">{name}</TD><TD PORT=\"r{at}\">{value}</TD></TR>"
        )
    }

    /// Where in its target a pointer points to.
    fn label(&self, value: &Shown) -> String {
        let Shown::Pointer { offset, index, tg, .. } = value else { return String::new() };
        let which = match tg {
            Tg::Last => "last",
            Tg::All => "own",
            Tg::Among(_) => "some",
            Tg::Region | Tg::First => "",
        };
        format!("{which} {}", plus(*offset, index)).trim().to_owned()
    }

    fn edges(&mut self, number: usize) {
        let scene = self.scene;
        for row in &scene.nodes[number].rows {
            let (colour, style) = match row.link {
                Link::Prev => ("#8a5a9e", "style=dashed"),
                Link::Next => (SEGMENT.border, "penwidth=1.8"),
                Link::No => (REGION.border, ""),
            };
            self.edge(Some((number, row)), "", &row.value, colour, style);
        }
    }

    /// An arrow to the box, or to the row of it, that a value points to. It leaves towards its target, which stands to
    /// the right if it has a higher number.
    fn edge(&mut self, source: Option<(usize, &Row)>, name: &str, value: &Shown, colour: &str, style: &str) {
        let Shown::Pointer { to, offset, tg, .. } = value else { return };
        let target = &self.scene.nodes[*to];
        let order = source.map_or(Ordering::Less, |(number, _)| number.cmp(to));
        let is_prev = source.is_some_and(|(_, row)| row.link == Link::Prev);
        let (leaves, enters) = match order {
            Ordering::Less => ("e", "w"),
            Ordering::Greater => ("w", "e"),
            // That is said in the box.
            Ordering::Equal => return,
        };
        let side = |side: &str| if side == "e" { "r" } else { "l" };
        let from = match source {
            Some((number, row)) => {
                format!("n{}_{number}:{}{}:{leaves}", self.index, side(leaves), row.offset)
            }
            None => format!("{name}:e"),
        };
        let row = target.rows.iter().find(|row| *offset != 0 && row.offset as i64 == *offset);
        let port = row.map_or("t".to_owned(), |row| format!("{}{}", side(enters), row.offset));
        let mut options = format!("color=\"{colour}\", fontcolor=\"{colour}\"");
        if source.is_none() && !self.label(value).is_empty() {
            options.push_str(&format!(", label={}", quoted(&self.label(value))));
        }
        if !style.is_empty() {
            options.push_str(&format!(", {style}"));
        }
        if is_prev || order != Ordering::Less {
            options.push_str(", constraint=false");
        }
        if *tg == Tg::All {
            options.push_str(", style=dotted");
        }
        let text = format!("{from} -> n{}_{to}:{port}:{enters} [{options}];", self.index);
        self.line(2, &text);
    }
}

/// A string of Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text inside of a table.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
