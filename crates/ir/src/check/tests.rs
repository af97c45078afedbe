//! Tests of the checker, one for each rule.
