//! Why a question is not decided: the reason of the engine that came closest, before all others.

use heapproof_verdict::Obstacle;

/// What stood between an engine and a decision.
pub struct Reasons {
    /// The engine.
    pub engine: &'static str,
    /// True if it can prove something.
    pub proves: bool,
    /// In the order in which it met them.
    pub obstacles: Vec<Obstacle>,
}

/// The order of engines that came equally close: what is proved by the later ones is often a part of the question.
const ORDER: [&str; 5] = ["execution", "smg", "symheap", "templates", "contracts"];

impl Reasons {
    /// How far the engine was from a decision; 0 is closest.
    ///
    /// Whoever has seen all of the program and is left with errors that may be there has got further than whoever was cut short, and
    /// that one further than an engine that cannot read the program. A call of which nobody knows what it does is the same for all.
    fn distance(&self) -> (u32, usize) {
        let has = |wanted: fn(&Obstacle) -> bool| self.obstacles.iter().any(wanted);
        let far = if self.engine == "execution" || has(|o| matches!(o, Obstacle::External { .. })) {
            0
        } else if has(|o| matches!(o, Obstacle::NotCovered { .. })) {
            // The order says what ended the analysis: others list all that they do not cover.
            match self.obstacles.first() {
                Some(Obstacle::Suspicion { .. }) if self.engine == "smg" => 1,
                _ => 3,
            }
        } else if has(|o| matches!(o, Obstacle::Suspicion { .. })) {
            1
        } else if has(Obstacle::is_limit) {
            2
        } else {
            4
        };
        let order = ORDER.iter().position(|name| *name == self.engine).unwrap_or(ORDER.len());
        (far, order)
    }

    /// The reason in one sentence: what comes first, and where the time went if it was a limit.
    fn sentence(&self) -> Option<String> {
        let first = self.obstacles.first()?;
        let more = self.obstacles.iter().find(|o| matches!(o, Obstacle::Other { .. }));
        Some(match (first, more) {
            (first, Some(more)) if first.is_limit() => format!("{first}; {more}"),
            _ => first.to_string(),
        })
    }
}

/// Separates why there is no proof from what executions showed.
pub const BESIDES: &str = heapproof_report::text::BESIDES;

/// The reason in words and all obstacles, the most important first.
pub fn explain(mut all: Vec<Reasons>) -> (Option<String>, Vec<Obstacle>) {
    // That there are choices is no news where others looked at all of them.
    let alone = all.len() == 1;
    let is_news = |o: &Obstacle| alone || !matches!(o, Obstacle::Inconclusive { .. });
    for own in all.iter_mut().filter(|own| own.engine == "execution") {
        own.obstacles.retain(is_news);
    }
    let is_helper = |o: &&Obstacle| matches!(o, Obstacle::Helper { .. });
    let helper = all.iter().flat_map(|own| &own.obstacles).find(is_helper);
    let helper = helper.map(|o| format!("; {o}")).unwrap_or_default();
    let (mut proofs, executions): (Vec<Reasons>, Vec<Reasons>) =
        all.into_iter().filter(|own| !own.obstacles.is_empty()).partition(|own| own.proves);
    proofs.sort_by_key(Reasons::distance);
    let proof = proofs.iter().find_map(Reasons::sentence);
    let mut executed = executions.iter().rev().flat_map(|own| &own.obstacles);
    let executed = executed.find(|o| !is_helper(o)).map(ToString::to_string);
    let reason = match (proof, executed) {
        (Some(proof), Some(executed)) => Some(format!("no proof: {proof}{helper}{BESIDES}{executed}")),
        (Some(reason), None) | (None, Some(reason)) => Some(format!("{reason}{helper}")),
        (None, None) => None,
    };
    let obstacles = proofs.into_iter().chain(executions).flat_map(|own| own.obstacles).collect();
    (reason, obstacles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(engine: &'static str, obstacles: Vec<Obstacle>) -> Reasons {
        Reasons { engine, proves: !matches!(engine, "random" | "search"), obstacles }
    }

    fn not_covered(what: &str) -> Obstacle {
        Obstacle::NotCovered { what: what.to_owned(), location: None }
    }

    #[test]
    fn the_engine_that_came_closest_is_heard() {
        let text = "most configurations are at a.c:7".to_owned();
        let inconclusive = Obstacle::Inconclusive { text: "9 random executions found no error".to_owned() };
        let (reason, obstacles) = explain(vec![
            own("execution", vec![Obstacle::Inconclusive { text: "it depends on argc".to_owned() }]),
            own("templates", vec![not_covered("the library function `printf`")]),
            own("symheap", vec![not_covered("a string of the environment is written")]),
            own("smg", vec![Obstacle::TimeShare, Obstacle::Other { text }]),
            own("random", vec![inconclusive]),
        ]);
        let reason = reason.unwrap();
        assert_eq!(
            reason,
            "no proof: its share of the time was over; most configurations are at a.c:7; besides: 9 random executions found no error"
        );
        assert_eq!(obstacles[0], Obstacle::TimeShare);
        assert_eq!(obstacles.len(), 5);
    }

    #[test]
    fn what_all_would_meet_comes_first() {
        let external = Obstacle::External { name: "frob".to_owned(), location: None };
        let suspicion = Obstacle::Suspicion { message: "may be null".to_owned(), location: None };
        let (reason, _) = explain(vec![own("smg", vec![suspicion.clone()]), own("symheap", vec![external])]);
        assert!(reason.unwrap().contains("frob"));
        let (reason, _) = explain(vec![
            own("templates", vec![suspicion]),
            own("smg", vec![not_covered("inline assembly")]),
        ]);
        assert!(reason.unwrap().contains("may be null"));
        assert_eq!(explain(Vec::new()), (None, Vec::new()));
    }
}
