//! A singly linked list: built, searched, reversed, sorted, thinned out, copied, destroyed.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "list", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        NullDeref,
        &[("early", "for (struct ${p}_node *e = head; e; e = e->next)\n    sum += e->next->value; @fault")],
    ),
    (
        NullDeref,
        &[("early", "struct ${p}_node *hit = ${p}_find(head, $missing);\nsum += hit->value; @fault")],
    ),
    (
        NullDeref,
        &[("early", "struct ${p}_node *e = head;\nwhile (e->value != $missing) @fault\n    e = e->next;")],
    ),
    (NullDeref, &[("late", "struct ${p}_node *hit = ${p}_find(head, $missing);\nhit->next = head; @fault")]),
    (
        NullDeref,
        &[(
            "late",
            "struct ${p}_node **end = &head;\nwhile (*end)\n    end = &(*end)->next;\n(*end)->value = 5; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[(
            "destroy",
            "for (struct ${p}_node *rest; head; sum += rest == head, head = head->next) { @fault\n    rest = head->next;\n    free(head);\n}",
        )],
    ),
    (
        UseAfterFree,
        &[(
            "destroy",
            "while (head) {\n    struct ${p}_node *rest = head->next;\n    free(head);\n    head = head->next; @fault\n    sum += rest == head;\n}",
        )],
    ),
    (
        UseAfterFree,
        &[(
            "early",
            "struct ${p}_node *hit = ${p}_find(head, $some);\n${p}_drop(&head, $some);\nsum += hit->value; @fault",
        )],
    ),
    (UseAfterFree, &[("late", "struct ${p}_node *kept = head->next;"), ("end", "kept->value = 1; @fault")]),
    (UseAfterFree, &[("late", "struct ${p}_node **kept = &head->next;"), ("end", "*kept = NULL; @fault")]),
    (
        UseAfterFree,
        &[(
            "unlink",
            "struct ${p}_node *rest = dead->next;\nfree(dead);\n*at = dead->next; @fault\nassert(*at == rest);",
        )],
    ),
    (
        DoubleFree,
        &[(
            "early",
            "struct ${p}_node *hit = ${p}_find(head, $some);\n${p}_drop(&head, $some);\nfree(hit); @fault",
        )],
    ),
    (DoubleFree, &[("late", "struct ${p}_node *kept = head->next;"), ("end", "free(kept); @fault")]),
    (
        DoubleFree,
        &[(
            "destroy",
            "while (head) {\n    struct ${p}_node *next = head->next;\n    free(head);\n    if (!next)\n        free(head); @fault\n    head = next;\n}",
        )],
    ),
    (InvalidFree, &[("late", "free(&head->next); @fault")]),
    (InvalidFree, &[("late", "struct ${p}_node *hit = head->next;\nfree((char *)hit + 4); @fault")]),
    (
        InvalidFree,
        &[
            ("globals", "static struct ${p}_node ${p}_fixed = {.value = 4};"),
            ("late", "${p}_fixed.next = head;\nhead = &${p}_fixed;"),
            (
                "destroy",
                "while (head) {\n    struct ${p}_node *next = head->next;\n    free(head); @fault\n    head = next;\n}",
            ),
        ],
    ),
    (
        InvalidFree,
        &[
            ("late", "struct ${p}_node local = {.value = 4, .next = head};\nhead = &local;"),
            (
                "destroy",
                "for (struct ${p}_node *next; head; head = next) {\n    next = head->next;\n    free(head); @fault\n}",
            ),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[("alloc", "struct ${p}_node *n = malloc(sizeof n);"), ("link", "n->next = next; @fault")],
    ),
    (
        OutOfBoundsRead,
        &[(
            "early",
            "struct ${p}_node *small = malloc(sizeof(struct ${p}_node *));\nsmall->value = 3;\nsum += small->next == head; @fault",
        )],
    ),
    (
        Leak,
        &[
            ("unlink", "*at = dead->next; @fault"),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            ("late", "head = head->next; @fault"),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            ("late", "head = NULL; @fault"),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
            ("destroy", "assert(!head);"),
        ],
    ),
    (
        Leak,
        &[
            (
                "destroy",
                "while (head->next) {\n    struct ${p}_node *next = head->next;\n    free(head);\n    head = next;\n}",
            ),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            ("late", "struct ${p}_node *extra = ${p}_new(9, NULL);\nsum += extra->value;"),
            ("alloc", "struct ${p}_node *n = calloc(1, sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            (
                "late",
                "struct ${p}_node *last = head;\nwhile (last->next)\n    last = last->next;\nlast->next = head; /* a ring, lost as a whole */\nhead = last = NULL; @fault",
            ),
            ("destroy", ""),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        UseAfterScope,
        &[(
            "late",
            "struct ${p}_node *rest = head;\n{\n    struct ${p}_node local = {.value = 4, .next = head};\n    head = &local;\n}\nsum += head->value + rest->value; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "early",
            "struct ${p}_node *raw = malloc(sizeof *raw);\nraw->value = 3;\nsum += raw->next->value; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "late",
            "struct ${p}_node *rest = head->next;\nmemset(&head->next, 0x5a, sizeof head->next);\nsum += head->next->value + rest->value; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "late",
            "struct ${p}_node *rest = head->next->next;\nhead->next->next = (struct ${p}_node *)(uintptr_t)0x7f0000001230;\nfor (struct ${p}_node *e = head; e; e = e->next)\n    sum += e->value + (e == rest); @fault",
        )],
    ),
    (AssertionFailure, &[("early", "assert(${p}_length(head) == $n + 1); @fault")]),
    (
        AssertionFailure,
        &[("late", "for (struct ${p}_node *e = head; e; e = e->next)\n    assert(e->next != NULL); @fault")],
    ),
    (AssertionFailure, &[("late", "assert(${p}_find(head, $missing) && \"present\"); @fault")]),
    (
        DivisionByZero,
        &[(
            "early",
            "int hits = 0;\nfor (struct ${p}_node *e = head; e; e = e->next)\n    hits += e->value == $missing;\nsum += 100 / hits; @fault",
        )],
    ),
    (DivisionByZero, &[("late", "sum %= ${p}_length(head) - ${p}_length(head->next) - 1; @fault")]),
];

const OPERATIONS: &[&str] = &[
    "head = ${p}_reverse(head);\nprintf(\"${p} reversed %d\\n\", (int)head->value);",
    "${p}_sort(&head);\nprintf(\"${p} sorted %d\\n\", (int)head->value);",
    "${p}_drop(&head, $some);\nprintf(\"${p} length %d\\n\", ${p}_length(head));",
    "for (struct ${p}_node *e = head; e; e = e->next)\n    sum = sum * 3 + e->value;",
    "for (struct ${p}_node **e = &head; *e; e = &(*e)->next)\n    if ((*e)->value % 2) {\n        *e = ${p}_new($fresh, *e);\n        break;\n    }",
    "printf(\"${p} found %d\\n\", ${p}_find(head, $some) != NULL);",
];

const TEMPLATE: &str = r#"
    struct ${p}_node {
        $ty value;
        struct ${p}_node *next;
        $extra
    };

    $globals

    static struct ${p}_node *${p}_new(int value, struct ${p}_node *next)
    {
        $alloc
        n->value = value;
        $link
        return n;
    }

    static struct ${p}_node *${p}_find(struct ${p}_node *head, int value)
    {
        $find
    }

    static int ${p}_length(const struct ${p}_node *head)
    {
        $length
    }

    static struct ${p}_node *${p}_reverse(struct ${p}_node *head)
    {
        $reverse
    }

    static void ${p}_sort(struct ${p}_node **list)
    {
        struct ${p}_node *sorted = NULL;
        while (*list) {
            struct ${p}_node *n = *list, **at = &sorted;
            *list = n->next;
            while (*at && (*at)->value $order n->value)
                at = &(*at)->next;
            n->next = *at;
            *at = n;
        }
        *list = sorted;
    }

    static void ${p}_drop(struct ${p}_node **list, int value)
    {
        struct ${p}_node **at = list;
        while (*at) {
            struct ${p}_node *dead = *at;
            if (dead->value == value) {
                $unlink
            } else {
                at = &dead->next;
            }
        }
    }

    static long ${p}_run(void)
    {
        static const int values[] = {$values};
        struct ${p}_node *head = NULL;
        long sum = 0;

        $build
        $early
        $ops
        ${p}_drop(&head, $other);
        $late
        $destroy
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut numbers = rng.distinct(9, 1, 100);
    let (missing, fresh) = (numbers.pop().unwrap(), numbers.pop().unwrap());
    numbers.truncate(rng.range(5, 7) as usize);
    let mut holes = Holes::new(&[
        ("globals", ""),
        ("alloc", "struct ${p}_node *n = malloc(sizeof *n);"),
        ("link", "n->next = next;"),
        ("unlink", "*at = dead->next;\nfree(dead);"),
        ("early", ""),
        ("late", ""),
        ("end", ""),
        ("ops", ""),
        ("build", ""),
        ("destroy", ""),
        ("find", ""),
        ("length", ""),
        ("reverse", ""),
    ]);
    let mut ops = OPERATIONS.to_vec();
    rng.shuffle(&mut ops);
    ops.truncate(rng.range(2, 5) as usize);
    holes.set("ops", ops.join("\n"));
    let build = [
        "for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)\n    head = ${p}_new(values[i], head);",
        "struct ${p}_node **tail = &head;\nfor (const int *v = values; v != values + $n; ++v) {\n    *tail = ${p}_new(*v, NULL);\n    tail = &(*tail)->next;\n}",
        "int i = $n;\ndo\n    head = ${p}_new(values[--i], head);\nwhile (i > 0);",
    ];
    holes.set("build", rng.text(&build));
    let destroy = [
        "while (head) {\n    struct ${p}_node *next = head->next;\n    free(head);\n    head = next;\n}",
        "for (struct ${p}_node *next; head; head = next) {\n    next = head->next;\n    free(head);\n}",
        "do {\n    struct ${p}_node *dead = head;\n    head = head->next;\n    free(dead);\n} while (head != NULL);",
    ];
    holes.set("destroy", rng.text(&destroy));
    let find = [
        "while (head && head->value != value)\n    head = head->next;\nreturn head;",
        "for (; head; head = head->next)\n    if (head->value == value)\n        return head;\nreturn NULL;",
        "if (!head || head->value == value)\n    return head;\nreturn ${p}_find(head->next, value);",
    ];
    holes.set("find", rng.text(&find));
    let length = [
        "int n = 0;\nfor (; head; head = head->next, n++)\n    ;\nreturn n;",
        "return head ? 1 + ${p}_length(head->next) : 0;",
    ];
    holes.set("length", rng.text(&length));
    let reverse = [
        "struct ${p}_node *back = NULL;\nwhile (head) {\n    struct ${p}_node *next = head->next;\n    head->next = back;\n    back = head;\n    head = next;\n}\nreturn back;",
        "if (!head || !head->next)\n    return head;\nstruct ${p}_node *front = ${p}_reverse(head->next);\nhead->next->next = head;\nhead->next = NULL;\nreturn front;",
    ];
    holes.set("reverse", rng.text(&reverse));
    let values = values! {
        ty = rng.text(&["int", "short", "long", "unsigned char", "signed char"]),
        extra = rng.text(&["", "char tag[3];", "double weight;", "struct { short a, b; } pair;"]),
        order = rng.text(&["<", "<=", ">"]),
        n = numbers.len(),
        some = numbers[2],
        other = numbers[1],
        missing = missing,
        fresh = fresh,
        values = comma(&numbers),
    };
    site.part(holes, TEMPLATE, values)
}
