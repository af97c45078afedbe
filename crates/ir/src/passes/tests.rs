//! Tests of the passes: by example, and by comparing what random programs do before and after.

use super::*;
use crate::arbitrary;
use crate::check::check;
use crate::inst::{BinOp, CastOp, InstKind, Operand};
use crate::program::{Function, Variable};
use crate::scalar::Ty;
use crate::text::parse;
use cranelift_entity::EntityRef;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The lines of the first function after some passes, without its header.
fn after(passes: &[fn(Target, &mut Body)], text: &str) -> Vec<String> {
    let mut program = parse(text).unwrap();
    assert_eq!(check(&program), []);
    let function = program.functions.values_mut().next().unwrap();
    for pass in passes {
        pass(program.target, function.body.as_mut().unwrap());
    }
    assert_eq!(check(&program), []);
    let text = program.to_string();
    text.lines().skip_while(|line| !line.starts_with("func")).skip(1).map(|l| l.trim().to_owned()).collect()
}

fn forward_only(text: &str) -> Vec<String> {
    after(&[|_, body| forward(body)], text)
}

#[test]
fn a_scalar_becomes_a_register_and_its_scope_forgets() {
    let text = "func f0 \"f\"() -> (i32) { local l0 size 8 local l1 size 4 scoped var \"x\"
        b0: scope_start l1 store i32 5 -> l1 r0 = load i32 l1 store ptr l0 -> l0 scope_end l1 return r0 }";
    assert_eq!(
        after(&[promote], text),
        [
            "reg r1: i32 var \"x\"",
            "local l0 size 8 align 1",
            "b0:",
            "forget r1",
            "r1 = copy i32 5",
            "r0 = copy i32 r1",
            "store ptr l0 -> l0",
            "forget r1",
            "return r0",
            "}"
        ]
    );
}

#[test]
fn an_uninitialised_read_stays_a_read() {
    let text = "func f0 \"f\"() -> (i32) { local l0 size 4 scoped var \"x\"
        b0: scope_start l0 r0 = load i32 l0 return r0 }";
    let lines = after(&[promote, |_, body| forward(body)], text);
    assert_eq!(lines, ["reg r0: i32", "reg r1: i32 var \"x\"", "b0:", "forget r1", "return r1", "}"]);
}

/// The local stays in memory if this is done to it.
#[track_caller]
fn stays(insts: &str) {
    let text =
        format!("func f0 \"g\"(r0: ptr) {{ local l0 size 4 scoped b0: {insts} return }}\nfunc f1 \"e\"(ptr)");
    assert!(after(&[promote], &text).iter().any(|line| line.starts_with("local")), "{insts}");
}

#[test]
fn locals_that_are_more_than_a_scalar_stay() {
    stays("scope_start l0 store i32 5 -> l0 call f1(l0)");
    stays("scope_start l0 store i32 5 -> l0 r1 = load i16 l0");
    stays("scope_start l0 store i64 5 -> l0");
    stays("scope_start l0 store ptr l0 -> r0");
    stays("scope_start l0 r1 = ptradd l0 + 1");
    stays("scope_start l0 fillblock l0 <- 0, 4");
}

#[test]
fn a_use_after_scope_stays_one() {
    stays("store i32 5 -> l0");
    stays("scope_start l0 scope_end l0 r1 = load i32 l0");
    // In scope on one way only.
    stays("r1 = cmp eq ptr r0, null br r1 ? b1 : b2 b1: scope_start l0 jump b2 b2: store i32 5 -> l0");
    // The second round of a loop.
    stays("scope_start l0 jump b1 b1: r1 = load i32 l0 scope_end l0 jump b1 b2:");
}

#[test]
fn unused_locals_disappear() {
    let text = "func f0 \"f\"() { local l0 size 4 scoped b0: scope_start l0 scope_end l0 return }";
    assert_eq!(after(&[promote], text), ["b0:", "return", "}"]);
}

#[test]
fn copies_are_read_through_until_one_side_changes() {
    let text =
        "func f0 \"f\"(r0: i32) -> (i32) { reg r0: i32 var \"n\" b0: r1 = copy i32 r0 r2 = add i32 r1, 1
        r0 = copy i32 r2 r3 = sub i32 r1, r0 return r3 }";
    let lines = forward_only(text);
    let expected = ["r1 = copy i32 r0", "r0 = add i32 r0, 1", "r3 = sub i32 r1, r0", "return r3", "}"];
    assert_eq!(lines[lines.len() - 5..], expected);
}

