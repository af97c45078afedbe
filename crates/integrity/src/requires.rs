//! What a function may assume, as far as this engine uses it. What it does not use is left out, which is never wrong.

/// A condition on the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `p != NULL`
    NotNull(String),
    /// `outside(p, 3)`: p points to so many elements that belong to no node.
    Outside(String, u64),
    /// `outside(p, n)`: the same with a parameter.
    OutsideMany(String, String),
}

/// The conditions of a requirement `F` that are understood.
pub fn conditions(text: &str) -> Vec<Condition> {
    // Only the parts of a conjunction at the top are looked at; a disjunction or an implication anywhere means none.
    if text.contains("||") || text.contains("==>") {
        return Vec::new();
    }
    text.split("&&").filter_map(|part| condition(part.trim())).collect()
}

/// All conditions of a requirement; none if one of them is not understood.
pub fn all_conditions(text: &str) -> Option<Vec<Condition>> {
    if text.contains("||") || text.contains("==>") {
        return None;
    }
    text.split("&&").map(|part| condition(part.trim())).collect()
}

fn condition(text: &str) -> Option<Condition> {
    let name = |s: &str| {
        let s = s.trim();
        let plain = !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
        (plain && !s.starts_with(|c: char| c.is_ascii_digit())).then(|| s.to_owned())
    };
    if let Some(inside) = text.strip_prefix("outside(").and_then(|t| t.strip_suffix(')')) {
        let (p, n) = inside.split_once(',')?;
        return Some(match n.trim().parse() {
            Ok(number) => Condition::Outside(name(p)?, number),
            Err(_) => Condition::OutsideMany(name(p)?, name(n)?),
        });
    }
    let (a, b) = text.split_once("!=")?;
    let null = |s: &str| ["NULL", "0"].contains(&s.trim());
    match (null(a), null(b)) {
        (false, true) => name(a).map(Condition::NotNull),
        (true, false) => name(b).map(Condition::NotNull),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood() {
        assert_eq!(conditions("n != NULL"), [Condition::NotNull("n".into())]);
        assert_eq!(conditions("outside(val, 1)"), [Condition::Outside("val".into(), 1)]);
        assert_eq!(conditions("tree(t) && p != 0"), [Condition::NotNull("p".into())]);
        assert_eq!(conditions("p != NULL || q != NULL"), []);
        assert_eq!(conditions("\\forall T *x; x->n != 0"), []);
        assert_eq!(conditions("outside(data, n)"), [Condition::OutsideMany("data".into(), "n".into())]);
    }
}
