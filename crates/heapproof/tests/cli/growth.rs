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

/// A merge sort of a list of lists.
const MERGE_SORT: &str = r"#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
struct run { struct node *nodes; struct run *next; };
static struct node *merge(struct node *a, struct node *b) {
    struct node *list = 0, **end = &list;
    while (a || b) {
        struct node **from = !b || (a && a->value < b->value) ? &a : &b;
        struct node *x = *from;
        *from = x->next; x->next = 0; *end = x; end = &x->next;
    }
    return list;
}
static struct run *pass(struct run *runs) {
    struct run *done = 0;
    while (runs) {
        struct run *next = runs->next;
        if (next) {
            struct run *rest = next->next;
            runs->nodes = merge(runs->nodes, next->nodes);
            free(next);
            next = rest;
        }
        runs->next = done; done = runs; runs = next;
    }
    return done;
}
int main(void) {
    struct run *runs = 0;
    while (__VERIFIER_nondet_int()) {
        struct run *run = malloc(sizeof *run);
        run->nodes = malloc(sizeof *run->nodes);
        run->nodes->next = 0; run->nodes->value = __VERIFIER_nondet_int();
        run->next = runs; runs = run;
    }
    if (!runs) return 0;
    while (runs->next) runs = pass(runs);
    for (struct node *x = runs->nodes; x;) { struct node *t = x->next; free(x); x = t; }
    free(runs);
    return 0;
}
";

/// What a comparison of two unknown numbers tells of either does not tell the nodes of a list apart.
#[test]
fn lists_whose_numbers_were_compared_are_merged() {
    let desk = Desk::with(MERGE_SORT);
    let answer = desk.run("check a.c --engine smg --property memsafety --format json").json();
    let spent = answer["statistics"]["configurations"].as_u64();
    assert_eq!(answer["verdict"], "safe");
    assert!(spent.is_some_and(|spent| spent <= 1_000), "it takes {spent:?}");
}
