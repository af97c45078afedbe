//! A doubly linked ring with a sentinel, embedded in larger records and reached with container_of.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "ring", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        NullDeref,
        &[
            ("unlink", "at->next = at->prev = NULL;"),
            ("use", "${p}_unlink(first);\nsum += ${p}_item(first->next->next)->value; @fault"),
        ],
    ),
    (NullDeref, &[("use", "struct ${p}_item *hit = ${p}_find(&ring, $missing);\nhit->value++; @fault")]),
    (
        NullDeref,
        &[
            ("use", "struct ${p}_item *hit = ${p}_find(&ring, $missing);\n${p}_unlink(&hit->hook);"),
            ("unlink", "at->prev->next = at->next; @fault\nat->next->prev = at->prev;"),
        ],
    ),
    (
        UseAfterFree,
        &[(
            "destroy",
            "for (struct ${p}_link *at = ring.next; at != &ring; at = at->next) @fault\n    free(${p}_item(at));",
        )],
    ),
    (UseAfterFree, &[("use", "free(${p}_item(first));\nsum += ring.next->next == &ring; @fault")]),
    (
        UseAfterFree,
        &[(
            "use",
            "struct ${p}_item *hit = ${p}_find(&ring, $some);\n${p}_unlink(&hit->hook);\nfree(hit);\nsum += hit->value; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[
            ("use", "struct ${p}_item *gone = ${p}_find(&ring, $some);\nfree(gone); /* still linked */"),
            (
                "walk",
                "for (struct ${p}_link *at = ring.prev; at != &ring; at = at->prev)\n    if (${p}_item(at)->value == $some) @fault\n        break;",
            ),
        ],
    ),
    (
        DoubleFree,
        &[(
            "use",
            "struct ${p}_item *hit = ${p}_find(&ring, $some), *alias = hit;\n${p}_unlink(&hit->hook);\nfree(hit);\nif (alias)\n    free(alias); @fault",
        )],
    ),
    (
        DoubleFree,
        &[(
            "destroy",
            "while (ring.next != &ring) {\n    struct ${p}_item *dead = ${p}_item(ring.next);\n    ${p}_unlink(&dead->hook);\n    free(dead);\n    if (ring.next == &ring)\n        free(dead); @fault\n}",
        )],
    ),
    (
        InvalidFree,
        &[(
            "use",
            "struct ${p}_item *hit = ${p}_find(&ring, $some);\n${p}_unlink(&hit->hook);\nfree(&hit->hook); @fault",
        )],
    ),
    (
        InvalidFree,
        &[
            (
                "destroy",
                "struct ${p}_link *at = ring.next;\ndo {\n    struct ${p}_link *next = at->next;\n    free((char *)at - offsetof(struct ${p}_item, hook)); @fault\n    at = next;\n} while (at != ring.next);",
            ),
            (
                "run_ring",
                "struct ${p}_item anchor = {.value = 1};\nstruct ${p}_link *last = ring.prev;\nlast->next = &anchor.hook;\nanchor.hook.prev = last;\nanchor.hook.next = &ring;\nring.prev = &anchor.hook;",
            ),
        ],
    ),
    (
        Leak,
        &[
            ("unlink", "at->prev->next = at->next;\nat->next->prev = at->prev;"),
            ("use", "${p}_unlink(first); @fault"),
            ("alloc", "struct ${p}_item *item = malloc(sizeof *item); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            ("destroy", "ring.next = ring.prev = &ring; @fault"),
            ("alloc", "struct ${p}_item *item = malloc(sizeof *item); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            (
                "destroy",
                "while (ring.next->next != &ring) {\n    struct ${p}_link *dead = ring.next;\n    ${p}_unlink(dead);\n    free(${p}_item(dead));\n}",
            ),
            ("alloc", "struct ${p}_item *item = calloc(1, sizeof *item); @alloc"),
        ],
    ),
    (OutOfBoundsRead, &[("use", "sum += ${p}_item(&ring)->value; /* the sentinel is no item */ @fault")]),
    (OutOfBoundsWrite, &[("use", "${p}_item(&ring)->value = 3; /* the sentinel is no item */ @fault")]),
    (
        OutOfBoundsWrite,
        &[
            ("alloc", "struct ${p}_item *item = malloc(offsetof(struct ${p}_item, hook));"),
            ("insert", "at->next = before; @fault\nat->prev = before->prev;"),
        ],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "{\n    struct ${p}_item local = {.value = 8};\n    ${p}_insert(&ring, &local.hook);\n}\nsum += ${p}_item(ring.prev)->value; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "do {\n    struct ${p}_item local = {.value = 8};\n    ${p}_insert(&ring, &local.hook);\n} while (0);\nring.prev->prev->next = &ring; @fault",
        )],
    ),
    (
        WildDeref,
        &[
            ("use", "first->next = (struct ${p}_link *)(uintptr_t)0x7f0000004560u;"),
            (
                "walk",
                "for (struct ${p}_link *at = ring.next; at != &ring; at = at->next)\n    sum += at->prev != at; @fault",
            ),
        ],
    ),
    (WildDeref, &[("use", "memset(first, 0x41, sizeof *first);\nfirst->prev->next = &ring; @fault")]),
    (
        AssertionFailure,
        &[(
            "walk",
            "for (struct ${p}_link *at = ring.next; at != &ring; at = at->next)\n    assert(${p}_item(at)->value != $some); @fault",
        )],
    ),
    (
        AssertionFailure,
        &[(
            "use",
            "first->next->prev = &ring;\nfor (struct ${p}_link *at = first; at != &ring; at = at->next)\n    assert(at->next->prev == at); @fault",
        )],
    ),
    (
        DivisionByZero,
        &[(
            "walk",
            "for (struct ${p}_link *at = ring.next; at != &ring; at = at->next)\n    sum += 1000 / (${p}_item(at)->value - $some); @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    struct ${p}_link {
        struct ${p}_link *next, *prev;
    };

    struct ${p}_item {
        $extra
        $ty value;
        struct ${p}_link hook;
    };

    $container

    static void ${p}_insert(struct ${p}_link *before, struct ${p}_link *at)
    {
        $insert
        before->prev->next = at;
        before->prev = at;
    }

    static void ${p}_unlink(struct ${p}_link *at)
    {
        $unlink
    }

    static void ${p}_add(struct ${p}_link *ring, int value)
    {
        $alloc
        item->value = value;
        ${p}_insert($where, &item->hook);
    }

    static struct ${p}_item *${p}_find(struct ${p}_link *ring, int value)
    {
        for (struct ${p}_link *at = ring->$dir; at != ring; at = at->$dir)
            if (${p}_item(at)->value == value)
                return ${p}_item(at);
        return NULL;
    }

    static long ${p}_run(void)
    {
        struct ${p}_link ring = {&ring, &ring}, *first;
        int values[$n] = {$values};
        long sum = 0;

        for (int i = 0; i < $n; i++)
            ${p}_add(&ring, values[i]);
        first = ring.next;
        printf("${p} first %d\n", (int)${p}_item(first)->value);
        $run_ring
        $use
        $walk
        printf("${p} sum %ld\n", sum);
        $ops
        $destroy
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut numbers = rng.distinct(7, 1, 100);
    let missing = numbers.pop().unwrap();
    numbers.truncate(rng.range(4, 6) as usize);
    let mut holes = Holes::new(&[
        ("container", ""),
        ("insert", "at->next = before;\nat->prev = before->prev;"),
        ("unlink", "at->prev->next = at->next;\nat->next->prev = at->prev;"),
        ("alloc", "struct ${p}_item *item = malloc(sizeof *item);"),
        ("run_ring", ""),
        ("use", ""),
        (
            "walk",
            "for (struct ${p}_link *at = ring.next; at != &ring; at = at->next)\n    sum = sum * 2 + ${p}_item(at)->value;",
        ),
        ("ops", ""),
        (
            "destroy",
            "while (ring.next != &ring) {\n    struct ${p}_link *dead = ring.next;\n    ${p}_unlink(dead);\n    free(${p}_item(dead));\n}",
        ),
    ]);
    let container = [
        "#define ${p}_item(link) ((struct ${p}_item *)((char *)(link) - offsetof(struct ${p}_item, hook)))",
        "static struct ${p}_item *${p}_item(struct ${p}_link *link)\n{\n    return (struct ${p}_item *)((char *)link - offsetof(struct ${p}_item, hook));\n}",
        "#define ${p}_item(link) ({ struct ${p}_link *l_ = (link); (struct ${p}_item *)((uintptr_t)l_ - offsetof(struct ${p}_item, hook)); })",
    ];
    holes.set("container", rng.text(&container));
    let ops = [
        "",
        "for (struct ${p}_link *at = ring.next, *next; next = at->next, at != &ring; at = next)\n    if (${p}_item(at)->value > 50) {\n        ${p}_unlink(at);\n        free(${p}_item(at));\n    }\nprintf(\"${p} empty %d\\n\", ring.next == &ring);",
        "struct ${p}_link *at = &ring;\ndo {\n    struct ${p}_link *next = at->next;\n    at->next = at->prev;\n    at->prev = next;\n    at = next;\n} while (at != &ring);\nsum += ${p}_item(ring.prev)->value;",
        "${p}_unlink(first);\n${p}_insert(&ring, first);\nsum -= ${p}_item(ring.next)->value;",
    ];
    let ops = if site.fault.is_some() { ops[0] } else { rng.pick(&ops) };
    holes.set("ops", ops);
    let values = values! {
        ty = rng.text(&["int", "short", "long", "unsigned", "signed char"]),
        extra = rng.text(&["long pad[1];", "char name[12];", "float weight; int rank;", "struct { long id; } key;"]),
        where = rng.text(&["ring", "ring->next"]),
        dir = rng.text(&["next", "prev"]),
        n = numbers.len(),
        values = comma(&numbers),
        some = rng.pick(&numbers),
        missing = missing,
    };
    site.part(holes, TEMPLATE, values)
}
