//! Library functions that call back, as programs: every engine executes them like any other function.
//!
//! C says what they give, not which comparisons they make: a body chooses them.

use crate::{Model, Scalar, readers};
use heapproof_ir::{Body, Callee, FuncId, Function, InstKind, Program, Target};

/// A number that the library chooses: [`CHOICE`] declares it as `f1`. `W` is the type of `size_t`.
const CHOICE_NAME: &str = "__VERIFIER_choice";
const CHOICE: &str = "
func f1 \"__VERIFIER_choice\"() -> (W)
";

/// `qsort`: first any elements are compared and exchanged, which makes of them what any algorithm may make. Then insertion sort puts
/// them in order with the fewest comparisons there are: each element with the one after it, in any order of arguments. At last any
/// elements are compared once more.
const QSORT: &str = "
func f0 \"qsort\"(r0: ptr, r1: W, r2: W, r3: ptr) {
b0:
  r4 = cmp ult W r1, 2
  br r4 ? b21 : b1
b1:
  r5 = alloca r2 align 16
  r6 = copy W 1
  r7 = copy W 1
  jump b2
b2:
  r8: W = call f1()
  r9 = cmp eq W r8, 0
  br r9 ? b11 : b3
b3:
  r10: W = call f1()
  r11 = cmp ult W r10, r1
  br r11 ? b5 : b4
b4:
  r10 = copy W 0
  jump b5
b5:
  r12: W = call f1()
  r13 = cmp ult W r12, r1
  br r13 ? b7 : b6
b6:
  r12 = copy W 0
  jump b7
b7:
  r14 = mul W r10, r2
  r15 = mul W r12, r2
  r16 = ptradd r0 + r14 * 1
  r17 = ptradd r0 + r15 * 1
  r18: i32 = call *r3(r16, r17)
  r19 = cmp eq W r7, 0
  br r19 ? b2 : b8
b8:
  r20 = cmp eq W r10, r12
  br r20 ? b2 : b9
b9:
  r21: W = call f1()
  r22 = cmp eq W r21, 0
  br r22 ? b2 : b10
b10:
  copyblock disjoint r5 <- r16, r2
  copyblock disjoint r16 <- r17, r2
  copyblock disjoint r17 <- r5, r2
  jump b2
b11:
  r23 = cmp eq W r7, 0
  br r23 ? b21 : b12
b12:
  r24 = cmp ult W r6, r1
  br r24 ? b13 : b20
b13:
  r25 = copy W r6
  jump b14
b14:
  r26 = cmp eq W r25, 0
  br r26 ? b19 : b15
b15:
  r27 = mul W r25, r2
  r28 = sub W r27, r2
  r29 = ptradd r0 + r27 * 1
  r30 = ptradd r0 + r28 * 1
  r31: W = call f1()
  r32 = cmp eq W r31, 0
  br r32 ? b16 : b17
b16:
  r33: i32 = call *r3(r30, r29)
  r34 = cmp sgt i32 r33, 0
  br r34 ? b18 : b19
b17:
  r35: i32 = call *r3(r29, r30)
  r36 = cmp slt i32 r35, 0
  br r36 ? b18 : b19
b18:
  copyblock disjoint r5 <- r30, r2
  copyblock disjoint r30 <- r29, r2
  copyblock disjoint r29 <- r5, r2
  r25 = sub W r25, 1
  jump b14
b19:
  r6 = add W r6, 1
  jump b12
b20:
  r7 = copy W 0
  jump b2
b21:
  return
}
";

/// `qsort` with a comparison that only reads: when and how often elements are compared makes no difference then. All pairs are
/// compared, or any one of many elements, since a comparison may fail. Then insertion sort decides only how equal elements lie
/// that are not the same bytes. The last element is copied at the end, as all may be.
const QSORT_BY_READING: &str = "
func f0 \"qsort\"(r0: ptr, r1: W, r2: W, r3: ptr) {
b0:
  r4 = cmp ult W r1, 2
  br r4 ? b23 : b1
