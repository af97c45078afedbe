//! Systems of constraints between a few whole numbers of small ranges, against all their values.

use crate::{Constraint, Least, Linear, Normal, System};
use proptest::prelude::*;
use std::collections::BTreeMap;

const DIMENSIONS: usize = 3;
type Point = [i128; DIMENSIONS];
type Ends = BTreeMap<usize, (i128, i128)>;

#[derive(Clone, Debug)]
struct Polyhedron {
    system: System<usize>,
    ends: Ends,
}

fn form(factors: [i128; DIMENSIONS], offset: i128) -> Linear<usize> {
    factors.iter().enumerate().fold(Linear::constant(offset), |sum, (dimension, factor)| {
        sum.plus(&Linear::dimension(dimension), *factor).expect("small numbers")
    })
}

fn factors() -> impl Strategy<Value = [i128; DIMENSIONS]> {
    prop::array::uniform3(-4..=4i128)
}

fn polyhedron() -> impl Strategy<Value = Polyhedron> {
    let ends = prop::array::uniform3((-3..4i128, 0..5i128));
    let constraints = prop::collection::vec((factors(), -6..9i128, 0..5u8), 0..7);
    (ends, constraints).prop_map(|(ends, constraints)| {
        let mut system = System::default();
        for (factors, offset, kind) in constraints {
            let form = form(factors, offset);
            let normal = if kind == 0 { Constraint::zero(&form) } else { Constraint::not_negative(&form) };
            if let Normal::Says(_) = normal {
                let _ = system.add(normal);
            }
        }
        let ends = ends.into_iter().enumerate().map(|(at, (lo, more))| (at, (lo, lo + more))).collect();
        Polyhedron { system, ends }
    })
}

impl Polyhedron {
    /// All points of it.
    fn points(&self) -> Vec<Point> {
        let range = |at: usize| self.ends[&at].0..=self.ends[&at].1;
        let all = range(0).flat_map(|x| range(1).map(move |y| (x, y)));
        let all = all.flat_map(|(x, y)| range(2).map(move |z| [x, y, z]));
        all.filter(|point| has(&self.system, point)).collect()
    }
}

fn has(system: &System<usize>, point: &Point) -> bool {
    system.constraints().all(|constraint| constraint.holds(|dimension| point[dimension]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn least_values_are_least(polyhedron in polyhedron(), factors in factors()) {
        let form = form(factors, 0);
        let least = polyhedron.system.minimum(&form, &polyhedron.ends);
        for point in polyhedron.points() {
            let value = form.value(|dimension| point[dimension]).expect("small numbers");
            match least {
                Least::Value(least) => prop_assert!(least <= num_rational::Ratio::from_integer(value)),
                Least::Infeasible => prop_assert!(false, "{point:?} is there"),
                Least::Unbounded | Least::NotKnown => {}
            }
        }
    }

    #[test]
    fn what_is_forgotten_may_be_anything(polyhedron in polyhedron(), gone in 0..DIMENSIONS) {
        let points = polyhedron.points();
        let mut plain = polyhedron.system.clone();
        plain.forget(gone);
        let mut within = polyhedron.system.clone();
        within.forget_within(gone, &polyhedron.ends);
        for system in [&plain, &within] {
            prop_assert!(system.constraints().all(|constraint| constraint.form().factor(gone) == 0));
            prop_assert!(points.iter().all(|point| has(system, point)));
        }
        // Less is kept, but nothing is lost as long as the ranges are the same.
        for constraint in plain.constraints() {
            prop_assert!(within.entails_constraint(constraint, &polyhedron.ends));
        }
    }

    #[test]
    fn joins_have_the_points_of_both(a in polyhedron(), b in polyhedron()) {
        let joined = a.system.join(&b.system, &a.ends, &b.ends, &[0, 1, 2]);
        let widened = a.system.widen(&b.system, &a.ends, &b.ends);
        for point in a.points().iter().chain(&b.points()) {
            prop_assert!(has(&joined, point), "{point:?} is not in the join");
            prop_assert!(has(&widened, point), "{point:?} is not in the widened one");
        }
    }
}
