//! What an observer sees of a run.

mod common;

use common::*;
use heapproof_interp::{Kind, Observer, Piece, Scalar, Snapshot, run_observed};
use heapproof_ir::{BlockId, FuncId};

/// Looks at every entry of one block.
struct Looker {
    block: BlockId,
    seen: Vec<Snapshot>,
}

impl Observer for Looker {
    fn wants(&mut self, _: FuncId, block: BlockId) -> bool {
        block == self.block
    }

    fn look(&mut self, snapshot: Snapshot) {
        self.seen.push(snapshot);
    }
}

fn snapshots(body: &str, block: u32) -> Vec<Snapshot> {
    let function = format!("\"main\"() -> (i32) {{\n{body}\n}}");
    let externals = ["malloc(i64) -> (ptr)", "free(ptr)"];
    let program = program(&externals, "global g0 \"head\" size 8 align 8", &[&function]);
    let mut looker = Looker { block: BlockId::from_u32(block), seen: Vec::new() };
    run_observed(&program, &options(), &mut Given(vec![]), &mut looker);
    looker.seen
}

#[test]
fn registers_globals_and_what_they_reach() {
    let body = "b0:\nr0: ptr = call $malloc(i64 16)\nr1: ptr = call $malloc(i64 4)\nr2: ptr = ptradd r0 + 8\n\
                store ptr r2 -> r0\nstore i32 7 -> r2\nstore ptr r0 -> g0\ncall $free(r1)\njump b1\nb1:\nreturn i32 0";
    let seen = snapshots(body, 1);
    let [snapshot] = &seen[..] else { panic!("one entry, not {}", seen.len()) };
    let Scalar::Address { object: block, offset: 0 } = snapshot.regs[0] else {
        panic!("{:?}", snapshot.regs)
    };
    let Scalar::Address { object: freed, offset: 0 } = snapshot.regs[1] else {
        panic!("{:?}", snapshot.regs)
    };
    assert_eq!(snapshot.regs[2], Scalar::Address { object: block, offset: 8 });
    let object = &snapshot.objects[&block];
    assert_eq!((object.kind, object.size, object.live), (Kind::Heap, 16, true));
    let content = object.content.as_ref().expect("it is small");
    assert_eq!(content[0], (0, Piece::Address(Scalar::Address { object: block, offset: 8 })));
    assert_eq!(content[1..3], [(8, Piece::Byte(7)), (9, Piece::Byte(0))]);
    assert_eq!(content.len(), 5, "the rest was never written");
    assert!(!snapshot.objects[&freed].live);
    let global = snapshot.globals.values().next().expect("one global");
    let held = snapshot.objects[global].content.as_ref().expect("it is small");
    assert_eq!(held[..], [(0, Piece::Address(Scalar::Address { object: block, offset: 0 }))]);
}

#[test]
fn a_loop_is_seen_at_every_round() {
    let body = "reg r0: i32 var \"i\"\nb0:\nr0 = copy i32 0\njump b1\nb1:\nr1 = cmp slt i32 r0, 3\n\
                br r1 ? b2 : b3\nb2:\nr0 = add i32 r0, 1\njump b1\nb3:\nreturn i32 0";
    let counters: Vec<Scalar> = snapshots(body, 1).iter().map(|snapshot| snapshot.regs[0]).collect();
    assert_eq!(counters, [0, 1, 2, 3].map(Scalar::Number));
}
