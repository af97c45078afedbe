//! Deliberate faults, one at a time: which tests notice?
//!
//! `cargo test --release -p heapproof-smg --features faults --lib -- --ignored --nocapture faults`. With `FAULT=N,M` only
//! these; with `UPDATE_FAULTS=1` the table of `FAULTS.md` is written; `FAULT_PROGRAMS=N` lets the tests look at more programs.
//! `FAULT=N,M FAULT_FILES=A.c:B.c` and the test `faults_in_files` show what these faults do to programs of one's own.

use super::cases::{self, Case};
use super::laws::{try_bytes, try_laws};
use super::runs::{Effort, watch};
use super::specimens::EXTRA;
use super::tests::{audit_of, audit_of_care, audit_of_trees, is_safe};
use crate::{TroubleKind, analyse};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What is wrong, by number from 1 on.
const FAULTS: [&str; 66] = [
    "objects that two merged nodes refer to become one that all nodes share",
    "numbers of two merged nodes become one that all nodes share",
    "a number that all nodes share covers one per node",
    "a join does not see that an equality of numbers is lost",
    "a number that is not 0 covers one that may be",
    "a number covers one with a larger range",
    "two segments are joined to the longer least length",
    "a segment and a node are joined to a segment of its least length",
    "a segment that meets nothing keeps its least length",
    "a join does not see that the right side has a segment more",
    "addresses into the middle of merged nodes are accepted",
    "the address of the last merged node becomes that of the first",
    "the link back of merged nodes is taken from the second",
    "the joined range lacks its greatest number",
    "a number that one side excludes is excluded",
    "an object that is 0/1 on one side only is there",
    "a block that meets null is there",
    "an object is joined with two others",
    "a segment covers one of another least length",
    "a segment keeps its least length when a node is taken out",
    "a segment that is opened is not empty",
    "a segment that is compared is not empty",
    "the last node of an empty segment is what follows",
    "the node taken out shares what is nested with the others",
    "the numbers of the node taken out lose their upper part",
    "`<` removes one number too many",
    "a sum that may wrap refines its source",
    "a number per node equals itself",
    "`!=` removes the next number",
    "a number with the sign bit is the smaller unsigned one",
    "a nullified block stays so when it is written",
    "a copy of a nullified block is one byte longer",
    "a freed block never equals a new one",
    "the first and the last node of a segment differ",
    "merged nodes are one more than they are",
    "0/1 objects are merged into segments",
    "keys ignore least lengths",
    "keys ignore lower bounds",
    "an access may end one byte behind the object",
    "a freed block stays valid",
    "an address into the middle of an object is no cut point",
    "a number is no cut point",
    "a block of unknown size has no content behind its least size",
    "a side covers one that breaks its relations",
    "an access may end one byte behind a block of unknown size",
    "a join takes numbers to be one farther apart",
    "`<` takes numbers to be one farther apart",
    "an unsigned comparison is a relation of signed numbers",
    "keys ignore the constants of relations",
    "a string ends where it did, whatever is written",
    "in a crowd, configurations that differ in numbers only cover each other",
    "a segment keeps its number of nodes when one is taken out",
    "two segments are joined to the length of the first",
    "two merged nodes are counted as the first of them",
    "the numbers of two merged nodes do not follow each other",
    "no node may be the only one of a segment",
    "a segment covers one whose nodes have other numbers",
    "the links of nodes are numbers like others",
    "what holds in the first of two merged nodes holds in each",
    "a segment covers one whose nodes break its relations",
    "keys ignore what holds in each node",
    "blocks below two merged nodes have the size of the first",
    "two nodes that hold each other's blocks are merged",
    "a node that is taken out is always of the first kind",
    "a segment covers one with nodes of another kind",
    "keys ignore what nodes of several kinds hold",
];

