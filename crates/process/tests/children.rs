//! Children within limits. Without the usual harness: this program has to be able to start itself in a mode.

use heapproof_process::{
    Entered, Group, Limit, Limits, Mode, enter, find, limit_reached, limited, ourselves, tree_bytes,
};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let echo = Mode { name: "echo", run: echo };
    let arguments = match enter(&[echo]) {
        Entered::Main(arguments) => arguments,
        Entered::Done(status) => return status,
    };
    if arguments.get(1).is_some_and(|word| word == "parent") {
        parent();
        return ExitCode::SUCCESS;
    }
    ends_as_the_program_ends();
    ends_at_the_deadline();
    ends_with_too_much_memory();
    programs_that_do_not_exist();
    modes_of_our_own();
    groups_end_as_a_whole();
    children_end_with_their_parent();
    println!("children: all well");
    ExitCode::SUCCESS
}

/// A mode that says what it hears.
fn echo(_: Vec<std::ffi::OsString>) -> ExitCode {
    std::io::copy(&mut std::io::stdin(), &mut std::io::stdout())
        .map_or(ExitCode::FAILURE, |_| ExitCode::SUCCESS)
}

fn seconds(seconds: f64) -> Limits {
    Limits { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), memory: None }
}

fn ends_as_the_program_ends() {
    let mut command = limited("sh", seconds(600.0)).unwrap();
    let output = command.args(["-c", "echo said; exit 7"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(7), &b"said\n"[..]));
    assert_eq!(limit_reached(output.status), None);
}

fn ends_at_the_deadline() {
    let status = limited("sleep", seconds(0.2)).unwrap().arg("600").status().unwrap();
    assert_eq!(limit_reached(status), Some(Limit::Time));
}

fn ends_with_too_much_memory() {
    let limits = Limits { memory: Some(48 << 20), ..seconds(600.0) };
    // It keeps the last line, which never ends.
    let mut command = limited("tail", limits).unwrap();
    let status = command.arg("/dev/zero").stderr(Stdio::null()).status().unwrap();
    assert_eq!(limit_reached(status), Some(Limit::Memory));
    assert!(tree_bytes(std::process::id()) > 0);
}

fn programs_that_do_not_exist() {
    assert!(limited("no-such-program", Limits::default()).is_err());
    assert!(limited("./no-such-program", Limits::default()).is_err());
    let text = tempfile::NamedTempFile::new().unwrap();
    assert!(limited(text.path(), Limits::default()).is_err());
    assert!(find("sh".as_ref()).unwrap().is_absolute());
}

fn modes_of_our_own() {
    let mut command = ourselves("echo", seconds(600.0)).unwrap();
    let mut group = Group::start(command.stdin(Stdio::piped()).stdout(Stdio::piped())).unwrap();
    drop(group.child().stdin.take());
    let mut text = String::new();
    group.child().stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "");
    wait_until("the mode ends", || group.has_ended());
    assert!(group.end().unwrap().success());
    let status = ourselves("no-such-mode", Limits::default()).unwrap().status().unwrap();
    assert!(!status.success());
}

fn groups_end_as_a_whole() {
    let mut command = Command::new("sh");
    command.args(["-c", "sleep 600 >/dev/null & echo $!; exec >/dev/null; wait"]).stdout(Stdio::piped());
    let mut group = Group::start(&mut command).unwrap();
    let mut text = String::new();
    group.child().stdout.take().unwrap().read_to_string(&mut text).unwrap_or_default();
    let grandchild = text.trim().to_owned();
    assert!(!group.has_ended());
    drop(group);
    wait_until("the grandchild ends", || !runs(&grandchild));
}

/// Starts a program within limits and waits for ever.
fn parent() {
    let mut command = limited("sh", seconds(600.0)).unwrap();
    let _ = command.args(["-c", "sleep 600 & echo $!; echo $$; wait"]).status();
}

fn children_end_with_their_parent() {
    for signal in ["-TERM", "-KILL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("processes");
        let out = fs::File::create(&path).unwrap();
        let itself = std::env::current_exe().unwrap();
        let mut parent = Command::new(itself).arg("parent").stdout(out).spawn().unwrap();
        wait_until("the children start", || processes(&path).len() == 2);
        Command::new("kill").args([signal, &parent.id().to_string()]).status().unwrap();
        parent.wait().unwrap();
        let all = processes(&path);
        wait_until("the program ends", || !all.iter().any(|process| runs(process)));
    }
}

fn processes(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn runs(process: &str) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
        Err(_) => false,
    }
}

#[track_caller]
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
