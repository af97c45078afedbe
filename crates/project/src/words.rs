//! Lines of a shell and response files as words.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most bytes of a response file, and the most words of a call.
const MOST_BYTES: u64 = 16 << 20;
const MOST_WORDS: usize = 1 << 20;

/// Splits a line into words as a shell does: blanks separate, quotes and backslashes protect.
pub fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(q), c) if q == c => quote = None,
            // Between double quotes a backslash protects only what has a meaning there.
            (Some('"'), '\\') if !matches!(chars.peek(), Some('"' | '\\' | '$' | '`' | '\n')) => {
                word.get_or_insert_default().push('\\');
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Replaces each `@FILE` by the words in the file, as compilers do. The name is meant from `folder`. A file that is not there
/// stays as it is, as with GCC; one that contains itself is an error.
pub fn expand(words: &[String], folder: &Path) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    let mut open = BTreeSet::new();
    for word in words {
        expand_word(word, folder, &mut open, &mut expanded)?;
    }
    Ok(expanded)
}

fn expand_word(
    word: &str,
    folder: &Path,
    open: &mut BTreeSet<PathBuf>,
    expanded: &mut Vec<String>,
) -> Result<(), String> {
    if expanded.len() >= MOST_WORDS {
        return Err(format!("its response files have more than {MOST_WORDS} words"));
    }
    let path = word.strip_prefix('@').map(|name| folder.join(name));
    let Some(path) = path.filter(|path| path.is_file()) else {
        expanded.push(word.to_owned());
        return Ok(());
    };
    let failed = |why: String| format!("the response file {} cannot be read: {why}", path.display());
    let place = path.canonicalize().map_err(|why| failed(why.to_string()))?;
    if !open.insert(place.clone()) {
        return Err(format!("the response file {} contains itself", path.display()));
    }
    if path.metadata().is_ok_and(|metadata| metadata.len() > MOST_BYTES) {
        return Err(failed("it is larger than 16 MiB".to_owned()));
    }
    let bytes = std::fs::read(&path).map_err(|why| failed(why.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| failed("it is not text".to_owned()))?;
    for word in split(&text) {
        expand_word(&word, folder, open, expanded)?;
    }
    open.remove(&place);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_and_quotes() {
        assert_eq!(split(" a  'b c' \"d\\\"e\" f\\ g '' "), ["a", "b c", "d\"e", "f g", ""]);
        assert_eq!(split(r#"-DX="a\b" -DS=\"s\""#), [r"-DX=a\b", "-DS=\"s\""]);
    }

    #[test]
    fn response_files_may_contain_others() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "-DA @b '-DC=1 2'\n").unwrap();
        std::fs::write(folder.path().join("b"), "-DB").unwrap();
        let words = expand(&owned(&["cc", "@a", "@none", "x.c"]), folder.path()).unwrap();
        assert_eq!(words, ["cc", "-DA", "-DB", "-DC=1 2", "@none", "x.c"]);
        // Twice is not within itself.
        assert_eq!(expand(&owned(&["@b", "@b"]), folder.path()).unwrap(), ["-DB", "-DB"]);
    }

    #[test]
    fn cycles_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "@b").unwrap();
        std::fs::write(folder.path().join("b"), "-DB @./a").unwrap();
        let why = expand(&owned(&["@a"]), folder.path()).unwrap_err();
        assert!(why.contains("contains itself"), "{why}");
    }

    #[test]
    fn growth_without_end_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("0"), "x ".repeat(100)).unwrap();
        for i in 1..8 {
            std::fs::write(folder.path().join(i.to_string()), format!("@{} ", i - 1).repeat(100)).unwrap();
        }
        assert!(expand(&owned(&["@7"]), folder.path()).unwrap_err().contains("more than"));
    }
}
