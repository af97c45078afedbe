//! The names of variables, functions and sorts in a script.

use crate::{Function, Kind, Term};
use std::collections::HashMap;

/// A name as a symbol of SMT-LIB, in bars where it needs them.
pub fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let is_simple =
        !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_plain);
    if is_simple {
        return name.to_owned();
    }
    let inner: String =
        name.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
    format!("|{inner}|")
}

/// Gives every variable and function one name of its own. Names begin with `v.` and `f.`, so that none is a word of
/// SMT-LIB or of a solver.
#[derive(Debug, Default)]
pub(super) struct Names {
    vars: HashMap<Term, String>,
    functions: HashMap<Function, String>,
    used: HashMap<String, u32>,
}

impl Names {
    pub fn var(&mut self, var: &Term) -> String {
        if let Some(name) = self.vars.get(var) {
            return name.clone();
        }
        let Kind::Var(name) = var.kind() else { unreachable!("no variable: {var}") };
        let name = self.fresh(format!("v.{name}"));
        self.vars.insert(var.clone(), name.clone());
        name
    }

    pub fn function(&mut self, function: &Function) -> String {
        if let Some(name) = self.functions.get(function) {
            return name.clone();
        }
        let name = self.fresh(format!("f.{}", function.name()));
        self.functions.insert(function.clone(), name.clone());
        name
    }

    /// The name that a function was given before.
    pub fn function_name(&self, function: &Function) -> String {
        self.functions[function].clone()
    }

    fn fresh(&mut self, wanted: String) -> String {
        let wanted = quoted(&wanted);
        let uses = self.used.entry(wanted.clone()).or_default();
        *uses += 1;
        if *uses == 1 {
            return wanted;
        }
        // Another variable has this name: `~` and a number make the difference.
        let number = *uses;
        let again = format!("{}~{number}", wanted.trim_matches('|'));
        self.fresh(again)
    }
}
