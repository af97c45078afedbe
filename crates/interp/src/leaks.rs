//! Leaks: what can no longer be reached, and the statement after which that is so.
//!
//! A block that nothing refers to stays so: "there is an unreachable live block after step t" is monotone in t. So one
//! look at the end tells whether there was a leak, and a search over replays with the same inputs finds the step.

use crate::api::{InputRecord, Inputs, Options, Request};
use crate::fault::Fault;
use crate::machine::{Frame, Halt, Machine, Res, Role, frame_span};
use crate::memory::{Life, ObjectKind};
use crate::value::{ObjId, Prov};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::liveness::Liveness;
use heapproof_ir::{Callee, FuncId, InstKind, Operand, Span, Terminator};
use heapproof_verdict::{ErrorClass, Property, Violation};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Instant;

/// Looks per replay. Each narrows the search by this factor.
const LOOKS: u64 = 32;

/// When to look during a replay.
#[derive(Debug)]
pub(crate) struct Probe {
    points: VecDeque<u64>,
    /// Stop at the first point whatever is found.
    halt: bool,
    /// Objects that are known to be lost, in order.
    known: Rc<[ObjId]>,
    /// The last point at which all was reachable.
    clean: Option<u64>,
}

impl Probe {
    pub fn next(&self) -> Option<u64> {
        self.points.front().copied()
    }
}

/// Gives the recorded choices again.
struct Replay<'r> {
    records: &'r [InputRecord],
    next: usize,
}

impl Inputs for Replay<'_> {
    fn choose(&mut self, _: &Request) -> u128 {
        let value = self.records.get(self.next).map_or(0, |record| record.value);
        self.next += 1;
        value
    }
}

impl<'p> Machine<'p, '_> {
    /// Called between steps when one of the points of a replay may be reached.
    pub fn probe_now(&mut self) -> Res<()> {
        let Some(point) = self.probe.as_ref().and_then(Probe::next) else { return Ok(()) };
        if self.steps < point {
            return Ok(());
        }
        let halt = self.probe.as_ref().is_some_and(|probe| probe.halt);
        if halt || !self.unreachable().is_empty() {
            return Err(Box::new(Halt::Probed));
        }
        if let Some(probe) = &mut self.probe {
            probe.points.pop_front();
            probe.clean = Some(point);
        }
        Ok(())
    }

    /// The live heap objects that no root leads to.
    pub fn unreachable(&mut self) -> Vec<ObjId> {
        let heap = self.live_heap();
        if heap.is_empty() {
            return heap;
        }
        let mut reached = vec![false; self.mem.len()];
        let mut work = Vec::new();
        for id in self.mem.ids() {
            let object = self.mem.get(id);
            if object.life == Life::Live && object.kind != ObjectKind::Heap {
                reached[id.index()] = true;
                work.push(id);
            }
        }
        let mut everything = false;
        for prov in self.root_values() {
            self.visit(prov, &mut reached, &mut work, &mut everything);
        }
        while let Some(id) = work.pop() {
            let mut found = Vec::new();
            self.mem.for_each_prov(id, |prov| found.push(prov));
            for prov in found {
                self.visit(prov, &mut reached, &mut work, &mut everything);
            }
        }
        if everything {
            return Vec::new();
        }
        let known: &[ObjId] = self.probe.as_ref().map_or(&[], |probe| &probe.known);
        let is_lost = |id: &ObjId| !reached[id.index()] && known.binary_search(id).is_err();
        heap.into_iter().filter(is_lost).collect()
    }

    fn visit(&self, prov: Prov, reached: &mut [bool], work: &mut Vec<ObjId>, everything: &mut bool) {
        let mut add = |id: ObjId| {
            if !reached[id.index()] {
                reached[id.index()] = true;
                if self.mem.get(id).life == Life::Live {
                    work.push(id);
                }
            }
        };
        match prov {
            Prov::Object(id) => add(id),
            Prov::Mixed(mix) => match self.mixes.members(mix) {
                Some(members) => members.iter().copied().for_each(add),
                None => *everything = true,
            },
            _ => {}
        }
    }

    /// The provenance of all values in registers that are roots.
    fn root_values(&mut self) -> Vec<Prov> {
        let mut values = vec![self.strtok.prov];
        values.extend(&self.held);
        if !self.running {
            return values;
        }
        let mut liveness = std::mem::take(&mut self.liveness);
        let above = self.frames.iter().skip(1).chain([&self.top]).map(Some).chain([None]);
        for (frame, above) in self.frames.iter().chain([&self.top]).zip(above) {
            let live = liveness
                .entry(frame.func)
                .or_insert_with(|| Liveness::new(frame.body, &Cfg::new(frame.body)));
            self.frame_roots(frame, above, live, &mut values);
        }
        self.liveness = liveness;
        values
    }

    fn frame_roots(
        &self,
        frame: &Frame<'p>,
        above: Option<&Frame<'p>>,
        liveness: &Liveness,
        values: &mut Vec<Prov>,
    ) {
        // What a waiting frame gets as results it does not have yet; a variable keeps its old value until then. Where
        // that is lost with the result, the call is the statement to name, so replays look as if it were lost at once.
        let awaited = above.filter(|frame| frame.role == Role::Callee).map_or(&[][..], |frame| frame.results);
        let live = frame.ip.checked_sub(1).map(|before| liveness.live_after(frame.body, frame.block, before));
        for (reg, info) in frame.body.regs.iter() {
            let value = self.regs[frame.regs + reg.as_u32() as usize];
            let replaced = awaited.contains(&reg) && (info.variable.is_none() || self.probe.is_some());
            if !matches!(value.prov, Prov::Object(_) | Prov::Mixed(_)) || replaced {
                continue;
            }
            let is_live = || match &live {
                Some(live) => live.contains(reg),
                None => liveness.is_live_in(frame.block, reg),
            };
            if info.variable.is_some() || is_live() {
                values.push(value.prov);
            }
        }
    }

    /// The number of the first step at which one of the objects may have been lost.
    fn first_birth(&self, lost: &[ObjId]) -> u64 {
        lost.iter().map(|id| self.mem.get(*id).born.step).min().unwrap_or(0)
    }

    /// One of the objects that no other of them refers to.
    fn head_of(&self, lost: &[ObjId]) -> ObjId {
        let mut inner = Vec::new();
        for id in lost {
            self.mem.for_each_prov(*id, |prov| {
                if let Prov::Object(to) = prov
                    && to != *id
                {
                    inner.push(to);
                }
            });
        }
        lost.iter().copied().find(|id| !inner.contains(id)).unwrap_or(lost[0])
    }

    /// The blocks at the end of the program that count as not cleaned up, without those that were `lost` before.
    pub fn left_over(&self, property: Property, lost: &[ObjId]) -> Option<Fault> {
        let mut live = self.live_heap();
        live.retain(|id| lost.binary_search(id).is_err());
        let first = *live.first()?;
        let what = self.object_phrase(first);
        let message = match live.len() {
            1 => format!("{what} is never freed"),
            n => format!("{n} heap blocks are never freed, {what} among them"),
        };
        let mut fault = Fault::new(ErrorClass::Leak, message, Some(first));
        fault.property = property;
        fault.place = self.exit_site.and_then(|site| Some((site.span, site.func?)));
        Some(fault)
    }
}

