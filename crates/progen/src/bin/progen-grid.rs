//! Walks the grid of ordinary C: each point natively and by `heapproof run`.

use clap::Parser;
use heapproof_progen::grid::{Batch, Selection, batches, native};
use heapproof_progen::heapproof::Numbers;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Compare `heapproof run` with native programs on every type in every position.
#[derive(Parser)]
#[command(name = "progen-grid")]
struct Arguments {
    /// The heapproof executable; without it only the compilers are compared.
    #[arg(long, value_name = "PATH")]
    heapproof: Option<PathBuf>,
    /// The data model with 32 bits.
    #[arg(long)]
    ilp32: bool,
    /// Only every N-th point.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Only points whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Where to put the programs.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match walk(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("progen-grid: {error}");
            ExitCode::from(2)
        }
    }
}

#[derive(Default)]
struct Count {
    points: usize,
    right: usize,
    compilers_differ: usize,
    wrong: usize,
    stopped: usize,
}

fn walk(arguments: &Arguments) -> Result<bool, String> {
    let folder = match &arguments.keep {
        Some(folder) => folder.clone(),
        None => std::env::temp_dir().join(format!("progen-grid-{}", std::process::id())),
    };
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let selection = Selection { ilp32: arguments.ilp32, every: arguments.every, types: 12 };
    let mut count = Count::default();
    for batch in batches(selection) {
        one(arguments, &batch, &folder, &mut count)?;
    }
    if arguments.keep.is_none() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    println!(
        "{} points: {} right, {} wrong, {} stopped; the compilers differ at {}",
        count.points, count.right, count.wrong, count.stopped, count.compilers_differ
    );
    Ok(count.wrong == 0 && count.compilers_differ == 0)
}

fn one(arguments: &Arguments, batch: &Batch, folder: &Path, count: &mut Count) -> Result<(), String> {
    let wanted: Vec<bool> = batch
        .points
        .iter()
        .map(|point| arguments.only.as_ref().is_none_or(|text| point.name.contains(text)))
        .collect();
    if !wanted.contains(&true) {
        return Ok(());
    }
    let files = native::write(batch, folder).map_err(|error| error.to_string())?;
    let truth = native::numbers(&native::clang(arguments.ilp32), &files, batch.points.len())?;
    let second = match batch.gcc {
        true => native::numbers(&native::gcc(arguments.ilp32), &files, batch.points.len())?,
        false => truth.clone(),
    };
    let ours = match &arguments.heapproof {
        None => None,
        Some(tool) => Some(
            Numbers { tool, files: &files, ilp32: arguments.ilp32, limit: Duration::from_secs(120) }
                .of(&wanted)?,
        ),
    };
    let file = &batch.files[0].0;
    for (index, point) in batch.points.iter().enumerate().filter(|(index, _)| wanted[*index]) {
        count.points += 1;
        let place = format!("{file} {index} ({})", point.name);
        if truth[index] != second[index] {
            count.compilers_differ += 1;
            println!("{place}: clang computes {}, gcc {}", truth[index], second[index]);
        }
        match ours.as_ref().map(|all| &all[index]) {
            None => {}
            Some(Ok(number)) if *number == truth[index] => count.right += 1,
            Some(Ok(number)) => {
                count.wrong += 1;
                println!("{place}: WRONG {number}, clang {}", truth[index]);
            }
            Some(Err(why)) if why.starts_with("stopped") => {
                count.stopped += 1;
                println!("{place}: {why}");
            }
            Some(Err(why)) => {
                count.wrong += 1;
                println!("{place}: WRONG {why}");
            }
        }
    }
    Ok(())
}
