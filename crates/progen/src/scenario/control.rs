//! Control flow: switch with fall-through, goto, do/while, comma, short circuit, recursion, tables of functions.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "flow", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (DivisionByZero, &[("dive", "return n <= 0 ? $k / n : ${p}_dive(n - 1, acc) + 1; @fault")]),
    (DivisionByZero, &[("step", "state = $k % (1 - ticks); @fault")]),
    (
        DivisionByZero,
        &[
            ("divide", "return b ? a / b : (int)(7 % (unsigned)b); @fault"),
            ("use", "sum += ${p}_ops[2](5, 0);"),
        ],
    ),
    (AssertionFailure, &[("dive", "assert(n > 0); @fault\nreturn ${p}_dive(n - 1, acc + n);")]),
    (
        AssertionFailure,
        &[("step", "assert(ticks < 1 && \"too many ticks\"); @fault\nstate = (state * 3 + 1) % 7;")],
    ),
    (AssertionFailure, &[("use", "goto check;\ncheck:\nassert(sum == $k * 100000); @fault")]),
    (OutOfBoundsRead, &[("use", "for (int i = 0; i <= 3; i++)\n    sum += ${p}_ops[i](i, 2); @fault")]),
    (OutOfBoundsRead, &[("step", "state = ${p}_table[ticks + $n - 1]; @fault")]),
    (
        OutOfBoundsWrite,
        &[("use", "int seen[4] = {0};\nfor (int i = 0; i < 7; i++)\n    seen[i % 5] = i; @fault")],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "short marks[$n];\nint at = 0;\ndo\n    marks[at] = 1; @fault\nwhile (at++ < $n);")],
    ),
    (
        NullDeref,
        &[(
            "use",
            "const int *hit = NULL;\nfor (int i = 0; i < $n && !hit; i++)\n    ${p}_table[i] > 1000 && (hit = &${p}_table[i]);\nsum += *hit; @fault",
        )],
    ),
    (
        NullDeref,
        &[("dive", "int *none = n ? &acc : NULL;\n*none = n; @fault\nreturn ${p}_dive(n - 1, acc);")],
    ),
    (
        UseAfterFree,
        &[(
            "use",
            "int *cell = malloc(sizeof(int));\n*cell = $k;\nretry:\nsum += *cell; @fault\nfree(cell);\nif (sum > -1)\n    goto retry;",
        )],
    ),
    (
        DoubleFree,
        &[(
            "use",
            "int *cell = malloc(sizeof(int));\nswitch (*cell = $n) {\ncase $n:\n    free(cell);\n    __attribute__((fallthrough));\ndefault:\n    free(cell); @fault\n}",
        )],
    ),
    (
        Leak,
        &[(
            "use",
            "int *cell = malloc(sizeof(int)); @alloc\n*cell = $k;\nif (*cell != $k)\n    free(cell);\nsum += 2;",
        )],
    ),
    (
        Leak,
        &[(
            "dive",
            "int *cell = malloc(sizeof *cell); @alloc\n*cell = n;\nif (n <= 0)\n    return acc; /* the early exit forgets it */ @fault\nacc += *cell;\nfree(cell);\nreturn ${p}_dive(n - 1, acc);",
        )],
    ),
    (ReadonlyWrite, &[("use", "int *entry = (int *)${p}_table;\nentry[$n - 1] = 3; @fault")]),
    (
        WildDeref,
        &[(
            "use",
            "int *bad = (int *)(uintptr_t)0x7f0000077000;\nfor (int i = 0; i < 3; i++)\n    if (i == 2)\n        *bad = i; @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    static const int ${p}_table[$n] = {$table};

    static int ${p}_add(int a, int b) { return a + b; }
    static int ${p}_mul(int a, int b) { return a * b; }
    static int ${p}_div(int a, int b)
    {
        $divide
    }

    static int (*const ${p}_ops[3])(int, int) = {${p}_add, ${p}_mul, ${p}_div};

    static int ${p}_dive(int n, int acc)
    {
        $dive
    }

    static int ${p}_odd(unsigned n);
    static int ${p}_even(unsigned n) { return n == 0 || ${p}_odd(n - 1); }
    static int ${p}_odd(unsigned n) { return n != 0 && ${p}_even(n - 1); }

    static int ${p}_machine(int state)
    {
        int ticks = 0, out = 0;
    again:
        switch (state) {
        case 0:
            out += 1;
            __attribute__((fallthrough));
        case 1:
            out += 10;
            break;
        case $case:
            out ^= 0x55;
            __attribute__((fallthrough));
        default:
            out -= 3;
            if (out < 0)
                goto done;
            break;
        case 3 ... 4:
            for (int i = 0;; i++) {
                if (i == 2)
                    continue;
                if (i > state)
                    break;
                out += i;
            }
        }
        ++ticks;
        $step
        if (ticks < 12)
            goto again;
    done:
        return out * 100 + ticks;
    }

    static long ${p}_run(void)
    {
        long sum = 0;
        int calls = 0, i, j;

        $use
        for (i = 0, j = $n - 1; i < j; i++, j--)
            sum += ${p}_table[i] > ${p}_table[j] ? i : -j;
        sum += (calls++ > 0) || (calls++, calls > 1 && ++calls);
        do {
            sum += ${p}_ops[calls % 3](calls, 3);
        } while (++calls < 6);
        while (calls-- > 0)
            if (calls & 1)
                continue;
            else if (calls == $stop)
                break;
            else
                sum += ${p}_even(calls) ? calls : -1;
        printf("${p} %ld %d\n", sum, calls);
        sum += ${p}_machine($start) + ${p}_dive($n, 1);
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let n = rng.range(5, 8) as usize;
    let mut holes = Holes::new(&[
        ("divide", "return b ? a / b : -1;"),
        ("dive", ""),
        ("step", "state = (state * $mult + $k) % 7;"),
        ("use", ""),
    ]);
    let dive = [
        "return n <= 0 ? acc : ${p}_dive(n - 1, acc + n * $mult);",
        "if (n < 2)\n    return acc;\nreturn ${p}_dive(n - 1, acc) + ${p}_dive(n - 2, acc);",
        "int local[2] = {n, acc};\nif (local[0] == 0)\n    return local[1];\nreturn ${p}_dive(local[0] - 1, local[1] ^ n) + 1;",
    ];
    holes.set("dive", rng.text(&dive));
    let values = values! {
        n = n,
        table = comma(&rng.numbers(n, 0, 6)),
        k = rng.range(1, 9),
        mult = rng.range(2, 5),
        case = rng.pick(&[2, 5, 6]),
        start = rng.range(0, 1),
        stop = rng.pick(&[-5, 0, 2]),
    };
    site.part(holes, TEMPLATE, values)
}