b1:
  r5 = alloca r2 align 16
  r9 = cmp ule W r1, 16
  br r9 ? b2 : b8
b2:
  r10 = copy W 0
  jump b3
b3:
  r11 = cmp ult W r10, r1
  br r11 ? b4 : b11
b4:
  r12 = copy W 0
  jump b5
b5:
  r13 = cmp ult W r12, r1
  br r13 ? b6 : b7
b6:
  r14 = mul W r10, r2
  r15 = mul W r12, r2
  r16 = ptradd r0 + r14 * 1
  r17 = ptradd r0 + r15 * 1
  r18: i32 = call *r3(r16, r17)
  r12 = add W r12, 1
  jump b5
b7:
  r10 = add W r10, 1
  jump b3
b8:
  r19: W = call f1()
  r20 = cmp ult W r19, r1
  br r20 ? b9 : b11
b9:
  r21: W = call f1()
  r22 = cmp ult W r21, r1
  br r22 ? b10 : b11
b10:
  r23 = mul W r19, r2
  r24 = mul W r21, r2
  r25 = ptradd r0 + r23 * 1
  r26 = ptradd r0 + r24 * 1
  r27: i32 = call *r3(r25, r26)
  jump b11
b11:
  r28 = copy W 1
  jump b12
b12:
  r29 = cmp ult W r28, r1
  br r29 ? b13 : b22
b13:
  r30 = copy W r28
  jump b14
b14:
  r31 = cmp eq W r30, 0
  br r31 ? b21 : b15
b15:
  r32 = mul W r30, r2
  r33 = sub W r32, r2
  r34 = ptradd r0 + r32 * 1
  r35 = ptradd r0 + r33 * 1
  r36: i32 = call *r3(r35, r34)
  r37 = cmp sgt i32 r36, 0
  br r37 ? b20 : b16
b16:
  r38 = cmp eq i32 r36, 0
  br r38 ? b17 : b21
b17:
  r39 = cmp eq W r2, 4
  br r39 ? b18 : b19
b18:
  r40 = load i32 r34
  r41 = load i32 r35
  r42 = cmp eq i32 r40, r41
  br r42 ? b21 : b19
b19:
  r43: W = call f1()
  r44 = cmp eq W r43, 0
  br r44 ? b21 : b20
b20:
  copyblock disjoint r5 <- r35, r2
  copyblock disjoint r35 <- r34, r2
  copyblock disjoint r34 <- r5, r2
  r30 = sub W r30, 1
  jump b14
b21:
  r28 = add W r28, 1
  jump b12
b22:
  r6 = sub W r1, 1
  r7 = mul W r6, r2
  r8 = ptradd r0 + r7 * 1
  copyblock disjoint r5 <- r8, r2
  copyblock disjoint r8 <- r5, r2
  jump b23
b23:
  return
}
";

/// `bsearch`: any element is looked at that may still be the one, halves if the choice is none of them.
const BSEARCH: &str = "
func f0 \"bsearch\"(r0: ptr, r1: ptr, r2: W, r3: W, r4: ptr) -> (ptr) {
b0:
  r5 = copy W 0
  r6 = copy W r2
  jump b1
b1:
  r7 = cmp ult W r5, r6
  br r7 ? b2 : b10
b2:
  r9: W = call f1()
  r8 = cmp ult W r9, r5
  br r8 ? b4 : b3
b3:
  r15 = cmp ult W r9, r6
  br r15 ? b5 : b4
b4:
  r16 = add W r5, r6
  r9 = lshr W r16, 1
  jump b5
b5:
  r10 = mul W r9, r3
  r11 = ptradd r1 + r10 * 1
  r12: i32 = call *r4(r0, r11)
  r13 = cmp slt i32 r12, 0
  br r13 ? b6 : b7
b6:
  r6 = copy W r9
  jump b1
b7:
  r14 = cmp eq i32 r12, 0
  br r14 ? b9 : b8
b8:
  r5 = add W r9, 1
  jump b1
