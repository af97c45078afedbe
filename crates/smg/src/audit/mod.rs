//! Checks the operations on graphs against what graphs stand for, while programs are analysed (tests only).
//!
//! Each operation takes some graphs to others that must stand for at least the same memories. A few concrete memories
//! are drawn from what goes in and looked for in what comes out.

mod begins;
mod cases;
mod concrete;
mod expand;
#[cfg(feature = "faults")]
mod faults;
mod halves;
#[path = "../../tests/soundness/inputs.rs"]
mod inputs;
mod laws;
mod member;
mod numbers;
mod orders;
mod products;
mod rows;
mod runs;
mod sample;
#[cfg(feature = "faults")]
mod specimens;
mod tests;
mod trees;

use crate::graph::{Addr, State, Storage, Val};
use crate::join::Joined;
use crate::summary::Cut;
use fastrand::Rng;
use heapproof_ir::CmpOp;
use std::cell::RefCell;

thread_local! {
    static AUDIT: RefCell<Option<Audit>> = const { RefCell::new(None) };
}

/// A running audit.
struct Audit {
    rng: Rng,
    checked: u64,
    failures: Vec<String>,
}

/// Runs something under audit; gives the number of checks and the failures.
pub fn audited(seed: u64, run: impl FnOnce()) -> (u64, Vec<String>) {
    AUDIT.set(Some(Audit { rng: Rng::with_seed(seed), checked: 0, failures: Vec::new() }));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    let mut audit = AUDIT.take().expect("it was just set");
    if ended.is_err() {
        audit.failures.push("the analysis crashes".to_owned());
    }
    (audit.checked, audit.failures)
}

/// The graph is a graph.
pub fn proper(what: &str, graph: &State) {
    AUDIT.with_borrow_mut(|audit| {
        let Some(audit) = audit else { return };
        if audit.failures.is_empty()
            && let Some(why) = crate::consistency::malformed(graph)
        {
            audit.failures.push(format!("{what}: {why}\n{}", dump(graph)));
        }
    });
}

/// Every memory of `before` belongs to one of `after`.
pub fn covers(what: &str, before: &State, after: &[&State]) {
    AUDIT.with_borrow_mut(|audit| {
        let Some(audit) = audit else { return };
        if !audit.failures.is_empty() {
            return;
        }
        for graph in after {
            if let Some(why) = crate::consistency::malformed(graph) {
                let (before, after) = (dump(before), dump(graph));
                audit.failures.push(format!("{what}: {why}\n-- before\n{before}-- after\n{after}"));
                return;
            }
        }
        for _ in 0..2 {
            let Some(memory) = sample::sample(before, &mut audit.rng) else { continue };
            audit.checked += 1;
            let mut reasons = Vec::new();
            let found = after.iter().any(|graph| match member::member(&memory, graph) {
                Ok(()) => true,
                Err(why) => {
                    reasons.push(why);
                    false
                }
            });
            if !found {
                let dumps: Vec<String> = after.iter().map(|graph| dump(graph)).collect();
                audit.failures.push(format!(
                    "{what}: a memory is lost\n-- before\n{}-- memory\n{}-- after\n{}-- because {reasons:#?}",
                    dump(before),
                    dump(&memory),
                    dumps.join("-- or\n")
                ));
                return;
            }
        }
    });
}

/// A comparison has each outcome that it has in a concrete memory, with that memory.
pub fn compared(before: &State, op: CmpOp, width: u8, (a, b): (Val, Val), outcomes: &[(State, bool)]) {
    if AUDIT.with_borrow(Option::is_none) {
        return;
    }
    // The operands go along as two more registers.
    let mut asked = before.clone();
    let frame = asked.frame_mut();
    frame.regs.extend([Some(a), Some(b)]);
    frame.widths = frame.widths.iter().copied().chain([width, width]).collect();
    let drawn = AUDIT.with_borrow_mut(|audit| {
        let audit = audit.as_mut()?;
        if !audit.failures.is_empty() {
            return None;
        }
        sample::sample(&asked, &mut audit.rng)
    });
    let Some(mut memory) = drawn else { return };
    let frame = memory.frame_mut();
    let (y, x) = (frame.regs.pop().flatten(), frame.regs.pop().flatten());
    frame.widths = before.frame().widths.clone();
    for truth in truths(&memory, op, width, x, y) {
        let fitting: Vec<&State> = outcomes.iter().filter(|(_, o)| *o == truth).map(|(s, _)| s).collect();
        covers(&format!("compare {a:?} {op:?} {b:?} is {truth}"), &memory, &fitting);
    }
}

