//! Functions with variable arguments: own va_arg loops, va_list passed on, doubles, structs, pointers.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "varargs", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        NullDeref,
        &[
            ("use", "sum += ${p}_format(out, \"is\", 4, (char *)NULL);"),
            ("string", "while (*s) @fault\n    *out++ = *s++;"),
        ],
    ),
    (
        NullDeref,
        &[("use", "${p}_store(2, &first, (int *)NULL);"), ("store", "*va_arg(args, int *) = i + 1; @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "char tiny[4];\nsum += ${p}_format(tiny, \"s\", \"abcdef\");"),
            ("string", "while (*s)\n    *out++ = *s++; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "int cells[2];\n${p}_store(2, cells, cells + 2);"),
            ("store", "*va_arg(args, int *) = i + 1; @fault"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "char raw[3] = {'x', 'y', 'z'};\nsum += ${p}_format(out, \"s\", raw);"),
            ("string", "while (*s) @fault\n    *out++ = *s++;"),
        ],
    ),
    (
        UseAfterFree,
        &[
            (
                "use",
                "char *gone = strdup(\"gone\");\nfree(gone);\nsum += ${p}_format(out, \"ss\", \"a\", gone);",
            ),
            ("string", "while (*s) @fault\n    *out++ = *s++;"),
        ],
    ),
    (
        UseAfterFree,
        &[
            ("use", "int *cell = malloc(sizeof *cell);\nfree(cell);\n${p}_store(1, cell);"),
            ("store", "*va_arg(args, int *) = i + 1; @fault"),
        ],
    ),
    (
        DoubleFree,
        &[
            ("use", "void *block = malloc(3);\n${p}_release(3, NULL, block, block);"),
            ("release", "free(va_arg(args, void *)); @fault"),
        ],
    ),
    (
        InvalidFree,
        &[
            ("use", "char *block = malloc(8);\n${p}_release(2, NULL, block + 2);"),
            ("release", "free(va_arg(args, void *)); @fault"),
        ],
    ),
    (
        InvalidFree,
        &[("use", "${p}_release(1, (void *)&first);"), ("release", "free(va_arg(args, void *)); @fault")],
    ),
    (
        Leak,
        &[(
            "use",
            "void *one = malloc(3), *two = malloc($k); @alloc\n${p}_release(1, one);\nsum += two != one;",
        )],
    ),
    (
        UseAfterScope,
        &[
            (
                "use",
                "int *cell = &first;\n{\n    int inner = 0;\n    cell = &inner;\n}\n${p}_store(1, cell);",
            ),
            ("store", "*va_arg(args, int *) = i + 1; @fault"),
        ],
    ),
    (
        ReadonlyWrite,
        &[
            ("use", "sum += ${p}_format((char *)\"fixed\", \"s\", \"abc\");"),
            ("string", "while (*s)\n    *out++ = *s++; @fault"),
        ],
    ),
    (
        WildDeref,
        &[
            ("use", "${p}_store(1, (int *)(uintptr_t)0x7f00beef0000);"),
            ("store", "*va_arg(args, int *) = i + 1; @fault"),
        ],
    ),
    (AssertionFailure, &[("use", "sum += ${p}_sum(3, 1, 2, 3);"), ("average", "assert(total < 10); @fault")]),
    (DivisionByZero, &[("use", "sum += ${p}_sum(0);"), ("average", "total += total / n; @fault")]),
];

const TEMPLATE: &str = r#"
    struct ${p}_point {
        int x;
        $second y;
        $third
    };

    static long ${p}_vsum(int n, va_list args)
    {
        long total = 0;
        while (n-- > 0)
            total = total * 2 + va_arg(args, int);
        return total;
    }

    static long ${p}_sum(int n, ...)
    {
        va_list args, again;
        va_start(args, n);
        va_copy(again, args);
        long total = ${p}_vsum(n, args);
        for (int i = 0; i < n; i++)
            total += va_arg(again, int);
        va_end(again);
        va_end(args);
        $average
        return total;
    }

    static void ${p}_store(int n, ...)
    {
        va_list args;
        va_start(args, n);
        for (int i = 0; i < n; i++) {
            $store
        }
        va_end(args);
    }

    static void ${p}_release(int n, ...)
    {
        va_list args;
        va_start(args, n);
        while (n-- > 0) {
            $release
        }
        va_end(args);
    }

    static int ${p}_format(char *out, const char *form, ...)
    {
        char *start = out;
        const char *s;
        va_list args;
        va_start(args, form);
        for (; *form; form++) {
            switch (*form) {
            case 'i':
                *out++ = (char)('0' + va_arg(args, int) % 10);
                break;
            case 'l':
                *out++ = (char)('a' + va_arg(args, long) % 26);
                break;
            case 'd':
                *out++ = (char)('A' + (int)va_arg(args, double) % 26);
                break;
            case 'p': {
                struct ${p}_point point = va_arg(args, struct ${p}_point);
                *out++ = (char)('0' + (point.x + (int)point.y) % 10);
                break;
            }
            case 's':
                s = va_arg(args, const char *);
                $string
            }
        }
        va_end(args);
        *out = 0;
        return (int)(out - start);
    }

    static long ${p}_run(void)
    {
        char out[32];
        int first = 0, other = 0;
        struct ${p}_point point = {.x = $k, .y = 2};
        long sum = 0;

        $use
        sum += ${p}_sum(3, $k, 2, 3) + ${p}_sum(9, 1, 2, 3, 4, 5, 6, 7, 8, $k);
        ${p}_store(2, &first, &other);
        ${p}_release(2, malloc($k), NULL);
        sum += ${p}_format(out, "$form", $arguments);
        printf("${p} %s %ld %d\n", out, sum, first * 10 + other);
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let (mut form, mut arguments) = (String::new(), Vec::new());
    for _ in 0..rng.range(3, 10) {
        let (letter, argument) = match rng.below(5) {
            0 => ('i', rng.range(0, 500).to_string()),
            1 => ('l', format!("{}L", rng.range(0, 1 << 33))),
            2 => ('d', format!("{}.75", rng.range(0, 90))),
            3 => ('p', "point".to_string()),
            _ => ('s', rng.text(&["\"xy\"", "\"\"", "\"-\""])),
        };
        form.push(letter);
        arguments.push(argument);
    }
    let holes = Holes::new(&[
        ("average", ""),
        ("store", "*va_arg(args, int *) = i + 1;"),
        ("release", "free(va_arg(args, void *));"),
        ("string", "while (*s)\n    *out++ = *s++;"),
        ("use", ""),
    ]);
    let values = values! {
        second = rng.text(&["int", "double", "short", "long", "float"]),
        third = rng.text(&["", "", "long more[3];", "double z;"]),
        form = form,
        arguments = arguments.join(", "),
        k = rng.range(2, 60),
    };
    site.part(holes, TEMPLATE, values)
}
