//! The command line as clap sees it.

use crate::at_exit::LeaksAtExit;
use crate::engines::ENGINES;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use heapproof_frontend::FileOptions;
use std::path::PathBuf;

const COMPILER_OPTIONS: &str = "\
C compiler options, in the usual spelling:
  -I DIR, -isystem DIR, -D NAME[=VALUE], -U NAME, -include FILE, -std=STD, -m32, -m64, -W…, -f…
  -O…, -g…, -c, -l… and the like mean nothing here and are left out
  -- ARGS…    the rest of a compiler's command line; there -o is the compiler's";

const EXIT_STATUS: &str =
    "Exit status: 0 safe, 1 unsafe, 2 wrong use or input that does not compile, 3 unknown.";

const IR_EXIT_STATUS: &str =
    "Exit status: 0 printed, 2 wrong use or input that does not compile, 3 a limit was reached.";

const VALIDATE_EXIT_STATUS: &str = "Exit status: 1 confirmed, 2 wrong use, no witness, or input that does not compile, 3 rejected or not confirmed.";

/// Verifies that C programs use memory correctly.
#[derive(Debug, Parser)]
#[command(name = "heapproof", version, about, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = EXIT_STATUS)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decides whether a program has a property
    #[command(after_help = format!("{COMPILER_OPTIONS}\n\n{EXIT_STATUS}"))]
    Check(Box<Check>),
    /// Executes a program with given inputs, byte by byte, and stops at the first error
    #[command(after_help = format!("{COMPILER_OPTIONS}\n\n{RUN_HELP}"))]
    Run(Box<Run>),
    /// Replays a violation witness of SV-COMP (format 2.0) and says whether it is true
    #[command(after_help = format!("{COMPILER_OPTIONS}\n\n{VALIDATE_EXIT_STATUS}"))]
    Validate(Box<Validate>),
    /// Prints the program as heapproof sees it
    #[command(after_help = format!("{COMPILER_OPTIONS}\n\n{IR_EXIT_STATUS}"))]
    Ir(Ir),
    /// Writes the most general well-behaved client of a library as a C file
    #[command(after_help = format!("{COMPILER_OPTIONS}\n\n{IR_EXIT_STATUS}"))]
    Harness(Harness),
    /// Says what an error class means, with an example and the usual fix
    Explain(Explain),
    /// Runs a build and records how it compiles and links, for check DIR
    Capture(Capture),
    /// Puts the reports of shards of a project together
    #[command(after_help = EXIT_STATUS)]
    Merge(Merge),
    /// Compares the errors of two reports: which are new, and which are gone
    #[command(after_help = "Exit status: 0 no error is new, 1 some are, 2 wrong use.")]
    Diff(Diff),
    /// Shows and trims what is kept of projects
    Cache(CacheArgs),
    /// Prints the manual page
    Man(Man),
    /// Prints what a shell needs to complete command lines of heapproof
    Completions(Completions),
    /// Runs constraint handling rules on goals
    #[command(after_help = CHR_HELP)]
    Chr(Chr),
}

const CHR_HELP: &str = "\
RULES holds rules, each ended by `;`:   leq(x, y) /\\ leq(y, z) ==> leq(x, z);   not p(x) --> q(x, y) \\/ r(x);
GOALS holds formulas, each ended by `;`: leq(a, b) /\\ leq(b, a) /\\ a != b;
Built in: =, !=, <, <=, >, >= over integers; heaps: in(H, p, v), dom(H, p), emp, one, eq, sub, domsub, alloc, assign,
H ~= A * B. For each goal a line says `unsat`, or `unknown` and what was found.

Exit status: 0 all goals have no solution, 2 a text that could not be read, 3 some goal may have a solution.";

const RUN_HELP: &str = "\
Inputs: 3, -1, 0x1f or 'c' answers the next call that gives an arbitrary value (__VERIFIER_nondet_int,
rand, getchar, …); u7 the next read of uninitialised memory; e2 the next other choice of the environment
(argc, a failing malloc, …). 0:5 stands for 0,0,0,0,0. When the values run out, calls and the environment
get 0, and uninitialised bytes are 0xa5.

