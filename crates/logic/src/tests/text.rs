//! Terms and scripts as text.

use super::solvers::z3;
use crate::{BvOp, Function, Name, Solved, Solver, Sort, Term, smtlib::Script};

#[test]
fn terms_are_written_as_smt_lib() {
    let x = Term::var("x", Sort::Bits(8));
    let f = Function::new("next", vec![Sort::Bits(8)], Sort::Bits(8));
    let i = Term::bound(1, Sort::Bits(8));
    let call = f.apply([i.clone()]);
    let law = Term::forall(vec![i.clone()], vec![vec![call.clone()]], Term::ne(call, i));
    let cases = [
        (Term::eq(f.apply([x.clone()]), Term::bits(3, 8)), "(= (next x) #x03)"),
        (Term::extract(3, 1, x.clone()), "((_ extract 3 1) x)"),
        (Term::int(-4), "(- 4)"),
        (Term::bv_neg(x), "(bvneg x)"),
        (Term::constant_array(Sort::Int, Term::truth(true)), "((as const (Array Int Bool)) true)"),
        (Term::var("a name", Sort::Int), "|a name|"),
    ];
    for (term, text) in cases {
        assert_eq!(term.to_string(), text);
    }
    let text = law.to_string();
    assert!(
        text.starts_with("(forall ((?1 (_ BitVec 8))) (! (not (= ") && text.contains(":pattern ((next ?1))"),
        "{text}"
    );
}

#[test]
fn shared_terms_are_written_once() {
    let x = Term::var("x", Sort::Bits(32));
    let doubled = (0..64).fold(x, |term, _| Term::bv(BvOp::Mul, term.clone(), term));
    assert!(doubled.to_string().len() < 4_000);
    let mut script = Script::new();
    script.assert(&Term::eq(doubled, Term::bits(1, 32)));
    assert!(script.take().len() < 6_000);
}

#[test]
fn names_that_clash_are_told_apart() {
    let mut solver = z3();
    let narrow = Term::var("x", Sort::Bits(8));
    let wide = Term::var("x", Sort::Bits(16));
    let odd = Term::var("|x\\y| and", Sort::Bool);
    let numbered = Term::var(Name::Numbered("x", 1), Sort::Bool);
    let text = Term::var("x1", Sort::Bool);
    let reserved = Term::var("select", Sort::Bool);
    let function = Function::new("x", vec![Sort::Bool], Sort::Bool);
    let conditions = [
        Term::eq(narrow.clone(), Term::bits(1, 8)),
        Term::eq(wide.clone(), Term::bits(2, 16)),
        odd,
        numbered.clone(),
        text.clone().not(),
        reserved,
        function.apply([Term::truth(true)]),
    ];
    let Ok(Solved::Sat(model)) = solver.solve(&conditions) else { panic!("these hold together") };
    assert_eq!((model.bits(&narrow), model.bits(&wide)), (Some(1), Some(2)));
    assert!(model.satisfies(&numbered) && !model.satisfies(&text));
}
