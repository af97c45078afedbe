//! A child that leads a process group of its own, which ends as a whole.

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

/// A child with all that it starts. Dropping it ends them.
#[derive(Debug)]
pub struct Group {
    child: Child,
    reaped: bool,
}

impl Group {
    /// Starts the child as the leader of a new process group.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        let child = command.process_group(0).spawn()?;
        Ok(Group { child, reaped: false })
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The bytes of memory that the child and all that it started use now.
    pub fn bytes(&self) -> u64 {
        crate::tree_bytes(self.child.id())
    }

    /// True if the child has ended. It stays a zombie, so that its number is not given to another.
    pub fn has_ended(&self) -> bool {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        !matches!(waitid(Id::Pid(self.pid()), flags), Ok(WaitStatus::StillAlive))
    }

    /// Ends the child and all that it started, and says how the child ended.
    pub fn end(mut self) -> io::Result<ExitStatus> {
        self.kill_and_reap()
    }

    fn kill_and_reap(&mut self) -> io::Result<ExitStatus> {
        // Not reaped yet, so the number still means this group; a leader that ended by itself keeps its status.
        let _ = killpg(self.pid(), Signal::SIGKILL);
        self.reaped = true;
        self.child.wait()
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.kill_and_reap();
        }
    }
}