#[test]
fn forgetting_ends_a_copy() {
    let text =
        "func f0 \"f\"(r0: i32) -> (i32) { reg r0: i32 var \"n\" b0: r1 = copy i32 r0 forget r0 return r1 }";
    assert!(forward_only(text).contains(&"return r1".to_owned()));
}

#[test]
fn undef_is_read_once() {
    let text = "func f0 \"f\"() -> (i32) { b0: r0 = copy i32 undef r1 = sub i32 r0, r0 return r1 }";
    assert_eq!(forward_only(text)[1..3], ["r0 = copy i32 undef", "r1 = sub i32 r0, r0"]);
}

#[test]
fn addresses_of_locals_are_not_carried_over_scopes() {
    let text = "func f0 \"f\"() -> (ptr) { local l0 size 4 scoped b0: scope_start l0 r0 = copy ptr l0
        scope_start l0 return r0 }";
    assert!(forward_only(text).contains(&"return r0".to_owned()));
}

#[test]
fn what_may_fail_or_choose_is_never_removed() {
    for inst in [
        "load i32 r0",
        "udiv i32 r1, r1",
        "srem i32 r1, 5",
        "shl i32 r1, r1",
        "cmp eq ptr r0, r0",
        "ftosi float64 1.5 to i32",
        "alloca 8 align 1",
        "stacksave",
    ] {
        let text = format!("func f0 \"f\"(r0: ptr, r1: i32) {{ b0: r2 = {inst} return }}");
        assert_eq!(forward_only(&text).iter().filter(|line| line.contains(inst)).count(), 1, "{inst}");
    }
    for inst in ["add i32 r1, 1", "shl i32 r1, 3", "ptradd r0 + 4", "copy i32 undef"] {
        let text = format!("func f0 \"f\"(r0: ptr, r1: i32) {{ b0: r2 = {inst} return }}");
        assert!(!forward_only(&text).iter().any(|line| line.contains(inst)), "{inst}");
    }
}

#[test]
fn results_go_where_they_were_copied_if_that_is_on_one_line() {
    let text = |line| {
        format!(
            "func f0 \"f\"() {{ reg r0: ptr var \"p\" b0: r1: ptr = call f1() @0:3:1 r0 = copy ptr r1 @0:{line}:2
            return }} func f1 \"m\"() -> (ptr)"
        )
    };
    assert!(forward_only(&text(3)).contains(&"r0 = call f1() @0:3:1".to_owned()));
    assert!(forward_only(&text(4)).contains(&"r0 = copy ptr r1 @0:4:2".to_owned()));
}

#[test]
fn a_result_that_is_used_again_stays() {
    let text = "func f0 \"f\"() -> (i32) { reg r0: i32 var \"n\" b0: r1: i32 = call f1() r0 = copy i32 r1
        forget r0 return r1 } func f1 \"e\"() -> (i32)";
    assert_eq!(forward_only(text)[2..4], ["r1: i32 = call f1()", "r0 = copy i32 r1"]);
}

#[test]
fn unreachable_blocks_go_and_plain_jumps_are_skipped() {
    let run: &[fn(Target, &mut Body)] = &[|_, body| remove_unreachable(body)];
    let text = "func f0 \"f\"(r0: i1) { b0: br r0 ? b1 : b2 @0:1:1 b1: jump b3 @0:1:7 b2: jump b3 @0:2:1
        b3: return @0:9:1 b4: jump b3 }";
    assert_eq!(
        after(run, text),
        ["b0:", "br r0 ? b2 : b1 @0:1:1", "b1:", "jump b2 @0:2:1", "b2:", "return @0:9:1", "}"]
    );
    let text = "func f0 \"f\"() { b0: jump b1 b1: jump b2 b2: jump b1 }";
    let lines = after(run, text);
    assert!(lines.len() >= 5 && lines.iter().any(|line| line.starts_with("jump")), "an endless loop stays");
}

#[test]
fn long_chains_of_jumps_are_fast() {
    let mut text = String::from("func f0 \"f\"() {\n");
    for index in 0..20_000 {
        text += &format!("b{index}: jump b{}\n", index + 1);
    }
    text += "b20000: return }";
    assert_eq!(after(&[|_, body| remove_unreachable(body)], &text), ["b0:", "jump b1", "b1:", "return", "}"]);
}

