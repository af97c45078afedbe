//! A solver as a process that speaks SMT-LIB.

use super::pipe::{Broken, Pipe};
use super::{Answer, Config, Dialect, Failure, Limits, Reason, Solver, Statistics, dump};
use crate::smtlib::{Scope, Script, Sexpr, read_model, read_value};
use crate::{Model, Sort, Term, Value};
use std::time::{Duration, Instant};

/// A solver gets this much longer than the time for a question before it is ended.
const GRACE: Duration = Duration::from_millis(500);

/// A solver that is started again after it failed.
#[derive(Debug)]
pub struct Process {
    config: Config,
    /// What holds, by level.
    asserted: Vec<Vec<Term>>,
    /// What is sent before the next question.
    script: Script,
    pipe: Option<Pipe>,
    last: Last,
    statistics: Statistics,
}

/// The last question.
#[derive(Debug)]
enum Last {
    /// None, or something changed since.
    Nothing,
    /// The conditions hold together; with the assumptions that were made.
    Sat(Vec<Term>),
    /// All values satisfy the conditions.
    Trivial,
    /// The conditions do not hold together; with the names of the assumptions that were made.
    Unsat(Vec<(String, Term)>),
    /// These assumptions do not hold together.
    Core(Vec<Term>),
}

impl Process {
    /// A solver. The program is started now, so that a missing one is told at once.
    pub fn start(config: Config) -> Result<Process, Failure> {
        let mut process = Process::on_demand(config);
        process.ensure_started()?;
        Ok(process)
    }