/// Further ones, with their numbers.
const LATER: &[(u32, &str)] = &[
    (67, "the row after an element is one too long"),
    (68, "what hangs on a lost row never leaks"),
    (69, "only the first part that an index may lie in is followed"),
    (70, "a copy of a block shares a table with it"),
    (71, "the greatest index that relations leave is left out"),
    (72, "an address that is rounded down moves as if all bits of its start were known"),
    (73, "the last number before a gap between two ranges is in the gap"),
    (75, "addresses into the middle of a merged tree are accepted"),
    (76, "a node with two children is joined as if it had one"),
    (77, "a merged tree is never empty"),
    (78, "a path through a tree goes on at the first child"),
    (79, "no cursor is before the node at which a list is cut"),
    (80, "cursors at different nodes of merged pieces are equal"),
    (94, "a number and the next one have the same quotient"),
    (95, "the byte before the beginning of a block belongs to it"),
    (96, "keys ignore where blocks begin"),
    (97, "a joined block begins where that of the left side does"),
    (98, "the second of two merged nodes need not have the twins of the first"),
    (99, "twins of links back lead on"),
    (100, "keys ignore twins"),
    (101, "the first node of an empty segment is whatever it meets"),
    (102, "a number that is computed of other numbers is the same"),
    (103, "an equality gives a number a value of the wrong sign"),
    (104, "keys ignore what numbers were computed of"),
    (105, "a number that one side computed is what the other computed"),
    (106, "a product that wraps in its width is one of whole numbers"),
    (107, "multiples of a negative number are ordered as those of a positive one"),
    (108, "factors are one farther apart for their products"),
    (109, "a product of one side is one of any other numbers on the other side"),
    (110, "a factor is as large as the product"),
    (111, "a multiple never wraps where there are relations"),
    (113, "two lists in order are in order one after the other"),
    (114, "of a list in order, the last node that is taken out is the first"),
    (115, "a list is in the orders of the left side"),
    (116, "keys ignore orders"),
    (117, "a list in order covers one that is not"),
    (118, "an array of pointers fits into its block when that becomes smaller"),
    (119, "a block of elements is at least as long as the way that it is moved"),
    (120, "a block of elements that is moved is never empty"),
    (121, "the element at an index is the first of its row"),
    (127, "there is room for three nodes"),
    (128, "a list outside of a call is empty if the function knows its length"),
    (133, "the other half of a block is no node of a list"),
    (134, "half of a block is never there without the other"),
    (135, "a call does not see all halves of blocks"),
    (136, "only one half of a block is freed"),
    (137, "half of a block that may be absent is there"),
    (138, "a string in one half of a block stays what it is, whatever is written to the other"),
    (139, "a half that is lost without the other is forgotten where leaks are not asked about"),
    (140, "a NUL past the least size of a block ends the string in it"),
    (141, "an array whose size is not known has all elements of which something is known"),
    (142, "the address of a freed block, or null, covers any number"),
    (143, "a bound between rational numbers is an offset that an index has"),
    (144, "trouble in a call that is a proof of its own does not count"),
    (145, "nodes of several kinds are understood where these are not followed"),
];

/// Faults that cannot show: sums are kept only where they do not wrap, symbols that stand for many numbers are never
/// operands, 0/1 objects never neighbours, and a number that is no cut point is only forgotten. Nothing copies over a table but what
/// moves it, a product that does not fit its width is any number, and of a short move over a long way too much is forgotten.
const HARMLESS: [u32; 7] = [27, 28, 36, 42, 70, 106, 119];

/// The most programs that a kind of test looks at for one fault.
fn programs() -> usize {
    std::env::var("FAULT_PROGRAMS").ok().and_then(|s| s.parse().ok()).unwrap_or(120)
}

/// From this fault on, only attempts that count nodes, follow their numbers or relate these are concerned.
const FIRST_OF_CARE: u32 = 52;

/// Programs whose analysis needs more configurations are left out.
const SMALL: u64 = 300;

/// What is done for one program.
const EFFORT: Effort = Effort { configurations: 2 * SMALL, runs: 100, moments: 200 };

/// The programs that the tests look at.
struct Specimens {
    violating: Vec<Case>,
    random: Vec<Case>,
    safe: Vec<Case>,
}

/// What is asked of a program: what it says, as cases do, or the usual.
fn property(text: &str) -> &str {
    let said = text.lines().find_map(|line| line.trim_start().strip_prefix("// property: "));
    said.unwrap_or("memsafety,assertions")
}

fn specimens() -> Specimens {
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let path = directory.path().join("program.c");
    let mut violating: Vec<Case> = Vec::new();
    for (name, text) in EXTRA {
        std::fs::write(&path, text).expect("the directory takes files");
        let program = super::tests::compile(&path).expect("a program");
        let property = property(text).to_owned();
        violating.push(Case { name: name.to_owned(), program, property, is_unsafe: true });
    }
    let folders = ["smg-soundness", "content", "overlaid", "smg", "sl", "arrays", "strings", "trees"];
    // What showed a wrong proof once is always looked at.
    let is_specimen = |case: &Case| case.name.starts_with("smg-soundness/") || is_small(case);
    let (more, safe): (Vec<Case>, Vec<Case>) =
        cases::of(&folders).filter(is_specimen).partition(|case| case.is_unsafe);
    violating.extend(more);
    // Three kinds of random programs in turn.
    let lists = cases::random(0..160).filter(is_small);
    let blocks = cases::random_blocks(0..160).filter(is_small);
    let buffers = cases::random_buffers(0..160).filter(is_small);
    let random =
        lists.zip(blocks).zip(buffers).flat_map(|((list, block), buffer)| [list, block, buffer]).collect();
    Specimens { violating, random, safe }
}

