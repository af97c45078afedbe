//! Clients of C libraries. What may a caller of these functions do, and what must it keep to? Roles of parameters and results are
//! inferred from types, names and from what the code does; the most general client that keeps to them is written as C.
//!
//! What is inferred decides only which calls are looked at. It is printed with every answer, and `//@ client` lines override it.
//! What cannot be inferred is asked for.

mod annotations;
mod facts;
mod roles;
mod spell;
mod write;

pub use annotations::{Annotations, Word};

use heapproof_ir::{FuncId, Program};
use roles::{Inference, Inferred, Plan, Role};
use std::collections::{BTreeMap, BTreeSet};

/// What is known besides the code.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// `//@ client` lines.
    pub annotations: Annotations,
    /// Functions whose result turned out to be the client's, although the code only reads it somewhere.
    pub owned: BTreeSet<String>,
    /// Functions that are not of the library.
    pub foreign: BTreeSet<String>,
    /// The texts of headers with their names as they are to be included; only what they name is external.
    pub headers: Vec<(String, String)>,
}

/// How a client is written.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Comparisons are consistent, as those of real clients. Otherwise they answer anything.
    pub consistent: bool,
    /// Only these functions are called.
    pub only: Option<BTreeSet<String>>,
}

/// What is known of a function of a library.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The function.
    pub func: FuncId,
    /// Its name.
    pub name: String,
    /// What was inferred, in words.
    pub notes: Vec<String>,
    /// Its result is lent, as far as the code says, but its type would let the client free it.
    pub may_give: bool,
    /// What well-behaved clients do and the one that is written does not.
    pub limit: Option<String>,
    /// A number for those that share handles or variables.
    pub group: usize,
}

/// The clients of a library.
pub struct Clients<'a> {
    program: &'a Program,
    inferred: Inferred,
    headers: Vec<String>,
    about: String,
}

/// A client as C.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The functions that it calls.
    pub calls: BTreeSet<String>,
}

/// The functions that clients may call: those that are defined and not `static`, named by the headers if any are given.
pub fn external(program: &Program, given: &Given) -> Vec<FuncId> {
    let named = |name: &str| {
        given.headers.is_empty()
            || given.headers.iter().any(|(_, text)| {
                text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
            })
    };
    let functions = program.functions.iter();
    let functions =
        functions.filter(|(_, f)| f.body.is_some() && !f.internal && !given.foreign.contains(&f.name));
    functions.filter(|(_, f)| named(&f.name)).map(|(id, _)| id).collect()
}

/// Infers what clients of the program's external functions may do.
pub fn infer<'a>(program: &'a Program, given: &Given) -> Clients<'a> {
    let functions = external(program, given);
    let inferred = Inference::new(program, &given.annotations, &given.owned).infer(&functions);
    let headers = given.headers.iter().map(|(name, _)| name.clone()).collect();
    let about = "The most general well-behaved client of the library, written by heapproof. It may be edited and kept.".to_owned();
    Clients { program, inferred, headers, about }
}

impl Clients<'_> {
    /// The functions that some client calls.
    pub fn covered(&self) -> Vec<Covered> {
        let groups = self.groups();
        self.inferred
            .plans
            .iter()
            .zip(groups)
            .map(|(plan, group)| Covered {
                func: plan.func,
                name: plan.name.clone(),
                notes: plan.notes.clone(),
                may_give: plan.may_give,
                limit: plan.limit.clone(),
                group,
            })
            .collect()
    }

    /// The functions of which no client is known, with what has to be said about them.
    pub fn asked(&self) -> &[(FuncId, String)] {
        &self.inferred.asked
    }

    /// The same functions, with other things given.
    pub fn with(&self, given: &Given) -> Self {
        infer(self.program, given)
    }

    /// Writes the client.
    pub fn write(&self, style: &Style) -> Written {
        let given = !self.headers.is_empty();
        let writer =
            write::Writer::new(self.program, &self.inferred, style.only.as_ref(), style.consistent, given);
        let (mut text, calls) = writer.write(&self.headers, &self.about);
        for (func, why) in &self.inferred.asked {
            text.push_str(&format!("/* not called: {}: {why} */\n", self.program.functions[*func].name));
        }
        Written { text, calls }
    }

    /// A number for each function: the same for those that share structures or variables.
    fn groups(&self) -> Vec<usize> {
        let plans = &self.inferred.plans;
        let mut groups: Vec<usize> = (0..plans.len()).collect();
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (at, plan) in plans.iter().enumerate() {
            for thing in shared(plan) {
                let other = *first.entry(thing).or_insert(at);
                let (from, to) = (groups[at].max(groups[other]), groups[at].min(groups[other]));
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
        groups
    }
}

/// What a function has in common with others.
fn shared(plan: &Plan) -> Vec<String> {
    let mut things: Vec<String> = plan.globals.iter().map(|global| format!("global {global}")).collect();
    things.extend(roles::gives(plan));
    for role in &plan.roles {
        match role {
            Role::Pick { key, .. } | Role::HandleAddress { key, .. } | Role::CellAddress { key, .. } => {
                things.push(key.clone());
            }
            _ => {}
        }
    }
    things
}