b9:
  return r11
b10:
  return null
}
";

const BODIES: [(&str, &str); 2] = [("qsort", QSORT), ("bsearch", BSEARCH)];

/// The functions that have a body here.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BODIES.iter().map(|(name, _)| *name)
}

fn parse(text: &str, target: Target) -> Program {
    let (header, word) = match target {
        Target::Lp64 => ("target lp64\n", "i64"),
        Target::Ilp32 => ("target ilp32\n", "i32"),
    };
    let text = format!("{header}{}", format!("{text}{CHOICE}").replace('W', word));
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Gives bodies to the `wanted` functions that call back, which the program declares as the library has them and does not
/// define. The instructions have no positions. The names of the functions are returned.
pub(crate) fn link(program: &mut Program, wanted: &impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut linked = Vec::new();
    for (name, text) in BODIES {
        let Some(id) = program.function(name) else { continue };
        if program.functions[id].body.is_some() || !wanted(name) {
            continue;
        }
        let reading =
            (name == "qsort" && readers::is_given_readers(program, id, 3)).then_some(QSORT_BY_READING);
        let mut library = parse(reading.unwrap_or(text), program.target);
        let mut functions = library.functions.values_mut();
        let (Some(model), Some(choice)) = (functions.next(), functions.next()) else { continue };
        let function = &program.functions[id];
        if function.params == model.params && function.results == model.results && !function.variadic {
            let choice = choice_of(program, choice);
            let mut body = model.body.take();
            body.iter_mut().for_each(|body| call_instead(body, choice));
            program.functions[id].body = body;
            linked.push(name);
        }
    }
    linked
}

/// The function that chooses, declared once.
fn choice_of(program: &mut Program, choice: &Function) -> FuncId {
    program.function(CHOICE_NAME).unwrap_or_else(|| program.functions.push(choice.clone()))
}

/// All direct calls of a body become calls of one function.
fn call_instead(body: &mut Body, callee: FuncId) {
    for inst in body.blocks.values_mut().flat_map(|block| &mut block.insts) {
        if let InstKind::Call { callee: Callee::Direct(func), .. } = &mut inst.kind {
            *func = callee;
        }
    }
}

/// The function that chooses.
pub(crate) fn models() -> Vec<Model> {
    vec![Model::effect(CHOICE_NAME, Scalar::SIZE, &[], "Any number: what a function of the library chooses.")]
}

/// True if a body came from [`link`] or is otherwise without any position.
pub fn has_no_positions(body: &Body) -> bool {
    body.blocks
        .values()
        .all(|block| !block.term_span.is_known() && block.insts.iter().all(|inst| !inst.span.is_known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bodies_are_valid_on_both_targets() {
        for target in [Target::Lp64, Target::Ilp32] {
            for (name, text) in BODIES.into_iter().chain([("qsort", QSORT_BY_READING)]) {
                let program = parse(text, target);
                assert_eq!(heapproof_ir::check::check(&program), [], "{name}");
            }
        }
    }

    #[test]
    fn only_fitting_declarations_without_a_body_are_linked() {
        let linked = |text: &str| link(&mut text.parse().unwrap(), &|_: &str| true);
        assert_eq!(linked("func f0 \"qsort\"(ptr, i64, i64, ptr)"), ["qsort"]);
        let none = link(&mut "func f0 \"qsort\"(ptr, i64, i64, ptr)".parse().unwrap(), &|_: &str| false);
        assert_eq!(none, [""; 0]);
        assert_eq!(linked("func f0 \"qsort\"(ptr, i32, i64, ptr)"), [""; 0]);
        assert_eq!(linked("func f0 \"qsort\"(r0: ptr, r1: i64, r2: i64, r3: ptr) {\nb0:\nreturn }"), [""; 0]);
        assert_eq!(
            linked("target ilp32\nfunc f0 \"bsearch\"(ptr, ptr, i32, i32, ptr) -> (ptr)"),
            ["bsearch"]
        );
    }
}