/// Runs a function in a world where every operation gives a number that depends on nothing but what it reads,
/// and lists what could be noticed from outside. Locals in `as_variables` are variables, not memory.
struct Observer<'a> {
    function: &'a Function,
    as_variables: &'a BTreeSet<String>,
    regs: Vec<u64>,
    variables: BTreeMap<String, u64>,
    events: Vec<u64>,
}

fn digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What a variable without a value holds; a temporary holds 0.
fn unset(name: &str) -> u64 {
    digest(("unset", name))
}

impl Observer<'_> {
    /// The events, and whether the function came to its end.
    fn run(mut self) -> (Vec<u64>, bool) {
        let body = self.function.body.as_ref().unwrap();
        for (index, reg) in body.params.iter().enumerate() {
            self.set(body, reg.index(), digest(("argument", index)));
        }
        let mut at = Body::ENTRY;
        for _ in 0..200 {
            let block = &body.blocks[at];
            for inst in &block.insts {
                self.step(body, &inst.kind, digest(inst.span));
            }
            let mut term = block.term.clone();
            term.for_each_use_mut(|operand| self.evaluate(body, operand));
            term.for_each_successor_mut(|to| *to = Body::ENTRY);
            let choice = digest(format!("{term:?}"));
            // By position in the terminator, since blocks are numbered anew.
            let successors = block.term.successors();
            if successors.is_empty() {
                self.event(choice);
                return (self.events, true);
            }
            at = successors[choice as usize % successors.len()];
        }
        (self.events, false)
    }

    fn event(&mut self, what: u64) {
        let event = digest((what, &self.variables));
        self.events.push(event);
    }

    fn set(&mut self, body: &Body, reg: usize, value: u64) {
        self.regs[reg] = value;
        if let Some(variable) = &body.regs[EntityRef::new(reg)].variable {
            self.variables.insert(variable.name.clone(), value);
        }
    }

    fn local_name<'b>(&self, body: &'b Body, operand: &Operand) -> Option<&'b str> {
        let Operand::Local(local) = operand else { return None };
        body.locals[*local].variable.as_ref().map(|variable| &variable.name[..])
    }

    fn evaluate(&self, body: &Body, operand: &mut Operand) {
        let value = match operand {
            Operand::Reg(reg) => self.regs[reg.index()],
            Operand::Local(_) => digest(self.local_name(body, operand)),
            ref other => digest(format!("{other:?}")),
        };
        *operand = Operand::Int { bits: value.into(), width: 128 };
    }

    fn step(&mut self, body: &Body, kind: &InstKind, span: u64) {
        let mut read = kind.clone();
        read.for_each_use_mut(|operand| self.evaluate(body, operand));
        let value =
            |operand: &Operand| if let Operand::Int { bits, .. } = operand { *bits as u64 } else { 0 };
        // Accesses to what is to be a register are silent.
        let variable = |operand: &Operand| {
            self.local_name(body, operand).filter(|name| self.as_variables.contains(*name)).map(str::to_owned)
        };
        match (kind, &read) {
            (InstKind::Load { dst, ptr, .. }, _) if variable(ptr).is_some() => {
                let value = self.variables[&variable(ptr).unwrap()];
                return self.set(body, dst.index(), value);
            }
            (InstKind::Store { ptr, .. }, InstKind::Store { value: stored, .. })
                if variable(ptr).is_some() =>
            {
                self.variables.insert(variable(ptr).unwrap(), value(stored));
                return;
            }
            (InstKind::ScopeStart { local } | InstKind::ScopeEnd { local }, _)
                if variable(&Operand::Local(*local)).is_some() =>
            {
                let name = variable(&Operand::Local(*local)).unwrap();
                self.variables.insert(name.clone(), unset(&name));
                return;
            }
            (InstKind::Copy { dst, .. }, InstKind::Copy { src, .. }) => {
                return self.set(body, dst.index(), value(src));
            }
            (InstKind::Forget { dst }, _) => {
                let variable = &body.regs[*dst].variable;
                return self.set(body, dst.index(), variable.as_ref().map_or(0, |v| unset(&v.name)));
            }
            _ => {}
        }
        read.for_each_def_mut(|reg| *reg = EntityRef::new(0));
        if let InstKind::ScopeStart { local } | InstKind::ScopeEnd { local } | InstKind::Seal { local } =
            &mut read
        {
            let name = self.local_name(body, &Operand::Local(*local)).map(str::to_owned);
            *local = EntityRef::new(digest(name) as usize % 1000);
        }
        let mut result = digest(format!("{read:?}"));
        if is_noticed(kind) {
            self.event(digest((result, span)));
            result = digest((result, self.events.len()));
        }
        for (index, reg) in kind.defs().iter().enumerate() {
            self.set(body, reg.index(), digest((result, index)));
        }
    }
}

