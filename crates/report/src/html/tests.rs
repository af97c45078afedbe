//! The page as a whole.

use super::*;
use crate::picture::{Picture, Step};
use crate::samples;

fn page(answer: &Answer, sources: &BTreeSet<String>, films: &[Film]) -> String {
    let invariants = ["<odd>".to_owned()];
    let name = "my <list>.c";
    render(&Page {
        answer,
        name,
        films,
        invariants: &invariants,
        sources,
        replay: Some("heapproof run a.c"),
        units: &[],
    })
}

#[test]
fn an_error_with_its_steps() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("list.c");
    std::fs::write(&path, samples::LIST_C).unwrap();
    let name = path.to_str().unwrap().to_owned();
    let answer = samples::use_after_free(&name);
    let at = answer.violations[0].location.clone();
    let picture = Picture { error: Some("reading".to_owned()), ..Picture::default() };
    let step = Step { location: at, happened: vec!["block #1 is freed".into()], left_out: 3, picture };
    let film = Film { violation: 0, steps: vec![step] };
    let html = page(&answer, &BTreeSet::from([name]), &[film]);
    assert!(html.starts_with("<!doctype html>") && html.contains("my &lt;list&gt;.c"));
    assert!(html.contains("Step 1 of 1: line 6 in main") && html.contains("3 steps before this one"));
    assert!(html.contains("href=\"#f1-6\"") && html.contains("id=\"f1-6\""));
    assert!(html.contains("heapproof run a.c --input 1,-1"));
    // One page without anything from elsewhere.
    assert!(!html.contains("src=") && !html.contains("http://") && !html.contains("https://"));
}

#[test]
fn other_answers() {
    let unknown = page(&samples::unknown(), &BTreeSet::new(), &[]);
    assert!(unknown.contains("class=\"advice\"") && unknown.contains("&lt;odd&gt;"));
    let safe = page(&samples::safe(), &BTreeSet::new(), &[]);
    assert!(safe.contains("No execution violates"));
}
