//! What pictures hold and how they are drawn.

use super::*;

fn node(id: u32, next: Option<u32>, state: State) -> Block {
    let mut link = Row::new(8, "next", if next.is_some() { "" } else { "NULL" });
    link.to = next.map(|id| (id, 0));
    let rows = vec![Row::new(0, "key", "7 < 8"), link];
    Block { id, title: format!("#{id} struct node"), note: "16 bytes".into(), rows, state, bad: false }
}

fn list() -> Picture {
    let mut head = Row::new(0, "head", "");
    head.to = Some((3, 0));
    let frame = Frame { name: "main()".into(), rows: vec![head] };
    let blocks =
        vec![node(3, Some(2), State::Live), node(2, Some(1), State::Live), node(1, None, State::Gone)];
    Picture { frames: vec![frame], blocks, left_out: 2, error: None }
}

#[test]
fn a_list_stands_in_a_row() {
    let layout = Layout::of([&list()]);
    let (a, b, c) = (layout.places[&3], layout.places[&2], layout.places[&1]);
    assert!(a.0 < b.0 && b.0 < c.0 && a.1 == b.1 && b.1 == c.1);
}

#[test]
fn blocks_keep_their_places() {
    let mut later = list();
    later.blocks.remove(0);
    later.frames[0].rows[0].to = Some((2, 0));
    assert_eq!(Layout::of([&list(), &later]).places, Layout::of([&list()]).places);
}

#[test]
fn everything_is_drawn() {
    let picture = list();
    let svg = draw(&picture, &Layout::of([&picture]), "a <list>");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    assert_eq!(svg.matches("class=\"block ").count(), 3);
    // The block that was freed is crossed out, the arrow to it is of another kind, and its own value is no arrow.
    assert_eq!(svg.matches("class=\"cross\"").count(), 1);
    assert_eq!(svg.matches("class=\"arrow").count(), 3);
    assert_eq!(svg.matches("class=\"arrow dangling\"").count(), 1);
    assert!(svg.contains("7 &lt; 8") && svg.contains("a &lt;list&gt;") && svg.contains("2 more blocks"));
    assert!(!svg.contains("NaN"));
}

#[test]
fn nothing_to_draw() {
    let empty = Picture::default();
    assert!(draw(&empty, &Layout::of([&empty]), "").contains("viewBox"));
    assert!(Layout::of([]).places.is_empty());
}

#[test]
fn invariants_in_words() {
    let text = "\
list.c:13: loop in `main`, 2 configurations:
  configuration 1 of 2
    head -> #0
    n = ?
    i = ? ≥ 0
    #0: SLS 1+, struct node, 16 bytes each
      +0 next -> #1
      +8 value = ?
    #1: SLS 0+, struct node, 16 bytes each
      +0 next = 0
  configuration 2 of 2
    head = 0
    old -> #0
    #0: freed, struct node, 16 bytes
";
    let shapes = shapes(text);
    assert_eq!(shapes.len(), 1);
    assert_eq!(shapes[0].text, text);
    let sentences: Vec<&str> = shapes[0].cases.iter().map(|(sentence, _)| sentence.as_str()).collect();
    assert_eq!(
        sentences,
        [
            "`head` points to a list of 1 or more struct node that ends with NULL; `i` is at least 0.",
            "`head` is 0; `old` points to a struct node, which was freed.",
        ]
    );
    let picture = &shapes[0].cases[0].1;
    assert_eq!(picture.blocks.len(), 2);
    assert_eq!(picture.blocks[0].rows[0].to, Some((1, 0)));
    assert!(super::shapes("nothing of the kind").is_empty());
    let text = "a.c:1: loop in `f`, 1 configuration:\n  configuration 1 of 1\n    i = ?a - 1 in 0..7\n    n = ?b\n    #0: q, 16 bytes\n      +0 first -> #1\n      +8 last = 0\n    #1: struct item, 16 bytes\n";
    let sentence = "`i` is in 0 to 7; `q.first` points to a struct item; `q.last` is 0.";
    assert_eq!(super::shapes(text)[0].cases[0].0, sentence);
}