    /// A solver whose program is started by the first question that needs it.
    pub fn on_demand(config: Config) -> Process {
        Process {
            config,
            asserted: vec![Vec::new()],
            script: Script::new(),
            pipe: None,
            last: Last::Nothing,
            statistics: Statistics::default(),
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Term> {
        self.asserted.iter().flatten()
    }

    /// How much longer than its time a question may take; little where little is left.
    fn grace(&self) -> Duration {
        let left = self.config.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.map_or(GRACE, |left| GRACE.min(left / 4))
    }

    /// The time for what follows a question.
    fn patience(&self) -> Duration {
        self.config.patience.min(self.config.limits.time + GRACE)
    }

    fn program(&self) -> String {
        self.config.program.clone()
    }

    fn ensure_started(&mut self) -> Result<(), Failure> {
        if self.pipe.is_some() {
            return Ok(());
        }
        self.statistics.starts += 1;
        let pipe = self.config.command().and_then(Pipe::start);
        self.pipe =
            Some(pipe.map_err(|why| Failure::Start { program: self.program(), why: why.to_string() })?);
        let preamble = self.config.preamble().join("\n") + "\n(get-info :version)\n";
        // Whoever waits has something to do without a solver, too.
        let left = self.config.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let patience = self.config.patience;
        let answer = self.exchange(&preamble, left.map_or(patience, |left| patience.min(left / 2)))?;
        self.check_version(&answer)?;
        self.script = Script::new();
        if let Some((address, content)) = self.config.heap.clone() {
            self.script.declare_sort(&address);
            self.script.declare_sort(&content);
            self.script.command(&format!("(declare-heap ({address} {content}))"));
        }
        for (index, level) in self.asserted.iter().enumerate() {
            if index > 0 && self.config.is_incremental() {
                self.script.push();
            }
            level.iter().for_each(|condition| self.script.assert(condition));
        }
        Ok(())
    }

    /// The first answer of a solver is its version.
    fn check_version(&mut self, answer: &[Sexpr]) -> Result<(), Failure> {
        let (least, needed) = match self.config.dialect {
            Dialect::Z3 => ((4, 8), "z3 4.8"),
            Dialect::Cvc5 => ((1, 0), "cvc5 1.0"),
            Dialect::Other => return Ok(()),
        };
        let words = match answer {
            [Sexpr::List(words)] => words.as_slice(),
            _ => &[],
        };
        let version = match words {
            [name, Sexpr::Text(version)] if name.is(":version") => version.clone(),
            _ => return Err(self.garbage(answer)),
        };
        let mut numbers = version.split('.').map_while(|part| part.parse::<u32>().ok());
        let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        if found < least {
            self.pipe = None;
            return Err(Failure::Version { program: self.program(), version, needed });
        }
        Ok(())
    }

    /// Sends commands and reads what comes back. The process is ended if that fails.
    fn exchange(&mut self, commands: &str, patience: Duration) -> Result<Vec<Sexpr>, Failure> {
        let program = self.program();
        let Some(pipe) = &mut self.pipe else { return Err(Failure::Died { program, how: String::new() }) };
        let deadline = Instant::now() + patience;
        let answer = pipe.exchange(commands, deadline).map_err(|broken| match broken {
            Broken::Died(how) => Failure::Died { program: program.clone(), how },
            Broken::Silent => Failure::Silent { program: program.clone() },
            Broken::Flood => Failure::Flood { program: program.clone() },
            Broken::NoText => Failure::Garbage { program: program.clone(), text: "no text".to_owned() },
        });
        let read = answer.and_then(|text| {
            let shortened: String = text.chars().take(200).collect();
            let answers = Sexpr::read_all(&text)
                .ok_or(Failure::Garbage { program: program.clone(), text: shortened })?;
            match answers.iter().find_map(error) {
                Some(message) => Err(Failure::Refused { program: program.clone(), message }),
                None => Ok(answers),
            }
        });
        if read.is_err() {
            self.pipe = None;
        }
        read
    }

    fn garbage(&mut self, answer: &[Sexpr]) -> Failure {
        self.pipe = None;
        let text: Vec<String> = answer.iter().map(Sexpr::to_string).collect();
        let text = text.join(" ").chars().take(200).collect();
        Failure::Garbage { program: self.program(), text }
    }

    /// Asks, and finds out why if the solver gives up.
    fn ask(&mut self, assumptions: &[Term]) -> Result<Answer, Failure> {
        if !self.config.is_incremental() {
            self.pipe = None;
        }
        self.ensure_started()?;
        let mut names = Vec::new();
        if self.config.is_incremental() {
            names.extend(assumptions.iter().map(|term| (self.script.literal(term), term.clone())));
        } else {
            assumptions.iter().for_each(|term| self.script.assert(term));
        }
        let question = if names.is_empty() {
            "(check-sat)".to_owned()
        } else {
            let words: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            format!("(check-sat-assuming ({}))", words.join(" "))
        };
        self.script.command(&question);
        let commands = self.script.take();
        let start = Instant::now();
        let answer = match self.exchange(&commands, self.config.limits.time + self.grace()) {
            Err(Failure::Refused { message, .. }) if message.contains("out of memory") => {
                return Ok(Answer::Unknown(Reason::Memory));
            }
            // So end z3 and any limited program (see `heapproof_process::limit_reached`).
            Err(Failure::Died { how, .. })
                if how.contains(" status 125")
                    || (self.config.dialect == Dialect::Z3 && how.contains(" status 101")) =>
            {
                return Ok(Answer::Unknown(Reason::Memory));
            }
            Err(Failure::Died { how, .. }) if how.contains(" status 124") => {
                return Ok(Answer::Unknown(Reason::Time));
            }
            // It could not be told the time, or did not keep to it: now it is ended.
            Err(Failure::Silent { .. }) => return Ok(Answer::Unknown(Reason::Time)),
            answer => answer?,
        };
        match answer.as_slice() {
            [word] if word.is("sat") => {
                self.last = Last::Sat(assumptions.to_vec());
                Ok(Answer::Sat)
            }
            [word] if word.is("unsat") => {
                let all = || assumptions.to_vec();
                self.last = if self.config.is_incremental() { Last::Unsat(names) } else { Last::Core(all()) };
                Ok(Answer::Unsat)
            }
            [word] if word.is("unknown") || word.is("timeout") => {
                Ok(Answer::Unknown(self.reason(start.elapsed())?))
            }
            _ => Err(self.garbage(&answer)),
        }
    }

    fn reason(&mut self, elapsed: Duration) -> Result<Reason, Failure> {
        if self.config.dialect == Dialect::Other {
            return Ok(Reason::Incomplete("unknown".to_owned()));
        }
        let answer = self.exchange("(get-info :reason-unknown)\n", self.patience())?;
        let text = answer.iter().map(Sexpr::to_string).collect::<String>().to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        // z3 says the same for both limits.
        let is_early = self.config.limits.steps.is_some() && elapsed < self.config.limits.time;
        Ok(if has(&["resource"]) || (is_early && has(&["canceled"])) {
            Reason::Steps
        } else if has(&["timeout", "canceled", "interrupted"]) {
            Reason::Time
        } else if has(&["memout", "out of memory"]) {
            Reason::Memory
        } else {
            let text = text.trim_matches(['(', ')']).trim_start_matches(":reason-unknown").trim();
            Reason::Incomplete(text.trim_matches('"').chars().take(200).collect())
        })
    }

    /// Reads the model: the values of variables, and all of it if there are functions.
    fn read_model(&mut self) -> Result<Model, Failure> {
        let needs_all = self.script.functions().next().is_some()
            || self.script.vars().any(|(var, _)| matches!(var.sort(), Sort::Array(_) | Sort::Named(_)));
        if needs_all { self.whole_model() } else { self.values() }
    }

    fn values(&mut self) -> Result<Model, Failure> {
        let mut vars: Vec<(Term, String)> =
            self.script.vars().map(|(var, name)| (var.clone(), name.to_owned())).collect();
        vars.sort();
        if vars.is_empty() {
            return Ok(Model::new());
        }
        let names: Vec<&str> = vars.iter().map(|(_, name)| name.as_str()).collect();
        let command = format!("(get-value ({}))\n", names.join(" "));
        let answer = self.exchange(&command, self.patience())?;
        let values: Option<Vec<Value>> = match answer.as_slice() {
            [Sexpr::List(pairs)] if pairs.len() == vars.len() => {
                let value = |((var, _), pair): (&(Term, String), &Sexpr)| match pair.list() {
                    Some([_, value]) => read_value(value, var.sort()).ok(),
                    _ => None,
                };
                vars.iter().zip(pairs).map(value).collect()
            }
            _ => None,
        };
        let Some(values) = values else { return Err(self.garbage(&answer)) };
        let mut model = Model::new();
        vars.into_iter().zip(values).for_each(|((var, _), value)| model.set(var, value));
        Ok(model)
    }

    fn whole_model(&mut self) -> Result<Model, Failure> {
        let answer = self.exchange("(get-model)\n", self.patience())?;
        let plain = |name: &str| name.trim_matches('|').to_owned();
        let mut scope = Scope::default();
        scope.terms.extend(self.script.vars().map(|(var, name)| (plain(name), var.clone())));
        scope
            .functions
            .extend(self.script.functions().map(|(function, name)| (plain(&name), function.clone())));
        match answer.as_slice() {
            [model] => read_model(model, &scope).map_err(|_| self.garbage(&answer)),
            _ => Err(self.garbage(&answer)),
        }
    }

    /// An answer without asking: something is false, or nothing is left to ask.
    fn trivial(&mut self, assumptions: &[Term]) -> Option<Answer> {
        if self.conditions().any(|condition| condition.as_bool() == Some(false)) {
            self.last = Last::Core(Vec::new());
            return Some(Answer::Unsat);
        }
        if let Some(wrong) = assumptions.iter().find(|term| term.as_bool() == Some(false)) {
            self.last = Last::Core(vec![wrong.clone()]);
            return Some(Answer::Unsat);
        }
        if self.conditions().chain(assumptions).all(|term| term.as_bool() == Some(true)) {
            self.last = Last::Trivial;
            return Some(Answer::Sat);
        }
        None
    }
}

impl Solver for Process {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.asserted.push(Vec::new());
        // For a question in a process of its own the script is made anew.
        if self.config.is_incremental() {
            self.script.push();
        }
    }

    fn pop(&mut self) {
        self.last = Last::Nothing;
        assert!(self.asserted.len() > 1, "a pop without a push");
        self.asserted.pop();
        if self.config.is_incremental() {
            self.script.pop();
        }
    }

    fn assert(&mut self, condition: &Term) {
        self.last = Last::Nothing;
        if condition.as_bool() == Some(true) {
            return;
        }
        self.asserted.last_mut().expect("there is a level").push(condition.clone());
        if self.config.is_incremental() {
            self.script.assert(condition);
        }
    }

    fn check(&mut self, assumptions: &[Term]) -> Result<Answer, Failure> {
        self.last = Last::Nothing;
        if let Some(answer) = self.trivial(assumptions) {
            self.statistics.trivial += 1;
            return Ok(answer);
        }
        let directory = self.config.dump.clone();
        let file = directory.and_then(|directory| {
            dump::question(&directory, &dump::script(&self.config, self.conditions().chain(assumptions)))
        });
        let start = Instant::now();
        let answer = self.ask(assumptions);
        let elapsed = start.elapsed();
        self.statistics.note(&answer, elapsed);
        if let Some(file) = file {
            dump::outcome(&file, &answer, elapsed);
        }
        answer
    }

    fn model(&mut self) -> Result<Model, Failure> {
        let assumptions = match &self.last {
            Last::Sat(assumptions) => assumptions.clone(),
            Last::Trivial => return Ok(Model::new()),
            _ => return Err(Failure::NoAnswer),
        };
        let start = Instant::now();
        let model = self.read_model();
        self.statistics.time += start.elapsed();
        let model = model?;
        // What was asked for is compared with what came back.
        let wrong = |condition: &&Term| model.eval(condition) == Ok(Value::Bool(false));
        let condition = self.conditions().chain(&assumptions).find(wrong).map(Term::to_string);
        if let Some(condition) = condition {
            let condition = condition.chars().take(200).collect();
            self.pipe = None;
            return Err(Failure::WrongModel { program: self.program(), condition });
        }
        Ok(model)
    }

    fn core(&mut self) -> Result<Vec<Term>, Failure> {
        let names = match &self.last {
            Last::Core(core) => return Ok(core.clone()),
            Last::Unsat(names) if names.is_empty() => return Ok(Vec::new()),
            Last::Unsat(names) => names.clone(),
            _ => return Err(Failure::NoAnswer),
        };
        let answer = self.exchange("(get-unsat-assumptions)\n", self.patience())?;
        let core: Option<Vec<Term>> = match answer.as_slice() {
            [Sexpr::List(words)] => {
                let term = |word: &Sexpr| {
                    names
                        .iter()
                        .find(|(name, _)| word.atom() == Some(name.trim_matches('|')))
                        .map(|(_, term)| term)
                };
                words.iter().map(|word| term(word).cloned()).collect()
            }
            _ => None,
        };
        core.map_or_else(|| Err(self.garbage(&answer)), Ok)
    }

    fn set_limits(&mut self, limits: Limits) {
        if limits == self.config.limits {
            return;
        }
        if self.config.must_restart(&limits) {
            self.pipe = None;
        }
        self.config.limits = limits;
        self.config.limit_commands().iter().for_each(|command| self.script.command(command));
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The message of `(error "…")`.
fn error(answer: &Sexpr) -> Option<String> {
    match answer.list()? {
        [word, rest @ ..] if word.is("error") => {
            let words: Vec<String> = rest.iter().map(Sexpr::to_string).collect();
            Some(words.join(" ").trim_matches('"').chars().take(200).collect())
        }
        _ => None,
    }
}
