//! Properties of generated programs that need no compiler.

use std::collections::BTreeSet;

use heapproof_progen::program::MOST_LINES;
use heapproof_progen::{Fault, GeneratedProgram, generate, generate_variation, variations};

fn line(program: &GeneratedProgram, number: u32) -> &str {
    program.source.lines().nth(number as usize - 1).unwrap_or_default()
}

#[test]
fn equal_seeds_give_equal_programs() {
    for seed in 0..20 {
        for fault in [None, Some(Fault::Leak), Some(Fault::OutOfBoundsWrite)] {
            assert_eq!(generate(seed, fault).source, generate(seed, fault).source);
        }
    }
    assert_ne!(generate(1, None).source, generate(2, None).source);
}

#[test]
fn every_class_is_planted_on_a_marked_line() {
    for fault in Fault::ALL {
        for seed in 0..12 {
            let program = generate(seed, Some(fault));
            let planted = program.fault.as_ref().expect("a planted fault");
            assert_eq!(planted.class, fault);
            assert!(program.scenarios.contains(&planted.scenario));
            let mark = match fault {
                Fault::Leak => "/* lost later */".to_string(),
                other => format!("/* planted: {other} */"),
            };
            assert!(line(&program, planted.line).contains(&mark), "seed {seed}:\n{}", program.source);
            assert_eq!(program.source.matches(&mark).count(), 1);
        }
    }
}

#[test]
fn every_variation_can_be_written() {
    let hosts: BTreeSet<_> = (0..variations())
        .map(|index| generate_variation(index as u64, index).fault.expect("a planted fault"))
        .map(|planted| (planted.class, planted.scenario))
        .collect();
    for fault in Fault::ALL {
        let scenarios = hosts.iter().filter(|(class, _)| *class == fault).count();
        assert!(scenarios >= 4, "{fault} is woven into {scenarios} scenarios only");
    }
}

#[test]
fn correct_programs_carry_no_mark() {
    for seed in 0..100 {
        let program = generate(seed, None);
        assert_eq!(program.fault, None);
        for mark in ["planted", "lost later", "@", "$"] {
            assert!(!program.source.contains(mark), "seed {seed} contains {mark}");
        }
    }
}

#[test]
fn programs_have_a_readable_size() {
    for seed in 0..100 {
        let lines = generate(seed, None).source.lines().count();
        assert!((60..=MOST_LINES).contains(&lines), "seed {seed} has {lines} lines");
    }
}

#[test]
fn features_are_spread_over_programs() {
    const FEATURES: &[&str] = &[
        "malloc(",
        "calloc(",
        "realloc(",
        "free(",
        "strdup(",
        "memcpy(",
        "memmove(",
        "memset(",
        "memcmp(",
        "memchr(",
        "strlen(",
        "strcpy(",
        "strncpy(",
        "strcat(",
        "strcmp(",
        "strncmp(",
        "strchr(",
        "strrchr(",
        "strstr(",
        "va_arg(",
        "va_copy(",
        "alloca(",
        "goto ",
        "switch (",
        "do {",
        "fallthrough",
        "union {",
        "packed",
        "cleanup",
        "offsetof",
        "uintptr_t",
        "_Bool",
        "double",
        "float",
        "unsigned char",
        "(*visit)",
        "body[]",
        ": 3;",
        "static const",
    ];
    let programs: Vec<String> = (0..200).map(|seed| generate(seed, None).source).collect();
    for feature in FEATURES {
        let share = programs.iter().filter(|source| source.contains(feature)).count();
        assert!(share >= 10, "`{feature}` is in {share} of {} programs", programs.len());
    }
    assert!(programs.iter().all(|source| !source.contains("qsort") && !source.contains("setjmp")));
}
