//! Memory that processes use, where the system tells.

use std::fs;

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
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}
