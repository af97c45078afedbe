//! Memory that processes use, where the system tells.

use nix::unistd::{SysconfVar, sysconf};
use std::fs;
use std::sync::OnceLock;

/// The bytes of memory that a process and everything that it started use now.
pub fn tree_bytes(process: u32) -> u64 {
    let mut sum = 0;
    let mut waiting = vec![process];
    while let Some(process) = waiting.pop() {
        sum += resident_bytes(process).unwrap_or(0);
        waiting.extend(children(process));
    }
    sum
}

fn resident_bytes(process: u32) -> Option<u64> {
    // Much cheaper for the system than `status`, and this is asked often.
    let pages = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let resident: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(resident * page_bytes())
}

fn page_bytes() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| match sysconf(SysconfVar::PAGE_SIZE) {
        Ok(Some(bytes)) => bytes as u64,
        _ => 4096,
    })
}

fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}
