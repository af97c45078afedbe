//! A script: commands with everything declared and defined before it is used, in step with `push` and `pop`.

use super::names::{Names, quoted};
use super::write::{Naming, shared, text};
use crate::{Function, Kind, Op, Sort, Term};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

/// Commands for a solver.
#[derive(Debug, Default)]
pub struct Script {
    out: String,
    names: Names,
    sorts: HashSet<Arc<String>>,
    functions: HashSet<Function>,
    /// The names of declared variables and of terms that were given one.
    known: HashMap<Term, String>,
    /// The names of assumptions. They imply their terms, but are not equal to them.
    literals: HashMap<Term, String>,
    count: u64,
    /// What was added since each `push`.
    levels: Vec<Level>,
}

#[derive(Debug, Default)]
struct Level {
    sorts: Vec<Arc<String>>,
    functions: Vec<Function>,
    known: Vec<Term>,
    literals: Vec<Term>,
}

impl Script {
    /// An empty script.
    pub fn new() -> Script {
        Script { levels: vec![Level::default()], ..Script::default() }
    }

    /// Any command.
    pub fn command(&mut self, command: &str) {
        self.out.push_str(command);
        self.out.push('\n');
    }

    /// Takes the text so far away.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// What follows can be taken back.
    pub fn push(&mut self) {
        self.levels.push(Level::default());
        self.command("(push 1)");
    }

    /// Takes back what came after the last `push`.
    pub fn pop(&mut self) {
        let level = self.levels.pop().expect("a pop for each push");
        for sort in &level.sorts {
            self.sorts.remove(sort);
        }
        for function in &level.functions {
            self.functions.remove(function);
        }
        for term in &level.known {
            self.known.remove(term);
        }
        for term in &level.literals {
            self.literals.remove(term);
        }
        self.command("(pop 1)");
    }

    /// A condition.
    pub fn assert(&mut self, term: &Term) {
        self.prepare(term);
        let text = text(term, self);
        let _ = writeln!(self.out, "(assert {text})");
    }

    /// A name for a truth value, to be used as an assumption: it implies the truth value.
    pub fn literal(&mut self, term: &Term) -> String {
        self.prepare(term);
        if let Some(name) = self.literals.get(term) {
            return name.clone();
        }
        if let (true, Some(name)) = (term.is_var(), self.known.get(term)) {
            return name.clone();
        }
        self.count += 1;
        let name = format!("a.{}", self.count);
        let text = text(term, self);
        let _ = writeln!(self.out, "(declare-const {name} Bool)\n(assert (=> {name} {text}))");
        self.literals.insert(term.clone(), name.clone());
        self.level().literals.push(term.clone());
        name
    }

    /// The text of a term whose variables are declared.
    pub fn text(&mut self, term: &Term) -> String {
        self.prepare(term);
        text(term, self)
    }

    /// The declared variables with their names.
    pub fn vars(&self) -> impl Iterator<Item = (&Term, &str)> {
        self.known.iter().filter(|(term, _)| term.is_var()).map(|(term, name)| (term, name.as_str()))
    }

    /// The declared functions with their names.
    pub fn functions(&self) -> impl Iterator<Item = (&Function, String)> {
        self.functions.iter().map(|function| (function, self.names.function_name(function)))
    }

    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("there is a level")
    }

    fn know(&mut self, term: &Term, name: &str) {
        self.known.insert(term.clone(), name.to_owned());
        self.level().known.push(term.clone());
    }

    /// Declares what a term needs, and defines the parts that occur several times.
    fn prepare(&mut self, root: &Term) {
        assert!(!root.is_open(), "a variable is bound by no quantifier: {root}");
        self.declare(root);
        for term in shared(root, &|term| self.known.contains_key(term)) {
            if !term.is_open() {
                self.define(&term);
            }
        }
        // Later states of an array are made from this one.
        if root.args_of(Op::Eq).is_none() {
            return;
        }
        for arg in root.args() {
            if arg.args_of(Op::Store).is_some() && !self.known.contains_key(arg) {
                self.define(arg);
            }
        }
    }

    fn define(&mut self, term: &Term) {
        self.count += 1;
        let name = format!("d.{}", self.count);
        let text = text(term, self);
        let _ = writeln!(self.out, "(define-fun {name} () {} {text})", term.sort());
        self.know(term, &name);
    }

    fn declare(&mut self, root: &Term) {
        let mut seen: HashSet<&Term> = HashSet::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.known.contains_key(term) || !seen.insert(term) {
                continue;
            }
            match term.kind() {
                Kind::Var(_) if term.is_open() => self.declare_sort(term.sort()),
                Kind::Var(_) => {
                    self.declare_sort(term.sort());
                    let name = self.names.var(term);
                    let _ = writeln!(self.out, "(declare-const {name} {})", term.sort());
                    self.know(term, &name);
                }
                Kind::Call(function) => self.declare_function(function),
                Kind::Quantifier(binder) => binder.vars.iter().for_each(|var| self.declare_sort(var.sort())),
                Kind::Op(Op::ConstArray | Op::SepNil) => self.declare_sort(term.sort()),
                _ => {}
            }
            // What is written first is declared first.
            stack.extend(term.args().iter().rev());
        }
    }

    fn declare_function(&mut self, function: &Function) {
        if !self.functions.insert(function.clone()) {
            return;
        }
        function.args().iter().chain([function.result()]).for_each(|sort| self.declare_sort(sort));
        let name = self.names.function(function);
        let args: Vec<String> = function.args().iter().map(Sort::to_string).collect();
        let _ = writeln!(self.out, "(declare-fun {name} ({}) {})", args.join(" "), function.result());
        self.level().functions.push(function.clone());
    }

    /// Declares the uninterpreted sorts in a sort.
    pub fn declare_sort(&mut self, sort: &Sort) {
        let mut names = Vec::new();
        sort.for_each_named(&mut |name| names.push(name.clone()));
        for name in names {
            if self.sorts.insert(name.clone()) {
                let _ = writeln!(self.out, "(declare-sort {} 0)", quoted(&name));
                self.level().sorts.push(name);
            }
        }
    }
}

impl Naming for Script {
    fn known(&self, term: &Term) -> Option<String> {
        match self.known.get(term) {
            Some(name) => Some(name.clone()),
            None => match term.kind() {
                Kind::Var(name) => Some(quoted(&name.to_string())),
                _ => None,
            },
        }
    }

    fn function(&self, call: &Term) -> String {
        match call.kind() {
            Kind::Call(function) => self.names.function_name(function),
            _ => unreachable!("no function is called"),
        }
    }
}
