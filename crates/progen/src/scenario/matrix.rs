//! Two-dimensional arrays: flat, VLA, array of rows on the heap, pointer to array.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "matrix", variations: FAULTS, emit };

const ROWS_FREE: &str = "for (int r = 0; r < $rows; r++)\n    free(m[r]);\nfree(m);";

const FAULTS: &[Variation] = &[
    (OutOfBoundsRead, &[("use", "for (int c = 0; c <= $cols; c++)\n    sum += m[$rows - 1][c]; @fault")]),
    (OutOfBoundsRead, &[("use", "int c = $cols;\nsum += flat[$rows - 1][c]; @fault")]),
    (
        OutOfBoundsRead,
        &[
            ("use", "for (int r = 0; r <= $rows; r++)\n    sum += ${p}_trace(flat + r, 1);"),
            ("trace", "for (int i = 0; i < n; i++)\n    t += (*m)[i]; @fault"),
        ],
    ),
    (OutOfBoundsWrite, &[("use", "for (int r = 0; r < $rows; r++)\n    m[r][$cols - r] = 9; @fault")]),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "int (*row)[$cols] = flat;\nfor (int r = 0; r <= $rows; r++, row++)\n    (*row)[0] = r; @fault",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("alloc", "int **m = malloc(($rows - 1) * sizeof *m);"),
            ("row", "m[r] = malloc($cols * sizeof *m[r]); @fault"),
        ],
    ),
    (OutOfBoundsWrite, &[("use", "memset(m[0], 0, sizeof flat[0] + sizeof(int)); @fault")]),
    (
        UseAfterFree,
        &[(
            "release",
            "int *rows[$rows];\nmemcpy(rows, m, sizeof rows);\nfree(m);\nfor (int r = 0; r < $rows; r++)\n    free(m[r]); @fault\nsum += rows[0] != NULL;",
        )],
    ),
    (UseAfterFree, &[("use", "free(m[1]);\nsum += m[0][0] + m[1][0]; @fault")]),
    (
        DoubleFree,
        &[
            (
                "use",
                "int *spare = m[0];\nm[0] = m[1]; /* two rows in one place */\nsum += spare[0];\nfree(spare);",
            ),
            ("release", "for (int r = 0; r < $rows; r++)\n    free(m[r]); @fault\nfree(m);"),
        ],
    ),
    (
        DoubleFree,
        &[("release", "for (int r = 0; r < $rows; r++)\n    free(m[r]);\nfree(m);\nfree(m); @fault")],
    ),
    (InvalidFree, &[("release", "for (int r = 0; r < $rows; r++)\n    free(m[r] + r); @fault\nfree(m);")]),
    (
        InvalidFree,
        &[
            ("use", "free(m[0]);\nm[0] = flat[0];"),
            ("release", "for (int r = 0; r < $rows; r++)\n    free(m[r]); @fault\nfree(m);"),
        ],
    ),
    (
        Leak,
        &[
            ("row", "m[r] = malloc($cols * sizeof *m[r]); @alloc"),
            ("release", "for (int r = 1; r < $rows; r++)\n    free(m[r]);\nfree(m); @fault"),
        ],
    ),
    (Leak, &[("row", "m[r] = calloc($cols, sizeof(int)); @alloc"), ("release", "free(m); @fault")]),
    (
        Leak,
        &[
            ("alloc", "int **m = malloc($rows * sizeof *m); @alloc"),
            ("release", "for (int r = 0; r < $rows; r++)\n    free(m[r]);"),
        ],
    ),
    (
        NullDeref,
        &[
            ("alloc", "int **m = calloc($rows + 1, sizeof *m);"),
            ("use", "for (int r = 0; r <= $rows; r++)\n    sum += *m[r]; @fault"),
        ],
    ),
    (
        NullDeref,
        &[
            ("alloc", "int **m = calloc($rows + 1, sizeof *m);"),
            ("use", "int **row = m;\nwhile ((*row)[1] >= 0) @fault\n    ++row;"),
        ],
    ),
    (
        WildDeref,
        &[
            ("alloc", "int **m = malloc(($rows + 1) * sizeof *m);"),
            ("use", "sum += m[$rows][0]; /* never set */ @fault"),
        ],
    ),
    (
        AssertionFailure,
        &[(
            "use",
            "for (int r = 0; r < $rows; r++)\n    for (int c = 0; c < $cols; c++)\n        assert(m[r][c] < r * c + $base); @fault",
        )],
    ),
    (
        DivisionByZero,
        &[("use", "for (int r = 0; r < $rows; r++)\n    sum += 99 / (m[r][0] - $base); @fault")],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "int *kept[$rows];\nfor (int r = 0; r < $rows; r++) {\n    int row[$cols] = {r};\n    kept[r] = row;\n}\nsum += kept[$rows - 1][0]; @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    static long ${p}_trace(int (*m)[$cols], int n)
    {
        long t = 0;
        $trace
        return t;
    }

    static void ${p}_transpose(int rows, int cols, int from[rows][cols], int to[cols][rows])
    {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++)
                to[c][r] = from[r][c];
    }

    static long ${p}_run(void)
    {
        int flat[$rows][$cols] = {{1, 2}, [1] = {[1] = $base}};
        int turned[$cols][$rows];
        long sum = 0;
        $alloc

        for (int r = 0; r < $rows; r++) {
            $row
            for (int c = 0; c < $cols; c++)
                flat[r][c] += m[r][c] = r * c + $base;
        }
        $use
        ${p}_transpose($rows, $cols, flat, turned);
        for (int c = 0; c < $cols; c++)
            printf("%d,", turned[c][$rows - 1]);
        printf(" %ld\n", (long)(&flat[$rows - 1][0] - &flat[0][0]));
        sum += ${p}_trace(flat, $rows) + *(*(flat + 1) + 1);
        $release
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut holes = Holes::new(&[
        ("trace", "for (int i = 0; i < n; i++)\n    t += m[i][i % $cols];"),
        ("alloc", "int **m = malloc($rows * sizeof *m);"),
        ("row", ""),
        ("use", ""),
        ("release", ROWS_FREE),
    ]);
    let row = [
        "m[r] = malloc($cols * sizeof *m[r]);",
        "m[r] = calloc($cols, sizeof(int));",
        "*(m + r) = malloc(sizeof(int[$cols]));",
    ];
    holes.set("row", rng.text(&row));
    let values = values! { rows = rng.range(2, 4), cols = rng.range(3, 6), base = rng.range(1, 9) };
    site.part(holes, TEMPLATE, values)
}
