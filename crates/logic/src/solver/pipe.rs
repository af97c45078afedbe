//! A process that answers over pipes: with a limit of time for every exchange and of size for every answer.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A longer answer is a flood.
const LONGEST_ANSWER: usize = 64 << 20;

/// Why an exchange failed.
#[derive(Debug)]
pub(super) enum Broken {
    /// The process ended.
    Died(String),
    /// The time is over.
    Silent,
    /// The answer has no end.
    Flood,
    /// The answer is no text.
    NoText,
}

/// A running process.
#[derive(Debug)]
pub(super) struct Pipe {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    count: u64,
}

impl Pipe {
    pub fn start(mut command: Command) -> std::io::Result<Pipe> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let input = child.stdin.take().expect("the input is a pipe");
        let output = child.stdout.take().expect("the output is a pipe");
        // Writing must not wait for a process that does not read.
        rustix::io::ioctl_fionbio(&input, true)?;
        Ok(Pipe { child, input, output, count: 0 })
    }

    /// Sends commands and gives the answers to them. An echo tells where they end.
    pub fn exchange(&mut self, commands: &str, deadline: Instant) -> Result<String, Broken> {
        self.count += 1;
        let token = format!("heapproof-{}", self.count);
        let text = format!("{commands}(echo \"{token}\")\n");
        let mut unsent = text.as_bytes();
        let mut answer: Vec<u8> = Vec::new();
        loop {
            if let Some(end) = end_of(&answer, &token) {
                answer.truncate(end);
                return String::from_utf8(answer).map_err(|_| Broken::NoText);
            }
            if answer.len() > LONGEST_ANSWER {
                return Err(Broken::Flood);
            }
            let (can_read, can_write) = self.wait(!unsent.is_empty(), deadline)?;
            if can_write {
                match self.input.write(unsent) {
                    Ok(count) => unsent = &unsent[count..],
                    Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                    // It may have said why before it ended.
                    Err(_) => unsent = &[],
                }
            }
            if can_read {
                let start = answer.len();
                answer.resize(start + (1 << 16), 0);
                match self.output.read(&mut answer[start..]) {
                    Ok(0) => {
                        answer.truncate(start);
                        let last = String::from_utf8_lossy(&answer).into_owned();
                        return Err(self.ended(&last));
                    }
                    Ok(count) => answer.truncate(start + count),
                    Err(why) if why.kind() == ErrorKind::Interrupted => answer.truncate(start),
                    Err(_) => return Err(self.ended("")),
                }
            }
        }
    }

    /// Waits until the process can be read or written.
    fn wait(&self, wants_write: bool, deadline: Instant) -> Result<(bool, bool), Broken> {
        let mut fds = vec![PollFd::new(&self.output, PollFlags::IN)];
        if wants_write {
            fds.push(PollFd::new(&self.input, PollFlags::OUT));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Broken::Silent);
        }
        let left =
            Timespec { tv_sec: left.as_secs().min(1 << 30) as i64, tv_nsec: left.subsec_nanos().into() };
        match poll(&mut fds, Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Err(Broken::Died(String::new())),
        }
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        Ok((ready(0), ready(1)))
    }

    /// How the process ended, with its last words.
    fn ended(&mut self, last: &str) -> Broken {
        // The pipe is closed, so the end is near; a process that only closed it is ended.
        let patience = Instant::now() + Duration::from_millis(200);
        let mut status = self.child.try_wait();
        while matches!(status, Ok(None)) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(2));
            status = self.child.try_wait();
        }
        let how = match status {
            Ok(Some(status)) => match (status.code(), status.signal()) {
                (Some(code), _) => format!(" with status {code}"),
                (None, Some(signal)) => format!(" by signal {signal}"),
                _ => String::new(),
            },
            _ => String::new(),
        };
        let last: String = last.trim().chars().take(200).collect();
        Broken::Died(if last.is_empty() { how } else { format!("{how}: {last}") })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the line with the token begins, once it is complete.
fn end_of(answer: &[u8], token: &str) -> Option<usize> {
    // Some solvers echo a text with its quotes.
    let line = answer.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_suffix(b"\"").unwrap_or(line);
    let rest = line.strip_suffix(token.as_bytes())?;
    let rest = rest.strip_suffix(b"\"").unwrap_or(rest);
    (rest.is_empty() || rest.ends_with(b"\n")).then_some(rest.len())
}

/// The beginning of what a command writes, if it comes in time.
pub(super) fn first_words(mut command: Command, patience: Duration) -> Option<String> {
    let mut child = command.spawn().ok()?;
    let mut output = child.stdout.take()?;
    let time = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
    let is_ready = poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&time)).is_ok_and(|count| count > 0);
    let mut words = [0; 256];
    let count = if is_ready { output.read(&mut words).ok() } else { None };
    let _ = child.kill();
    let _ = child.wait();
    count.map(|count| String::from_utf8_lossy(&words[..count]).into_owned())
}
