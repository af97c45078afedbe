//! Prototypes: the names of their parameters stand in the source alone.

/// The names of the parameters of a function in the text of its declaration; none if they cannot be read.
pub fn parameter_names(text: &str, function: &str) -> Option<Vec<String>> {
    let (start, _) = text.match_indices(function).find(|(at, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = text[..*at].chars().next_back().is_some_and(is_part);
        !before && text[at + function.len()..].trim_start().starts_with('(')
    })?;
    let rest = &text[start + function.len()..];
    let inside = &rest[rest.find('(')? + 1..];
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for c in inside.chars() {
        match c {
            ')' if depth == 0 => {
                let is_empty = parts.len() == 1 && matches!(parts[0].trim(), "" | "void");
                return Some(if is_empty {
                    Vec::new()
                } else {
                    parts.iter().map(|part| name(part)).collect()
                });
            }
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        parts.last_mut()?.push(c);
    }
    None
}

/// The name of a parameter; empty if it has none.
fn name(part: &str) -> String {
    // `int (*f)(int)`: the name stands after the first star in parentheses.
    if let Some(at) = part.find("(*") {
        return part[at + 2..]
            .trim_start()
            .split(|c: char| !is_word(c))
            .next()
            .unwrap_or_default()
            .to_owned();
    }
    let part = part.split('[').next().unwrap_or_default().trim_end();
    let start = part.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    let (before, last) = part.split_at(start);
    let before: Vec<&str> = before.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let qualifiers = ["const", "volatile", "restrict", "register"];
    let types = ["int", "char", "short", "long", "unsigned", "signed", "float", "double", "void", "_Bool"];
    let is_type = types.contains(&last) || qualifiers.contains(&last);
    // `struct node`, or a type alone: no name.
    let is_tag = before.last().is_some_and(|word| ["struct", "union", "enum"].contains(word));
    let is_alone = before.iter().all(|word| qualifiers.contains(word));
    if is_type || is_tag || is_alone { String::new() } else { last.to_owned() }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::parameter_names;

    #[test]
    fn names_of_parameters() {
        let names = |text: &str| parameter_names(text, "f").map(|names| names.join(" "));
        assert_eq!(names("int f(struct node *p, const int n);"), Some("p n".to_owned()));
        assert_eq!(names("extern void *f (void);"), Some(String::new()));
        assert_eq!(names("int f();"), Some(String::new()));
        assert_eq!(names("int f(int a[], int (*g)(int, int), T *t);"), Some("a g t".to_owned()));
        assert_eq!(names("int f(int, struct node *, struct node, T);"), Some("   ".to_owned()));
        assert_eq!(names("int of(int x);"), None);
        assert_eq!(names("int f(int x"), None);
    }
}
