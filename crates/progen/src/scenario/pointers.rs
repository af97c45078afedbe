//! Pointers: aliasing, pointer to pointer, comparison and subtraction, tagging, callbacks, relocated initialisers.

use super::{Holes, Part, Scenario, Site, Variation, choose_operations, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "ptr", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (NullDeref, &[("use", "int **slot = &${p}_slots[3];\n**slot = 2; @fault")]),
    (NullDeref, &[("use", "struct ${p}_pair *none = ${p}_max(NULL, NULL);\nsum += none->right; @fault")]),
    (NullDeref, &[("use", "for (int **s = ${p}_slots;; s++)\n    sum += **s; @fault")]),
    (NullDeref, &[("use", "uintptr_t tagged = 0 | 1;\nsum += *(int *)(tagged & ~(uintptr_t)3); @fault")]),
    (
        WildDeref,
        &[("use", "int *made = (int *)(uintptr_t)(0x7f0000000000 + $k * 0x1000);\n*made = 1; @fault")],
    ),
    (
        WildDeref,
        &[(
            "use",
            "union { uint64_t bits; int *at; } u;\nu.at = ${p}_cells;\nu.bits = 0x1122334455667788;\nsum += *u.at; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "use",
            "int *smashed = ${p}_cells;\nchar *bytes = (char *)&smashed;\nfor (unsigned i = 0; i < sizeof smashed; i++)\n    bytes[i] = 'A';\nsum += smashed[1]; @fault",
        )],
    ),
    (
        WildDeref,
        &[("use", "struct ${p}_pair **list = malloc(2 * sizeof *list);\nsum += list[1]->left; @fault")],
    ),
    (OutOfBoundsRead, &[("use", "int *end = ${p}_cells + $n;\nsum += *end; @fault")]),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "int *heap = malloc(sizeof(int) * 3);\nint *walk = heap + 2;\nheap[0] = heap[1] = heap[2] = 1;\nwhile (*walk > 0) @fault\n    walk--;",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "struct ${p}_pair *one = malloc(sizeof(int));\none->left = 1;\none->right = 2; @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "struct ${p}_pair pairs[2], *q = pairs;\n(q++)->left = 1;\n(++q)->left = 2; @fault\nsum += pairs[0].left;",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "long both = 0;\nint *half = (int *)&both;\nhalf[2] = 1; @fault\nsum += (int)both;")],
    ),
    (
        UseAfterFree,
        &[(
            "use",
            "struct ${p}_pair *one = calloc(1, sizeof *one), *alias = one, **via = &alias;\nfree(one);\n(*via)->left = 3; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[(
            "use",
            "int *cell = calloc(2, sizeof(int));\nuintptr_t hidden = (uintptr_t)cell | 2;\nfree(cell);\nsum += *(int *)(hidden & ~(uintptr_t)7); @fault",
        )],
    ),
    (
        DoubleFree,
        &[(
            "use",
            "void *block = malloc($k), *again = block;\nvoid **both[2] = {&block, &again};\nfor (int i = 0; i < 2; i++)\n    free(*both[i]); @fault",
        )],
    ),
    (InvalidFree, &[("use", "free(${p}_slots[1]); @fault")]),
    (
        InvalidFree,
        &[(
            "use",
            "int *cell = malloc(4 * sizeof(int));\nuintptr_t tagged = (uintptr_t)cell | 1;\nfree((void *)tagged); @fault",
        )],
    ),
    (InvalidFree, &[("use", "void (*release)(void *) = free;\nrelease((void *)&sum); @fault")]),
    (
        Leak,
        &[(
            "use",
            "int *cell = malloc(sizeof(int)), **via = &cell; @alloc\n**via = 4;\nsum += *cell;\n*via = &sum; @fault",
        )],
    ),
    (
        Leak,
        &[(
            "use",
            "void *chain = NULL;\nfor (int i = 0; i < 3; i++) {\n    void **link = malloc(sizeof *link); @alloc\n    *link = chain;\n    chain = link;\n}\nsum += chain != NULL;",
        )],
    ),
    (
        UseAfterScope,
        &[("use", "int *at, **via = &at;\n{\n    int deep = $k;\n    *via = &deep;\n}\n**via = 5; @fault")],
    ),
    (
        UseAfterScope,
        &[
            ("use", "int *at = ${p}_pick(1);\nsum += *at; @fault"),
            ("pick", "int pair[2] = {$k, which};\nint *volatile chosen = &pair[which];\nreturn chosen;"),
        ],
    ),
    (ReadonlyWrite, &[("use", "int **slot = (int **)&${p}_fixed[1];\n*slot = NULL; @fault")]),
    (ReadonlyWrite, &[("use", "*(int *)&${p}_limit = 3; @fault")]),
    (
        ReadonlyWrite,
        &[("use", "${p}_each((int *)&${p}_limit, 1, ${p}_double);"), ("double", "*x *= 2; @fault")],
    ),
    (AssertionFailure, &[("use", "assert(&${p}_cells[1] - ${p}_cells == 2); @fault")]),
    (AssertionFailure, &[("use", "int *a = ${p}_slots[0], *b = ${p}_cells;\nassert(a != b); @fault")]),
    (DivisionByZero, &[("use", "int *a = &${p}_cells[1];\nsum += $k / (int)(a - ${p}_slots[1]); @fault")]),
    (
        OverlappingCopy,
        &[(
            "use",
            "struct ${p}_pair pairs[3] = {{1, 2}};\nmemcpy((char *)pairs + 4, pairs, sizeof pairs[0]); @fault\nsum += pairs[1].left;",
        )],
    ),
];

