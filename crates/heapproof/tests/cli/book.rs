//! The examples of the book: what is shown there is what happens.

use super::support::Desk;
use std::path::Path;

/// A block of a chapter: what stands after its fence, and its lines.
struct Block {
    head: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(head), None) => open = Some(Block { head: head.to_owned(), lines: Vec::new() }),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Runs the commands of a chapter one after the other in one folder. Each line that is shown must be in the output up to its `…`.
fn chapter(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src").join(name);
    let desk = Desk::new();
    let mut commands = 0;
    for block in blocks(&std::fs::read_to_string(&path).unwrap()) {
        if let Some((_, file)) = block.head.split_once("file=") {
            desk.file(file, block.lines.join("\n") + "\n");
        }
        if block.head != "console" {
            continue;
        }
        let mut output = None;
        for line in &block.lines {
            match (line.strip_prefix("$ heapproof "), &output) {
                (Some(arguments), _) => {
                    commands += 1;
                    output = Some((desk.run(arguments), false));
                }
                (None, Some(_)) if line == "$ echo $?" => output = output.map(|(output, _)| (output, true)),
                (None, Some((output, true))) => {
                    assert_eq!(
                        output.status.map(|status| status.to_string()).as_ref(),
                        Some(line),
                        "{name}: {output:#?}"
                    );
                }
                (None, Some((output, false))) => {
                    let wanted = line.split('…').next().unwrap().trim_end();
                    let shown = output.stdout.lines().chain(output.stderr.lines());
                    let found = shown.into_iter().any(|shown| shown.starts_with(wanted));
                    assert!(found, "{name}: `{wanted}` is missing: {output:#?}");
                }
                (None, None) => panic!("{name}: what is shown has no command: {line}"),
            }
        }
    }
    assert!(commands > 0, "{name} has no commands");
}

#[test]
fn the_examples_of_the_book() {
    for name in ["queue", "answers", "ci", "libraries", "contracts", "integrity", "competitions", "limits"] {
        chapter(&format!("{name}.md"));
    }
}

#[test]
fn the_chapter_about_classes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/classes.md");
    let wanted = heapproof_report::explain::chapter();
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == wanted,
        "UPDATE_BOOK=1 writes docs/book/src/classes.md"
    );
}
