//! What each error class means, with a small program that has it and the usual fix.

use heapproof_verdict::ErrorClass;
use std::fmt::Write;

mod texts;

/// What there is to know about a class.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// In one line.
    pub summary: &'static str,
    /// What it means and why it matters.
    pub meaning: &'static str,
    /// What memory looks like then.
    pub picture: &'static str,
    /// A small C program that has the error; the line is marked.
    pub example: &'static str,
    /// The usual fix.
    pub fix: &'static str,
}

/// The explanation of a class.
pub fn of(class: ErrorClass) -> Explanation {
    texts::of(class)
}

/// The explanation of a class as text, ready to be shown.
pub fn render(class: ErrorClass) -> String {
    let text = of(class);
    let mut out = String::new();
    let cwe = class.cwe().map(|n| format!(" [CWE-{n}]")).unwrap_or_default();
    let _ =
        writeln!(out, "{class}{cwe}: {}\n\n{}\n\n{}\n\nExample:\n", text.summary, text.meaning, text.picture);
    for line in text.example.lines() {
        let _ = writeln!(out, "{}", format!("    {line}").trim_end());
    }
    let _ = writeln!(out, "\nThe usual fix:\n\n{}", text.fix);
    let properties: Vec<_> = class.properties().iter().map(|p| p.name()).collect();
    if !properties.is_empty() {
        let _ = writeln!(out, "\nViolates: {}.", properties.join(", "));
    }
    out
}

/// All classes, one in a line.
pub fn list() -> String {
    let mut out = String::new();
    for class in ErrorClass::ALL {
        let _ = writeln!(out, "{:<20} {}", class.name(), of(class).summary);
    }
    out
}

/// The chapter of the book about all classes.
pub fn chapter() -> String {
    let mut out = String::from("# Error classes\n\n`heapproof explain CLASS` prints the same.\n");
    for class in ErrorClass::ALL {
        let text = of(class);
        let cwe = class.cwe().map(|n| format!(" (CWE-{n})")).unwrap_or_default();
        let _ = write!(
            out,
            "\n## {class}\n\n**{}{cwe}.** {}\n\n```text\n{}\n```\n\n```c\n{}\n```\n\nThe usual fix: {}\n",
            text.summary, text.meaning, text.picture, text.example, text.fix
        );
    }
    out
}

/// The class whose name is nearest to a misspelt one, if any is near.
pub fn nearest(name: &str) -> Option<ErrorClass> {
    let name = name.to_lowercase().replace(['_', ' '], "-");
    let within = |class: &ErrorClass| class.name().contains(&*name) || name.contains(class.name());
    ErrorClass::ALL
        .into_iter()
        .map(|class| (distance(&name, class.name()), class))
        .min()
        .filter(|(distance, class)| *distance <= class.name().len() / 3)
        .map(|(_, class)| class)
        .or_else(|| ErrorClass::ALL.into_iter().find(|class| name.len() >= 4 && within(class)))
}

/// Insertions, deletions and replacements that make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_text() {
        insta::assert_snapshot!(render(ErrorClass::DoubleFree), @r#"
        double-free [CWE-415]: second release of a heap block

        The program calls free (or realloc) with a block that was already freed. This destroys the
        book-keeping of the allocator and is often exploitable.

            buffer [ * ]---> + - - -X- - - +
                                freed           free(buffer) again
                             + - - - - - - +

        Example:

            if (failed)
                free(buffer);
            /* ... */
            free(buffer);                     /* here, when failed was set */

        The usual fix:

        Let one place own the block and free it. Set the pointer to NULL after free: free(NULL)
        does nothing.

        Violates: valid-free.
        "#);
    }

    #[test]
    fn the_list() {
        insta::assert_snapshot!(list(), @r#"
        null-deref           access through the null pointer
        wild-deref           access through a pointer that was never set
        readonly-write       write to a string literal or to a constant object
        use-after-free       access to a heap block that was freed
        double-free          second release of a heap block
        invalid-free         release of something that is not the start of a heap block
        out-of-bounds-read   read outside an object
        out-of-bounds-write  write outside an object
        leak                 a heap block that can no longer be freed
        use-after-scope      access to a local variable that no longer exists
        overlapping-copy     a block copy between areas that overlap
        assertion-failure    a failing assertion
        division-by-zero     integer division by zero
        data-structure       a broken data structure
        contract             a broken contract
        "#);
    }

    #[test]
    fn every_example_marks_its_line() {
        for class in ErrorClass::ALL {
            let text = of(class);
            assert!(text.example.contains("/* here"), "{class}");
            assert!(!text.summary.ends_with('.') && text.meaning.ends_with('.'), "{class}");
            for line in render(class).lines() {
                assert!(line.len() <= 100, "{class}: {line}");
            }
        }
    }

    #[test]
    fn misspelt_names() {
        assert_eq!(nearest("duble-free"), Some(ErrorClass::DoubleFree));
        assert_eq!(nearest("use_after_free"), Some(ErrorClass::UseAfterFree));
        assert_eq!(nearest("overlap"), Some(ErrorClass::OverlappingCopy));
        assert_eq!(nearest("leaks"), Some(ErrorClass::Leak));
        assert_eq!(nearest("qqqqqq"), None);
        assert_eq!(nearest(""), None);
    }
}
