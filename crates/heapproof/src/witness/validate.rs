//! Validation of violation witnesses: the program is executed with the values that the witness names, and nothing is searched.
//!
//! What cannot be replayed is not confirmed: a wrong witness must never be taken for a right one.

use super::hash;
use super::write::Texts;
use heapproof_interp::{self as interp, Inputs, Outcome, Request, Source};
use heapproof_ir::Program;
use heapproof_verdict::{Location, PropertySet, Violation, parse_prp};
use serde_json::Value;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// A violation witness as far as it can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The property that it says is violated.
    pub properties: PropertySet,
    /// `LP64` or `ILP32`.
    pub data_model: String,
    /// Values that calls return, in order.
    returns: VecDeque<(Place, u128)>,
    /// The statement of the error.
    target: Place,
}

/// A place of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

/// Why a witness is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not of the format.
    #[error("{0}")]
    Malformed(String),
    /// It is of the format and not true.
    #[error("{0}")]
    Wrong(String),
    /// It says something that cannot be replayed.
    #[error("{0}")]
    NotReplayed(String),
}

use Refusal::{Malformed, NotReplayed, Wrong};

fn malformed<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(Malformed(text.into()))
}

/// Reads a witness about a program.
pub fn read(text: &str, files: &[PathBuf]) -> Result<Witness, Refusal> {
    let whole: Value =
        serde_norway::from_str(text).map_err(|why| Malformed(format!("it is no YAML: {why}")))?;
    let Some(entries) = whole.as_array() else { return malformed("it is no list of entries") };
    let of_kind = |kind: &str| entries.iter().filter(|entry| entry["entry_type"] == kind).collect::<Vec<_>>();
    let entry = match (of_kind("violation_sequence").as_slice(), of_kind("invariant_set").len()) {
        ([entry], 0) => *entry,
        ([], 0) => return malformed("it has no entry of type violation_sequence"),
        ([], _) => {
            return Err(NotReplayed(
                "a correctness witness cannot be replayed; `check` looks for a proof of its own".to_owned(),
            ));
        }
        _ => return malformed("it has several entries"),
    };
    let metadata = &entry["metadata"];
    let version = metadata["format_version"]
        .as_str()
        .map(str::to_owned)
        .unwrap_or_else(|| metadata["format_version"].to_string());
    if !version.starts_with("2.") {
        return malformed(format!("format_version is {version}, not 2.0"));
    }
    let task = &metadata["task"];
    is_of_program(task, files)?;
    let specification =
        task["specification"].as_str().ok_or_else(|| Malformed("it has no specification".to_owned()))?;
    let properties = parse_prp("specification", specification).map_err(|why| Malformed(why.to_string()))?;
    let data_model = task["data_model"].as_str().unwrap_or_default().to_owned();
    if !["LP64", "ILP32"].contains(&data_model.as_str()) {
        return malformed("data_model is neither LP64 nor ILP32");
    }
    let (returns, target) = waypoints(&entry["content"])?;
    Ok(Witness { properties, data_model, returns, target })
}

/// The files must be those that the witness was made for.
fn is_of_program(task: &Value, files: &[PathBuf]) -> Result<(), Refusal> {
    let names: Vec<&str> =
        task["input_files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if names.is_empty() {
        return malformed("it names no input files");
    }
    if names.len() != files.len() {
        return Err(Wrong(format!("it is about {} files, and {} are given", names.len(), files.len())));
    }
    let mut hashes: Vec<String> = Vec::new();
    for name in &names {
        match task["input_file_hashes"][name].as_str() {
            Some(hash) => hashes.push(hash.to_lowercase()),
            None => return malformed(format!("it has no hash of {name}")),
        }
    }
    let mut given = Vec::new();
    for file in files {
        given.push(hash(file).map_err(|why| Malformed(format!("{} cannot be read: {why}", file.display())))?);
    }
    hashes.sort();
    given.sort();
    match hashes == given {
        true => Ok(()),
        false => Err(Wrong("it was made for other files: their hashes differ".to_owned())),
    }
}

/// The waypoints: any number of values, then the target.
fn waypoints(content: &Value) -> Result<(VecDeque<(Place, u128)>, Place), Refusal> {
    let Some(segments) = content.as_array() else { return malformed("its content is no list of segments") };
    let mut returns = VecDeque::new();
    let mut target = None;
    for (index, item) in segments.iter().enumerate() {
        let Some(points) = item["segment"].as_array() else { return malformed("an element is no segment") };
        let is_last = index + 1 == segments.len();
        for (number, point) in points.iter().enumerate() {
            let point = &point["waypoint"];
            let ends = number + 1 == points.len();
            match (point["action"].as_str(), ends) {
                (Some("follow"), true) => {}
                (Some("avoid"), false) => {
                    return Err(NotReplayed("waypoints to avoid are not replayed".to_owned()));
                }
                _ => return malformed("a segment has waypoints to avoid, and last one to follow"),
            }
            let place = place(&point["location"])?;
            match point["type"].as_str() {
                Some("target") if is_last && point.get("constraint").is_none_or(Value::is_null) => {
                    target = Some(place)
                }
                Some("target") => return malformed("a target stands before the end, or has a constraint"),
                Some("function_return") => returns.push_back((place, result(&point["constraint"])?)),
                Some("function_enter") | Some("branching") | Some("assumption") => {
                    let kind = point["type"].as_str().unwrap_or_default();
                    return Err(NotReplayed(format!("waypoints of type {kind} are not replayed")));
                }
                _ => return malformed("a waypoint has no known type"),
            }
        }
    }
    match target {
        Some(target) => Ok((returns, target)),
        None => malformed("it has no target"),
    }
}

