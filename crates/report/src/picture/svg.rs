//! A picture as SVG. Colours are classes, so one page can be light and dark.

use super::layout::{HEAD, Layout, ROW, TITLE, height_of, room};
use super::{Block, Frame, Picture, Row, State};
use std::collections::BTreeMap;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Draws a picture; `label` says in words what it shows, for those who cannot see it.
pub fn draw(picture: &Picture, layout: &Layout, label: &str) -> String {
    let mut drawing = Drawing { out: String::new(), anchors: BTreeMap::new(), arrows: Vec::new() };
    let (width, mut height) = layout.size;
    let mut y = 12;
    for frame in &picture.frames {
        y = drawing.frame(frame, layout, y);
    }
    for block in &picture.blocks {
        if let Some(place) = layout.places.get(&block.id) {
            drawing.block(block, layout, *place);
        }
    }
    // Arrows pass behind the boxes.
    let links = drawing.links();
    drawing.out.insert_str(0, &links);
    if picture.left_out > 0 {
        let (n, s) = (picture.left_out, if picture.left_out == 1 { "" } else { "s" });
        let _ = write!(
            drawing.out,
            "<text class=\"note\" x=\"12\" y=\"{}\">… {n} more block{s} not drawn</text>",
            height + 10
        );
        height += 18;
    }
    format!(
        "<svg class=\"heap\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{}</svg>",
        escape(label),
        drawing.out
    )
}

/// Text for markup.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// As much of a text as fits.
fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut width = 0;
    for c in text.chars() {
        width += c.width().unwrap_or(1);
        if width > most {
            out.pop();
            out.push('…');
            break;
        }
        out.push(c);
    }
    escape(&out)
}

/// The start of an arrow: left and right end of its row, and where it goes.
struct Arrow {
    left: usize,
    right: usize,
    y: usize,
    to: (u32, i64),
    bad: bool,
    changed: bool,
}

/// What arrows point to.
#[derive(Clone)]
struct Anchor {
    left: usize,
    right: usize,
    top: usize,
    /// Rows with their offsets.
    rows: Vec<(u64, usize)>,
    gone: bool,
}

struct Drawing {
    out: String,
    anchors: BTreeMap<u32, Anchor>,
    arrows: Vec<Arrow>,
}

impl Drawing {
    /// A frame; returns where the next one begins.
    fn frame(&mut self, frame: &Frame, layout: &Layout, y: usize) -> usize {
        let (x, width) = (12, layout.frame);
        let height = HEAD + frame.rows.len() * ROW + 4;
        let _ = write!(
            self.out,
            "<g class=\"frame\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
             <text class=\"head\" x=\"{}\" y=\"{}\">{}</text>",
            x + 7,
            y + 15,
            cut(&frame.name, room(width))
        );
        for (index, row) in frame.rows.iter().enumerate() {
            let top = y + HEAD + index * ROW;
            self.row(row, (x, top), width, false);
            if let Some(id) = row.id {
                let anchor =
                    Anchor { left: x, right: x + width, top: top + ROW / 2, rows: Vec::new(), gone: false };
                self.anchors.insert(id, anchor);
            }
        }
        self.out.push_str("</g>");
        y + height + 10
    }

