//! Solvers and goals as text: every `tests/cases/NAME.chr` with `NAME.goals`. A comment `// unsat` or `// unknown` before
//! each goal says what the answer must be; `unknown` means that the goal has a solution, so `unsat` would be wrong.

use std::path::Path;

use heapproof_chr::{Answer, Options, Solver, parse};

fn expectations(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter_map(|line| line.strip_prefix("// "))
        .filter_map(|line| line.split([' ', ':']).next())
        .filter(|word| ["unsat", "unknown"].contains(word))
        .collect()
}

#[test]
fn every_goal_has_its_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    names.retain(|p| p.extension().is_some_and(|e| e == "goals"));
    names.sort();
    assert!(names.len() >= 6, "{names:?}");
    for path in names {
        let rules = std::fs::read_to_string(path.with_extension("chr")).unwrap();
        let rules = parse::rules(&rules).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let text = std::fs::read_to_string(&path).unwrap();
        let goals = parse::goals(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let expected = expectations(&text);
        assert_eq!(goals.len(), expected.len(), "{}", path.display());
        let mut solver = Solver::new(&rules, Options::default()).unwrap();
        for (goal, expected) in goals.iter().zip(expected) {
            let answer = solver.solve(goal).unwrap();
            let word = if answer == Answer::Unsat { "unsat" } else { "unknown" };
            assert_eq!(word, expected, "{}:{}: {answer}", path.display(), goal.at);
        }
    }
}

#[test]
fn bad_input_is_an_error_with_a_place() {
    let wrong = |rules: &str, goal: &str| -> String {
        let result =
            parse::rules(rules).and_then(|r| Solver::new(&r, Options::default())).and_then(|mut s| {
                parse::goals(goal).and_then(|g| g.iter().try_for_each(|g| s.solve(g).map(drop)))
            });
        result.unwrap_err().to_string()
    };
    assert_eq!(wrong("p(x) ==> q(x, x); q(x) ==> p(x);", ""), "1:19: `q` has 1 arguments here and 2 at 1:10");
    assert_eq!(
        wrong("p(x + y) ==> true;", ""),
        "1:1: `x + y` in a head: only a variable, a number, or their sum can be matched"
    );
    assert_eq!(wrong("p(x) ==> y > 1 | q(x);", ""), "1:1: `y` of the guard occurs in no head");
    assert_eq!(wrong("", "sep(a, b)"), "1:1: `sep` needs a heap and at least two parts");
    assert_eq!(wrong("", "dom(3, x)"), "1:1: `3` stands where a heap is expected");
    assert_eq!(wrong("", "emp(h) /\\ emp(g) /\\ h < g"), "1:1: `h < g`: heaps have no order");
    assert_eq!(wrong("", "x = $"), "1:5: `$` has no meaning here");
}

#[test]
fn a_solver_that_never_ends_gives_up() {
    let rules = parse::rules("p(x) ==> p(x + 1);").unwrap();
    let mut solver = Solver::new(&rules, Options { steps: 2_000, conflicts: 100 }).unwrap();
    let goal = &parse::goals("p(0)").unwrap()[0];
    assert!(matches!(solver.solve(goal).unwrap(), Answer::GaveUp(_) | Answer::Open(_)));
}
