//! Writing witnesses.

use super::place::Text;
use super::{Returned, hash};
use heapproof_verdict::{Answer, Location, Property, PropertySet, Verdict};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// With more values a witness says only where the error is.
const MOST_VALUES: usize = 10_000;

/// What a witness is about.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The files of the program.
    pub files: &'a [PathBuf],
    /// The content of the property file, if there is one.
    pub specification: Option<&'a str>,
    /// `LP64` or `ILP32`.
    pub data_model: &'a str,
    /// The answer.
    pub answer: &'a Answer,
    /// What calls returned on the way to the first error.
    pub returned: Option<&'a [Returned]>,
}

/// The witness; what is missing otherwise.
pub fn witness(task: &Task<'_>) -> Result<String, String> {
    let (kind, content) = match task.answer.verdict {
        Verdict::Safe => ("invariant_set", json!([])),
        Verdict::Unsafe => ("violation_sequence", violation(task)?),
        Verdict::Unknown => return Err("there is neither a proof nor an error".to_owned()),
    };
    let specification = match task.specification {
        Some(text) => {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
        }
        None => specification(&task.answer.property)?,
    };
    let names: Vec<String> = task.files.iter().map(|file| file.display().to_string()).collect();
    let mut hashes = serde_json::Map::new();
    for (file, name) in task.files.iter().zip(&names) {
        let hash = hash(file).map_err(|why| format!("{name} cannot be read: {why}"))?;
        hashes.insert(name.clone(), Value::String(hash));
    }
    let entry = json!([{
        "entry_type": kind,
        "metadata": {
            "format_version": "2.0",
            "uuid": uuid(&format!("{names:?}{hashes:?}{specification}{content}")),
            "creation_time": now(),
            "producer": { "name": "heapproof", "version": env!("CARGO_PKG_VERSION") },
            "task": {
                "input_files": names,
                "input_file_hashes": hashes,
                "specification": specification,
                "data_model": task.data_model,
                "language": "C",
            },
        },
        "content": content,
    }]);
    serde_norway::to_string(&entry).map_err(|why| why.to_string())
}

/// The values that calls return, then the statement of the error.
fn violation(task: &Task<'_>) -> Result<Value, String> {
    let violation =
        task.answer.violations.first().ok_or("the error is about a function, not about a program")?;
    let mut texts = Texts::default();
    let mut segments = Vec::new();
    for call in task.returned.unwrap_or_default().iter().take(MOST_VALUES + 1) {
        let Some((line, column)) =
            texts.of(&call.file).and_then(|text| text.end_of_call(call.line, call.column))
        else {
            return Err(format!("the call at {}:{} cannot be named", call.file, call.line));
        };
        let waypoint = json!({
            "type": "function_return",
            "action": "follow",
            "constraint": { "value": format!("\\result == {}", call.value), "format": "ext_c_expression" },
            "location": { "file_name": call.file, "line": line, "column": column },
        });
        segments.push(json!({ "segment": [{ "waypoint": waypoint }] }));
    }
    if segments.len() > MOST_VALUES {
        segments.clear();
    }
    let Location { file, line, column, function } = &violation.location;
    let place = texts.of(file).and_then(|text| text.statement(*line, *column));
    let (line, column) = place.unwrap_or((*line, *column));
    let mut location = json!({ "file_name": file, "line": line });
    if column > 0 {
        location["column"] = json!(column);
    }
    location["function"] = json!(function);
    let target = json!({ "type": "target", "action": "follow", "location": location });
    segments.push(json!({ "segment": [{ "waypoint": target }] }));
    Ok(Value::Array(segments))
}

/// Texts of files, read once.
#[derive(Debug, Default)]
pub struct Texts {
    known: std::collections::BTreeMap<String, Option<Text>>,
}

impl Texts {
    /// The text of a file.
    pub fn of(&mut self, file: &str) -> Option<&Text> {
        let read = || {
            let path = Path::new(file);
            let is_file = path.metadata().is_ok_and(|about| about.is_file());
            is_file.then(|| std::fs::read(path).ok()).flatten().map(|bytes| Text::new(&bytes))
        };
        self.known.entry(file.to_owned()).or_insert_with(read).as_ref()
    }
}

/// Properties as SV-COMP's property files have them.
fn specification(properties: &PropertySet) -> Result<String, String> {
    let formula = |property: &Property| match property {
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup => {
            Some(property.name().to_owned())
        }
        Property::UnreachCall => Some("! call(reach_error())".to_owned()),
        _ => None,
    };
    let formulas: Vec<String> = properties.members.iter().filter_map(formula).collect();
    if formulas.is_empty() {
        return Err(format!("witnesses have no words for {properties}"));
    }
    let lines = formulas.iter().map(|formula| format!("CHECK( init(main()), LTL(G {formula}) )"));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// An identifier made of the content: equal witnesses have equal ones.
fn uuid(content: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(content)[..16]);
    // Version 8, of our own making.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The time, or what SOURCE_DATE_EPOCH says it is.
fn now() -> String {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = set
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()));
    iso(seconds.min(253_402_300_799))
}

/// Seconds since 1970 as a date.
fn iso(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn dates() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