Exit status: 0 finished, 1 error, 2 wrong use or input that does not compile, 3 stopped for another reason.";

/// What every command that compiles needs.
#[derive(Debug, Args)]
pub struct Source {
    /// C files; several are linked to one program. Or the directory of a project
    #[arg(value_name = "FILE", required_unless_present_any = ["compile_commands", "build"])]
    pub files: Vec<PathBuf>,
    /// A compilation database with the options of each file; without files, the whole project is checked
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,
    /// The directory in which the project was built, with its compile_commands.json or heapproof-build.json
    #[arg(long, short = 'p', value_name = "DIR")]
    pub build: Option<PathBuf>,
    /// What it says about the files.
    #[arg(skip)]
    pub entries: Vec<FileOptions>,
    /// Other ways in which it compiles the files, which nobody looks at.
    #[arg(skip)]
    pub left_out: Vec<String>,
    /// The data model: sizes of long and of pointers
    #[arg(long, value_enum, default_value = "lp64")]
    pub target: TargetName,
    /// The clang to use [default: clang-19 from the path]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,
    /// Show more: warnings of clang, models that were used
    #[arg(long, short)]
    pub verbose: bool,
}

/// What every execution needs.
#[derive(Debug, Args)]
pub struct Execution {
    /// memsafety, memcleanup, unreach-call, assertions, bounds, data-structure, contracts, several joined by +, or a .prp file of SV-COMP
    /// [default: memsafety+assertions]
    #[arg(long, value_name = "NAME|FILE.prp")]
    pub property: Option<String>,
    /// The function to start at; for data-structure and contracts, a function to look at (repeatable) [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,
    /// malloc and its relatives may return NULL
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// The external function NAME changes no memory; its result is arbitrary (repeatable)
    #[arg(long, value_name = "NAME")]
    pub assume_pure: Vec<String>,
    /// The external function NAME may change what pointers given to it point to; its result is arbitrary (repeatable)
    #[arg(long, value_name = "NAME")]
    pub havoc: Vec<String>,
    /// Properties to take for granted, several joined by +: a proof may rest on them
    #[arg(long, value_name = "NAMES")]
    pub presuppose: Option<String>,
    /// What a function may assume, for data-structure and contracts (repeatable)
    #[arg(long, value_name = "'NAME: F'")]
    pub requires: Vec<String>,
    /// What a block is that is lost because `main` returns [default: error if a property is named, else note]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub leaks_at_exit: Option<LeaksAtExit>,
    /// The command line of the program, from argv[1] on, separated by blanks [default: any]
    #[arg(long, value_name = "'A B …'", allow_hyphen_values = true)]
    pub argv: Option<String>,
    #[command(flatten)]
    pub world: WorldArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Decides all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Colour,
}

/// The world that an execution finds, as far as it is given.
#[derive(Clone, Debug, Default, Args)]
pub struct WorldArgs {
    /// Executions read their standard input from FILE [default: any input]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Executions find the file PATH under the name NAME, and only files that are given so (repeatable)
    #[arg(long, value_name = "NAME=PATH")]
    pub file: Vec<String>,
    /// Executions find the environment variable NAME, and only those that are given so (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,
}

/// What everything may need.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitArgs {
    /// The most seconds; 0 gives up at once
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_hyphen_values = true)]
    pub timeout: f64,
    /// The most memory in MiB, of heapproof and of clang each
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: u64,
}

