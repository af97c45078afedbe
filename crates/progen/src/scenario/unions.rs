//! Unions: tagged variants on the heap, and views of the same bytes.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "variant", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        WildDeref,
        &[
            (
                "use",
                "struct ${p} wrong = {.kind = TEXT_${p}, .as.number = 0x5555000012345678};\nsum += ${p}_weight(&wrong);",
            ),
            ("text", "return v->as.text[0]; @fault"),
        ],
    ),
    (
        NullDeref,
        &[
            ("use", "struct ${p} blank = {.kind = TEXT_${p}};\nsum += ${p}_weight(&blank);"),
            ("text", "return v->as.text[0]; @fault"),
        ],
    ),
    (
        NullDeref,
        &[
            ("use", "struct ${p} blank = {.kind = LIST_${p}};\nsum += ${p}_weight(blank.as.list.items);"),
            ("switch", "switch (v->kind) { @fault"),
        ],
    ),
    (
        UseAfterFree,
        &[
            (
                "release",
                "if (v->kind == LIST_${p}) {\n    char *text = v->as.list.items[1].as.text;\n    free(v->as.list.items);\n    for (int i = 0; i < v->as.list.count; i++)\n        ${p}_clear(&v->as.list.items[i]);\n}",
            ),
            ("clear", "if (v->kind == TEXT_${p}) @fault\n    free(v->as.text);"),
        ],
    ),
    (UseAfterFree, &[("end", "sum += root.as.list.items[0].kind; @fault")]),
    (
        DoubleFree,
        &[
            (
                "use",
                "struct ${p} twin = {.kind = TEXT_${p}, .as.text = strdup(\"$word\")}, other = twin;\n${p}_clear(&twin);\n${p}_clear(&other);",
            ),
            ("clear", "if (v->kind == TEXT_${p})\n    free(v->as.text); @fault"),
        ],
    ),
    (
        InvalidFree,
        &[
            (
                "use",
                "struct ${p} fixed = {.kind = TEXT_${p}, .as.text = (char *)\"$word\"};\n${p}_clear(&fixed);",
            ),
            ("clear", "if (v->kind == TEXT_${p})\n    free(v->as.text); @fault"),
        ],
    ),
    (
        InvalidFree,
        &[("root", "struct ${p} root;\nvoid *volatile whole = &root;"), ("end", "free(whole); @fault")],
    ),
    (
        Leak,
        &[(
            "use",
            "struct ${p} lost = {.kind = TEXT_${p}, .as.text = strdup(\"$word\")}; @alloc\nlost.kind = NUMBER_${p};\nlost.as.number = 4; @fault\nsum += ${p}_weight(&lost);",
        )],
    ),
    (
        Leak,
        &[
            ("items", "root.as.list.items = malloc(4 * sizeof(struct ${p})); @alloc"),
            (
                "release",
                "if (v->kind == LIST_${p})\n    for (int i = 0; i < v->as.list.count; i++)\n        ${p}_clear(&v->as.list.items[i]);",
            ),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "root.as.list.count++;\nsum += ${p}_weight(&root);"),
            ("switch", "switch (v->kind) { @fault"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            (
                "use",
                "struct ${p} *part = malloc(offsetof(struct ${p}, as) + 4);\npart->kind = NUMBER_${p};\nsum += ${p}_weight(part);",
            ),
            ("number", "return (long)v->as.number; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("items", "root.as.list.items = malloc(3 * sizeof(struct ${p}));"),
            ("fourth", "items[3] = (struct ${p}){.kind = NUMBER_${p}, .as.number = 1}; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "union { char c[6]; short s[3]; } mix = {.c = \"bytes\"};\nfor (int i = 0; i <= 3; i++)\n    mix.s[i] = (short)i; @fault\nsum += mix.c[0];",
        )],
    ),
    (
        UseAfterScope,
        &[
            (
                "use",
                "struct ${p} holder = {.kind = TEXT_${p}};\n{\n    char temp[] = \"$word\";\n    holder.as.text = temp;\n}\nsum += ${p}_weight(&holder);",
            ),
            ("text", "return v->as.text[0]; @fault"),
        ],
    ),
    (
        ReadonlyWrite,
        &[(
            "use",
            "struct ${p} fixed = {.kind = TEXT_${p}, .as.text = (char *)\"$word\"};\nfixed.as.text[1] = '-'; @fault",
        )],
    ),
    (
        AssertionFailure,
        &[
            ("use", "root.kind = 77;\nsum += ${p}_weight(&root);"),
            ("other", "assert(!\"unknown kind\"); @fault\nreturn 0;"),
        ],
    ),
    (DivisionByZero, &[("number", "return $k / (long)(v->as.number - $k); @fault")]),
];

const TEMPLATE: &str = r#"
    enum ${p}_kind { NUMBER_${p} = $first, TEXT_${p}, LIST_${p}, REAL_${p} };

    struct ${p} {
        enum ${p}_kind kind;
        union {
            int64_t number;
            double real;
            char *text;
            struct {
                int count;
                struct ${p} *items;
            } list;
        } as;
    };

    static long ${p}_weight(const struct ${p} *v)
    {
        long sum = 0;
        $switch
        case NUMBER_${p}:
            $number
        case REAL_${p}:
            return (long)(v->as.real * 4);
        case TEXT_${p}:
            $text
        case LIST_${p}:
            for (int i = 0; i < v->as.list.count; i++)
                sum = sum * 5 + ${p}_weight(v->as.list.items + i);
            return sum;
        default:
            $other
        }
    }

    static void ${p}_clear(struct ${p} *v)
    {
        $clear
        $release
    }

    static long ${p}_run(void)
    {
        union { float f; uint32_t u; unsigned char b[4]; } view = {.f = $float};
        $root
        struct ${p} *items;
        long sum = 0;

        root.kind = LIST_${p};
        root.as.list.count = 4;
        $items
        items = root.as.list.items;
        items[0] = (struct ${p}){.kind = NUMBER_${p}, .as.number = $k};
        items[1] = (struct ${p}){TEXT_${p}, {.text = strdup("$word")}};
        items[2].kind = REAL_${p};
        items[2].as.real = $k.25;
        $fourth
        $use
        sum += ${p}_weight(&root);
        view.b[0] ^= 1;
        printf("${p} %ld %x %d\n", sum, view.u, view.b[3]);
        ${p}_clear(&root);
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut holes = Holes::new(&[
        ("switch", "switch (v->kind) {"),
        ("number", "return (long)v->as.number;"),
        ("text", ""),
        ("other", "return -1;"),
        ("clear", "if (v->kind == TEXT_${p})\n    free(v->as.text);"),
        (
            "release",
            "if (v->kind == LIST_${p}) {\n    for (int i = 0; i < v->as.list.count; i++)\n        ${p}_clear(&v->as.list.items[i]);\n    free(v->as.list.items);\n}",
        ),
        ("root", "struct ${p} root;"),
        ("items", "root.as.list.items = malloc(4 * sizeof(struct ${p}));"),
        ("fourth", "items[3] = (struct ${p}){.kind = NUMBER_${p}, .as.number = 1};"),
        ("use", ""),
        ("end", ""),
    ]);
    holes.set("text", rng.text(&["return (long)strlen(v->as.text);", "return v->as.text[0];"]));
    let len = rng.range(3, 8) as usize;
    let values = values! {
        first = rng.range(0, 5),
        word = rng.word(len),
        float = rng.text(&["1.5f", "-3.25f", "100.0f", "0.1f"]),
        k = rng.range(2, 90),
    };
    site.part(holes, TEMPLATE, values)
}
