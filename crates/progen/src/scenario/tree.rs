//! A binary search tree: recursive and iterative insertion, look-up, traversal, removal, destruction.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;
use crate::rng::comma;

pub const SCENARIO: Scenario = Scenario { name: "tree", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (NullDeref, &[("use", "sum += ${p}_find(root, $missing)->key; @fault")]),
    (
        NullDeref,
        &[(
            "use",
            "struct ${p}_node *least = root;\nwhile (least->kid[0]->key >= 0) @fault\n    least = least->kid[0];",
        )],
    ),
    (
        NullDeref,
        &[(
            "use",
            "struct ${p}_node *leaf = root;\nwhile (leaf->kid[1])\n    leaf = leaf->kid[1];\nleaf->kid[1]->count = 1; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[(
            "destroy",
            "if (!t)\n    return;\nstruct ${p}_node *left = t->kid[0], *right = t->kid[1];\nfree(t);\n${p}_destroy(t->kid[0]); @fault\n${p}_destroy(left ? right : left);",
        )],
    ),
    (
        UseAfterFree,
        &[
            ("use", "struct ${p}_node *kept = root->kid[$side] ? root->kid[$side] : root;"),
            ("end", "sum += kept->key; @fault"),
        ],
    ),
    (
        UseAfterFree,
        &[
            ("end", "sum += ${p}_height(root);"),
            (
                "height",
                "if (!t)\n    return 0;\nint a = ${p}_height(t->kid[0]); @fault\nint b = ${p}_height(t->kid[1]);\nreturn 1 + (a > b ? a : b);",
            ),
        ],
    ),
    (
        DoubleFree,
        &[(
            "use",
            "struct ${p}_node *shared = ${p}_new(500);\nstruct ${p}_node *last = root;\nwhile (last->kid[1])\n    last = last->kid[1];\nlast->kid[1] = shared;\nfree(shared);\nfree(last->kid[1]); @fault",
        )],
    ),
    (DoubleFree, &[("end", "free(root); @fault")]),
    (InvalidFree, &[("use", "free(&root->kid[0]); @fault")]),
    (
        InvalidFree,
        &[
            (
                "use",
                "static struct ${p}_node spare = {.key = 600};\nstruct ${p}_node **at = &root;\nwhile (*at)\n    at = &(*at)->kid[1];\n*at = &spare;",
            ),
            (
                "destroy",
                "if (!t)\n    return;\n${p}_destroy(t->kid[0]);\n${p}_destroy(t->kid[1]);\nfree(t); @fault",
            ),
        ],
    ),
    (InvalidFree, &[("end", "int local = 3;\nint *q = &local;\nfree(q); @fault")]),
    (
        Leak,
        &[
            (
                "use",
                "struct ${p}_node **at = &root;\nwhile ((*at)->kid[1])\n    at = &(*at)->kid[1];\n*at = (*at)->kid[0]; @fault",
            ),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            (
                "destroy",
                "if (!t)\n    return;\n${p}_destroy(t->kid[0]);\n${p}_destroy(t->kid[1]);\nif (t->key != $some)\n    free(t);",
            ),
            ("alloc", "struct ${p}_node *n = malloc(sizeof *n); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            ("end", "root = NULL;\n${p}_insert(&root, $some);\nroot = NULL; @fault"),
            ("alloc", "struct ${p}_node *n = calloc(1, sizeof(struct ${p}_node)); @alloc"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("alloc", "struct ${p}_node *n = malloc(offsetof(struct ${p}_node, kid) + sizeof n);"),
            ("init", "n->kid[1] = NULL; @fault"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "int order[$n], len = ${p}_flatten(root, order, 0);\nfor (int i = 0; i < len; i++)\n    sum += order[i] < order[i + 1]; @fault",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "int order[$n - 1];\nsum += ${p}_flatten(root, order, 0);"),
            ("store", "out[at++] = t->key; @fault"),
        ],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "struct ${p}_node **at = &root;\nwhile (*at)\n    at = &(*at)->kid[0];\n{\n    struct ${p}_node local = {.key = 0};\n    *at = &local;\n}\nsum += (*at)->key; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "use",
            "struct ${p}_node *raw = malloc(sizeof *raw);\nraw->key = 1;\nsum += raw->kid[0]->key; @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "use",
            "struct ${p}_node *left = root->kid[0];\nuint64_t junk = 0x4142434445464748;\nmemcpy(&root->kid[0], &junk, sizeof junk);\nsum += root->kid[0]->count + (left != NULL); @fault",
        )],
    ),
    (AssertionFailure, &[("use", "assert(${p}_height(root) > $n); @fault")]),
    (
        AssertionFailure,
        &[(
            "use",
            "const struct ${p}_node *hit = ${p}_find(root, $some);\nassert(hit && hit->key != $some); @fault",
        )],
    ),
    (DivisionByZero, &[("use", "sum += 50 % (${p}_find(root, $some)->key - $some); @fault")]),
];

