//! C text with holes: dedented, indentation kept for inserted blocks, empty inserts leave no line.

/// Fills a template: `c!("int $x = $v;", x = name, v = 3)`. See [`fill`].
#[macro_export]
macro_rules! c {
    ($text:expr $(, $key:ident = $value:expr)* $(,)?) => {
        $crate::template::fill($text, &[$((stringify!($key), ($value).to_string())),*])
    };
}

/// Replaces `$name` and `${name}` in `text` by the values.
///
/// The common indentation of `text` is removed. A line that consists of one hole only takes a value of any
/// number of lines, each indented like the hole; for an empty value the line vanishes.
///
/// # Panics
/// When the template names a value that was not given: a mistake in a scenario, found by its first run.
pub fn fill(text: &str, values: &[(&str, String)]) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().filter(|l| !l.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut out = String::new();
    for (number, raw) in text.lines().enumerate() {
        let line = raw.get(common..).unwrap_or("");
        if line.trim().is_empty() {
            let at_edge = number == 0 || number + 1 == text.lines().count();
            if !at_edge {
                out.push('\n');
            }
            continue;
        }
        let filled = match sole_hole(line.trim()) {
            Some(name) => lookup(name, values).to_string(),
            None => replace(line.trim(), values),
        };
        for part in filled.lines() {
            if !part.is_empty() {
                out.push_str(&line[..indent(line)]);
            }
            out.push_str(part);
            out.push('\n');
        }
    }
    out
}

fn sole_hole(line: &str) -> Option<&str> {
    let name = line.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(name)
}

fn lookup<'a>(name: &str, values: &'a [(&str, String)]) -> &'a str {
    match values.iter().find(|(key, _)| *key == name) {
        Some((_, value)) => value,
        None => panic!("template names `{name}`, which was not given"),
    }
}

fn replace(line: &str, values: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name;
        if let Some(braced) = rest.strip_prefix('{') {
            let end = braced.find('}').expect("a hole `${` without its `}`");
            name = &braced[..end];
            rest = &braced[end + 1..];
        } else {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            name = &rest[..end];
            rest = &rest[end..];
        }
        out.push_str(lookup(name, values).trim_end_matches('\n'));
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn blocks_keep_indentation_and_empty_holes_vanish() {
        let text = c!(
            "
            if ($a) {
                $body
                $none
            }
            ${a}x;
            ",
            a = "y",
            body = "one;\n  two;",
            none = "",
        );
        assert_eq!(text, "if (y) {\n    one;\n      two;\n}\nyx;\n");
    }
}
