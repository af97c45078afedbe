//! Puts scenarios together into one program and finds the line of the planted fault.

use crate::c;
use crate::fault::{Fault, Planted};
use crate::rng::Rng;
use crate::scenario::{self, Part, Scenario, Site, Variation};

/// Marks the faulty line in a scenario's text; for a leak, the line where the last pointer is lost.
pub const FAULT: &str = "@fault";
/// Marks the allocation that a planted leak loses.
pub const ALLOC: &str = "@alloc";

/// Programs grow by scenarios until they have about this many lines.
const ENOUGH_LINES: usize = 200;
/// No program has more lines than this.
pub const MOST_LINES: usize = 250;

/// A program and what is known about it.
#[derive(Clone, Debug)]
pub struct GeneratedProgram {
    /// The C text.
    pub source: String,
    /// The error it commits; `None` for a correct program.
    pub fault: Option<Planted>,
    /// The scenarios it consists of, in order of execution.
    pub scenarios: Vec<&'static str>,
}

/// The program that belongs to `seed`, with one error of the class `fault` or none.
///
/// # Panics
/// When a scenario breaks its own rules (no faulty line, or two): an error in this crate.
pub fn generate(seed: u64, fault: Option<Fault>) -> GeneratedProgram {
    let mut rng = Rng::new(seed);
    let mut order: Vec<&Scenario> = scenario::ALL.iter().collect();
    rng.shuffle(&mut order);
    let Some(fault) = fault else { return build(seed, rng, order, None) };
    let able = order.iter().position(|s| s.can(fault)).expect("every class has a scenario");
    order.swap(0, able);
    let able: Vec<&Variation> = order[0].variations.iter().filter(|(class, _)| *class == fault).collect();
    let variation = *rng.pick(&able);
    build(seed, rng, order, Some(variation))
}

/// Number of different errors that can be planted.
pub fn variations() -> usize {
    scenario::ALL.iter().map(|scenario| scenario.variations.len()).sum()
}

/// The program that belongs to `seed`, with the error number `index` (modulo [`variations`]) of all.
pub fn generate_variation(seed: u64, index: usize) -> GeneratedProgram {
    let mut rng = Rng::new(seed);
    let mut all =
        scenario::ALL.iter().flat_map(|scenario| scenario.variations.iter().map(move |v| (scenario, v)));
    let (host, variation) = all.nth(index % variations()).expect("there are variations");
    let mut order: Vec<&Scenario> =
        scenario::ALL.iter().filter(|scenario| scenario.name != host.name).collect();
    rng.shuffle(&mut order);
    order.insert(0, host);
    build(seed, rng, order, Some(variation))
}

/// A program of the scenarios in `order`, as far as there is room; the first commits the error.
fn build(seed: u64, mut rng: Rng, order: Vec<&Scenario>, variation: Option<&Variation>) -> GeneratedProgram {
    let fault = variation.map(|(class, _)| *class);
    let mut parts: Vec<(&Scenario, Part)> = Vec::new();
    let mut lines = HEADER.lines().count() + 20;
    for (index, scenario) in order.into_iter().enumerate() {
        let planted = if index == 0 { variation } else { None };
        let mut site = Site::new(&mut rng, scenario.name, index, planted);
        let part = (scenario.emit)(&mut site);
        let more = part.lines();
        if lines + more <= MOST_LINES {
            lines += more;
            parts.push((scenario, part));
        }
        if lines >= ENOUGH_LINES {
            break;
        }
    }
    rng.shuffle(&mut parts);

    let text = squeeze_blank_lines(&assemble(seed, &parts, fault == Some(Fault::Leak)));
    let (source, line) = resolve_marks(&text, fault);
    let host = parts.iter().find(|(_, part)| part.text.contains(FAULT) || part.text.contains(ALLOC));
    let planted = fault.map(|class| Planted {
        class,
        line: line.expect("a planted fault has a line"),
        scenario: host.expect("a planted fault has a scenario").0.name,
    });
    GeneratedProgram { source, fault: planted, scenarios: parts.iter().map(|(s, _)| s.name).collect() }
}

const HEADER: &str = "\
#include <alloca.h>
#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

/// Overwrites dead stack, so that a stale copy of a pointer does not hide a leak from LeakSanitizer.
/// Uninstrumented, because AddressSanitizer would put the array elsewhere than on the stack.
const SCRUB: &str = "
__attribute__((noinline, no_sanitize(\"address\"))) static void scrub_stack(void)
{
    volatile long dead[1024];
    for (unsigned i = 0; i < sizeof dead / sizeof dead[0]; i++)
        dead[i] = 0;
}
";

fn assemble(seed: u64, parts: &[(&Scenario, Part)], leaks: bool) -> String {
    let mut text = format!("/* generated, seed {seed} */\n{HEADER}");
    if leaks {
        text.push_str(SCRUB);
    }
    let mut calls = String::new();
    for (_, part) in parts {
        text.push('\n');
        text.push_str(part.text.trim_matches('\n'));
        text.push('\n');
        calls.push_str(&c!(
            r#"
            check = check * 31 + (unsigned long)$run();
            printf("$run %lu\n", check % 100000);
            "#,
            run = part.run
        ));
    }
    text.push_str(&c!(
        r#"

        int main(void)
        {
            unsigned long check = 7;

            setvbuf(stdout, 0, _IONBF, 0);
            $calls
            $scrub
            return (int)(check % 101);
        }
        "#,
        calls = calls,
        scrub = if leaks { "scrub_stack();" } else { "" },
    ));
    text
}

/// Turns the marks into comments and returns the line to expect.
fn resolve_marks(text: &str, fault: Option<Fault>) -> (String, Option<u32>) {
    let mut source = String::new();
    let mut found = None;
    let wanted = if fault == Some(Fault::Leak) { ALLOC } else { FAULT };
    for (index, line) in text.lines().enumerate() {
        if line.contains(wanted) {
            assert!(found.is_none(), "two faulty lines:\n{text}");
            found = Some(index as u32 + 1);
        }
        let note = fault.map(|fault| format!("/* planted: {fault} */")).unwrap_or_default();
        let line = line.replace(FAULT, &note).replace(ALLOC, "/* lost later */");
        source.push_str(line.trim_end());
        source.push('\n');
    }
    (source, found)
}

/// At most one blank line in a row, and none at the edges of a block: what empty holes leave behind.
fn squeeze_blank_lines(text: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for line in text.lines() {
        let blank = line.trim().is_empty();
        let after = out.last().copied().unwrap_or("");
        if blank && (after.trim().is_empty() || after.trim_end().ends_with('{')) {
            continue;
        }
        if line.trim() == "}" && after.trim().is_empty() {
            out.pop();
        }
        out.push(line);
    }
    out.join("\n") + "\n"
}
