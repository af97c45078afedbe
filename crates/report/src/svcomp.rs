//! SV-COMP's answer: one line.

use heapproof_verdict::{Answer, Property, Verdict};

/// The line, without its end.
pub fn render(answer: &Answer) -> String {
    match answer.verdict {
        Verdict::Safe => "TRUE".to_owned(),
        Verdict::Unknown => "UNKNOWN".to_owned(),
        Verdict::Unsafe => match answer.violations.first().map(|v| v.property) {
            // SV-COMP has no name of its own for these.
            Some(Property::NoOverlap) => "FALSE(valid-deref)".to_owned(),
            Some(Property::MemCleanup) => "FALSE(valid-memcleanup)".to_owned(),
            Some(Property::Assertions) => "FALSE(unreach-call)".to_owned(),
            Some(property) => format!("FALSE({property})"),
            None => "FALSE".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn lines() {
        assert_eq!(render(&samples::safe()), "TRUE");
        assert_eq!(render(&samples::unknown()), "UNKNOWN");
        assert_eq!(render(&samples::use_after_free("list.c")), "FALSE(valid-deref)");
        let mut answer = samples::use_after_free("list.c");
        answer.violations[0].property = Property::MemCleanup;
        assert_eq!(render(&answer), "FALSE(valid-memcleanup)");
        answer.violations[0].property = Property::UnreachCall;
        assert_eq!(render(&answer), "FALSE(unreach-call)");
    }
}
