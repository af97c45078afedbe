//! What making and simplifying terms costs. `cargo bench -p heapproof-logic`; under valgrind's callgrind for a count.

use heapproof_logic::{BvOp, BvRel, Name, Sort, Term};
use std::hint::black_box;
use std::time::Instant;

fn var(number: u64) -> Term {
    Term::var(Name::Numbered("v", number), Sort::Bits(64))
}

fn measure(what: &str, count: u64, mut work: impl FnMut(u64)) {
    let start = Instant::now();
    (0..count).for_each(&mut work);
    let each = start.elapsed().as_nanos() / u128::from(count);
    println!("{what:<44} {each:>6} ns each, {count} times");
}

fn main() {
    measure("a variable that exists", 1_000_000, |number| drop(black_box(var(number % 64))));
    measure("a new variable", 1_000_000, |number| drop(black_box(var(number))));
    measure("base + 8 * index + offset", 300_000, |number| {
        let scaled = Term::bv(BvOp::Mul, var(number % 1_000), Term::bits(8, 64));
        black_box(Term::bv(BvOp::Add, var(1_001 + number % 7), scaled).plus(i128::from(number % 100)));
    });
    measure("an order that ranges decide", 300_000, |number| {
        let byte = Term::var(Name::Numbered("b", number % 1_000), Sort::Bits(8)).resized(64, false);
        black_box(Term::rel(BvRel::Ult, byte, Term::bits(256, 64)));
    });
    measure("eight bytes of a number, put together", 50_000, |number| {
        let whole = var(number % 1_000);
        let byte = |index: u8| Term::extract(8 * index + 7, 8 * index, whole.clone());
        black_box((1..8).fold(byte(0), |low, index| Term::concat(byte(index), low)));
    });
    let mut memory = Term::var("m", Sort::array(Sort::Bits(64), Sort::Bits(8)));
    measure("a byte written to an array", 100_000, |number| {
        memory = Term::store(memory.clone(), var(0).plus(i128::from(number)), Term::bits(number.into(), 8));
    });
    measure("a byte read through a hundred writes", 20_000, |number| {
        black_box(Term::select(memory.clone(), var(0).plus(99_900 + i128::from(number % 100))));
    });
    let mut path = Term::truth(true);
    measure("one more condition of a path", 100_000, |number| {
        path = Term::and([path.clone(), Term::rel(BvRel::Slt, var(number), var(number + 1))]);
    });
    let start = Instant::now();
    let size = Term::dag([&memory, &path]).len();
    println!("{:<44} {:>6} ns each, {size} nodes", "simplified anew", {
        black_box((memory.simplified(), path.simplified()));
        start.elapsed().as_nanos() / size as u128
    });
}