const TEMPLATE: &str = r#"
    struct ${p}_node {
        int key;
        $count count;
        struct ${p}_node *kid[2];
    };

    static struct ${p}_node *${p}_new(int key)
    {
        $alloc
        n->key = key;
        n->count = 0;
        n->kid[0] = NULL;
        $init
        return n;
    }

    static void ${p}_insert(struct ${p}_node **root, int key)
    {
        $insert
    }

    static struct ${p}_node *${p}_find(struct ${p}_node *t, int key)
    {
        while (t && t->key != key)
            t = t->kid[key > t->key];
        return t;
    }

    static int ${p}_height(const struct ${p}_node *t)
    {
        $height
    }

    static int ${p}_flatten(const struct ${p}_node *t, int *out, int at)
    {
        if (!t)
            return at;
        at = ${p}_flatten(t->kid[0], out, at);
        $store
        return ${p}_flatten(t->kid[1], out, at);
    }

    static void ${p}_destroy(struct ${p}_node *t)
    {
        $destroy
    }

    static long ${p}_run(void)
    {
        const int keys[] = {$keys};
        struct ${p}_node *root = NULL;
        int sorted[$n + 2] = {0};
        long sum = 0;

        for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
            ${p}_insert(&root, keys[i]);
        $use
        ${p}_flatten(root, sorted, 0);
        for (int i = 0; i < $n; i++)
            printf("%d%c", sorted[i], i + 1 < $n ? ' ' : '\n');
        ${p}_find(root, $some)->count += 2;
        sum += ${p}_height(root) + ${p}_find(root, $some)->count;
        sum += ${p}_find(root, $missing) == NULL;
        ${p}_destroy(root);
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut numbers = rng.distinct(9, 1, 200);
    let missing = numbers.pop().unwrap();
    numbers.truncate(rng.range(5, 8) as usize);
    let mut holes = Holes::new(&[
        ("alloc", "struct ${p}_node *n = malloc(sizeof(struct ${p}_node));"),
        ("init", "n->kid[1] = NULL;"),
        ("insert", ""),
        (
            "height",
            "if (!t)\n    return 0;\nint a = ${p}_height(t->kid[0]), b = ${p}_height(t->kid[1]);\nreturn 1 + (a > b ? a : b);",
        ),
        ("store", "out[at++] = t->key;"),
        ("destroy", "if (!t)\n    return;\n${p}_destroy(t->kid[0]);\n${p}_destroy(t->kid[1]);\nfree(t);"),
        ("use", ""),
        ("end", ""),
    ]);
    let insert = [
        "while (*root)\n    root = &(*root)->kid[key > (*root)->key];\n*root = ${p}_new(key);",
        "if (!*root)\n    *root = ${p}_new(key);\nelse if (key < (*root)->key)\n    ${p}_insert(&(*root)->kid[0], key);\nelse\n    ${p}_insert((*root)->kid + 1, key);",
        "struct ${p}_node *t = *root;\nif (!t) {\n    *root = ${p}_new(key);\n    return;\n}\nwhile (t->kid[key > t->key])\n    t = t->kid[key > t->key];\nt->kid[key > t->key] = ${p}_new(key);",
    ];
    holes.set("insert", rng.text(&insert));
    let values = values! {
        count = rng.text(&["int", "unsigned", "short"]),
        keys = comma(&numbers),
        n = numbers.len(),
        some = numbers.iter().min().unwrap(),
        missing = missing,
        side = rng.below(2),
    };
    site.part(holes, TEMPLATE, values)
}
