//! How the work of a proof grows with the program, counted in configurations. `bench/growth` has more such programs.

use crate::support::Desk;

/// Lists of lists of lists, built and freed by loops inside of loops of one function.
fn nested_lists(depth: usize, doubly: bool) -> String {
    let (prev, back) = if doubly { (", *prev", true) } else { ("", false) };
    let (mut types, mut build, mut free) = (String::new(), String::new(), String::new());
    for level in (0..depth).rev() {
        let (below, lists) = match level + 1 {
            next if next == depth => ("int x;".to_owned(), [format!("x{level}->x = 1;"), String::new()]),
            next => (
                format!("struct l{next} *below;"),
                [
                    format!("struct l{next} *h{next} = 0; {build} x{level}->below = h{next};"),
                    format!("struct l{next} *h{next} = h{level}->below; {free}"),
                ],
            ),
        };
        let link = match back {
            true => format!("x{level}->prev = 0; if (h{level}) h{level}->prev = x{level};"),
            false => String::new(),
        };
        types += &format!("struct l{level} {{ struct l{level} *next{prev}; {below} }};\n");
        build = format!(
            "while (__VERIFIER_nondet_int()) {{ struct l{level} *x{level} = malloc(sizeof *x{level}); {} \
             x{level}->next = h{level}; {link} h{level} = x{level}; }}",
            lists[0]
        );
        free = format!(
            "while (h{level}) {{ struct l{level} *t{level} = h{level}->next; {} free(h{level}); h{level} = t{level}; }}",
            lists[1]
        );
    }
    format!(
        "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n{types}int main(void) {{ struct l0 *h0 = 0;\n{build}\n{free}\nreturn 0; }}\n"
    )
}

/// Lists inside of lists cost about twice as much for each level.
#[test]
fn nesting_in_one_function_doubles_the_work() {
    for (depth, doubly, most) in
        [(2, false, 60), (3, false, 150), (5, false, 700), (2, true, 100), (3, true, 270)]
    {
        let desk = Desk::with(nested_lists(depth, doubly));
        let answer = desk.run("check a.c --engine smg --property memsafety --format json").json();
        let spent = answer["statistics"]["configurations"].as_u64();
        assert_eq!(answer["verdict"], "safe", "{depth} levels");
        assert!(spent.is_some_and(|spent| spent <= most), "{depth} levels take {spent:?}, not {most}");
    }
}
