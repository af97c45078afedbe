//! What is proved to hold at a loop, read from the text that engines write for people, as pictures with a sentence each.

use super::{Block, Frame, Picture, Row, State};

/// What holds at one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where the loop is, and in which function.
    pub heading: String,
    /// One for each state that is possible there.
    pub cases: Vec<(String, Picture)>,
    /// The text itself.
    pub text: String,
}

/// The loops of a text; none if it is not of this form.
pub fn shapes(text: &str) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for line in text.lines() {
        if !line.starts_with(' ') && line.contains(": loop in `") {
            let heading = line.trim_end_matches(':').to_owned();
            shapes.push(Shape { heading, cases: Vec::new(), text: String::new() });
        }
        let Some(shape) = shapes.last_mut() else { continue };
        shape.text.push_str(line);
        shape.text.push('\n');
        let indent = line.len() - line.trim_start().len();
        let words = line.trim_start();
        match (indent, shape.cases.last_mut()) {
            (2, _) if words.starts_with("configuration ") => {
                let variables = Frame { name: "variables".to_owned(), rows: Vec::new() };
                let picture = Picture { frames: vec![variables], ..Picture::default() };
                shape.cases.push((String::new(), picture));
            }
            (4, Some((_, picture))) => match words.strip_prefix('#') {
                Some(title) => picture.blocks.extend(block(title)),
                None => picture.frames[0].rows.push(row(0, words)),
            },
            (6, Some((_, picture))) => {
                if let Some(block) = picture.blocks.last_mut() {
                    block.rows.push(part(words));
                }
            }
            _ => {}
        }
    }
    for shape in &mut shapes {
        for (sentence, picture) in &mut shape.cases {
            *sentence = in_words(picture);
        }
    }
    shapes.retain(|shape| !shape.cases.is_empty());
    shapes
}

/// `0: SLS 0+, struct node, 16 bytes each`
fn block(title: &str) -> Option<Block> {
    let (number, title) = title.split_once(": ")?;
    let mut words: Vec<&str> = title.split(", ").collect();
    let many = is_many(words[0]);
    let freed = words.contains(&"freed");
    words.retain(|word| *word != "freed");
    let note = if words.len() > 1 && !many { words.split_off(1) } else { Vec::new() };
    let (title, note) = match words.as_slice() {
        [kind, rest @ ..] if many => {
            (kind_in_words(kind, rest.first().unwrap_or(&"blocks")), rest[1.min(rest.len())..].join(", "))
        }
        _ => (words.join(", "), note.join(", ")),
    };
    let state = match (many, freed) {
        (_, true) => State::Gone,
        (true, _) => State::Many,
        _ => State::Live,
    };
    Some(Block { id: number.parse().ok()?, title, note, rows: Vec::new(), state, bad: false })
}

fn is_many(word: &str) -> bool {
    ["SLS ", "DLS ", "tree "].iter().any(|kind| word.starts_with(kind)) && word.ends_with('+')
}

/// `SLS 0+` of something in plain words.
fn kind_in_words(kind: &str, what: &str) -> String {
    let (shape, least) = kind.split_once(' ').unwrap_or((kind, "0+"));
    let least = least.trim_end_matches('+');
    match shape {
        "tree" => format!("tree of {least} or more {what}"),
        _ => format!("list of {least} or more {what}"),
    }
}

/// `+8 next -> #1` or `… 3 more`
fn part(words: &str) -> Row {
    let Some((offset, rest)) = words.strip_prefix('+').and_then(|w| w.split_once(' ')) else {
        return Row::new(u64::MAX, words, "");
    };
    row(offset.parse().unwrap_or(0), rest)
}

/// `next -> #1+8 (last node)` or `n = ? ≥ 0`; anything else is a remark.
fn row(offset: u64, words: &str) -> Row {
    if let Some((name, target)) = words.split_once("-> #") {
        let digits = target.find(|c: char| !c.is_ascii_digit()).unwrap_or(target.len());
        let (number, rest) = target.split_at(digits);
        let (plus, which) = rest.split_once(" (").unwrap_or((rest, ""));
        let mut row = Row::new(offset, name.trim(), which.trim_end_matches(')'));
        row.to = number.parse().ok().map(|id| (id, plus.parse().unwrap_or(0)));
        return row;
    }
    match words.split_once("= ") {
        Some((name, value)) if name.is_empty() || name.ends_with(' ') => Row::new(offset, name.trim(), value),
        _ => Row::new(offset, words, ""),
    }
}