fn place(location: &Value) -> Result<Place, Refusal> {
    let number = |name: &str| location[name].as_u64().and_then(|n| u32::try_from(n).ok());
    let (Some(file), Some(line)) = (location["file_name"].as_str(), number("line")) else {
        return malformed("a location has no file_name or no line");
    };
    let function = location["function"].as_str().map(str::to_owned);
    Ok(Place { file: file.to_owned(), line, column: number("column"), function })
}

/// The integer of `\result == 5`.
fn result(constraint: &Value) -> Result<u128, Refusal> {
    let text =
        constraint["value"].as_str().map(str::to_owned).unwrap_or_else(|| constraint["value"].to_string());
    let unknown =
        || NotReplayed(format!("the constraint `{text}` is not of the form `\\result == CONSTANT`"));
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    let constant = plain.strip_prefix("\\result==").ok_or_else(unknown)?;
    let digits = constant.trim_end_matches(['u', 'U', 'l', 'L']);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, digits),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse::<i128>(),
    };
    match value {
        Ok(value) if digits.starts_with(|c: char| c.is_ascii_digit()) => Ok((sign * value) as u128),
        _ => Err(unknown()),
    }
}

/// Gives the program the values of a witness.
struct Script<'a> {
    program: &'a Program,
    texts: Texts,
    returns: VecDeque<(Place, u128)>,
}

impl Inputs for Script<'_> {
    fn choose(&mut self, request: &Request) -> u128 {
        let free = heapproof_confirm::vector::default_value(request.source, request.width);
        let (Source::Call, Some((wanted, value))) = (request.source, self.returns.front()) else {
            return free;
        };
        let Some(file) = self.program.files.get(request.span.file) else { return free };
        let end =
            self.texts.of(file).and_then(|text| text.end_of_call(request.span.line, request.span.column));
        let here = end.is_some_and(|(line, column)| {
            line == wanted.line
                && wanted.column.is_none_or(|wanted| wanted == column)
                && is_same(file, &wanted.file)
        });
        if !here {
            return free;
        }
        let value = *value;
        self.returns.pop_front();
        value
    }
}

/// Files are given by other paths on other machines; their content was compared.
fn is_same(file: &str, other: &str) -> bool {
    Path::new(file).file_name() == Path::new(other).file_name()
}

/// Executes the program as the witness says; the violation that it is about.
pub fn replay(program: &Program, options: &interp::Options, witness: &Witness) -> Result<Violation, Refusal> {
    let mut script = Script { program, texts: Texts::default(), returns: witness.returns.clone() };
    let run = interp::run(program, options, &mut script);
    if !script.returns.is_empty() {
        let n = script.returns.len();
        return Err(Wrong(format!("the execution does not come to the last {n} of its calls")));
    }
    let first = match &run.outcome {
        Outcome::Violation(first) => first,
        Outcome::Finished { .. } => return Err(Wrong("the execution ends without an error".to_owned())),
        Outcome::Stopped { why, .. } => return Err(NotReplayed(why.to_string())),
    };
    let mut shown: Vec<&Violation> = vec![first];
    shown.extend(&run.further);
    let asked = shown.into_iter().filter(|violation| witness.properties.has(violation.property));
    let all: Vec<&Violation> = asked.collect();
    match all.iter().find(|violation| is_at(&mut script.texts, &violation.location, &witness.target)) {
        Some(violation) => Ok((*violation).clone()),
        None => Err(Wrong(match all.first() {
            Some(other) => format!(
                "the error is at {}:{}, not at line {}",
                other.location.file, other.location.line, witness.target.line
            ),
            None => "the execution has an error of another property".to_owned(),
        })),
    }
}

/// A violation is in the statement that a witness names.
fn is_at(texts: &mut Texts, found: &Location, target: &Place) -> bool {
    let statement = texts.of(&found.file).and_then(|text| text.statement(found.line, found.column));
    let (line, column) = statement.unwrap_or((found.line, found.column));
    let here = (line, Some(column));
    let exactly = (found.line, Some(found.column));
    let wanted = (target.line, target.column.or(Some(column)));
    is_same(&found.file, &target.file)
        && (wanted == here || wanted == exactly || target.column.is_none() && target.line == found.line)
        && target.function.as_ref().is_none_or(|function| *function == found.function)
}
