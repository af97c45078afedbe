//! Starts the program; one that hangs is ended, however slow the machine is.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program that was to end within some seconds hangs if it is not done after so many times that: machines differ, and
/// tests run side by side.
const PATIENCE: f64 = 30.0;

/// What the program did.
#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    /// Fails unless the program ended with this status and all of these words are in its messages.
    #[track_caller]
    pub fn expect(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, Some(status), "{self:#?}");
        for word in words {
            assert!(
                self.stdout.contains(word) || self.stderr.contains(word),
                "`{word}` is missing: {self:#?}"
            );
        }
        assert!(!self.stderr.contains("panicked") && !self.stderr.contains("internal error"), "{self:#?}");
    }

    /// The standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// A folder with files in which the program is started.
pub struct Desk {
    folder: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    /// With one file `a.c`.
    pub fn with(source: impl AsRef<[u8]>) -> Self {
        let desk = Desk::new();
        desk.file("a.c", source);
        desk
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the program with arguments separated by blanks.
    pub fn run(&self, args: &str) -> Output {
        self.start(&args.split_whitespace().collect::<Vec<_>>(), &[], 60.0)
    }

    /// The same; it hangs if it needs many times the seconds.
    pub fn run_within(&self, seconds: f64, args: &str) -> Output {
        self.start(&args.split_whitespace().collect::<Vec<_>>(), &[], seconds)
    }

    /// Runs a line of the shell in the folder; `$heapproof` is the program.
    #[track_caller]
    pub fn shell(&self, line: &str) -> Output {
        let output = Command::new("bash")
            .args(["-c", line])
            .env("heapproof", env!("CARGO_BIN_EXE_heapproof"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Output { status: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    #[track_caller]
    pub fn start(&self, args: &[&str], environment: &[(&str, &str)], seconds: f64) -> Output {
        let (out, err) = (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
        let to = |path: &Path| Stdio::from(File::create(path).unwrap());
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_heapproof"))
            .args(args)
            .envs(environment.iter().copied())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(to(out.path()))
            .stderr(to(err.path()))
            .spawn()
            .unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if started.elapsed() > Duration::from_secs_f64(seconds * PATIENCE) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{args:?} hangs: it did not end within {PATIENCE} times {seconds} s");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        Output { status: status.code(), stdout: text(out.path()), stderr: text(err.path()) }
    }
}
