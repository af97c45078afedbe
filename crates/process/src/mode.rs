//! Our own program in another process: `heapproof --child MODE PARENT MEMORY MILLISECONDS ARGUMENT…`.

use crate::limited::{EXEC, SUPERVISE, exec, supervise};
use crate::limits::{Limits, address_space};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, getpgrp, getppid};
use signal_hook::consts::{SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, exit};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// The first argument of a child.
const CHILD: &str = "--child";
/// The mode that is the program itself.
const MAIN: &str = "main";
/// The exit status of a child that could not begin.
const NOT_BEGUN: i32 = 126;

/// The file of the running program, once it is known to have modes.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Work that is done in a process of its own.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Its name.
    pub name: &'static str,
    /// The work, with the arguments of the mode. The limits are set, and the process and all that it starts end when
    /// its parent ends.
    pub run: fn(Vec<OsString>) -> ExitCode,
}

/// What the program was started for.
#[derive(Debug)]
pub enum Entered {
    /// For its own work, with these arguments (the first is its name).
    Main(Vec<OsString>),
    /// For something that is done now.
    Done(ExitCode),
}

/// What a child was told.
pub(crate) struct Child {
    parent: Pid,
    pub(crate) limits: Limits,
    pub(crate) arguments: Vec<OsString>,
}

impl Child {
    fn parse(arguments: &[OsString]) -> Option<Child> {
        let [parent, memory, milliseconds, rest @ ..] = arguments else { return None };
        Some(Child {
            parent: Pid::from_raw(parent.to_str()?.parse().ok()?),
            limits: Limits::parse(memory.to_str()?, milliseconds.to_str()?)?,
            arguments: rest.to_vec(),
        })
    }

    /// When the parent ends, or this process is asked to end, so does its whole group; at once if the parent ended
    /// already.
    pub(crate) fn end_with_parent(&self) {
        let group = getpgrp();
        // A group that is not ours alone must not be killed.
        let own = group == Pid::this();
        let watched = Signals::new([SIGTERM]).and_then(|mut signals| {
            let end = move || {
                signals.forever().next();
                if own {
                    let _ = killpg(group, Signal::SIGKILL);
                }
                exit(128 + SIGTERM)
            };
            std::thread::Builder::new().name("end with parent".to_owned()).stack_size(64 << 10).spawn(end)
        });
        if let Err(why) = watched {
            eprintln!("heapproof: cannot start a process with its limits: {why}");
            exit(NOT_BEGUN);
        }
        self.on_death_of_parent(Signal::SIGTERM);
    }

    /// True once the parent ended or this process is asked to end.
    pub(crate) fn told_to_end_with_parent(&self) -> Arc<AtomicBool> {
        let told = Arc::default();
        if signal_hook::flag::register(SIGTERM, Arc::clone(&told)).is_err() {
            exit(NOT_BEGUN);
        }
        self.on_death_of_parent(Signal::SIGTERM);
        told
    }

    /// When the parent ends, this process is killed, also after it became another program.
    pub(crate) fn killed_with_parent(&self) {
        self.on_death_of_parent(Signal::SIGKILL);
    }

    fn on_death_of_parent(&self, signal: Signal) {
        let set = set_pdeathsig(signal);
        // The parent may have ended before.
        if set.is_err() || getppid() != self.parent {
            exit(NOT_BEGUN);
        }
    }
}

/// Finds out what the program was started for, and does it if it is one of the modes. To be called first.
pub fn enter(modes: &[Mode]) -> Entered {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // In the child this names the program that started it, even if its file was replaced meanwhile.
    let itself = Path::new("/proc/self/exe");
    let program = if itself.exists() { Some(itself.to_owned()) } else { std::env::current_exe().ok() };
    if let Some(program) = program {
        let _ = PROGRAM.set(program);
    }
    // A file that would become larger than the system allows is an error where it is written, not our end.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    match arguments.split_first() {
        Some((_, [word, mode, rest @ ..])) if word == CHILD => child(mode, rest, modes),
        _ if address_space().is_some() => guarded(arguments),
        _ => Entered::Main(arguments),
    }
}

fn child(mode: &OsString, rest: &[OsString], modes: &[Mode]) -> Entered {
    let Some(child) = Child::parse(rest) else {
        eprintln!("heapproof: {CHILD} is for heapproof itself");
        return Entered::Done(ExitCode::from(2));
    };
    if mode == SUPERVISE {
        return Entered::Done(supervise(child));
    }
    if mode == EXEC {
        return Entered::Done(exec(child));
    }
    if mode == MAIN {
        child.on_death_of_parent(Signal::SIGTERM);
        return Entered::Main(child.arguments);
    }
    match modes.iter().find(|known| mode == known.name) {
        Some(known) => {
            child.end_with_parent();
            child.limits.impose();
            Entered::Done((known.run)(child.arguments))
        }
        None => Entered::Done(ExitCode::from(2)),
    }
}

/// A command that runs a mode of this program within the limits of the system; nothing if there are no modes.
pub fn ourselves(mode: &str, limits: Limits) -> Option<Command> {
    let program = PROGRAM.get()?;
    let mut command = Command::new(program);
    command.arg0("heapproof").args([CHILD, mode]).arg(Pid::this().to_string()).args(limits.arguments());
    Some(command)
}

/// Where the system limits the address space, an allocation may fail at any place, and that is our end. So the work is
/// done by another process, and this one can still say what happened.
fn guarded(arguments: Vec<OsString>) -> Entered {
    let Some(mut command) = ourselves(MAIN, Limits::default()) else { return Entered::Main(arguments) };
    let Ok(status) = command.args(&arguments).status() else { return Entered::Main(arguments) };
    let code = match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, signal) => {
            let mib = address_space().unwrap_or(0) >> 20;
            eprintln!(
                "heapproof: error: the work was ended by signal {}: the system allows a process only {mib} MiB of \
                 address space (ulimit -v)",
                signal.unwrap_or(0)
            );
            2
        }
    };
    Entered::Done(ExitCode::from(code))
}
