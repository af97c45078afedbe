//! Limits on time and memory: the work runs in a thread of its own, the main thread watches.

use crate::progress::Progress;
use heapproof_process::stack_bytes;
use indicatif::{ProgressBar, ProgressStyle};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The worker's stack: deep recursion in a program must not become one of ours.
const STACK_BYTES: usize = 256 << 20;
/// How long the worker may go on after the deadline to answer by itself.
const GRACE: Duration = Duration::from_millis(300);
/// How often the main thread looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// What the work may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the work has to be done.
    pub deadline: Option<Instant>,
    /// The most bytes of memory.
    pub memory: u64,
}

/// How the work ended.
#[derive(Debug)]
pub enum Ended<T> {
    /// With a result.
    Done(T),
    /// Not at all: the system gives no thread.
    NotStarted(String),
    /// With an internal error; the message went to standard error already.
    Panicked,
    /// The time is over; the worker still runs, so the process should end.
    OutOfTime,
    /// The memory is used up; the worker still runs, so the process should end.
    OutOfMemory,
}

/// Does the work within the limits and shows how it goes.
pub fn supervise<T: Send + 'static>(
    limits: Limits,
    progress: &Progress,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    let (sender, receiver) = channel();
    let worker = thread::Builder::new().name("worker".to_owned()).stack_size(stack_bytes(STACK_BYTES)).spawn(
        move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            let _ = sender.send(result.ok());
        },
    );
    if let Err(why) = worker {
        let mib = stack_bytes(STACK_BYTES) >> 20;
        return Ended::NotStarted(format!("cannot start a thread with a stack of {mib} MiB: {why}"));
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let ended = loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(Some(value)) => break Ended::Done(value),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => break Ended::Panicked,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline + GRACE) {
            break Ended::OutOfTime;
        }
        if resident_bytes().is_some_and(|bytes| bytes > limits.memory) {
            break Ended::OutOfMemory;
        }
        bar.set_message(progress.summary());
        bar.tick();
    };
    bar.finish_and_clear();
    ended
}

/// Does something that may block, such as to open a pipe; gives nothing if it takes longer than until the deadline.
/// A little time is always left.
pub fn within<T: Send + 'static>(
    deadline: Option<Instant>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    thread::Builder::new().name("input and output".to_owned()).spawn(move || sender.send(work())).ok()?;
    match deadline {
        Some(deadline) => {
            receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()).max(GRACE)).ok()
        }
        None => receiver.recv().ok(),
    }
}

/// Memory that this process uses, where the system tells.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: f64) -> Limits {
        Limits { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), memory: u64::MAX }
    }

    #[test]
    fn work_that_ends_gives_its_result() {
        assert!(matches!(supervise(limits(60.0), &Progress::new(), || 7), Ended::Done(7)));
    }

    #[test]
    fn work_that_does_not_end_is_left() {
        let ended = supervise(limits(0.05), &Progress::new(), || {
            loop {
                thread::park();
            }
        });
        assert!(matches!(ended, Ended::OutOfTime::<()>));
    }

    #[test]
    fn memory_is_watched() {
        let limits = Limits { memory: 1, ..limits(60.0) };
        let ended = supervise(limits, &Progress::new(), || {
            loop {
                thread::park();
            }
        });
        assert!(matches!(ended, Ended::OutOfMemory::<()>));
    }

    #[test]
    fn a_panic_is_caught() {
        let ended = supervise(limits(60.0), &Progress::new(), || panic!("on purpose"));
        assert!(matches!(ended, Ended::Panicked::<()>));
    }
}
