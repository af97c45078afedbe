//! Library functions that call back, as programs: every engine executes them like any other function.

use heapproof_ir::{Body, Program, Target};

/// `qsort`: insertion sort, which is stable as that of glibc. `W` is the type of `size_t`.
const QSORT: &str = "
func f0 \"qsort\"(r0: ptr, r1: W, r2: W, r3: ptr) {
b0:
  r4 = cmp ult W r1, 2
  br r4 ? b8 : b1
b1:
  r5 = alloca r2 align 16
  r6 = copy W 1
  jump b2
b2:
  r7 = cmp ult W r6, r1
  br r7 ? b3 : b8
b3:
  r8 = copy W r6
  jump b4
b4:
  r9 = cmp eq W r8, 0
  br r9 ? b7 : b5
b5:
  r10 = mul W r8, r2
  r11 = sub W r10, r2
  r12 = ptradd r0 + r10 * 1
  r13 = ptradd r0 + r11 * 1
  r14: i32 = call *r3(r13, r12)
  r15 = cmp sgt i32 r14, 0
  br r15 ? b6 : b7
b6:
  copyblock disjoint r5 <- r13, r2
  copyblock disjoint r13 <- r12, r2
  copyblock disjoint r12 <- r5, r2
  r8 = sub W r8, 1
  jump b4
b7:
  r6 = add W r6, 1
  jump b2
b8:
  return
}
";

/// `bsearch`: by halves, as the name says.
const BSEARCH: &str = "
func f0 \"bsearch\"(r0: ptr, r1: ptr, r2: W, r3: W, r4: ptr) -> (ptr) {
b0:
  r5 = copy W 0
  r6 = copy W r2
  jump b1
b1:
  r7 = cmp ult W r5, r6
  br r7 ? b2 : b7
b2:
  r8 = add W r5, r6
  r9 = lshr W r8, 1
  r10 = mul W r9, r3
  r11 = ptradd r1 + r10 * 1
  r12: i32 = call *r4(r0, r11)
  r13 = cmp slt i32 r12, 0
  br r13 ? b3 : b4
b3:
  r6 = copy W r9
  jump b1
b4:
  r14 = cmp eq i32 r12, 0
  br r14 ? b6 : b5
b5:
  r5 = add W r9, 1
  jump b1
b6:
  return r11
b7:
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
    let text = format!("{header}{}", text.replace('W', word));
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
        let mut library = parse(text, program.target);
        let Some((_, model)) = library.functions.iter_mut().next() else { continue };
        let function = &mut program.functions[id];
        if function.params == model.params && function.results == model.results && !function.variadic {
            function.body = model.body.take();
            linked.push(name);
        }
    }
    linked
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
            for (name, text) in BODIES {
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
