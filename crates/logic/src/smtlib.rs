//! A solver as a process that speaks SMT-LIB.

use crate::{Answer, BvOp, BvRel, Error, Model, Solver, Term, Var};
use easy_smt::{Context, ContextBuilder, Response, SExpr};
use heapproof_process::{Limits, limited};
use std::collections::BTreeSet;
use std::time::Duration;

/// A running solver.
pub struct Process {
    context: Context,
}

impl Process {
    /// Starts z3, which gives up on a question after some time and is ended at the limits.
    pub fn z3(program: &str, patience: Duration, limits: Limits) -> Result<Process, Error> {
        let start = |why| Error::Start { program: program.to_owned(), why };
        let mut command = limited(program, limits).map_err(start)?;
        command.args(["-smt2", "-in"]).arg(format!("-t:{}", patience.as_millis()));
        let mut builder = ContextBuilder::new();
        let builder = builder.solver(command.get_program()).solver_args(command.get_args());
        let mut context = builder.build().map_err(start)?;
        // For z3's small incremental questions faster than QF_BV.
        context.set_logic("AUFBV").map_err(start)?;
        Ok(Process { context })
    }

    fn ask(&mut self, conditions: &[Term]) -> Result<Answer, Error> {
        let mut vars = BTreeSet::new();
        conditions.iter().for_each(|term| {
            term.for_each_var(&mut |var| {
                vars.insert(var);
            })
        });
        for var in &vars {
            let sort = self.context.bit_vec_sort(self.context.numeral(var.width));
            self.context.declare_const(name(*var), sort)?;
        }
        for condition in conditions {
            let condition = write(&self.context, condition);
            self.context.assert(condition)?;
        }
        match self.context.check()? {
            Response::Sat => Ok(Answer::Sat(self.model(vars)?)),
            Response::Unsat => Ok(Answer::Unsat),
            Response::Unknown => Ok(Answer::Unknown),
        }
    }

    fn model(&mut self, vars: BTreeSet<Var>) -> Result<Model, Error> {
        if vars.is_empty() {
            return Ok(Model::new());
        }
        let atoms = vars.iter().map(|var| self.context.atom(name(*var))).collect();
        let values = self.context.get_value(atoms)?;
        vars.into_iter()
            .zip(values)
            .map(|(var, (_, value))| {
                let text = self.context.display(value).to_string();
                read(&text).map(|value| (var, value)).ok_or(Error::Value(text))
            })
            .collect()
    }
}

impl Solver for Process {
    fn solve(&mut self, conditions: &[Term]) -> Result<Answer, Error> {
        self.context.push()?;
        let answer = self.ask(conditions)?;
        self.context.pop()?;
        Ok(answer)
    }
}

fn name(var: Var) -> String {
    format!("v{}_{}", var.id, var.width)
}

/// A value as the solver writes it.
fn read(text: &str) -> Option<u128> {
    match text.split_at_checked(2)? {
        ("#x", digits) => u128::from_str_radix(digits, 16).ok(),
        ("#b", digits) => u128::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}

/// A term as the solver reads it.
fn write(context: &Context, term: &Term) -> SExpr {
    let binary = |name: &str, a: &Term, b: &Term| {
        context.list(vec![context.atom(name), write(context, a), write(context, b)])
    };
    let indexed =
        |words: Vec<SExpr>, term: &Term| context.list(vec![context.list(words), write(context, term)]);
    match term {
        Term::Var(var) => context.atom(name(*var)),
        Term::Number(number, width) => {
            context.atom(format!("#b{number:0width$b}", width = usize::from(*width)))
        }
        Term::Op(op, a, b) => binary(operation(*op), a, b),
        Term::Rel(rel, a, b) => binary(relation(*rel), a, b),
        Term::Low(term, to) => {
            let words = vec![
                context.atom("_"),
                context.atom("extract"),
                context.numeral(to - 1),
                context.numeral(0u8),
            ];
            indexed(words, term)
        }
        Term::Wide { term, by, sign } => {
            let how = context.atom(if *sign { "sign_extend" } else { "zero_extend" });
            indexed(vec![context.atom("_"), how, context.numeral(*by)], term)
        }
        Term::Not(term) => context.list(vec![context.atom("not"), write(context, term)]),
        Term::Any(terms) if terms.is_empty() => context.atom("false"),
        Term::Any(terms) => {
            let words = terms.iter().map(|term| write(context, term));
            context.list(std::iter::once(context.atom("or")).chain(words).collect())
        }
    }
}

fn operation(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::UDiv => "bvudiv",
        BvOp::SDiv => "bvsdiv",
        BvOp::URem => "bvurem",
        BvOp::SRem => "bvsrem",
        BvOp::Shl => "bvshl",
        BvOp::LShr => "bvlshr",
        BvOp::AShr => "bvashr",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
    }
}

fn relation(rel: BvRel) -> &'static str {
    match rel {
        BvRel::Eq => "=",
        BvRel::Ult => "bvult",
        BvRel::Ule => "bvule",
        BvRel::Slt => "bvslt",
        BvRel::Sle => "bvsle",
    }
}
