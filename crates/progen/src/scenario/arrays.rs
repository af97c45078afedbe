//! Arrays of every storage class, walked by index and by pointer.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "array", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (OutOfBoundsRead, &[("use", "for (int i = 0; i <= $n; i++)\n    sum += a[i]; @fault")]),
    (
        OutOfBoundsRead,
        &[
            ("use", "for (int i = $n - 1; i >= -1; i--)\n    sum += a[i]; @fault"),
            ("setup", "${ty} a[$n];"),
            ("release", ""),
        ],
    ),
    (OutOfBoundsRead, &[("use", "$ty *q = a + $n;\nsum += *q; @fault")]),
    (OutOfBoundsRead, &[("use", "$ty *q = a;\nwhile (q <= a + $n)\n    sum += *q++; @fault")]),
    (
        OutOfBoundsRead,
        &[
            ("use", "int at = ${p}_index(a, $n, $missing);\nsum += a[at]; @fault"),
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "sum += ${p}_sum(a, $n + 1);"),
            ("sum", "for (int i = 0; i < n; i++)\n    s += a[i]; @fault"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "sum += ${p}_sum(a - 1, 2);"),
            ("setup", "${ty} a[n];"),
            ("release", ""),
            ("sum", "while (n-- > 0)\n    s += *a++; @fault"),
        ],
    ),
    (OutOfBoundsRead, &[("use", "$ty copy[$n];\nmemcpy(copy, a + 1, sizeof copy); @fault\nsum += copy[0];")]),
    (
        OutOfBoundsRead,
        &[("use", "$ty last[2];\nmemmove(last, &a[$n - 1], sizeof last); @fault\nsum += last[0];")],
    ),
    (OutOfBoundsRead, &[("use", "$ty copy[$n] = {0};\nsum += memcmp(a, copy, sizeof copy + 1) > 0; @fault")]),
    (OutOfBoundsWrite, &[("use", "for (int i = 0; i <= $n; i++)\n    a[i] = i; @fault")]),
    (
        OutOfBoundsWrite,
        &[
            ("use", "for (int i = $n; i-- >= 0;)\n    a[i] = 1; @fault"),
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "a[-1] = 2; @fault"),
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
        ],
    ),
    (OutOfBoundsWrite, &[("use", "memset(a, 0, ($n + 1) * sizeof a[0]); @fault")]),
    (
        OutOfBoundsWrite,
        &[("use", "memset(a - 1, 0, sizeof a[0]); @fault"), ("setup", "${ty} a[$n];"), ("release", "")],
    ),
    (OutOfBoundsWrite, &[("use", "$ty more[$n + 1] = {1};\nmemcpy(a, more, sizeof more); @fault")]),
    (
        OutOfBoundsWrite,
        &[("use", "${p}_fill(a + $n / 2, $n);"), ("fill", "while (n-- > 0)\n    *a++ = (${ty})n; @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "${p}_fill(a, $n + 1);"),
            ("fill", "for (int i = 0; i < n; i++)\n    a[i] = (${ty})(i * i); @fault"),
        ],
    ),
    // Not at a constant place: the sanitizer does not check constant addresses inside the padding of a static array.
    (OutOfBoundsWrite, &[("use", "int at = $n;\n*(a + at) = 7; @fault")]),
    (
        InvalidFree,
        &[
            ("setup", "static ${ty} fixed[$n];\n${ty} *a = fixed;"),
            ("use", "free(a); @fault"),
            ("release", ""),
        ],
    ),
    (
        InvalidFree,
        &[("setup", "${ty} local[$n];\n${ty} *a = local;"), ("use", "free(a); @fault"), ("release", "")],
    ),
    (
        InvalidFree,
        &[
            ("setup", "${ty} *a = calloc($n, sizeof *a);"),
            ("use", "$ty *q = a;\nwhile (*q != $some)\n    q++;\nif (q != a)\n    free(q); @fault"),
            ("release", ""),
        ],
    ),
    (
        UseAfterFree,
        &[
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
            ("end", "sum += a[$n - 1]; @fault"),
        ],
    ),
    (
        UseAfterFree,
        &[
            ("setup", "${ty} *a = calloc($n, sizeof *a);"),
            ("use", "$ty *old = a;\na = realloc(a, 4096);\nold[0] = 1; @fault"),
            ("release", "free(a);"),
        ],
    ),
    (
        UseAfterFree,
        &[
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
            ("end", "sum += ${p}_sum(a, $n);"),
            ("sum", "for (const ${ty} *q = a; q < a + n; q++)\n    s += *q; @fault"),
        ],
    ),
    (
        DoubleFree,
        &[
            ("setup", "${ty} *a = malloc($n * sizeof *a);"),
            ("release", "free(a);"),
            ("end", "if (sum != 1)\n    free(a); @fault"),
        ],
    ),
    (Leak, &[("setup", "${ty} *a = malloc($n * sizeof *a); @alloc"), ("release", "")]),
    (
        Leak,
        &[
            ("setup", "${ty} *a = calloc($n, sizeof *a); @alloc"),
            ("release", "if (sum > 1000000000L)\n    free(a);"),
        ],
    ),
    (
        Leak,
        &[
            ("setup", "${ty} *a = calloc($n, sizeof *a); @alloc"),
            ("release", "a = malloc(3); @fault\nfree(a);"),
        ],
    ),
    (
        UseAfterScope,
        &[
            ("setup", "${ty} *a;\n{\n    ${ty} inner[$n];\n    a = inner;\n}\na[0] = 1; @fault"),
            ("release", ""),
        ],
    ),
    (
        UseAfterScope,
        &[
            (
                "setup",
                "${ty} *a = NULL;\nfor (int round = 0; round < 2; round++) {\n    ${ty} inner[$n] = {0};\n    if (round)\n        a = inner;\n}\nsum += a[$n - 1]; @fault",
            ),
            ("release", ""),
        ],
    ),
    (NullDeref, &[("use", "$ty *q = ${p}_index(a, $n, $missing) < 0 ? NULL : a;\n*q = 1; @fault")]),
    (
        NullDeref,
        &[("setup", "${ty} *a = NULL;"), ("access", "a[i] = (${ty})values[i]; @fault"), ("release", "")],
    ),
    (DivisionByZero, &[("use", "for (int i = 0; i < $n; i++)\n    sum += 600 / (a[i] - $some); @fault")]),
    (
        DivisionByZero,
        &[(
            "use",
            "int below = 0;\nfor (int i = 0; i < $n; i++)\n    below += a[i] < 0;\nsum += sum % below; @fault",
        )],
    ),
    (AssertionFailure, &[("use", "for (int i = 0; i < $n; i++)\n    assert(a[i] != $some); @fault")]),
    (AssertionFailure, &[("use", "int at = ${p}_index(a, $n, $missing);\nassert(at >= 0); @fault")]),
    (ReadonlyWrite, &[("use", "int *q = (int *)&values[1];\n*q = 5; @fault")]),
    (ReadonlyWrite, &[("use", "memset((void *)values, 0, sizeof(int)); @fault")]),
    (OverlappingCopy, &[("use", "memcpy(a + 1, a, ($n - 1) * sizeof *a); @fault")]),
    (OverlappingCopy, &[("use", "memcpy(a, &a[$n / 2 - 1], ($n / 2) * sizeof *a); @fault")]),
    (
        WildDeref,
        &[("use", "$ty *q = (${ty} *)(uintptr_t)(0x7f0000000000 + $n * 4096);\nsum += q[1]; @fault")],
    ),
];

