//! Scopes and life times: locals whose address is taken, frames, blocks in loops, the cleanup attribute.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "scope", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        UseAfterScope,
        &[("use", "int *late = &sum;\n{\n    int inner = $a;\n    late = &inner;\n}\nsum += *late; @fault")],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "int *late = &sum;\nfor (int i = 0; i < 3; i++) {\n    int square = i * i;\n    if (i == 1)\n        late = &square;\n}\n*late = 4; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_box *late = NULL;\nif (sum > -1) {\n    struct ${p}_box inner = {.size = 2, .at = {1, 2, 3}};\n    late = &inner;\n}\nsum += late->at[1]; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[
            ("escape", "int local = $a;\nint *volatile at = &local;\nreturn at;"),
            ("first", "sum += *${p}_escape(); @fault"),
        ],
    ),
    (
        UseAfterScope,
        &[
            ("escape", "int local[3] = {1, 2, $a};\nint *volatile at = local + 1;\nreturn at;"),
            ("first", "int *late = ${p}_escape();\nif (late)\n    late[1] = 3; @fault"),
        ],
    ),
    (
        UseAfterScope,
        &[
            (
                "deep",
                "int local = depth;\nif (depth == 0)\n    *out = &local;\nelse\n    ${p}_deep(depth - 1, out);",
            ),
            ("use", "int *late = NULL;\n${p}_deep($depth, &late);\nsum += *late; @fault"),
        ],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "switch (sum & 0) {\ncase 0: {\n    int here = $a;\n    ${p}_kept = &here;\n    break;\n}\n}\nsum -= *${p}_kept; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "{\n    int n = $a;\n    ${p}_kept = &n;\n    goto out;\n}\nout:\n*${p}_kept += 1; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_box result;\n{\n    struct ${p}_box *where, temp = {.size = 1};\n    where = &temp;\n    ${p}_kept = &where->at[2];\n}\nmemcpy(&result.size, ${p}_kept, sizeof(int)); @fault\nsum += result.size;",
        )],
    ),
    (DoubleFree, &[("use", "${p}_drop(&held);"), ("drop", "${p}_drops++;\nfree(*held); @fault")]),
    (UseAfterFree, &[("use", "free(held);"), ("drop", "${p}_drops += **held; @fault\nfree(*held);")]),
    (UseAfterFree, &[("use", "${p}_kept = held;"), ("end", "sum += *${p}_kept; @fault")]),
    (Leak, &[("guard", "int *held = malloc(sizeof *held); @alloc")]),
    (
        Leak,
        &[
            ("guard", "int *held __attribute__((cleanup(${p}_drop))) = malloc(sizeof *held); @alloc"),
            ("drop", "${p}_drops += **held > 0;"),
        ],
    ),
    (
        InvalidFree,
        &[
            ("use", "held = &sum;"),
            (
                "guard",
                "int *first = malloc(sizeof *first);\nint *held __attribute__((cleanup(${p}_drop))) = first;",
            ),
            ("drop", "${p}_drops++;\nfree(*held); @fault"),
        ],
    ),
    (
        NullDeref,
        &[
            ("deep", "if (depth == 0)\n    **out = 4; @fault\nelse\n    ${p}_deep(depth - 1, out);"),
            ("use", "int *none = NULL;\n${p}_deep($depth, &none);"),
        ],
    ),
    (AssertionFailure, &[("end", "assert(${p}_drops > 5); @fault")]),
    (
        AssertionFailure,
        &[
            ("deep", "assert(depth > 0); @fault\n*out = NULL;\n${p}_deep(depth - 1, out);"),
            ("use", "int *out;\n${p}_deep($depth, &out);"),
        ],
    ),
    (
        DivisionByZero,
        &[(
            "use",
            "for (int i = $depth; i >= 0; i--) {\n    int *divisor = &i;\n    sum += $a / *divisor; @fault\n}",
        )],
    ),
];

const TEMPLATE: &str = r#"
    struct ${p}_box {
        int size;
        int at[3];
    };

    static int ${p}_drops;
    static int *${p}_kept;

    static void ${p}_drop(int **held)
    {
        $drop
    }

    static int *${p}_escape(void)
    {
        $escape
    }

    static void ${p}_deep(int depth, int **out)
    {
        $deep
    }

    static int ${p}_sum(struct ${p}_box *boxes, int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            struct ${p}_box *one = &boxes[i];
            int part = 0, *into = &part;
            for (int *v = one->at; v < one->at + one->size; v++)
                *into += *v;
            sum += part;
        }
        return sum;
    }

    static int ${p}_guarded(int start)
    {
        int sum = start;
        $guard
        *held = $a;
        sum += *held;
        $use
        return sum;
    }

    static long ${p}_run(void)
    {
        struct ${p}_box boxes[2] = {{2, {$a, 2}}, {.size = 3, .at = {[2] = $depth}}};
        int *out = NULL;
        int sum = ${p}_sum(boxes, 2);

        $first
        ${p}_deep($depth, &out);
        for (int round = 0; round < 3; round++) {
            int square = round * round;
            int *at = &square;
            if (round == 1)
                continue;
            sum += *at + *${p}_escape();
        }
        ${p}_kept = (int[]){$a, 3, 5};
        sum += ${p}_kept[1];
        sum += ${p}_guarded(sum);
        printf("${p} %d %d %d\n", sum, ${p}_drops, out == NULL);
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut holes = Holes::new(&[
        ("drop", "${p}_drops++;\nfree(*held);"),
        ("escape", "static int lasting = $a;\nreturn &lasting;"),
        (
            "deep",
            "int local = depth, *at = &local;\nif (depth > 0)\n    ${p}_deep(*at - 1, out);\nelse\n    *out = NULL;",
        ),
        ("guard", "int *held __attribute__((cleanup(${p}_drop))) = malloc(sizeof *held);"),
        ("first", "*${p}_escape() += 1;"),
        ("use", ""),
        ("end", ""),
    ]);
    if rng.percent(30) && site.fault.is_none() {
        holes.set("guard", "int *held = malloc(sizeof *held);");
        holes.set("use", "${p}_drop(&held);");
    }
    let values = values! { a = rng.range(1, 50), depth = rng.range(2, 6) };
    site.part(holes, TEMPLATE, values)
}
