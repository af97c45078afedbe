//! Witnesses of format 2.0, as SV-COMP exchanges them: violations and proofs in YAML.
//!
//! A violation witness says which values the program was given and which statement the error is in. What it says about values is
//! enough to replay the execution, so [`validate`] needs no search.

pub mod place;
pub mod validate;
pub mod write;

use heapproof_confirm::vector::{Queued, Vector};
use heapproof_interp::{self as interp, InputRecord, Source};
use heapproof_ir::{Program, sign_extend};
use heapproof_verdict::Violation;
use sha2::{Digest, Sha256};
use std::path::Path;

/// A value that a call returned to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Where the call begins.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The value.
    pub value: i128,
}

/// The values that the execution of an error got from calls, in order; none if it had other inputs, which a witness cannot say.
pub fn returned(
    program: &Program,
    options: &interp::Options,
    violation: &Violation,
) -> Option<Vec<Returned>> {
    let vector: Vector = violation.inputs.as_deref()?.parse().ok()?;
    let options = interp::Options { record_path: false, ..options.clone() };
    let run = interp::run(program, &options, &mut Queued::new(&vector));
    let default = |record: &InputRecord| {
        record.value == heapproof_confirm::vector::default_value(record.source, record.width)
    };
    let one = |record: &InputRecord| match record.source {
        Source::Call => Some(Some(Returned {
            file: program.files.get(record.span.file)?.clone(),
            line: record.span.line,
            column: record.span.column,
            value: match record.signed {
                true => sign_extend(record.value, record.width.clamp(1, 128)),
                false => i128::try_from(record.value).ok()?,
            },
        })),
        _ if default(record) => Some(None),
        _ => None,
    };
    run.inputs.iter().map(one).collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect())
}

/// The SHA-256 of a file in hexadecimal.
pub fn hash(file: &Path) -> std::io::Result<String> {
    let digest = Sha256::digest(std::fs::read(file)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