    fn block(&mut self, block: &Block, layout: &Layout, (x, y): (usize, usize)) {
        let width = layout.block;
        let height = height_of(block);
        let class = match block.state {
            State::Live => "live",
            State::New => "new",
            State::Gone => "gone",
            State::Lost => "lost",
            State::Many => "many",
        };
        let bad = if block.bad { " bad" } else { "" };
        let _ = write!(self.out, "<g class=\"block {class}{bad}\">");
        if block.state == State::Many {
            for shift in [8, 4] {
                let _ = write!(
                    self.out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>",
                    x + shift,
                    y + shift
                );
            }
        }
        let _ = write!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
             <text class=\"head\" x=\"{0}\" y=\"{1}\">{2}</text><text class=\"note\" x=\"{0}\" y=\"{3}\">{4}</text>",
            x + 7,
            y + 14,
            cut(&block.title, room(width)),
            y + 28,
            cut(&block.note, room(width) + 2),
        );
        let mut rows = Vec::new();
        let gone = block.state == State::Gone;
        for (index, row) in block.rows.iter().enumerate() {
            let top = y + TITLE + index * ROW;
            rows.push((row.offset, top + ROW / 2));
            self.row(row, (x, top), width, gone);
        }
        if gone {
            let (right, bottom) = (x + width, y + height);
            let _ = write!(
                self.out,
                "<path class=\"cross\" d=\"M{x} {y}L{right} {bottom}M{right} {y}L{x} {bottom}\"/>"
            );
        }
        self.out.push_str("</g>");
        self.anchors.insert(block.id, Anchor { left: x, right: x + width, top: y + 12, rows, gone });
    }

    /// A row; in a block that is gone it holds no arrow any more.
    fn row(&mut self, row: &Row, (x, top): (usize, usize), width: usize, gone: bool) {
        let mut class = String::from("row");
        if row.changed {
            class.push_str(" changed");
        }
        if row.bad {
            class.push_str(" bad");
        }
        let base = top + 14;
        let _ = write!(
            self.out,
            "<g class=\"{class}\"><rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{ROW}\"/>",
            x + 1,
            width - 2
        );
        let name = cut(&row.name, room(width));
        let _ = write!(self.out, "<text x=\"{}\" y=\"{base}\">{name}</text>", x + 7);
        let right = x + width - 8;
        match row.to {
            Some(to) if !gone => {
                let y = top + ROW / 2;
                let _ = write!(self.out, "<circle cx=\"{}\" cy=\"{y}\" r=\"3.2\"/>", right - 1);
                if !row.value.is_empty() {
                    let text = cut(&row.value, 16);
                    let _ = write!(
                        self.out,
                        "<text class=\"value\" x=\"{}\" y=\"{base}\">{text}</text>",
                        right - 9
                    );
                }
                let (left, right) = (x, x + width);
                self.arrows.push(Arrow { left, right, y, to, bad: row.bad, changed: row.changed });
            }
            _ => {
                let used = row.name.chars().count();
                let text = cut(&row.value, room(width).saturating_sub(used + 1).max(4));
                let _ = write!(self.out, "<text class=\"value\" x=\"{right}\" y=\"{base}\">{text}</text>");
            }
        }
        self.out.push_str("</g>");
    }

    /// The arrows.
    fn links(&mut self) -> String {
        let mut drawn = String::new();
        for arrow in std::mem::take(&mut self.arrows) {
            let Some(anchor) = self.anchors.get(&arrow.to.0).cloned() else { continue };
            let mut class = String::from("arrow");
            if anchor.gone {
                class.push_str(" dangling");
            }
            if arrow.bad {
                class.push_str(" bad");
            }
            if arrow.changed {
                class.push_str(" changed");
            }
            // Into the block, if it is not its start that is pointed to.
            let row = anchor.rows.iter().rev().find(|(offset, _)| i64::try_from(*offset) == Ok(arrow.to.1));
            let y = match row {
                Some((_, y)) if arrow.to.1 != 0 => *y,
                _ => anchor.top,
            };
            let from = (arrow.right as f64, arrow.y as f64);
            let forward = anchor.left > arrow.right;
            let (to, out, into) = if forward {
                ((anchor.left as f64 - 1.0, y as f64), 1.0, -1.0)
            } else if arrow.left > anchor.right {
                // Back: out of the right side and over the top would cross the box, so it arrives from the right.
                ((anchor.right as f64 + 1.0, y as f64 + 6.0), -1.0, 1.0)
            } else {
                ((anchor.right as f64 + 1.0, y as f64), 1.0, 1.0)
            };
            let from = if out < 0.0 { (arrow.left as f64 + 1.0, from.1) } else { from };
            let distance = ((to.0 - from.0).abs() / 2.0).clamp(18.0, 90.0);
            let tip = (to.0 + into * 7.0, to.1);
            let _ = write!(
                drawn,
                "<g class=\"{class}\"><path class=\"line\" d=\"M{} {}C{} {} {} {} {} {}\"/>\
                 <path class=\"tip\" d=\"M{} {}L{} {}L{} {}Z\"/></g>",
                from.0,
                from.1,
                from.0 + out * distance,
                from.1,
                tip.0 + into * distance,
                tip.1,
                tip.0,
                tip.1,
                to.0,
                to.1,
                tip.0,
                tip.1 - 4.0,
                tip.0,
                tip.1 + 4.0,
            );
        }
        drawn
    }
}
