//! `heapproof chr`: constraint handling rules from a file on goals from another.

use super::Status;
use super::args::Chr;
use super::output::{complain, out};
use heapproof_chr::{Answer, Options, Solver, SyntaxError, parse};
use std::path::Path;

/// Solves all goals, one line of output each.
pub fn main(args: &Chr) -> Status {
    match solve_all(args) {
        Ok(status) => status,
        Err(message) => {
            complain(format_args!("{message}"));
            Status::WrongUse
        }
    }
}

fn solve_all(args: &Chr) -> Result<Status, String> {
    let in_rules = |e: SyntaxError| format!("{}:{e}", args.rules.display());
    let in_goals = |e: SyntaxError| format!("{}:{e}", args.goals.display());
    let rules = parse::rules(&read(&args.rules)?).map_err(in_rules)?;
    let options = Options { steps: args.steps, ..Options::default() };
    let mut solver = Solver::new(&rules, options).map_err(in_rules)?;
    let mut status = Status::Safe;
    for goal in parse::goals(&read(&args.goals)?).map_err(in_goals)? {
        let answer = solver.solve(&goal).map_err(in_goals)?;
        if answer != Answer::Unsat {
            status = Status::Unknown;
        }
        if !out(format!("{}:{}: {answer}\n", args.goals.display(), goal.at).as_bytes()) {
            return Ok(Status::WrongUse);
        }
    }
    Ok(status)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
