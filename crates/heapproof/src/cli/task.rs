//! Task definitions of SV-COMP (`.yml`): the files of a program, its data model and its properties.

use super::args::{Execution, Source, TargetName};
use heapproof_verdict::parse_prp;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// No task definition is nearly as large.
const MOST_BYTES: u64 = 1 << 20;

/// Puts what a task definition says in its place on the command line.
pub fn apply(source: &mut Source, execution: &mut Execution) -> Result<(), String> {
    let is_task = |path: &PathBuf| path.extension().is_some_and(|e| e == "yml" || e == "yaml");
    let file = match source.files.as_slice() {
        [file] if is_task(file) => file.clone(),
        files if files.iter().any(is_task) => {
            return Err("a task definition names all files of its program: give it alone".to_owned());
        }
        _ => return Ok(()),
    };
    let wrong = |why: String| format!("{}: {why}", file.display());
    let task = read(&file).map_err(wrong)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let names: Vec<&str> = match &task["input_files"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if names.is_empty() {
        return Err(wrong("it names no input_files".to_owned()));
    }
    source.files = names.iter().map(|name| folder.join(name)).collect();
    match task["options"]["language"].as_str() {
        None | Some("C") => {}
        Some(other) => return Err(wrong(format!("its language is {other}, and only C is understood"))),
    }
    match task["options"]["data_model"].as_str() {
        Some("ILP32") => source.target = TargetName::Ilp32,
        Some("LP64") => source.target = TargetName::Lp64,
        Some(other) => return Err(wrong(format!("the data model {other} is not known"))),
        None => {}
    }
    if execution.property.is_none() {
        execution.property = Some(property(&task, folder).map_err(wrong)?);
    }
    Ok(())
}

fn read(file: &Path) -> Result<Value, String> {
    let about = std::fs::metadata(file).map_err(|why| why.to_string())?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err("it is no file, or larger than 1 MiB".to_owned());
    }
    let text = std::fs::read_to_string(file).map_err(|why| why.to_string())?;
    serde_norway::from_str(&text).map_err(|why| format!("it is no task definition: {why}"))
}

/// The only property file of the task that can be checked.
fn property(task: &Value, folder: &Path) -> Result<String, String> {
    let files = task["properties"].as_array().into_iter().flatten();
    let files = files.filter_map(|property| property["property_file"].as_str());
    let all: Vec<PathBuf> = files.map(|name| folder.join(name)).collect();
    let is_known =
        |path: &&PathBuf| std::fs::read_to_string(path).is_ok_and(|text| parse_prp("task", &text).is_ok());
    let known: Vec<&PathBuf> = all.iter().filter(is_known).collect();
    match known.as_slice() {
        // What does not contain `/` would be taken for the name of a property.
        [path] => {
            Ok(format!("{}{}", if path.parent() == Some(Path::new("")) { "./" } else { "" }, path.display()))
        }
        [] => Err("none of its properties can be checked; --property names one".to_owned()),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(format!("it has several properties: choose one with --property ({})", names.join(", ")))
        }
    }
}