/// What the end of a run tells about leaks.
enum LeakSearch {
    /// The leak, and all objects that are lost with it.
    Found(Box<Violation>, Vec<ObjId>),
    /// The time was up.
    OutOfTime,
}

/// The most leaks of one execution that are told apart.
const MOST_LEAKS: usize = 6;
/// The most searches for them.
const MOST_SEARCHES: usize = 12;

/// Finds the statements after which objects were lost, the first one first. None if there was no time for the first.
pub(crate) fn find_all(machine: &Machine<'_, '_>, lost: &[ObjId]) -> Vec<Violation> {
    let mut all: Vec<Violation> = Vec::new();
    let mut left = lost.to_vec();
    let mut known: BTreeSet<ObjId> = BTreeSet::new();
    for _ in 0..MOST_SEARCHES {
        let LeakSearch::Found(leak, ids) = find(machine, &left, known.iter().copied().collect()) else {
            break;
        };
        known.extend(&ids);
        if all.iter().any(|other| other.location == leak.location) {
            // Another round of a loop: there may be very many.
            let born: BTreeSet<_> = ids.iter().map(|id| machine.mem.get(*id).born.span).collect();
            known.extend(left.iter().filter(|id| born.contains(&machine.mem.get(**id).born.span)));
        } else {
            all.push(*leak);
        }
        left.retain(|id| !known.contains(id));
        if left.is_empty() || all.len() >= MOST_LEAKS {
            break;
        }
    }
    all
}

/// Finds the statement after which the first of the objects was lost that are not known to be.
fn find(machine: &Machine<'_, '_>, lost: &[ObjId], known: Rc<[ObjId]>) -> LeakSearch {
    let (program, records) = (machine.program, &machine.records);
    let quiet = Options { record_path: false, ..machine.options.clone() };
    let mut clean = machine.first_birth(lost).saturating_sub(1);
    let mut leaked = machine.steps;
    while leaked > clean + 1 {
        let gap = (leaked - clean).div_ceil(LOOKS).max(1);
        let points: VecDeque<u64> = (1..LOOKS).map(|i| clean + i * gap).filter(|p| *p < leaked).collect();
        let last = points.back().copied().unwrap_or(clean);
        let mut replay = Replay { records, next: 0 };
        let mut again = Machine::new(program, &quiet, &mut replay);
        again.from = machine.from;
        again.probe = Some(Probe { points, halt: false, known: known.clone(), clean: None });
        let halt = again.start();
        let seen_clean = again.probe.as_ref().and_then(|probe| probe.clean);
        match *halt {
            Halt::Probed => {
                leaked = again.steps;
                clean = seen_clean.unwrap_or(clean).max(clean);
            }
            _ if quiet.deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                return LeakSearch::OutOfTime;
            }
            // It ended before the next point: the end is where the leak is.
            _ => {
                clean = seen_clean.unwrap_or(clean).max(clean).max(last.min(again.steps.saturating_sub(1)));
                leaked = leaked.min(again.steps);
            }
        }
    }
    let mut replay = Replay { records, next: 0 };
    let mut again = Machine::new(program, machine.options, &mut replay);
    again.from = machine.from;
    let at = |point| Probe { points: VecDeque::from([point]), halt: true, known: known.clone(), clean: None };
    again.probe = Some(at(leaked - 1));
    again.start();
    let before = Before::look(&again);
    again.probe = Some(at(leaked));
    again.plan_event();
    again.execute();
    let lost = again.unreachable();
    if lost.is_empty() {
        // The clock stopped the replay.
        return LeakSearch::OutOfTime;
    }
    let head = again.head_of(&lost);
    let fault = before.fault(&again, head);
    LeakSearch::Found(Box::new(again.violation(&fault)), lost)
}