/// True if the analysis comes to an end soon.
fn is_small(case: &Case) -> bool {
    let options = super::tests::options(&case.program, &case.property, SMALL);
    let analysis = analyse(&case.program, &options);
    !analysis.troubles.iter().any(|trouble| matches!(trouble.kind, TroubleKind::Limit(_)))
}

/// Which kinds of test notice a fault, and how.
#[derive(Default)]
struct Noticed {
    laws: Option<String>,
    sampling: Option<String>,
    programs: Option<String>,
}

/// The first law that does not hold.
fn broken_law() -> Option<String> {
    let numbers: [(&str, fn()); 3] = [
        ("products of numbers", super::products::products_hold),
        ("conditions and results of numbers", super::numbers::conditions_and_results_hold),
        ("widths of numbers", super::numbers::other_widths_hold),
    ];
    for (name, test) in numbers {
        if catch_unwind(test).is_err() {
            return Some(name.to_owned());
        }
    }
    if try_bytes(1000).is_err() {
        return Some("bytes of objects".to_owned());
    }
    let broken = catch_unwind(|| try_laws(1200, 1, false).err()).unwrap_or(Some("crash".to_owned()))?;
    Some(operation(broken.strip_prefix("Test failed: ").unwrap_or(&broken)))
}

/// What a failure is about.
fn operation(failure: &str) -> String {
    let line = failure.lines().next().unwrap_or_default();
    let what = line.split(':').next().unwrap_or_default();
    if what.starts_with("compare") { "compare".to_owned() } else { what.trim_end_matches('.').to_owned() }
}

/// The first program with an error that is proved.
fn wrong_proof(specimens: &Specimens) -> Option<String> {
    for case in &specimens.violating {
        match catch_unwind(AssertUnwindSafe(|| is_safe(&case.program, &case.property, EFFORT.configurations)))
        {
            Ok(true) => return Some(format!("`{}` is proved", case.name)),
            Ok(false) => {}
            Err(_) => return Some(format!("`{}`: crash", case.name)),
        }
    }
    None
}

/// Audits the analysis of a program by the attempt that takes arrays apart.
fn audit_of_rows(program: &heapproof_ir::Program, seed: u64, configurations: u64) -> (u64, Vec<String>) {
    super::audited(seed, || {
        let options = super::tests::options(program, "memsafety,assertions", configurations);
        for care in [crate::care::Care::BORDERS, crate::care::Care::ROWS] {
            crate::attempts::analyse_with(program, &options, &[care]);
        }
    })
}

/// Faults of trees.
const TREES: std::ops::RangeInclusive<u32> = 75..=78;

/// The audit of the attempts that a fault concerns.
fn audit_for(fault: u32) -> fn(&heapproof_ir::Program, u64, u64) -> (u64, Vec<String>) {
    match fault {
        _ if TREES.contains(&fault) => audit_of_trees,
        98..=101 => audit_of,
        67..=70 | 102 | 104 | 105 | 118..=121 => audit_of_rows,
        FIRST_OF_CARE.. => audit_of_care,
        _ => audit_of,
    }
}

/// The first operation in an analysis that loses a memory.
fn lost_memory(specimens: &Specimens) -> Option<String> {
    let (small, others): (Vec<&Case>, Vec<&Case>) =
        specimens.violating.iter().partition(|case| !case.name.starts_with("smg/"));
    let all = small.into_iter().chain(&specimens.random).chain(&specimens.safe).chain(others);
    let fault = crate::FAULT.load(Ordering::Relaxed);
    let (audit, trees_only) = (audit_for(fault), TREES.contains(&fault));
    // Programs with trees first, where these are concerned.
    let is_tree = |case: &&Case| case.name.contains("tree");
    let (trees, others): (Vec<&Case>, Vec<&Case>) = all.partition(is_tree);
    let (first, then) = if trees_only { (trees, others) } else { (others, trees) };
    for (seed, case) in first.into_iter().chain(then).enumerate().take(programs()) {
        let (_, failures) = audit(&case.program, seed as u64, EFFORT.configurations);
        if let Some(failure) = failures.first() {
            return Some(format!("{} in `{}`", operation(failure), case.name));
        }
    }
    None
}