/// The state in a plain sentence.
fn in_words(picture: &Picture) -> String {
    let find = |id: u32| picture.blocks.iter().find(|block| block.id == id);
    let mut parts: Vec<String> = Vec::new();
    // A block that nothing points to is a variable.
    let targets = || {
        let rows = picture.blocks.iter().map(|b| &b.rows).chain(picture.frames.iter().map(|f| &f.rows));
        rows.flatten().filter_map(|row| row.to)
    };
    let is_variable = |block: &&Block| targets().all(|(id, _)| id != block.id) && !block.title.contains(' ');
    let named =
        |block: &Block, row: &Row| Row { name: format!("{}.{}", block.title, row.name), ..row.clone() };
    let variables = picture.blocks.iter().filter(is_variable);
    let of_blocks = variables.flat_map(|block| block.rows.iter().map(move |row| named(block, row)));
    let rows = picture.frames.iter().flat_map(|frame| frame.rows.clone()).chain(of_blocks);
    for row in rows {
        match row.to.and_then(|(id, offset)| Some((find(id)?, offset))) {
            Some((block, offset)) => {
                let place = match row.value.as_str() {
                    "last node" => "the last node of ",
                    "some node" => "a node of ",
                    _ if offset != 0 => "into ",
                    _ => "",
                };
                let name = match (block.state, row.value.as_str()) {
                    (State::Gone, _) => format!("{}, which was freed", article(&block.title)),
                    (State::Many, "") => list(picture, block),
                    _ => article(&block.title),
                };
                parts.push(format!("`{}` points to {place}{name}", row.name));
            }
            None if row.value.is_empty()
                || row.value.starts_with('?') && !row.value.contains(['≥', '≤', '≠', '.']) => {}
            None => parts.push(format!("`{}` is {}", row.name, number(&row.value))),
        }
    }
    match parts.is_empty() {
        true => "Nothing is claimed about the variables.".to_owned(),
        false => format!("{}.", parts.join("; ")),
    }
}

fn article(title: &str) -> String {
    let vowel = title.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {title}", if vowel { "an" } else { "a" })
}

/// A list with those of the same nodes that follow it, and how it ends.
fn list(picture: &Picture, first: &Block) -> String {
    let what = |block: &Block| block.title.split_once(" or more ").map(|(_, what)| what.to_owned());
    let least =
        |block: &Block| block.title.split(' ').nth(2).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    let (mut sum, mut last) = (least(first), first);
    let mut seen = vec![first.id];
    let end = loop {
        let Some(link) = last.rows.iter().find(|row| row.to.is_some() || row.value == "0") else { break "" };
        let Some((id, _)) = link.to else { break " that ends with NULL" };
        if seen.contains(&id) {
            break " that is closed to a ring";
        }
        seen.push(id);
        match picture.blocks.iter().find(|block| block.id == id) {
            Some(next) if next.state == State::Many && what(next) == what(first) => {
                sum += least(next);
                last = next;
            }
            Some(next) if next.state == State::Many => break ", which a list of other blocks follows",
            Some(_) => break " that ends in a single block",
            None => break "",
        }
    };
    match what(first) {
        Some(what) if first.title.starts_with("list") => format!("a list of {sum} or more {what}{end}"),
        _ => article(&first.title),
    }
}

/// `? ≥ 0` in words.
fn number(value: &str) -> String {
    let words = [(" ≥ ", "at least "), (" ≤ ", "at most "), (" ≠ ", "not "), (" in ", "in ")];
    let known = words.iter().find_map(|(sign, word)| {
        let (unknown, bound) = value.split_once(sign)?;
        unknown.starts_with('?').then(|| format!("{word}{}", bound.replace("..", " to ")))
    });
    known.unwrap_or_else(|| value.to_owned())
}
