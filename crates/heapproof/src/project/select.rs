//! Which units are looked at: `--only`, `--changed-since`, `--shard`.

use super::run::Job;
use super::scan::Scan;
use crate::cli::args::ProjectArgs;
use globset::GlobSet;
use heapproof_project::config::patterns;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What was asked for.
#[derive(Debug)]
pub struct Selection {
    only: Option<GlobSet>,
    changed: Option<BTreeSet<PathBuf>>,
    said: Vec<String>,
    /// This part of how many.
    pub shard: Option<(u32, u32)>,
}

impl Selection {
    /// Reads the options, and asks git.
    pub fn new(args: &ProjectArgs, root: &Path) -> Result<Selection, String> {
        let mut said = Vec::new();
        let only = match args.only.as_slice() {
            [] => None,
            texts => {
                said.push(format!("--only {}", texts.join(" --only ")));
                Some(patterns(texts)?)
            }
        };
        let changed = match &args.changed_since {
            None => None,
            Some(revision) => {
                said.push(format!("--changed-since {revision}"));
                Some(changed_files(root, revision)?)
            }
        };
        let shard = args.shard.as_deref().map(shard).transpose()?;
        Ok(Selection { only, changed, said, shard })
    }

    /// The units that are asked for.
    pub fn select(&self, jobs: Vec<Job>, scan: &Scan, root: &Path) -> Result<Vec<Job>, String> {
        let is_named = |job: &Job| {
            self.only.as_ref().is_none_or(|only| {
                only.is_match(&job.name) || job.files.iter().any(|file| only.is_match(file))
            })
        };
        let is_changed = |job: &Job| {
            self.changed.as_ref().is_none_or(|changed| {
                let mut manifests = job.members.iter().map(|member| scan.files[*member].manifest.as_ref());
                // What it depends on is not always known.
                manifests.any(|manifest| {
                    manifest.is_none_or(|manifest| {
                        manifest
                            .files(root)
                            .any(|file| file.canonicalize().is_ok_and(|file| changed.contains(&file)))
                    })
                })
            })
        };
        let none = jobs.is_empty();
        let left: Vec<Job> = jobs.into_iter().filter(|job| is_named(job) && is_changed(job)).collect();
        if left.is_empty() && !none && self.only.is_some() && self.changed.is_none() {
            return Err(format!("no unit fits {}", self.said.join(" ")));
        }
        Ok(left)
    }

    /// The units of this shard, and how many others there are. A unit's shard depends on its name alone.
    pub fn shard(&self, jobs: Vec<Job>) -> (Vec<Job>, usize) {
        let Some((number, of)) = self.shard else { return (jobs, 0) };
        let is_mine = |job: &Job| {
            let hash = blake3::hash(job.name.as_bytes());
            let [a, b, c, d, ..] = *hash.as_bytes();
            u32::from_le_bytes([a, b, c, d]) % of == number - 1
        };
        let (mine, others): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(is_mine);
        (mine, others.len())
    }

    /// What was left out, in words.
    pub fn words(&self, selected: u64, all: u64) -> Option<String> {
        (!self.said.is_empty()).then(|| format!("{} ({selected} of {all} units)", self.said.join(" ")))
    }
}

/// `K/N`.
fn shard(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok((number, of)),
        _ => Err(format!("`--shard {text}`: K/N is needed, with K from 1 to N")),
    }
}

/// The files that differ from a revision, those that git does not know included.
fn changed_files(root: &Path, revision: &str) -> Result<BTreeSet<PathBuf>, String> {
    if revision.starts_with('-') {
        return Err(format!("`{revision}` is no revision"));
    }
    let git = |words: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(words).output();
        let output = output.map_err(|why| format!("cannot start git: {why}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim())),
        }
    };
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
    let changed = git(&["diff", "--name-only", "-z", revision, "--"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard", "-z", "--full-name"])?;
    let names = changed.split('\0').chain(new.split('\0')).filter(|name| !name.is_empty());
    Ok(names.map(|name| top.join(name)).map(|path| path.canonicalize().unwrap_or(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbers() {
        assert_eq!(shard("2/3"), Ok((2, 3)));
        for text in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(shard(text).is_err(), "{text}");
        }
    }
}