/// heapproof check
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub execution: Execution,
    /// How to analyse
    #[arg(long, value_name = "ENGINE", value_parser = engines(), default_value = "auto")]
    pub engine: String,
    /// The solver: z3, cvc5 or the path to any program that reads SMT-LIB
    #[arg(long, value_name = "PROGRAM", default_value = "z3")]
    pub solver: String,
    /// How engine symheap finds the cell at an address: segments, sl, smt or smt-model
    #[arg(long, value_name = "PROCEDURE", default_value = "segments")]
    pub deref: heapproof_symheap::Deref,
    /// Write the states of engine symheap at errors and at ends of paths to DIR, as formulas of separation logic
    #[arg(long, value_name = "DIR")]
    pub dump_heaps: Option<PathBuf>,
    /// Write every question to the solver to DIR, as a file in SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Write what an engine finds to hold at every loop to DIR: as text and, for Graphviz, as pictures
    #[arg(long, value_name = "DIR")]
    pub dump_invariants: Option<PathBuf>,
    /// Print where the configurations of engine smg are, and what tells them apart
    #[arg(long)]
    pub profile_proof: bool,
    /// Write the program as one formula, as engine templates sees it, to DIR
    #[arg(long, value_name = "DIR")]
    pub dump_ssa: Option<PathBuf>,
    /// Write the solver that engine integrity generates from the types to DIR, as constraint handling rules
    #[arg(long, value_name = "DIR")]
    pub dump_solver: Option<PathBuf>,
    /// Write the verification conditions of engine integrity to DIR, as goals for that solver
    #[arg(long, value_name = "DIR")]
    pub dump_vcs: Option<PathBuf>,
    /// Keep results in DIR: of the units of a project, or what engine contracts showed
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Count instead of measuring time: the most states, and in proportion executions and steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    #[command(flatten)]
    pub known: Known,
    #[command(flatten, next_help_heading = "Projects")]
    pub project: ProjectArgs,
    /// Print the loop invariants that engine contracts found where none were written
    #[arg(long)]
    pub suggest: bool,
    /// Of a library: the headers that name what its clients may call
    #[arg(long, value_name = "LIST.h")]
    pub api: Vec<PathBuf>,
    /// Show errors that are suspected and could not be confirmed, as warnings; --format json always has them
    #[arg(long)]
    pub suspicions: bool,
    /// How many steps of the way to an error are shown [default: the first and the last ones]
    #[arg(long, value_name = "N|all", value_parser = steps)]
    pub steps: Option<usize>,
    /// Write a C program that shows the first error under AddressSanitizer to FILE.c
    #[arg(long, value_name = "FILE.c")]
    pub write_test: Option<PathBuf>,
    /// Write a witness of format 2.0 (SV-COMP) to FILE.yml: of the first error, or of a proof
    #[arg(long, value_name = "FILE.yml")]
    pub witness: Option<PathBuf>,
    /// Write a page for browsers to DIR/index.html: each error step by step with pictures of the memory, what is proved at loops
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the answer to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the inputs that lead to the first error to a file, for run --input-file
    #[arg(long, value_name = "FILE")]
    pub write_inputs: Option<PathBuf>,
}

/// Errors that do not count.
#[derive(Clone, Debug, Args)]
pub struct Known {
    /// Only errors that are not in FILE count
    #[arg(long, value_name = "FILE.json")]
    pub baseline: Option<PathBuf>,
    /// Write the errors of this run to the file of --baseline
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
}

/// heapproof diff
#[derive(Debug, Args)]
pub struct Diff {
    /// An earlier report (check --format json)
    #[arg(value_name = "OLD.json")]
    pub old: PathBuf,
    /// A later one
    #[arg(value_name = "NEW.json")]
    pub new: PathBuf,
}

/// What is about projects only.
#[derive(Debug, Args)]
pub struct ProjectArgs {
    /// So many units at a time [default: as many as there are processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Only units or files that fit a pattern (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Only units that depend on files that differ from a revision of git
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// Only the Kth of N parts; heapproof merge puts their reports together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,
    /// `errors`: what is unknown or was not analysed is no failure (exit status 0)
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// Use no results of earlier runs, and keep none
    #[arg(long)]
    pub no_cache: bool,
}

impl ProjectArgs {
    /// How many units at a time.
    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.map_or_else(processors, |jobs| jobs as usize)
    }
}

/// What counts as a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Only errors
    Errors,
}

/// heapproof capture
#[derive(Debug, Args)]
pub struct Capture {
    /// Where the calls are written
    #[arg(long, short, value_name = "FILE.json", default_value = heapproof_project::find::RECORD)]
    pub output: PathBuf,
    /// The command that builds the project, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<std::ffi::OsString>,
}

