//! Every model of the library: whatever the interpreter sees after a call, the engine must not exclude.
//!
//! A program calls one function and looks at its result or at a byte of memory. What concrete executions see there becomes an
//! assertion that it is something else; proving that would be wrong.

use crate::{inputs, oracle};
use heapproof_interp::{self as interp, Outcome};
use heapproof_ir::Program;
use heapproof_libc::{self as libc, Model, ModelKind, Scalar};
use heapproof_verdict::PropertySet;
use std::collections::BTreeSet;

/// How many ways of choosing arguments are tried.
const VARIANTS: usize = 4;
/// Executions of each program.
const RUNS: u64 = 12;

fn ty(scalar: Scalar) -> String {
    match scalar {
        Scalar::Ptr => "ptr".to_owned(),
        Scalar::Float => "float32".to_owned(),
        Scalar::Double => "float64".to_owned(),
        Scalar::LongDouble => "x87".to_owned(),
        other => format!("i{}", other.bits(64)),
    }
}

/// The functions that return and that a single call says something about.
fn models() -> impl Iterator<Item = &'static Model> {
    libc::all().filter(|model| {
        let listed =
            matches!(model.kind, ModelKind::Print { list: true, .. } | ModelKind::Scan { list: true, .. });
        let other = matches!(
            model.kind,
            ModelKind::Unsupported | ModelKind::AtExit | ModelKind::Assume | ModelKind::Assert
        );
        !model.no_return && !listed && !other && !model.name.contains(' ')
    })
}

/// The arguments of a call.
fn arguments(model: &Model, variant: usize) -> String {
    let mut args: Vec<String> = Vec::new();
    for (index, param) in model.params.iter().enumerate() {
        let choice = variant + index * (variant + 1);
        let stream = model.effect.streams.iter().any(|stream| stream.arg == index);
        args.push(match param {
            Scalar::Ptr if model.effect.format == Some(index) => {
                if matches!(model.kind, ModelKind::Scan { .. }) { "g5".to_owned() } else { "g4".to_owned() }
            }
            Scalar::Ptr if stream => "r0".to_owned(),
            Scalar::Ptr => ["g0", "g3", "g2", "g1", "null"][choice % 5].to_owned(),
            Scalar::LongDouble => "x87 undef".to_owned(),
            Scalar::Float | Scalar::Double => format!("{} 1.5", ty(*param)),
            Scalar::Int { bits: 1, .. } => "i1 1".to_owned(),
            other => format!("{} {}", ty(*other), [4, 1, 7, 0, 97][choice % 5]),
        });
    }
    if model.variadic {
        args.push(if matches!(model.kind, ModelKind::Scan { .. }) { "g0" } else { "i32 -57" }.to_owned());
    }
    args.join(", ")
}

/// What is looked at after the call: the result, or a byte.
fn observations(model: &Model) -> Vec<String> {
    let bytes = [("g0", 0), ("g0", 3), ("g1", 0), ("g1", 7), ("g3", 1)];
    let mut all: Vec<String> =
        bytes.iter().map(|(global, at)| format!("r2 = ptradd {global} + {at}\nr3 = load i8 r2")).collect();
    match model.result {
        Scalar::Void | Scalar::Float | Scalar::Double | Scalar::LongDouble => {}
        Scalar::Ptr => all.push("r2 = cmp eq ptr r1, null\nr3 = zext i1 r2 to i8".to_owned()),
        Scalar::Int { bits: 1, .. } => all.push("r2 = copy i8 0\nr3 = zext i1 r1 to i8".to_owned()),
        Scalar::Int { bits: 8, .. } => all.push("r2 = copy i8 0\nr3 = copy i8 r1".to_owned()),
        other => {
            all.push(format!("r2 = copy i8 0\nr3 = trunc {} r1 to i8", ty(other)));
            let sign = format!("r2 = cmp slt {0} r1, 0\nr3 = zext i1 r2 to i8", ty(other));
            all.push(sign);
        }
    }
    all
}

fn program(model: &Model, variant: usize, observation: &str, end: &str) -> Option<Program> {
    let params: Vec<String> = model.params.iter().map(|param| ty(*param)).collect();
    let dots = if model.variadic { ", ..." } else { "" };
    let (result, target) = match model.result {
        Scalar::Void => (String::new(), "r1 = copy i8 0\ncall".to_owned()),
        other => (format!(" -> ({})", ty(other)), format!("r1: {} = call", ty(other))),
    };
    let text = format!(
        "file file0 \"t.c\"\n\
         global g0 \"buffer\" size 16 align 16\n\
         global g1 \"big\" size 64 align 16\n\
         global g2 \"text\" size 6 constant = \"hello\\0\"\n\
         global g3 \"own\" size 8 align 8 = \"a,b,cd\\0\"\n\
         global g4 \"print\" size 4 constant = \"<%d\\0\"\n\
         global g5 \"scan\" size 4 constant = \"%3s\\0\"\n\
         global g6 \"stdin\" size 8 align 8 = external\n\
         func f0 \"{}\"({}{dots}){result}\n\
         func f1 \"__VERIFIER_assert\"(i32)\n\
         func f2 \"main\"() -> (i32) {{\nb0:\nr0 = load ptr g6\n{target} f0({})\n{observation}\n{end}\nreturn r4 }}\n",
        model.name,
        params.join(", "),
        arguments(model, variant),
    );
    let mut program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    libc::link(&mut program, |_| true);
    Some(program)
}

fn proves(program: &Program, properties: &PropertySet) -> bool {
    oracle::opinion(program, properties, 2_000) == oracle::Opinion::Proved
}

/// What executions see.
fn seen(program: &Program, properties: &PropertySet, seed: u64) -> BTreeSet<u8> {
    let options = inputs::options(properties.clone());
    let run = |number| {
        let mut inputs = inputs::Habits::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number);
        match interp::run(program, &options, &mut inputs).outcome {
            Outcome::Finished { exit_code, aborted: false } => Some(exit_code as u8),
            _ => None,
        }
    };
    (0..RUNS).filter_map(run).collect()
}

#[test]
fn what_executions_see_is_not_excluded() {
    let properties: PropertySet = "assertions".parse().expect("a known property");
    let (mut looked, mut proofs) = (0, 0);
    for (number, model) in models().enumerate() {
        for variant in 0..VARIANTS {
            for observation in observations(model) {
                let show = "r4 = zext i8 r3 to i32";
                let Some(shown) = program(model, variant, &observation, show) else { continue };
                let values = seen(&shown, &properties, number as u64);
                looked += values.len();
                for value in values {
                    let end = format!("r5 = cmp ne i8 r3, {value}\nr4 = zext i1 r5 to i32\ncall f1(r4)");
                    let Some(asserted) = program(model, variant, &observation, &end) else { continue };
                    assert!(
                        !proves(&asserted, &properties),
                        "`{}({})`: {observation} may give {value}",
                        model.name,
                        arguments(model, variant),
                    );
                }
                // The engine decides something: what nobody sees is excluded now and then.
                let end =
                    "r5 = cmp ult i8 r3, 256\nr4 = zext i1 r5 to i32\ncall f1(r4)".replace("256", "255");
                let Some(other) = program(model, variant, &observation, &end) else { continue };
                proofs += usize::from(proves(&other, &properties));
            }
        }
    }
    assert!(looked > 2_000 && proofs > 500, "{looked} values seen, {proofs} proofs");
}
