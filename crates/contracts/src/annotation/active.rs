//! Which lines of a file are surely compiled, as far as `#if`, `#else` and `#endif` tell.
//!
//! Nobody evaluates conditions here. A line belongs to the branches around it; if something was compiled in the same branches, or deeper,
//! the line was compiled, too.

/// The branches around each line: the number of the `#if` and of its part.
pub struct Branches(Vec<Vec<(usize, usize)>>);

impl Branches {
    /// Of the lines of a text.
    pub fn new(text: &str) -> Branches {
        let mut stack: Vec<(usize, usize)> = Vec::new();
        let mut count = 0;
        let mut all = Vec::new();
        for line in text.lines() {
            let word = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
            if word.starts_with("endif") {
                stack.pop();
            }
            all.push(stack.clone());
            if word.starts_with("if") {
                count += 1;
                stack.push((count, 0));
            } else if word.starts_with("el")
                && let Some((_, part)) = stack.last_mut()
            {
                *part += 1;
            }
        }
        Branches(all)
    }

    fn of(&self, line: u32) -> &[(usize, usize)] {
        (line as usize).checked_sub(1).and_then(|index| self.0.get(index)).map_or(&[], Vec::as_slice)
    }

    /// True if a line was compiled, given lines that were.
    pub fn is_active(&self, line: u32, mut compiled: impl Iterator<Item = u32>) -> bool {
        let branches = self.of(line);
        branches.is_empty() || compiled.any(|known| self.of(known).starts_with(branches))
    }
}

#[cfg(test)]
mod tests {
    use super::Branches;

    #[test]
    fn lines_of_other_branches_are_not_known_to_be_compiled() {
        let text = "#ifndef A_H\n/* 2 */\n#if X\n/* 4 */\n# else\n/* 6 */\n#endif\n/* 8 */\n#endif\n/* 10 */";
        let branches = Branches::new(text);
        let is_active = |line, known: u32| branches.is_active(line, [known].into_iter());
        assert!(is_active(10, 1) && is_active(2, 8) && is_active(2, 6) && is_active(6, 6));
        assert!(!is_active(4, 6) && !is_active(6, 8) && !is_active(2, 10));
    }
}
