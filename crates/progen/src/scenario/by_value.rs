//! Structs passed and returned by value, small, large and mixed with floats; compound literals.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "value", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        OutOfBoundsRead,
        &[(
            "use",
            "struct ${p}_big *few = malloc(2 * sizeof *few);\nmemset(few, 0, 2 * sizeof *few);\nfor (int i = 0; i <= 2; i++)\n    sum += ${p}_total(few[i]); @fault",
        )],
    ),
    (
        OutOfBoundsRead,
        &[("use", "struct ${p}_small *one = malloc(sizeof one->a);\nsum += ${p}_twist(*one).a; @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "struct ${p}_big *room = malloc(sizeof *room - 8);\n*room = ${p}_make(2); @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "struct ${p}_small pair[2];\nfor (int i = 0; i < 3; i++)\n    pair[i] = ${p}_twist((struct ${p}_small){.a = 1}); @fault\nsum += pair[0].a;",
        )],
    ),
    (NullDeref, &[("use", "struct ${p}_big *none = NULL;\nsum += ${p}_total(*none); @fault")]),
    (NullDeref, &[("use", "struct ${p}_small *none = sum > 99 ? &small : NULL;\n*none = small; @fault")]),
    (
        UseAfterFree,
        &[(
            "use",
            "struct ${p}_big *kept = malloc(sizeof *kept);\n*kept = ${p}_make(3);\nfree(kept);\nsum += ${p}_total(*kept); @fault",
        )],
    ),
    (
        UseAfterFree,
        &[("use", "struct ${p}_mixed *kept = calloc(1, sizeof *kept);\nfree(kept);\n*kept = mixed; @fault")],
    ),
    (
        DoubleFree,
        &[("use", "struct { char *own; } a = {malloc(4)}, b = a;\nfree(a.own);\nfree(b.own); @fault")],
    ),
    (
        Leak,
        &[(
            "use",
            "struct { char *own; int n; } a = {malloc(4), 1}, b = {NULL, 2}; @alloc\na = b; @fault\nsum += a.n;",
        )],
    ),
    (
        InvalidFree,
        &[(
            "use",
            "struct ${p}_big *copy = malloc(2 * sizeof *copy);\ncopy[1] = big;\nfree(&copy[1]); @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_small *late;\n{\n    struct ${p}_small temp = ${p}_twist(small);\n    late = &temp;\n}\nsmall = *late; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[
            ("use", "sum += ${p}_address(big)[1]; @fault"),
            ("address", "long *volatile at = b.cell;\nreturn at;"),
        ],
    ),
    (
        WildDeref,
        &[(
            "use",
            "struct ${p}_big *far = (struct ${p}_big *)(uintptr_t)0x7f0000c0f000;\nsum += ${p}_total(*far); @fault",
        )],
    ),
    (
        ReadonlyWrite,
        &[("use", "struct ${p}_small *fixed = (struct ${p}_small *)&${p}_fixed;\n*fixed = small; @fault")],
    ),
    (
        AssertionFailure,
        &[(
            "use",
            "struct ${p}_small turned = ${p}_twist(small);\nassert(turned.a == small.a && turned.b == small.b); @fault",
        )],
    ),
    (DivisionByZero, &[("use", "struct ${p}_small half = {.b = 1};\nsum += $k / half.a; @fault")]),
];

const TEMPLATE: &str = r#"
    struct ${p}_small {
        $a a;
        $b b;
    };

    struct ${p}_mixed {
        double d;
        int i;
        float f[2];
    };

    struct ${p}_big {
        long cell[$n];
        struct ${p}_small tail;
        $odd
    };

    static const struct ${p}_small ${p}_fixed = {$k, 1};

    static struct ${p}_small ${p}_twist(struct ${p}_small s)
    {
        return (struct ${p}_small){.a = s.b + 3, .b = s.a};
    }

    static struct ${p}_mixed ${p}_scale(struct ${p}_mixed m, float by, int plus)
    {
        m.d *= by;
        m.i += plus;
        m.f[1] = m.f[0] + by;
        return m;
    }

    static struct ${p}_big ${p}_make(int start)
    {
        struct ${p}_big b = {.tail = ${p}_fixed};
        for (int i = 0; i < $n; i++)
            b.cell[i] = start + i * $k;
        return b;
    }

    static long ${p}_total(struct ${p}_big b)
    {
        long sum = b.tail.a;
        for (int i = 0; i < $n; i++)
            sum += b.cell[i];
        b.cell[0] = 0;
        return sum;
    }

    static long ${p}_none[1];

    static long *${p}_address(struct ${p}_big b)
    {
        $address
    }

    static long ${p}_run(void)
    {
        struct ${p}_small small = {$k, 2};
        struct ${p}_mixed mixed = {.d = 1.5, .i = $k, .f = {2.5f}};
        struct ${p}_big big = ${p}_make($start);
        long sum = 0;

        $use
        small = ${p}_twist(${p}_twist(small));
        mixed = ${p}_scale(mixed, 0.5f, small.a > 9 ? 1 : 2);
        printf("${p} %d %d %g %d %.3f\n", (int)small.a, (int)small.b, mixed.d, mixed.i, mixed.f[1]);
        sum += ${p}_total(big) + ${p}_make(4).cell[$n - 1];
        big.tail = ${p}_twist((struct ${p}_small){.b = 5});
        sum += ${p}_total(big) + (${p}_address(big) == NULL) + (long)mixed.f[1];
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let holes = Holes::new(&[("address", "return b.cell[0] > -1 ? NULL : ${p}_none;"), ("use", "")]);
    let (a, b) = *rng.pick(&[
        ("int", "int"),
        ("char", "short"),
        ("long", "int"),
        ("short", "long"),
        ("int", "signed char"),
    ]);
    let values = values! {
        a = a,
        b = b,
        n = rng.range(3, 6),
        odd = rng.text(&["", "char odd[3];", "float weight;"]),
        k = rng.range(2, 30),
        start = rng.range(1, 9),
    };
    site.part(holes, TEMPLATE, values)
}
