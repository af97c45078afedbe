//! Records: nested, bit-fields, packed, flexible array members, tables of operations in structs.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "record", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        OutOfBoundsWrite,
        &[
            ("alloc", "struct ${p}_packet *k = malloc(sizeof *k + n - 1);"),
            ("fill", "k->body[i] = (unsigned char)(i * 7); @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "packet->body[packet->length] = 1; @fault"),
            ("alloc", "struct ${p}_packet *k = malloc(offsetof(struct ${p}_packet, body) + n);"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "struct ${p}_wire *wire = malloc(sizeof *wire - 1);\nwire->tag = 3;\nwire->size = 9; @fault",
        )],
    ),
    (OutOfBoundsRead, &[("use", "packet->length++;"), ("check", "sum += k->body[i]; @fault")]),
    (
        OutOfBoundsRead,
        &[("use", "struct ${p}_wire *wire = malloc(3);\nwire->tag = 1;\nsum += wire->size; @fault")],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "struct ${p}_outer *part = malloc(offsetof(struct ${p}_outer, in));\nstruct ${p}_inner in = part->in[0]; @fault\nsum += in.x;",
        )],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "struct ${p}_outer *two = calloc(2, sizeof *two);\nstruct ${p}_outer third = two[2]; @fault\nsum += third.flags;",
        )],
    ),
    (UseAfterFree, &[("end", "sum += packet->length; @fault")]),
    (
        UseAfterFree,
        &[(
            "use",
            "struct ${p}_outer *kept = malloc(sizeof *kept);\nstruct ${p}_inner *part = &kept->in[1];\nfree(kept);\npart->x = 1; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[("use", "struct ${p}_outer *kept = calloc(1, sizeof *kept);\nfree(kept);\nouter = *kept; @fault")],
    ),
    (
        DoubleFree,
        &[
            ("end", "${p}_packet_free(&packet);\n${p}_packet_free(&packet);"),
            ("release", "free(*k); @fault"),
            ("drop", ""),
        ],
    ),
    (InvalidFree, &[("use", "free(packet->body); @fault")]),
    (InvalidFree, &[("use", "struct ${p}_outer *at = &outer;\nfree(at); @fault")]),
    (
        Leak,
        &[
            ("alloc", "struct ${p}_packet *k = malloc(sizeof *k + n); @alloc"),
            ("release", "*k = NULL; @fault"),
        ],
    ),
    (
        Leak,
        &[(
            "use",
            "struct { struct ${p}_inner *held; } box = {malloc(sizeof(struct ${p}_inner))}; @alloc\nbox.held->x = 3;\nsum += box.held->x;",
        )],
    ),
    (
        NullDeref,
        &[("use", "struct ${p}_outer *none = outer.flags > 900 ? &outer : NULL;\nnone->in[1].x = 1; @fault")],
    ),
    (
        NullDeref,
        &[("use", "struct ${p}_ops blank = {.name = \"blank\"};\nsum += *blank.name + *blank.note; @fault")],
    ),
    (NullDeref, &[("release", "free(*k);\n*k = NULL;"), ("end", "sum += packet->length; @fault")]),
    (WildDeref, &[("use", "struct ${p}_ops *raw = malloc(sizeof *raw);\nsum += raw->name[0]; @fault")]),
    (ReadonlyWrite, &[("use", "((struct ${p}_ops *)&${p}_plus)->note = \"new\"; @fault")]),
    (
        ReadonlyWrite,
        &[("use", "struct ${p}_outer *w = (struct ${p}_outer *)&${p}_template;\nw->in[0].x++; @fault")],
    ),
    (
        ReadonlyWrite,
        &[("use", "struct ${p}_outer *w = (struct ${p}_outer *)&${p}_template;\n*w = outer; @fault")],
    ),
    (AssertionFailure, &[("use", "outer.small = 9;\nassert(outer.small == 9); @fault")]),
    (AssertionFailure, &[("use", "assert(sizeof(struct ${p}_wire) == sizeof(int) + 4); @fault")]),
    (DivisionByZero, &[("use", "outer.small = 8;\nsum += $k / outer.small; @fault")]),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_inner *part;\n{\n    struct ${p}_outer temp = ${p}_template;\n    part = temp.in;\n}\nsum += part[1].x; @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    struct ${p}_inner {
        $inner_ty x;
        char mark;
    };

    struct ${p}_outer {
        unsigned flags : $width;
        unsigned small : 3;
        int level : 5;
        struct ${p}_inner in[2];
    };

    struct __attribute__((packed)) ${p}_wire {
        char tag;
        int size;
    };

    struct ${p}_packet {
        int length;
        unsigned char body[];
    };

    struct ${p}_ops {
        const char *name, *note;
        int (*apply)(const struct ${p}_ops *, int);
    };

    static int ${p}_inc(const struct ${p}_ops *ops, int x)
    {
        return x + ops->name[0] % 5;
    }

    static const struct ${p}_ops ${p}_plus = {"plus", "adds", ${p}_inc};
    static const struct ${p}_outer ${p}_template = {.flags = 3, .in = {[1] = {.x = $k, .mark = 'm'}}};

    static struct ${p}_packet *${p}_packet_new(int n)
    {
        $alloc
        k->length = n;
        for (int i = 0; i < n; i++) {
            $fill
        }
        return k;
    }

    static int ${p}_packet_sum(const struct ${p}_packet *k)
    {
        int sum = 0;
        for (int i = 0; i < k->length; i++) {
            $check
        }
        return sum;
    }

    static void ${p}_packet_free(struct ${p}_packet **k)
    {
        $release
    }

    static long ${p}_run(void)
    {
        struct ${p}_packet *packet = ${p}_packet_new($n);
        struct ${p}_outer outer = ${p}_template, copy;
        struct ${p}_wire wires[2] = {{'a', $k}, {.size = -$k, .tag = 'b'}};
        const struct ${p}_ops *ops = &${p}_plus;
        long sum = 0;

        outer.flags = $flags;
        outer.small += 5;
        outer.level = -$level;
        $use
        copy = outer;
        copy.in[0] = copy.in[1];
        copy.in[0].x += 1;
        printf("${p} %d %d %d %d\n", outer.flags, copy.small, copy.level, (int)copy.in[0].x);
        printf("${p} %d %s %zu\n", wires[1].size, ops->name, sizeof wires);
        sum += ops->apply(ops, wires[0].size) + ${p}_packet_sum(packet);
        $drop
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let width = rng.range(2, 10);
    let holes = Holes::new(&[
        // A length that leaves no padding behind the body.
        ("alloc", "struct ${p}_packet *k = malloc(sizeof(struct ${p}_packet) + n);"),
        ("fill", "k->body[i] = (unsigned char)(i * 7);"),
        ("check", "sum += k->body[i];"),
        ("release", "free(*k);"),
        ("drop", "${p}_packet_free(&packet);"),
        ("use", ""),
        ("end", ""),
    ]);
    let values = values! {
        inner_ty = rng.text(&["int", "short", "long", "unsigned"]),
        width = width,
        flags = rng.below(1 << width),
        level = rng.range(1, 16),
        n = rng.range(3, 12),
        k = rng.range(2, 60),
    };
    site.part(holes, TEMPLATE, values)
}