/// heapproof merge
#[derive(Debug, Args)]
pub struct Merge {
    /// Reports of all shards (check --shard K/N --format json --output REPORT)
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    #[command(flatten)]
    pub known: Known,
    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the answer to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// `errors`: what is unknown or was not analysed is no failure (exit status 0)
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
}

/// heapproof cache
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Where it is [default: heapproof in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Remove what was not used for so many days
    #[arg(long, value_name = "DAYS")]
    pub trim_days: Option<u64>,
    /// Remove what was used longest ago, until so much is left
    #[arg(long, value_name = "MIB")]
    pub trim_mib: Option<u64>,
    /// Remove everything
    #[arg(long)]
    pub clear: bool,
}

/// heapproof run
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub execution: Execution,
    /// Values for the inputs, separated by commas
    #[arg(long, value_name = "N,N,…", allow_hyphen_values = true, conflicts_with = "random")]
    pub input: Option<String>,
    /// The same from a file; they may stand on several lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "random"])]
    pub input_file: Option<PathBuf>,
    /// Execute up to N times with random inputs, until there is an error
    #[arg(long, value_name = "N")]
    pub random: Option<u64>,
    /// Evaluate the contracts, loop invariants and assertions in comments on the way, and stop at the first that does not hold
    #[arg(long, conflicts_with = "random")]
    pub contracts: bool,
    /// Go on after an error as if the bad access had not been made, and report all errors on the way
    #[arg(long, conflicts_with_all = ["contracts", "random"])]
    pub go_on: bool,
    /// The most instructions to execute [default: 50,000,000 for each second of --timeout]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// How to tell how it ended
    #[arg(long, value_enum, default_value = "text")]
    pub format: RunFormat,
    /// The command line of the program: all that follows
    #[arg(long, value_name = "ARG", num_args = 0.., allow_hyphen_values = true, conflicts_with = "argv")]
    pub args: Option<Vec<String>>,
}

/// heapproof harness
#[derive(Debug, Args)]
pub struct Harness {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Write the client to this file
    #[arg(short, long, value_name = "CLIENT.c")]
    pub output: Option<PathBuf>,
    /// The headers that name what clients may call; they are included instead of declarations
    #[arg(long, value_name = "LIST.h")]
    pub api: Vec<PathBuf>,
}

/// heapproof validate
#[derive(Debug, Args)]
pub struct Validate {
    /// The witness
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub execution: Execution,
}

/// heapproof man
#[derive(Debug, Args)]
pub struct Man {
    /// Write the pages of all commands to DIR
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// heapproof completions
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// heapproof ir
#[derive(Debug, Args)]
pub struct Ir {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Leave all variables in memory
    #[arg(long)]
    pub no_promote: bool,
}

/// heapproof explain
#[derive(Debug, Args)]
pub struct Explain {
    /// The class, such as use-after-free; all are listed if none is given
    pub class: Option<String>,
}

/// heapproof chr
#[derive(Debug, Args)]
pub struct Chr {
    /// File with rules
    pub rules: std::path::PathBuf,
    /// File with goals
    pub goals: std::path::PathBuf,
    /// How many attempts to apply a rule each goal may take
    #[arg(long, default_value_t = 20_000_000)]
    pub steps: u64,
}

/// A data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    /// x86_64-linux-gnu
    Lp64,
    /// i386-linux-gnu
    Ilp32,
}

/// A form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, in GCC's style
    Text,
    /// One object
    Json,
    /// For code hosts and editors
    Sarif,
    /// One line: TRUE, FALSE(…) or UNKNOWN
    Svcomp,
}

/// A form of the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people; the program's output goes to standard output
    Text,
    /// One object
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The engines of the table, and the choice among them.
fn engines() -> PossibleValuesParser {
    let auto = PossibleValue::new("auto").help("All that fit the question, in turn");
    let table = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::new(std::iter::once(auto).chain(table))
}

/// Reads a duration; what is too long for the clock is cut.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value.min(1e9)),
        _ => Err("a number of seconds, 0 or more, is needed".to_owned()),
    }
}

/// Reads how many steps are shown.
fn steps(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "a number or `all` is needed".to_owned()),
    }
}
