//! Spatial formulas: the heap of a state as segments joined by the separating conjunction, and what chapter 7 of the thesis wishes for.
//! *Frame inference* finds what is left of a heap when another formula takes its part (`A |- B * ?frame`), *abduction* what it lacks
//! for that (`A * ?missing |- B * ?frame`). A state can be written as a formula that cvc5 reads.

use crate::heap::{Fill, Heap, Kind, Life, Run, assemble};
use heapproof_confirm::Journal;
use heapproof_logic::smtlib::Script;
use heapproof_logic::{BvOp, Name, Sort, Term};

/// Some bytes from an address on, with their content as one number if it is known (the first byte is the lowest).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first byte.
    pub address: Term,
    /// How many bytes.
    pub bytes: u64,
    /// What they hold; anything if nothing is said.
    pub content: Option<Term>,
}

/// Parts that lie apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spatial {
    /// The parts.
    pub parts: Vec<Part>,
}

/// What a formula lacks to contain another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abduced {
    /// Memory that would have to be there as well.
    pub missing: Spatial,
    /// Conditions that would have to hold.
    pub conditions: Vec<Term>,
    /// What is left over.
    pub frame: Spatial,
}

impl Part {
    /// Some of its bytes.
    fn slice(&self, from: u64, bytes: u64) -> Part {
        let content = self.content.as_ref().map(|whole| {
            let (low, high) = ((8 * from) as u8, (8 * (from + bytes) - 1) as u8);
            Term::extract(high, low, whole.clone())
        });
        Part { address: self.address.clone().plus(from.into()), bytes, content }
    }

    /// How far another part begins behind this one, if it lies inside.
    fn place_of(&self, other: &Part) -> Option<u64> {
        let distance = Term::bv(BvOp::Sub, other.address.clone(), self.address.clone()).as_bits()?;
        let end = distance.checked_add(other.bytes.into())?;
        (end <= self.bytes.into()).then_some(distance as u64)
    }
}

impl Spatial {
    /// The parts of a heap that live, cell by cell as they were written.
    pub fn of_heap(heap: &Heap) -> Spatial {
        let mut parts = Vec::new();
        for id in heap.ids() {
            let object = heap.get(id);
            if object.life != Life::Live || matches!(object.kind, Kind::Function(_)) {
                continue;
            }
            let Some(size) = object.known_size() else { continue };
            for (at, run) in object.content().filter(|(at, _)| *at < size) {
                let bytes = run.len().min(size - at);
                let content = match run {
                    Run::Part { .. } => assemble(std::slice::from_ref(run)).map(|value| value.term),
                    Run::Fill(Fill::Byte(byte), _) if bytes <= 16 => {
                        let all = std::iter::repeat_n(byte.clone(), bytes as usize);
                        all.reduce(|low, high| Term::concat(high, low))
                    }
                    Run::Fill(..) => None,
                };
                parts.push(Part { address: object.base.clone().plus(at.into()), bytes, content });
            }
        }
        Spatial { parts }
    }

    /// The part that contains another one is taken out; what is around it stays.
    fn take(&mut self, wanted: &Part) -> Option<Part> {
        let (index, at) =
            self.parts.iter().enumerate().find_map(|(index, part)| Some((index, part.place_of(wanted)?)))?;
        let whole = self.parts.remove(index);
        let behind = at + wanted.bytes;
        if behind < whole.bytes {
            self.parts.insert(index, whole.slice(behind, whole.bytes - behind));
        }
        if at > 0 {
            self.parts.insert(index, whole.slice(0, at));
        }
        Some(whole.slice(at, wanted.bytes))
    }

    /// `self |- other * ?frame`: what is left when the parts of another formula are taken out, if they are all there. `holds` says what
    /// surely holds of the numbers.
    pub fn frame(&self, other: &Spatial, mut holds: impl FnMut(&Term) -> bool) -> Option<Spatial> {
        let abduced = self.abduce(other);
        (abduced.missing.parts.is_empty() && abduced.conditions.iter().all(&mut holds))
            .then_some(abduced.frame)
    }

    /// `self * ?missing |- other * ?frame`, under conditions on the contents.
    pub fn abduce(&self, other: &Spatial) -> Abduced {
        let mut frame = self.clone();
        let mut abduced = Abduced::default();
        for wanted in &other.parts {
            let Some(found) = frame.take(wanted) else {
                abduced.missing.parts.push(wanted.clone());
                continue;
            };
            match (&found.content, &wanted.content) {
                (_, None) => {}
                (Some(is), Some(should)) => {
                    let same = Term::eq(is.clone(), should.clone());
                    if same.as_bool() != Some(true) {
                        abduced.conditions.push(same);
                    }
                }
                // What is there is not known, so it would have to be what is wanted.
                (None, Some(_)) => abduced.conditions.push(Term::truth(false)),
            }
        }
        abduced.frame = frame;
        abduced
    }

    /// As a formula of separation logic over bytes. What is not known is a variable of its own.
    pub fn formula(&self) -> Term {
        let mut next = 0;
        let mut cells = Vec::new();
        for part in &self.parts {
            for at in 0..part.bytes {
                let content = match &part.content {
                    Some(whole) => Term::extract((8 * at + 7) as u8, (8 * at) as u8, whole.clone()),
                    None => {
                        next += 1;
                        Term::var(Name::Numbered("any", next), Sort::Bits(8))
                    }
                };
                cells.push(Term::points_to(part.address.clone().plus(at.into()), content));
            }
        }
        if cells.is_empty() { Term::sep_emp() } else { Term::star(cells) }
    }
}