const TEMPLATE: &str = r#"
    struct ${p}_pair {
        int left, right;
    };

    static int ${p}_cells[$n] = {$cells};
    static int *${p}_slots[4] = {&${p}_cells[0], ${p}_cells + 1, &${p}_cells[$n - 1], NULL};
    static const int ${p}_limit = $k;
    static const int *const ${p}_fixed[2] = {&${p}_limit, &${p}_cells[2]};

    static struct ${p}_pair *${p}_max(struct ${p}_pair *a, struct ${p}_pair *b)
    {
        return !a ? b : !b ? a : a->left * a->right > b->left * b->right ? a : b;
    }

    static void ${p}_double(int *x)
    {
        $double
    }

    static void ${p}_each(int *from, int n, void (*f)(int *))
    {
        for (int *end = from + n; from != end; ++from)
            f(from);
    }

    static void ${p}_swap(void **a, void **b)
    {
        void *t = *a;
        *a = *b;
        *b = t;
    }

    static int *${p}_pick(int which)
    {
        $pick
    }

    static long ${p}_run(void)
    {
        int sum = 0;

        $use
        ${p}_each(${p}_cells, $n, ${p}_double);
        for (int **s = ${p}_slots; *s; s++)
            sum = sum * 2 + **s;
        *${p}_pick(1) += *${p}_fixed[0];
        printf("${p} %d %d\n", sum, ${p}_cells[1]);
        $ops
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let n = rng.range(4, 7) as usize;
    let mut holes =
        Holes::new(&[("double", ""), ("pick", "return ${p}_slots[which];"), ("use", ""), ("ops", "")]);
    holes.set("double", rng.text(&["*x *= 2;", "x[0] += *x;", "*x = *x << 1;"]));
    let ops = [
        "struct ${p}_pair a = {$k, 2}, b = {3, $k}, *best = ${p}_max(&a, &b);\nprintf(\"${p} best %d\\n\", best == &a);",
        "void *x = &${p}_cells[0], *y = &${p}_cells[3];\n${p}_swap(&x, &y);\nsum += *(int *)x - *(int *)y + (x > y);",
        "uintptr_t tagged = (uintptr_t)&${p}_cells[2] | 1;\nif (tagged & 1)\n    sum += *(int *)(tagged & ~(uintptr_t)3);",
        "char *raw = (char *)${p}_cells;\nint second;\nmemcpy(&second, raw + sizeof(int), sizeof second);\nsum += second + (raw + 4 == (char *)&${p}_cells[1]);",
        "int *lo = ${p}_cells, *hi = ${p}_cells + $n;\nwhile (lo < hi) {\n    int *mid = lo + (hi - lo) / 2;\n    if (*mid < $k)\n        lo = mid + 1;\n    else\n        hi = mid;\n}\nprintf(\"${p} at %td\\n\", lo - ${p}_cells);",
        "int x = 1, *px = &x, **ppx = &px, ***pppx = &ppx;\n***pppx = $k;\n*ppx = &${p}_cells[1];\nsum += x + **ppx + *px;",
        "unsigned char *bytes = (unsigned char *)&(unsigned){0x01020304};\nsum += bytes[0] * 10 + bytes[3];",
        "int *temp = alloca($n * sizeof *temp);\nmemcpy(temp, ${p}_cells, $n * sizeof *temp);\ntemp[1] ^= temp[0];\nsum += temp[1];",
        "int (*whole)[$n] = &${p}_cells;\nsum += (*whole)[1] + (int)(sizeof *whole / sizeof **whole);",
    ];
    let count = rng.range(2, 5);
    holes.set("ops", choose_operations(rng, &ops, count));
    let values = values! { n = n, cells = comma(&rng.numbers(n, 1, 60)), k = rng.range(2, 40) };
    site.part(holes, TEMPLATE, values)
}