const TEMPLATE: &str = r#"
    static const int ${p}_values[] = {$values};
    $globals

    static long ${p}_sum(const $ty *a, int n)
    {
        long s = 0;
        $sum
        return s;
    }

    static int ${p}_index(const $ty *a, int n, int value)
    {
        for (int i = 0; i < n; i++)
            if (a[i] == value)
                return i;
        return $absent;
    }

    static void ${p}_fill($ty *a, int n)
    {
        $fill
    }

    static void ${p}_sort($ty a[], int n)
    {
        for (int i = 1; i < n; i++) {
            $ty key = a[i];
            int at = i - 1;
            $sort
        }
    }

    static long ${p}_run(void)
    {
        const int *const values = ${p}_values;
        int n = sizeof ${p}_values / sizeof *${p}_values;
        long sum = 0;
        $setup

        for (int i = 0; i < n; i++) {
            $access
        }
        $use
        ${p}_sort(a, n);
        for (int i = 0; i < n; i++)
            printf("%d ", (int)a[i]);
        printf("| %d %d\n", ${p}_index(a, n, $some), (int)(&a[n - 1] - a));
        sum += ${p}_sum(a, n);
        ${p}_fill(a, n);
        sum += ${p}_sum(a, n) * 3;
        $release
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut numbers = rng.distinct(10, 1, 100);
    let missing = numbers.pop().unwrap();
    numbers.truncate(rng.range(5, 9) as usize);
    let mut holes = Holes::new(&[
        ("globals", ""),
        ("setup", ""),
        ("release", ""),
        ("access", "a[i] = (${ty})values[i];"),
        ("sum", ""),
        ("fill", ""),
        ("sort", "while (at >= 0 && a[at] > key) {\n    a[at + 1] = a[at];\n    at--;\n}\na[at + 1] = key;"),
        ("use", ""),
        ("end", ""),
    ]);
    let storage = [
        ("", "${ty} a[$n];", ""),
        ("", "${ty} a[n];", ""),
        ("", "static ${ty} a[$n];", ""),
        ("", "size_t bytes = n * sizeof(${ty});\n${ty} *const a = alloca(bytes);", ""),
        ("", "${ty} *a = alloca(n * sizeof *a);", ""),
        ("", "${ty} *a = malloc($n * sizeof *a);", "free(a);"),
        ("", "${ty} *a = calloc($n, sizeof *a);", "free(a);"),
        ("", "${ty} *a = realloc(NULL, n * sizeof(${ty}));", "free(a);"),
        ("${ty} ${p}_global[$n];", "${ty} *a = ${p}_global;", ""),
        ("static ${ty} ${p}_global[$n] = {1, [2] = 5};", "${ty} *a = &${p}_global[0];", ""),
    ];
    let (globals, setup, release) = *rng.pick(&storage);
    holes.set("globals", globals);
    holes.set("setup", setup);
    holes.set("release", release);
    let sum = [
        "for (int i = 0; i < n; i++)\n    s += a[i];",
        "while (n-- > 0)\n    s += *a++;",
        "for (const ${ty} *q = a + n; q-- != a;)\n    s = s * 2 + *q;",
    ];
    holes.set("sum", rng.text(&sum));
    let fill = [
        "while (n-- > 0)\n    *a++ = (${ty})n;",
        "for (int i = 0; i < n; i++)\n    a[i] = (${ty})(i * i);",
        "for (${ty} *q = a, *end = a + n; q < end; ++q)\n    *q = (${ty})(end - q);",
    ];
    holes.set("fill", rng.text(&fill));
    let values = values! {
        ty = rng.text(&["int", "long", "short", "unsigned short", "signed char"]),
        n = numbers.len(),
        values = comma(&numbers),
        // Neither first nor last, so that a pointer to it is an interior one.
        some = numbers[2],
        missing = missing,
        absent = -1,
    };
    site.part(holes, TEMPLATE, values)
}