/// The jump that leads to the end of a scope which several statements lead to, unless it is the last of them: an early
/// `return` or `break` ends the scope where it stands, not at the closing brace.
fn early_exit(machine: &Machine<'_, '_>) -> Option<(Span, FuncId)> {
    let top = &machine.top;
    let block = top.body.blocks.get(top.block)?;
    let ends = match block.insts.get(top.ip) {
        Some(inst) => matches!(inst.kind, InstKind::Forget { .. } | InstKind::ScopeEnd { .. }),
        None => matches!(block.term, Terminator::Return(_)),
    };
    if !ends || !machine.running {
        return None;
    }
    let jumps =
        top.body.blocks.values().filter(|b| matches!(b.term, Terminator::Jump(to) if to == top.block));
    let last = jumps.map(|b| b.term_span.line).max()?;
    let from = &top.body.blocks[top.from?];
    let is_jump = matches!(from.term, Terminator::Jump(_));
    let early = is_jump && from.term_span.is_known() && from.term_span.line < last;
    early.then_some((from.term_span, top.func))
}

/// The statement that is going to lose an object.
struct Before {
    place: (Span, FuncId),
    /// The call that returns there, and the provenance of what is returned.
    call: Option<(Span, FuncId)>,
    returned: Vec<Prov>,
    how: Option<String>,
}

impl Before {
    fn look(machine: &Machine<'_, '_>) -> Before {
        let top = &machine.top;
        let block = top.body.blocks.get(top.block);
        let inst = block.and_then(|block| block.insts.get(top.ip)).map(|inst| &inst.kind);
        let mut returned = Vec::new();
        let mut how = None;
        let variable = |reg| top.body.regs[reg].variable.as_ref().map(|v| v.name.as_str());
        match (inst, block.map(|block| &block.term)) {
            (Some(InstKind::Forget { dst }), _) => {
                how = variable(*dst).map(|name| format!("`{name}` goes out of scope"));
            }
            (Some(InstKind::ScopeEnd { local }), _) => {
                let variable = top.body.locals[*local].variable.as_ref();
                how = variable.map(|v| format!("`{}` goes out of scope", v.name));
            }
            (Some(InstKind::Call { callee: Callee::Direct(func), .. }), _) => {
                how = Some(format!("`{}` is called", machine.program.functions[*func].name));
            }
            (Some(InstKind::Store { ptr, .. }), _) => {
                how = machine.place(ptr).map(|place| format!("`{place}` is overwritten"));
            }
            (Some(kind), _) => {
                if let Some(name) = kind.defs().first().and_then(|reg| variable(*reg)) {
                    how = Some(format!("`{name}` is assigned"));
                }
            }
            (None, Some(Terminator::Return(values))) => {
                for operand in values {
                    if let Operand::Reg(reg) = operand {
                        returned.push(machine.regs[top.regs + reg.as_u32() as usize].prov);
                    }
                }
                how = Some(format!("`{}` returns", machine.program.functions[top.func].name));
            }
            _ => {}
        }
        let call = machine.frames.last().filter(|_| top.role == Role::Callee).map(|frame| {
            let mut at = frame_span(frame);
            if let Some(inst) = frame.body.blocks[frame.block].insts.get(frame.ip.wrapping_sub(1)) {
                at = inst.span;
            }
            (at, frame.func)
        });
        Before { place: early_exit(machine).unwrap_or_else(|| machine.nearest()), call, returned, how }
    }

    fn fault(self, machine: &Machine<'_, '_>, lost: ObjId) -> Fault {
        let what = machine.object_phrase(lost);
        let mut place = self.place;
        let mut how = self.how;
        if self.returned.contains(&Prov::Object(lost))
            && let Some(call) = self.call
        {
            // The function hands the block out and the caller drops it.
            place = call;
            how = Some("the result of the call is dropped".to_owned());
        }
        if machine.mem.get(lost).born.step == machine.steps {
            how = Some("the result of the call is dropped".to_owned());
        }
        let message = match how {
            Some(how) => format!("the last pointer to {what} is lost when {how}"),
            None => format!("the last pointer to {what} is lost"),
        };
        let mut fault = Fault::new(ErrorClass::Leak, message, Some(lost));
        fault.place = Some(place);
        fault
    }
}
