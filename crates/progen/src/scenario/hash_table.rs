//! A hash table of string keys with chained buckets, and callbacks over its entries.

use super::{Holes, Part, Scenario, Site, Variation, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "table", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (NullDeref, &[("use", "${p}_get(t, \"$missing\")->count++; @fault")]),
    (
        NullDeref,
        &[
            ("use", "const char *none = NULL;\nsum += ${p}_hash(none, $size);"),
            ("hash", "while (*key) @fault\n    h = h * $mul + (unsigned char)*key++;"),
        ],
    ),
    (
        UseAfterFree,
        &[(
            "use",
            "struct ${p}_entry *hit = ${p}_get(t, \"$some\");\nfree(hit->key);\nsum += hit->key[0]; @fault",
        )],
    ),
    (
        UseAfterFree,
        &[("use", "char *key = ${p}_get(t, \"$some\")->key;"), ("end", "sum += (long)strlen(key); @fault")],
    ),
    (UseAfterFree, &[("release", "char *key = e->key;\nfree(e);\nfree(e->key); @fault\nsum += *key;")]),
    (UseAfterFree, &[("end", "t->used = 0; @fault")]),
    (
        DoubleFree,
        &[("release", "char *key = e->key;\nfree(e);\nfree(key);\nif (!next)\n    free(key); @fault")],
    ),
    (DoubleFree, &[("end", "free(t); @fault")]),
    (InvalidFree, &[("use", "free(${p}_get(t, \"$some\")->key + 1); @fault")]),
    (InvalidFree, &[("end", "static char name[] = \"$some\";\nfree(name); @fault")]),
    (
        InvalidFree,
        &[
            ("globals", "char ${p}_spare[8] = \"spare\";"),
            ("use", "char **at = &${p}_get(t, \"$some\")->key;\nfree(*at);\n*at = ${p}_spare;"),
            ("release", "free(e->key); @fault\nfree(e);"),
        ],
    ),
    (
        OutOfBoundsRead,
        &[(
            "count",
            "for (unsigned b = 0; b <= t->size; b++)\n    for (const struct ${p}_entry *e = t->bucket[b]; e; e = e->next) @fault\n        visit(e, context);",
        )],
    ),
    (
        OutOfBoundsRead,
        &[
            (
                "dup",
                "e->key = malloc(strlen(key));\nmemcpy(e->key, key, strlen(key)); /* no room for the end mark */",
            ),
            ("find", "for (; e; e = e->next)\n    if (strcmp(e->key, key) == 0) @fault\n        return e;"),
        ],
    ),
    (OutOfBoundsWrite, &[("dup", "e->key = malloc(strlen(key));\nstrcpy(e->key, key); @fault")]),
    (OutOfBoundsWrite, &[("reset", "memset(t->bucket, 0, (size + 1) * sizeof *t->bucket); @fault")]),
    (OutOfBoundsWrite, &[("reset", "for (unsigned b = 0; b <= size; b++)\n    t->bucket[b] = NULL; @fault")]),
    (Leak, &[("release", "free(e);"), ("dup", "e->key = strdup(key); @alloc")]),
    (Leak, &[("release", "free(e);"), ("dup", "e->key = strcpy(malloc(strlen(key) + 1), key); @alloc")]),
    (
        Leak,
        &[
            ("end_table", ""),
            ("make", "struct ${p} *t = malloc(sizeof *t + size * sizeof t->bucket[0]); @alloc"),
        ],
    ),
    (
        Leak,
        &[
            (
                "unhook",
                "struct ${p}_entry **at = &t->bucket[${p}_hash(\"$some\", $size)];\n*at = (*at)->next; @fault",
            ),
            ("alloc", "struct ${p}_entry *e = malloc(sizeof *e); @alloc"),
            ("dup", "e->key = (char *)key;"),
            ("release", "free(e);"),
        ],
    ),
    (
        WildDeref,
        &[(
            "use",
            "char **at = &${p}_get(t, \"$some\")->key;\nfree(*at);\n*at = (char *)(uintptr_t)0x7f00deadb000;\nsum += *${p}_last_key(t, \"$some\"); @fault",
        )],
    ),
    (AssertionFailure, &[("use", "assert(t->used < $keys); @fault")]),
    (
        AssertionFailure,
        &[("hash", "while (*key)\n    h = h * $mul + (unsigned char)*key++;\nassert(h < size); @fault")],
    ),
    (DivisionByZero, &[("use", "sum += t->used % (t->used - $keys); @fault")]),
    (
        DivisionByZero,
        &[("use", "sum += ${p}_hash(\"$some\", t->size - $size);"), ("mod", "return h % size; @fault")],
    ),
    (
        UseAfterScope,
        &[
            (
                "use",
                "{\n    char name[] = \"$missing\";\n    char **at = &${p}_get(t, \"$some\")->key;\n    free(*at);\n    *at = name;\n}\nsum += ${p}_get(t, \"$some\") != NULL;",
            ),
            ("find", "for (; e; e = e->next)\n    if (strcmp(e->key, key) == 0) @fault\n        return e;"),
        ],
    ),
    (
        ReadonlyWrite,
        &[
            ("dup", "e->key = (char *)key;"),
            ("release", "free(e);"),
            ("use", "${p}_get(t, \"$some\")->key[0] = 'X'; @fault"),
        ],
    ),
    (
        OverlappingCopy,
        &[("use", "char *key = ${p}_get(t, \"$some\")->key;\nmemcpy(key, key + 1, strlen(key)); @fault")],
    ),
];

