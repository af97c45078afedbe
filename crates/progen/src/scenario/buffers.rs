//! A growing vector (realloc) and a ring buffer of fixed size, behind small interfaces.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "buffer", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        OutOfBoundsWrite,
        &[
            (
                "grow",
                "if (v->used > v->room) {\n    v->room *= 2;\n    v->data = realloc(v->data, v->room * sizeof *v->data);\n}",
            ),
            ("store", "v->data[v->used++] = x; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("resize", "v->data = realloc(v->data, v->room / 2 * sizeof *v->data);"),
            ("store", "v->data[v->used++] = x; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[("wrap", "q->head = (q->head + 1) % (CAP_${p} + 1);"), ("put", "q->cell[q->head] = x; @fault")],
    ),
    (OutOfBoundsRead, &[("use", "sum += v.data[v.room]; @fault")]),
    (
        OutOfBoundsRead,
        &[
            ("pop", "return v->data[--v->used]; @fault"),
            ("use", "while (v.used >= 0)\n    sum += ${p}_pop(&v);"),
        ],
    ),
    (
        UseAfterFree,
        &[(
            "use",
            "$ty *first = &v.data[0];\nfor (int i = 0; i < 40; i++)\n    ${p}_push(&v, (${ty})i);\n*first = 3; @fault",
        )],
    ),
    (UseAfterFree, &[("end", "sum += ${p}_pop(&v);"), ("pop", "return v->data[--v->used]; @fault")]),
    (
        UseAfterFree,
        &[(
            "resize",
            "$ty *old = v->data;\nv->data = malloc(v->room * sizeof *old);\nfree(old);\nmemcpy(v->data, old, v->used * sizeof *old); @fault",
        )],
    ),
    (DoubleFree, &[("end", "struct ${p}_vec copy = v;\nfree(copy.data); @fault")]),
    (InvalidFree, &[("use", "v.data++;\nv.used--;"), ("release", "free(v.data); @fault")]),
    (InvalidFree, &[("release", "free(v.data + v.used); @fault")]),
    (InvalidFree, &[("release", "struct ${p}_vec *w = &v;\nfree(v.data);\nfree(w); @fault")]),
    (
        Leak,
        &[
            ("init", "v->data = malloc(v->room * sizeof *v->data); @alloc"),
            (
                "resize",
                "$ty *bigger = malloc(v->room * sizeof *bigger);\nmemcpy(bigger, v->data, v->used * sizeof *bigger);\nv->data = bigger; @fault",
            ),
            ("max_push", "$start + 1"),
        ],
    ),
    (
        Leak,
        &[
            ("resize", "v->data = realloc(v->data, v->room * sizeof *v->data); @alloc"),
            ("release", "v = (struct ${p}_vec){0}; @fault"),
        ],
    ),
    (NullDeref, &[("init", "v->data = NULL;"), ("store", "v->data[v->used++] = x; @fault"), ("grow", "")]),
    (
        NullDeref,
        &[
            ("use", "struct ${p}_vec *w = v.used > 500 ? &v : NULL;\nsum += ${p}_pop(w);"),
            ("pop", "return v->data[--v->used]; @fault"),
        ],
    ),
    (AssertionFailure, &[("use", "assert(v.used == v.room + 1); @fault")]),
    (AssertionFailure, &[("put", "assert(x < $pushes / 2); @fault\nq->cell[q->head] = x;")]),
    (DivisionByZero, &[("wrap", "q->head = (q->head + 1) % (unsigned)(CAP_${p} - q->cap); @fault")]),
    (DivisionByZero, &[("use", "for (int left = v.used; left >= 0; left--)\n    sum += 720 / left; @fault")]),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_queue *late = &q;\nif (v.used > 0) {\n    struct ${p}_queue inner = {.cap = CAP_${p}};\n    ${p}_put(&inner, 5);\n    late = &inner;\n}\nsum += late->cell[1]; @fault",
        )],
    ),
    (
        WildDeref,
        &[("use", "$ty *data = v.data;\nmemset(&v, 0x7e, sizeof v);\nsum += v.data[0] + data[0]; @fault")],
    ),
];

const TEMPLATE: &str = r#"
    #define CAP_${p} $cap

    struct ${p}_vec {
        $ty *data;
        int used, room;
    };

    struct ${p}_queue {
        unsigned head, count, cap;
        int cell[CAP_${p}];
    };

    static void ${p}_init(struct ${p}_vec *v)
    {
        v->used = 0;
        v->room = $start;
        $init
    }

    static void ${p}_push(struct ${p}_vec *v, $ty x)
    {
        $grow
        $store
    }

    static $ty ${p}_pop(struct ${p}_vec *v)
    {
        $pop
    }

    static void ${p}_put(struct ${p}_queue *q, int x)
    {
        $wrap
        $put
        q->count += q->count < q->cap;
    }

    static long ${p}_run(void)
    {
        struct ${p}_vec v;
        struct ${p}_queue q = {.cap = CAP_${p}};
        long sum = 0;

        ${p}_init(&v);
        for (int i = 0; i < $max_push; i++)
            ${p}_push(&v, (${ty})(i * $step % 100));
        for (int i = 0; i < $pushes; i++)
            ${p}_put(&q, i);
        printf("${p} %d %d %u\n", v.used, v.room, q.count);
        $use
        for (unsigned i = 0; i < q.count; i++)
            sum += q.cell[i] * (i + 1);
        while (v.used > $keep)
            sum += (long)${p}_pop(&v) * v.used;
        $release
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut holes = Holes::new(&[
        ("init", "v->data = malloc(v->room * sizeof *v->data);"),
        ("grow", "if (v->used == v->room) {\n    v->room *= 2;\n    $resize\n}"),
        ("resize", "v->data = realloc(v->data, v->room * sizeof *v->data);"),
        ("store", "v->data[v->used++] = x;"),
        ("pop", "return v->data[--v->used];"),
        ("wrap", "q->head = (q->head + 1) % CAP_${p};"),
        ("put", "q->cell[q->head] = x;"),
        ("use", ""),
        ("release", "free(v.data);"),
        ("end", ""),
        ("max_push", "$pushes"),
    ]);
    let pop = ["return v->data[--v->used];", "v->used -= 1;\nreturn *(v->data + v->used);"];
    holes.set("pop", rng.text(&pop));
    let values = values! {
        ty = rng.text(&["int", "long", "short", "signed char", "float"]),
        cap = rng.range(3, 6),
        start = rng.range(1, 4),
        step = rng.range(3, 40),
        pushes = rng.range(8, 20),
        keep = rng.range(1, 2),
    };
    site.part(holes, TEMPLATE, values)
}
