//! Looks for programs that the engine proves and that fail: `hunt FIRST_SEED COUNT [RUNS]`
//!
//! Prints each one found, and totals at the end; with a count of 0, the program of the seed.

#[path = "../tests/soundness/generator.rs"]
mod generator;
#[path = "../tests/soundness/inputs.rs"]
mod inputs;
#[path = "../tests/soundness/oracle.rs"]
mod oracle;
#[path = "../tests/soundness/text.rs"]
mod text;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let (first, count) = (args.next().unwrap_or(0), args.next().unwrap_or(100));
    if count == 0 {
        print!("{}", generator::generate(first));
        return;
    }
    let runs = args.next().unwrap_or(4000);
    let directory = tempfile::tempdir().expect("a directory for the programs");
    let properties = oracle::properties();
    let (mut broken, mut proved, mut refuted, mut crashed, mut wrong) = (0, 0, 0, 0, 0);
    for seed in first..first + count {
        let text = generator::generate(seed);
        let program = match oracle::compile(&text, directory.path(), "program") {
            Ok(program) => program,
            Err(why) => {
                println!("seed {seed} does not compile: {why}");
                broken += 1;
                continue;
            }
        };
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            oracle::opinion(&program, &properties, 20_000) == oracle::Opinion::Proved
        }));
        let Ok(safe) = answer else {
            println!("seed {seed}: the engine crashes");
            crashed += 1;
            continue;
        };
        let fault = oracle::refute(&program, &properties, seed, if safe { runs } else { 40 });
        proved += u32::from(safe);
        refuted += u32::from(fault.is_some());
        if let (true, Some(fault)) = (safe, fault) {
            println!("WRONG seed {seed}: {fault}\n{text}");
            wrong += 1;
        }
    }
    println!(
        "{count} programs: {proved} proved, {refuted} refuted, {broken} not compiled, {crashed} crashes, {wrong} wrong"
    );
}
