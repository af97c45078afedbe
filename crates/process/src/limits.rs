//! What a child may use, and how a process sets that on itself.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// What a child may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The most bytes of memory, of all its processes together.
    pub memory: Option<u64>,
    /// When it has to be done.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limits as the first arguments of a mode: bytes and milliseconds, `-` where there is none.
    pub(crate) fn arguments(&self) -> [OsString; 2] {
        let word = |number: Option<u64>| number.map_or("-".into(), |n| n.to_string().into());
        [word(self.memory), word(self.left().map(|left| left.as_millis() as u64))]
    }

    /// Reads what [`arguments`](Self::arguments) wrote.
    pub(crate) fn parse(memory: &str, milliseconds: &str) -> Option<Limits> {
        let number = |word: &str| if word == "-" { Some(None) } else { word.parse::<u64>().ok().map(Some) };
        let left = number(milliseconds)?.map(Duration::from_millis);
        let deadline = left.and_then(|left| Instant::now().checked_add(left));
        Some(Limits { memory: number(memory)?, deadline })
    }

    /// Sets limits of the system on this process and all that it starts. They lie above those that are watched, so
    /// that the watch, which can say what happened, comes first.
    pub(crate) fn impose(&self) {
        const MORE_BYTES: u64 = 256 << 20;
        const MORE_SECONDS: u64 = 5;
        if let Some(memory) = self.memory {
            lower(Resource::RLIMIT_DATA, memory.saturating_mul(2).saturating_add(MORE_BYTES));
        }
        if let Some(left) = self.left() {
            // A process that nobody watches any more still ends.
            lower(Resource::RLIMIT_CPU, left.as_secs().saturating_mul(2).saturating_add(MORE_SECONDS));
        }
        lower(Resource::RLIMIT_CORE, 0);
    }
}

/// Lowers a limit; one that is lower already stays.
fn lower(resource: Resource, to: u64) {
    if let Ok((soft, hard)) = getrlimit(resource) {
        let to = to.min(soft).min(hard);
        // Where this fails, the watch is left.
        let _ = setrlimit(resource, to, hard);
    }
}

/// The stack that a thread gets: what is wanted, or less where the system limits the address space.
pub fn stack_bytes(wanted: usize) -> usize {
    const PART: u64 = 4;
    address_space().map_or(wanted, |all| wanted.min((all / PART) as usize))
}

/// The bytes of address space that the system allows this process, if it limits them (`ulimit -v`).
pub fn address_space() -> Option<u64> {
    let (soft, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    (soft != RLIM_INFINITY).then_some(soft)
}
