//! Arrays of pointers: sampled memories, consistent graphs and concrete runs of the attempt that follows them.

use super::cases::{self, Case};
use super::runs::{Effort, watch_against};
use super::tests::options;
use crate::attempts::analyse_with;
use crate::care::Care;
use crate::consistency::checking;
use crate::engine::Analysis;
use crate::{Options, Thresholds};

fn pairs() -> impl Iterator<Item = Case> {
    let names = [
        "buckets",
        "owned",
        "records",
        "pointer-",
        "slots",
        "set-on-use",
        "sorted-",
        "moved",
        "lines",
        "grid",
    ];
    cases::of(&["arrays"]).filter(move |case| names.iter().any(|name| case.name.contains(name)))
}

fn analysed(case: &Case, configurations: u64) -> Analysis {
    let options = Options {
        keep_invariants: true,
        thresholds: Thresholds::default(),
        ..options(&case.program, &case.property, configurations)
    };
    analyse_with(&case.program, &options, &[Care::BORDERS, Care::ROWS])
}

#[test]
fn rows_lose_no_memory() {
    for case in pairs() {
        let (checks, failures) = super::audited(5, || {
            checking(|| {
                analysed(&case, 60);
            });
        });
        println!("{}: {checks} checks", case.name);
        assert!(failures.is_empty(), "{}: {}", case.name, failures[0]);
    }
}

#[test]
fn runs_stay_in_rows() {
    let mut moments = 0;
    for case in pairs().filter(|case| !case.is_unsafe) {
        let analysis = analysed(&case, 2_000);
        if !analysis.is_proof() {
            println!("{} is not proved: {:?}", case.name, analysis.troubles.first());
            continue;
        }
        let seen =
            watch_against(&case, analysis.invariants, Effort { configurations: 0, runs: 20, moments: 200 });
        println!("{}: {} moments, {} open", case.name, seen.moments, seen.open);
        assert_eq!(seen.misfit.or(seen.refuted), None, "{}", case.name);
        moments += seen.moments - seen.open;
    }
    assert!(moments > 100, "only {moments} memories");
}