/// A state as a script in the format of the competition of separation logic solvers.
pub fn script(heap: &Heap, journal: &Journal, word: u8, what: &str) -> String {
    /// Larger parts are left out: a formula has a predicate for each byte.
    const LARGEST: u64 = 64;
    let mut spatial = Spatial::of_heap(heap);
    let all = spatial.parts.len();
    spatial.parts.retain(|part| part.bytes <= LARGEST);
    let mut script = Script::new();
    script.command("(set-logic QF_ALL)");
    script.command(&format!("(set-info :source |heapproof: {}|)", what.replace('|', "/")));
    if spatial.parts.len() < all {
        script.command(&format!("; {} large parts are left out", all - spatial.parts.len()));
    }
    let (address, content) = (Sort::Bits(word), Sort::Bits(8));
    script.command(&format!("(declare-heap ({address} {content}))"));
    let mut conditions = journal.conditions();
    conditions.reverse();
    conditions.iter().for_each(|condition| script.assert(condition));
    script.assert(&spatial.formula());
    script.command("(check-sat)");
    script.take()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapproof_logic::{Answer, Config, Process, Solver};

    fn var(name: &str, width: u8) -> Term {
        Term::var(name, Sort::Bits(width))
    }

    fn part(base: &str, at: i128, bytes: u64, content: Option<Term>) -> Part {
        Part { address: var(base, 64).plus(at), bytes, content }
    }

    fn spatial(parts: &[Part]) -> Spatial {
        Spatial { parts: parts.to_vec() }
    }

    /// cvc5's word on whether a formula entails another one; the contents of both are all named.
    fn entails(a: &Term, b: &Term) -> bool {
        let mut solver = Process::start(Config::separation("cvc5", Sort::Bits(64), Sort::Bits(8))).unwrap();
        solver.assert(a);
        solver.assert(&b.clone().not());
        solver.check(&[]).unwrap() == Answer::Unsat
    }

    #[test]
    fn a_frame_is_what_is_left() {
        let x = var("x", 32);
        let a = spatial(&[part("p", 0, 4, Some(x.clone())), part("q", 0, 1, Some(Term::bits(7, 8)))]);
        // The two bytes in the middle of the first part.
        let b = spatial(&[part("p", 1, 2, Some(Term::extract(23, 8, x.clone())))]);
        let frame = a.frame(&b, |_| false).unwrap();
        let bytes: Vec<u64> = frame.parts.iter().map(|part| part.bytes).collect();
        assert_eq!(bytes, [1, 1, 1]);
        let whole = Term::star([b.formula(), frame.formula()]);
        assert!(entails(&a.formula(), &whole), "cvc5 agrees");
        assert!(!entails(&a.formula(), &b.formula()), "and the frame is needed");
    }

    #[test]
    fn there_is_no_frame_without_the_parts_or_their_content() {
        let a = spatial(&[part("p", 0, 4, Some(var("x", 32)))]);
        assert_eq!(a.frame(&spatial(&[part("q", 0, 1, None)]), |_| true), None);
        assert_eq!(a.frame(&spatial(&[part("p", 2, 4, None)]), |_| true), None, "it reaches over the end");
        let other = spatial(&[part("p", 0, 4, Some(var("y", 32)))]);
        assert_eq!(a.frame(&other, |_| false), None);
        assert_eq!(a.frame(&other, |_| true), Some(Spatial::default()), "if x = y");
    }

    #[test]
    fn what_is_missing_makes_the_entailment_hold() {
        let a = spatial(&[part("p", 0, 2, Some(var("x", 16)))]);
        let b = spatial(&[part("p", 0, 1, Some(Term::bits(3, 8))), part("q", 0, 1, Some(Term::bits(9, 8)))]);
        let abduced = a.abduce(&b);
        assert_eq!(abduced.missing, spatial(&[part("q", 0, 1, Some(Term::bits(9, 8)))]));
        assert_eq!(abduced.conditions.len(), 1);
        let left = Term::star([a.formula(), abduced.missing.formula()]);
        let right = Term::star([b.formula(), abduced.frame.formula()]);
        let with_conditions = Term::and(abduced.conditions.iter().cloned().chain([left.clone()]));
        assert!(entails(&with_conditions, &right));
        assert!(!entails(&left, &right), "the condition is needed");
        assert!(!entails(&a.formula(), &right), "the memory is needed");
    }

    #[test]
    fn a_heap_is_written_and_read_back() {
        let mut heap = Heap::default();
        let id = heap.create(Term::bits(4, 64), 16, Kind::Heap, Fill::Uninit);
        heap.get_mut(id).put_value(0, crate::value::Value::number(0x1234, 16));
        let text = script(&heap, &Journal::default(), 64, "a test");
        let file = std::env::temp_dir().join(format!("heapproof-heap-{}.smt2", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let out = std::process::Command::new("cvc5").arg(&file).output().unwrap();
        std::fs::remove_file(file).unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "sat", "{out:?}");
    }
}