/// What concrete runs show that `noticed` lacks.
fn watch_runs(specimens: &Specimens, noticed: &mut Noticed) {
    for case in specimens.random.iter().chain(&specimens.safe).take(programs()) {
        if noticed.sampling.is_some() && noticed.programs.is_some() {
            return;
        }
        let run = AssertUnwindSafe(|| watch(case, EFFORT));
        let Ok(seen) = catch_unwind(run) else { continue };
        if seen.misfit.is_some() {
            noticed.sampling.get_or_insert(format!("invariant of `{}`", case.name));
        }
        if seen.refuted.is_some() {
            noticed.programs.get_or_insert(format!("`{}` is proved", case.name));
        }
    }
}

fn look(specimens: &Specimens) -> Noticed {
    let mut noticed =
        Noticed { laws: broken_law(), sampling: lost_memory(specimens), programs: wrong_proof(specimens) };
    watch_runs(specimens, &mut noticed);
    noticed
}

/// The stack that the program gives its engines: a deep recursion of a program is one of theirs.
const STACK: usize = 256 << 20;

/// Runs a test with the stack of the program.
fn with_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(test).expect("a thread starts");
    thread.join().unwrap_or_else(|why| std::panic::resume_unwind(why));
}

/// The faults that are asked for; none if all are.
fn chosen() -> Option<Vec<u32>> {
    let list = std::env::var("FAULT").ok()?;
    Some(list.split(',').filter_map(|n| n.parse().ok()).collect())
}

#[test]
#[ignore = "long"]
fn faults_are_noticed() {
    with_stack(notice_faults);
}

fn notice_faults() {
    let specimens = specimens();
    assert_eq!(wrong_proof(&specimens), None, "no fault is needed for this");
    std::panic::set_hook(Box::new(|_| {}));
    let only = chosen();
    let mut missed = Vec::new();
    let mut table = String::new();
    for (number, what) in (1..)
        .zip(FAULTS)
        .chain(LATER.iter().copied())
        .filter(|(number, _)| only.as_ref().is_none_or(|only| only.contains(number)))
    {
        crate::FAULT.store(number, Ordering::Relaxed);
        let start = Instant::now();
        let noticed = look(&specimens);
        crate::FAULT.store(0, Ordering::Relaxed);
        let kinds = [noticed.laws, noticed.sampling, noticed.programs];
        if kinds.iter().all(Option::is_none) && !HARMLESS.contains(&number) {
            missed.push(number);
        }
        let [laws, sampling, programs] = kinds.map(|how| how.unwrap_or_default());
        let line = format!("| {number} | {what} | {laws} | {sampling} | {programs} |\n");
        print!("{:3} s {line}", start.elapsed().as_secs());
        table += &line;
    }
    let _ = std::panic::take_hook();
    if std::env::var("UPDATE_FAULTS").is_ok() && only.is_none() {
        update(&table);
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

/// Writes the table into its page.
fn update(table: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("FAULTS.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let text: String = page.lines().filter(|line| !line.starts_with('|')).map(|l| format!("{l}\n")).collect();
    let head = "| | fault | laws | sampling | programs |\n|---|---|---|---|---|\n";
    std::fs::write(&path, format!("{}\n{head}{table}", text.trim_end().to_owned() + "\n"))
        .expect("it can be written");
}

#[test]
#[ignore = "needs files"]
fn faults_in_files() {
    with_stack(look_at_files);
}

/// What files show without a fault and with the chosen ones.
fn look_at_files() {
    let faults = chosen().unwrap_or_default();
    let most = std::env::var("AUDIT_CONFIGURATIONS").ok().and_then(|s| s.parse().ok());
    let most = most.unwrap_or(EFFORT.configurations);
    for file in std::env::var("FAULT_FILES").unwrap_or_default().split(':').filter(|file| !file.is_empty()) {
        let program = super::tests::compile(std::path::Path::new(file)).expect("a program");
        let text = std::fs::read_to_string(file).expect("a text");
        for &fault in &faults {
            for on in [0, fault] {
                crate::FAULT.store(on, Ordering::Relaxed);
                let options = super::tests::options(&program, property(&text), most);
                let analysis = catch_unwind(AssertUnwindSafe(|| analyse(&program, &options)));
                match &analysis {
                    Ok(analysis) if analysis.is_proof() => println!("{file}, fault {on}: proved"),
                    Ok(analysis) => {
                        let why = analysis.troubles.iter().map(|trouble| {
                            format!("{}: {} ({:?})", trouble.span.line, trouble.message, trouble.kind)
                        });
                        println!("{file}, fault {on}: {:?}", why.collect::<Vec<_>>());
                    }
                    Err(_) => println!("{file}, fault {on}: crash"),
                }
                let (checks, failures) = audit_for(fault)(&program, 1, most);
                let first = failures.first().map(|failure| operation(failure));
                println!("  {checks} checks, {}", first.as_deref().unwrap_or("no memory is lost"));
            }
        }
    }
    crate::FAULT.store(0, Ordering::Relaxed);
}