fn is_noticed(kind: &InstKind) -> bool {
    match kind {
        InstKind::Bin { op, .. } => matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        InstKind::Cmp { ty, .. } => *ty == Ty::Ptr,
        InstKind::Cast { op, .. } => matches!(op, CastOp::FloatToUInt | CastOp::FloatToSInt),
        InstKind::IntUn { .. }
        | InstKind::FloatBin { .. }
        | InstKind::FloatUn { .. }
        | InstKind::FloatCmp { .. }
        | InstKind::Select { .. }
        | InstKind::PtrAdd { .. } => false,
        _ => true,
    }
}

/// Gives every local and every variable a name of its own.
fn name_apart(program: &mut Program) {
    for function in program.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        for (id, local) in body.locals.iter_mut() {
            local.variable = Some(Variable { name: id.to_string(), ctype: None, span: crate::Span::NONE });
        }
        for (id, info) in body.regs.iter_mut() {
            if let Some(variable) = &mut info.variable {
                variable.name = id.to_string();
            }
        }
    }
}

fn observe(function: &Function, as_variables: &BTreeSet<String>) -> (Vec<u64>, bool) {
    let body = function.body.as_ref().unwrap();
    let mut variables: BTreeMap<String, u64> =
        as_variables.iter().map(|name| (name.clone(), unset(name))).collect();
    let mut regs = Vec::new();
    for info in body.regs.values() {
        let name = info.variable.as_ref().map(|variable| &variable.name);
        regs.push(name.map_or(0, |name| unset(name)));
        if let Some(name) = name {
            variables.insert(name.clone(), unset(name));
        }
    }
    Observer { function, as_variables, regs, variables, events: Vec::new() }.run()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_programs_are_valid_before_and_after(mut program in arbitrary::program()) {
        prop_assert_eq!(check(&program), []);
        run(&mut program);
        prop_assert_eq!(check(&program), []);
        prop_assert!(parse(&program.to_string()).as_ref() == Ok(&program));
        run(&mut program);
        prop_assert_eq!(check(&program), []);
    }

    #[test]
    fn passes_change_nothing_that_is_noticed(mut program in arbitrary::program()) {
        name_apart(&mut program);
        let before = program.clone();
        run(&mut program);
        for (id, function) in before.functions.iter() {
            let Some(body) = &function.body else { continue };
            let after = &program.functions[id];
            let name = |v: &Option<Variable>| v.as_ref().map(|v| v.name.clone());
            let names = |body: &Body| -> BTreeSet<String> {
                body.regs.values().filter_map(|info| name(&info.variable)).collect()
            };
            let promoted: BTreeSet<String> =
                names(after.body.as_ref().unwrap()).difference(&names(body)).cloned().collect();
            let kept: BTreeSet<String> =
                after.body.as_ref().unwrap().locals.values().filter_map(|l| name(&l.variable)).collect();
            // Locals that disappeared have only scope markers, which are silent like those of promoted ones.
            let gone: BTreeSet<String> = body
                .locals.values().filter_map(|l| name(&l.variable))
                .filter(|name| !kept.contains(name)).collect();
            prop_assert!(promoted.is_subset(&gone));
            let (mut events, ended) = observe(function, &gone);
            let mut after_fn = after.clone();
            // The variables that disappeared hold nothing in both.
            for name in gone.difference(&promoted) {
                after_fn.body.as_mut().unwrap().regs.push(crate::RegInfo {
                    ty: Ty::Ptr,
                    variable: Some(Variable { name: name.clone(), ctype: None, span: crate::Span::NONE }),
                });
            }
            let (mut events_after, ended_after) = observe(&after_fn, &BTreeSet::new());
            if !(ended && ended_after) {
                let common = events.len().min(events_after.len());
                events.truncate(common);
                events_after.truncate(common);
            }
            prop_assert_eq!(events, events_after, "{}\n{}", before, program);
        }
    }
}
