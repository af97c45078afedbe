//! `heapproof man` and `heapproof completions`: made from what the command line is.

use super::Status;
use super::args::{Cli, Completions, Man};
use super::output::{complain, out};
use clap::{Command, CommandFactory};

/// Prints what a shell needs to complete our command lines.
pub fn completions(args: &Completions) -> Status {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "heapproof", &mut text);
    if out(&text) { Status::Safe } else { Status::WrongUse }
}

/// Prints the manual page, or writes those of all commands to a folder.
pub fn man(args: &Man) -> Status {
    let written = match &args.output {
        None => {
            let mut text = Vec::new();
            let made = clap_mangen::Man::new(Cli::command()).render(&mut text);
            return match made {
                Ok(()) if out(&text) => Status::Safe,
                _ => Status::WrongUse,
            };
        }
        Some(folder) => std::fs::create_dir_all(folder).and_then(|()| {
            let mut whole = Cli::command();
            whole.build();
            page(folder, &whole, "heapproof")?;
            let commands: Vec<&Command> =
                whole.get_subcommands().filter(|c| c.get_name() != "help").collect();
            commands
                .into_iter()
                .try_for_each(|command| page(folder, command, &format!("heapproof-{}", command.get_name())))
        }),
    };
    match written {
        Ok(()) => Status::Safe,
        Err(why) => {
            complain(format_args!("cannot write the manual: {why}"));
            Status::WrongUse
        }
    }
}

fn page(folder: &std::path::Path, command: &Command, name: &str) -> std::io::Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name.to_uppercase()).render(&mut text)?;
    std::fs::write(folder.join(format!("{name}.1")), text)
}
