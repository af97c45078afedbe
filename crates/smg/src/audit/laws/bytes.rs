//! Reading and writing objects against plain bytes.

use crate::graph::{Object, State, Storage, Val};
use heapproof_ir::Span;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const SIZE: u64 = 24;

/// A change of the two objects.
#[derive(Clone, Copy, Debug)]
enum Change {
    Write { off: u64, len: u64, number: u64 },
    Fill { off: u64, len: u64, byte: u8 },
    Blur { off: u64, len: u64 },
    Copy { from: u64, to: u64, len: u64, back: bool },
}

fn change() -> impl Strategy<Value = Change> {
    let number = prop_oneof![Just(0u64), 1u64..3, any::<u64>()];
    prop_oneof![
        (0..SIZE, 0u32..4, number).prop_map(|(off, log, number)| Change::Write {
            off,
            len: 1 << log,
            number
        }),
        (0..SIZE, 1..SIZE, 0u8..2).prop_map(|(off, len, byte)| Change::Fill { off, len, byte }),
        (0..SIZE, 1..SIZE).prop_map(|(off, len)| Change::Blur { off, len }),
        (0..SIZE, 0..SIZE, 1..SIZE, any::<bool>()).prop_map(|(from, to, len, back)| Change::Copy {
            from,
            to,
            len,
            back
        }),
    ]
}

/// What bytes are: known or not.
type Bytes = [[Option<u8>; SIZE as usize]; 2];

fn apply(state: &mut State, ids: [crate::graph::ObjId; 2], bytes: &mut Bytes, change: Change) {
    let room = |off: u64, len: u64| len.min(SIZE - off);
    match change {
        Change::Write { off, len, number } if off + len <= SIZE => {
            let kept = if len == 8 { number } else { number & ((1 << (8 * len)) - 1) };
            state.write(ids[0], off, len, Val::Int(u128::from(kept)));
            for at in 0..len {
                bytes[0][(off + at) as usize] = Some((number >> (8 * at)) as u8);
            }
        }
        Change::Write { .. } => {}
        Change::Fill { off, len, byte } => {
            let len = room(off, len);
            state.fill(ids[0], off, len, Some(byte));
            bytes[0][off as usize..(off + len) as usize].fill(Some(byte));
        }
        Change::Blur { off, len } => {
            let len = room(off, len);
            state.fill(ids[0], off, len, None);
            bytes[0][off as usize..(off + len) as usize].fill(None);
        }
        Change::Copy { from, to, len, back } => {
            let len = room(from.max(to), len);
            let (source, target) = if back { (1, 0) } else { (0, 1) };
            state.copy((ids[source], from), (ids[target], to), len);
            for at in 0..len {
                bytes[target][(to + at) as usize] = bytes[source][(from + at) as usize];
            }
        }
    }
}

/// True if the objects know nothing else than the bytes.
fn agrees(state: &State, ids: [crate::graph::ObjId; 2], bytes: &Bytes) -> bool {
    (0..2).all(|side| {
        let object = state.object(ids[side]);
        (0..SIZE).all(|at| match object.peek(at, 1) {
            Some(val) => Some(val) == bytes[side][at as usize].map(|byte| Val::Int(u128::from(byte))),
            None => true,
        }) && (0..SIZE - 3).all(|at| match object.peek(at, 4) {
            Some(Val::Int(number)) => (0..4).all(|n| {
                let byte = (number >> (8 * n)) as u8;
                bytes[side][at as usize + n] == Some(byte)
            }),
            _ => true,
        })
    })
}

/// Tries some sequences of changes; says what does not agree.
pub fn try_bytes(cases: u32) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let changes = proptest::collection::vec(change(), 1..12);
    let tried = runner.run(&changes, |changes| {
        let mut state = State::new(8);
        let mut object = || state.add(Object::region(SIZE, Storage::Heap, Span::NONE));
        let ids = [object(), object()];
        let mut bytes: Bytes = [[None; SIZE as usize]; 2];
        for change in changes {
            apply(&mut state, ids, &mut bytes, change);
            prop_assert!(agrees(&state, ids, &bytes), "{:?}", bytes);
        }
        Ok(())
    });
    tried.map_err(|why| why.to_string())
}

#[test]
fn objects_are_bytes() {
    if let Err(why) = try_bytes(3000) {
        panic!("{why}");
    }
}