/// What a comparison can give in a concrete memory; empty where nothing can be said.
fn truths(memory: &State, op: CmpOp, width: u8, x: Option<Val>, y: Option<Val>) -> Vec<bool> {
    let number = |val| match val {
        Some(Val::Int(number)) => Some(number & heapproof_ir::mask(width)),
        _ => None,
    };
    let signed = |number| heapproof_ir::sign_extend(number, width);
    let equal = match (x, y) {
        (Some(Val::Addr(a)), Some(Val::Addr(b))) if a.obj == b.obj => vec![a.off == b.off],
        (Some(Val::Addr(a)), Some(Val::Addr(b))) => {
            let inside = |addr: Addr| {
                let object = memory.object(addr.obj);
                object.valid && u64::try_from(addr.off).is_ok_and(|off| off < object.size)
            };
            let constant = |addr: Addr| matches!(memory.object(addr.obj).storage, Storage::Global(_, true));
            match (constant(a) && constant(b), inside(a) && inside(b)) {
                (false, true) => vec![false],
                // The memory of a block that is gone may be used again.
                _ => vec![true, false],
            }
        }
        (Some(Val::Func(f)), Some(Val::Func(g))) => vec![f == g],
        (Some(Val::Func(_)), Some(Val::Int(0))) | (Some(Val::Int(0)), Some(Val::Func(_))) => vec![false],
        _ => match (number(x), number(y)) {
            (Some(a), Some(b)) => {
                return vec![match op {
                    CmpOp::Eq => a == b,
                    CmpOp::Ne => a != b,
                    CmpOp::Ult => a < b,
                    CmpOp::Ule => a <= b,
                    CmpOp::Ugt => a > b,
                    CmpOp::Uge => a >= b,
                    CmpOp::Slt => signed(a) < signed(b),
                    CmpOp::Sle => signed(a) <= signed(b),
                    CmpOp::Sgt => signed(a) > signed(b),
                    CmpOp::Sge => signed(a) >= signed(b),
                }];
            }
            _ => Vec::new(),
        },
    };
    match op {
        CmpOp::Eq => equal,
        CmpOp::Ne => equal.into_iter().map(|equal| !equal).collect(),
        _ => Vec::new(),
    }
}

/// A join covers both sides; where it says that one side covers the other, it does.
pub fn joined(left: &State, right: &State, joined: &Joined) {
    covers("join, left", left, &[&joined.state]);
    covers("join, right", right, &[&joined.state]);
    if joined.is_left {
        covers("join, left covers right", right, &[left]);
    }
    if joined.is_right {
        covers("join, right covers left", left, &[right]);
    }
}

/// A call that does nothing leaves everything as it is.
pub fn called(with_frame: &State, cut: &Cut) {
    if AUDIT.with_borrow(Option::is_none) {
        return;
    }
    let (mut before, mut exit) = (with_frame.clone(), cut.entry.clone());
    before.frames.pop();
    exit.frames.pop();
    exit.collect_garbage();
    if let Some((after, _)) = cut.glue(&exit) {
        covers("call", &before, &[&after]);
    }
}

fn dump(state: &State) -> String {
    let mut text = String::new();
    for frame in &state.frames {
        let regs: Vec<_> = frame.regs.iter().enumerate().filter_map(|(i, v)| v.map(|v| (i, v))).collect();
        text += &format!("frame {:?} regs {regs:?} locals {:?}\n", frame.func, frame.locals);
    }
    for (id, o) in &state.objects {
        if matches!(o.storage, crate::graph::Storage::Global(_, true)) {
            continue;
        }
        let cells: Vec<_> = o.cells.iter().map(|(off, cell)| (off, cell.len, cell.val)).collect();
        text += &format!(
            "  {id:?} {:?} {} bytes{}{} level {} {:?} {cells:?} zero {:?} kinds {:?} size {:?} text {:?} orders {:?} each {:?}\n",
            o.storage,
            o.size,
            if o.valid { "" } else { " dead" },
            if o.maybe { " maybe" } else { "" },
            o.level,
            o.seg,
            o.zeros,
            o.kinds,
            o.size_sym,
            o.text,
            o.orders,
            o.each.as_ref().map(|each| each.constraints().cloned().collect::<Vec<_>>())
        );
    }
    for constraint in state.relations.constraints() {
        text += &format!("  {constraint:?}\n");
    }
    for (id, sym) in &state.syms {
        text += &format!("  {id:?} {sym:?}\n");
    }
    text
}
