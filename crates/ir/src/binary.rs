//! The binary form of a program: how it comes from the process that compiled it.
//!
//! A header (a mark, a version, the length) and postcard's encoding. Only the version that wrote it reads it. Reading
//! never panics, and what was read has passed the [checker](crate::check): the writer may have come to harm.

use crate::program::Program;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What the bytes begin with.
const MARK: [u8; 4] = *b"HPIR";
/// Grows when the form changes without a new version of the crate.
const FORM: u32 = 1;
/// The bytes before the content: mark, form and version, length.
const HEADER: usize = 4 + 4 + 8;

/// Why bytes are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// There are fewer bytes than announced, or more.
    #[error("it has {actual} bytes instead of {announced}")]
    Length {
        /// The bytes that there are.
        actual: u64,
        /// The bytes that there should be.
        announced: u64,
    },
    /// It is something else, or of another version.
    #[error("it is not of this version of heapproof")]
    Version,
    /// The content is broken.
    #[error("its content is broken: {0}")]
    Content(String),
    /// The program breaks a rule.
    #[error("it breaks a rule: {0}")]
    Rule(String),
}

/// Any value as bytes, with a header.
pub fn write<T: Serialize>(value: &T) -> Result<Vec<u8>, BinaryError> {
    let mut bytes = Vec::with_capacity(1 << 16);
    bytes.extend_from_slice(&MARK);
    bytes.extend_from_slice(&version().to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    let mut bytes = postcard::to_extend(value, bytes).map_err(|why| BinaryError::Content(why.to_string()))?;
    let length = (bytes.len() - HEADER) as u64;
    bytes[8..HEADER].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// Reads what [`write`] wrote.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BinaryError> {
    let header = bytes.first_chunk::<HEADER>();
    let Some([a, b, c, d, e, f, g, h, length @ ..]) = header else {
        return Err(BinaryError::Length { actual: bytes.len() as u64, announced: HEADER as u64 });
    };
    if [*a, *b, *c, *d] != MARK || u32::from_le_bytes([*e, *f, *g, *h]) != version() {
        return Err(BinaryError::Version);
    }
    let announced = u64::from_le_bytes(*length);
    let content = &bytes[HEADER..];
    if content.len() as u64 != announced {
        return Err(BinaryError::Length { actual: content.len() as u64, announced });
    }
    let broken = |why: &str| BinaryError::Content(why.to_owned());
    match postcard::take_from_bytes(content) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(broken("there is more behind it")),
        Err(why) => Err(broken(&why.to_string())),
    }
}

/// Makes sure that a program that was read keeps the rules.
pub fn checked(program: Program) -> Result<Program, BinaryError> {
    match crate::check::check(&program).first() {
        None => Ok(program),
        Some(error) => Err(BinaryError::Rule(error.to_string())),
    }
}

/// The form and the version of the crate in one number.
fn version() -> u32 {
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    let major = number(env!("CARGO_PKG_VERSION_MAJOR"));
    let minor = number(env!("CARGO_PKG_VERSION_MINOR"));
    let patch = number(env!("CARGO_PKG_VERSION_PATCH"));
    FORM << 24 | major << 16 | minor << 8 | patch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn programs_come_back_as_they_were(program in arbitrary::program()) {
            let bytes = write(&program).unwrap();
            prop_assert_eq!(checked(read::<Program>(&bytes).unwrap()).unwrap(), program);
        }

        #[test]
        fn broken_bytes_are_an_error_or_a_program_that_keeps_the_rules(
            program in arbitrary::program(), at in any::<prop::sample::Index>(), bit in 0..8u8, cut in any::<bool>()
        ) {
            let mut bytes = write(&program).unwrap();
            let at = at.index(bytes.len());
            if cut {
                bytes.truncate(at);
                prop_assert!(read::<Program>(&bytes).is_err());
            } else {
                bytes[at] ^= 1 << bit;
                let _ = read::<Program>(&bytes).and_then(checked);
            }
        }
    }

    #[test]
    fn other_bytes_are_none() {
        assert_eq!(read::<Program>(b"HPIR"), Err(BinaryError::Length { actual: 4, announced: 16 }));
        assert_eq!(read::<Program>(&[0; 64]), Err(BinaryError::Version));
    }
}