const TEMPLATE: &str = r#"
    struct ${p}_entry {
        char *key;
        int count;
        struct ${p}_entry *next;
    };

    struct ${p} {
        unsigned size, used;
        struct ${p}_entry *bucket[];
    };

    $globals

    static unsigned ${p}_hash(const char *key, unsigned size)
    {
        unsigned h = $seed;
        $hash
        $mod
    }

    static struct ${p} *${p}_make(unsigned size)
    {
        $make
        t->size = size;
        t->used = 0;
        $reset
        return t;
    }

    static struct ${p}_entry *${p}_get(struct ${p} *t, const char *key)
    {
        struct ${p}_entry *e = t->bucket[${p}_hash(key, t->size)];
        $find
        return NULL;
    }

    static void ${p}_add(struct ${p} *t, const char *key)
    {
        unsigned h = ${p}_hash(key, t->size);
        struct ${p}_entry *known = ${p}_get(t, key);
        if (known) {
            known->count++;
            return;
        }
        $alloc
        $dup
        e->count = 1;
        e->next = t->bucket[h];
        t->bucket[h] = e;
        t->used++;
    }

    static void ${p}_each(const struct ${p} *t, void (*visit)(const struct ${p}_entry *, void *), void *context)
    {
        $count
    }

    static void ${p}_total(const struct ${p}_entry *e, void *context)
    {
        *(int *)context += e->count * (int)strlen(e->key);
    }

    static char *${p}_last_key(struct ${p} *t, const char *like)
    {
        return t->bucket[${p}_hash(like, t->size)]->key;
    }

    static long ${p}_run(void)
    {
        static const char *const words[] = {$words};
        struct ${p} *t = ${p}_make($size);
        long sum = 0;
        int total = 0;

        for (const char *const *w = words; *w; w++)
            ${p}_add(t, *w);
        printf("${p} used %u\n", t->used);
        $use
        ${p}_each(t, ${p}_total, &total);
        printf("${p} total %d %c\n", total, *${p}_last_key(t, "$some"));
        $unhook
        for (unsigned b = 0; b < t->size; b++)
            for (struct ${p}_entry *e = t->bucket[b], *next; e; e = next) {
                next = e->next;
                $release
            }
        $end_table
        $end
        return sum + total;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let mut words: Vec<String> = Vec::new();
    while words.len() < 6 {
        let len = rng.range(3, 9) as usize;
        let word = rng.word(len);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let missing = words.pop().unwrap();
    words.truncate(rng.range(4, 5) as usize);
    // The last word is entered at the front of its bucket; one word comes twice.
    let some = words.last().unwrap().clone();
    let keys = words.len();
    words.push(words[0].clone());
    let list: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let mut holes = Holes::new(&[
        ("hash", "while (*key)\n    h = h * $mul + (unsigned char)*key++;"),
        ("mod", "return h % size;"),
        ("make", "struct ${p} *t = malloc(sizeof *t + size * sizeof t->bucket[0]);"),
        ("reset", ""),
        ("find", "for (; e; e = e->next)\n    if (strcmp(e->key, key) == 0)\n        return e;"),
        ("alloc", "struct ${p}_entry *e = malloc(sizeof *e);"),
        ("dup", ""),
        ("globals", ""),
        ("unhook", ""),
        ("count", ""),
        ("use", ""),
        ("release", "free(e->key);\nfree(e);"),
        ("end_table", "free(t);"),
        ("end", ""),
    ]);
    let reset = [
        "memset(t->bucket, 0, size * sizeof *t->bucket);",
        "for (unsigned b = 0; b < size; b++)\n    t->bucket[b] = NULL;",
    ];
    holes.set("reset", rng.text(&reset));
    let dup = [
        "e->key = strdup(key);",
        "e->key = strcpy(malloc(strlen(key) + 1), key);",
        "e->key = malloc(strlen(key) + 1);\nmemcpy(e->key, key, strlen(key) + 1);",
    ];
    holes.set("dup", rng.text(&dup));
    holes.set("count", "for (unsigned b = 0; b < t->size; b++)\n    for (const struct ${p}_entry *e = t->bucket[b]; e; e = e->next)\n        visit(e, context);");
    let values = values! {
        seed = rng.below(100),
        mul = rng.pick(&[31, 33, 17, 131]),
        size = rng.range(2, 6),
        words = format!("{}, NULL", list.join(", ")),
        keys = keys,
        some = some,
        missing = missing,
    };
    site.part(holes, TEMPLATE, values)
}
