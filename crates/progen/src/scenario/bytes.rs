//! Raw memory: memcpy, memmove, memset, memcmp, memchr on heap, stack and global buffers.

use super::{Holes, Part, Scenario, Site, Variation, choose_operations, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "bytes", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (
        OutOfBoundsRead,
        &[("use", "unsigned char out[$size + 4];\nmemcpy(out, from, sizeof out); @fault\nsum += out[0];")],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "unsigned short pair;\nmemcpy(&pair, from + $size - 1, sizeof pair); @fault\nsum += pair;",
        )],
    ),
    (
        OutOfBoundsRead,
        &[("use", "sum += ${p}_crc(from, $size + 1);"), ("crc", "crc = crc * 33 ^ *p++; @fault")],
    ),
    (
        OutOfBoundsRead,
        &[("use", "const unsigned char *at = memchr(from, $absent, $size + 8); @fault\nsum += at != NULL;")],
    ),
    (OutOfBoundsWrite, &[("use", "memmove(heap + 1, heap, $size); @fault")]),
    (OutOfBoundsWrite, &[("use", "memcpy(heap + $size - 2, from, 3); @fault")]),
    (OutOfBoundsWrite, &[("use", "memset(local, 0xff, sizeof local + 1); @fault")]),
    (OutOfBoundsWrite, &[("use", "for (unsigned char *q = heap + $size - 1;; q--)\n    *q = 0; @fault")]),
    (OutOfBoundsWrite, &[("use", "memset(${p}_shared, 0, $size + 1); @fault")]),
    (OverlappingCopy, &[("use", "memcpy(heap + $shift, heap, $size - $shift); @fault")]),
    (
        OverlappingCopy,
        &[
            ("use", "${p}_move(local, local + $shift, $size - $shift);"),
            ("move", "memcpy(to, from, n); @fault"),
        ],
    ),
    (OverlappingCopy, &[("use", "memcpy(${p}_shared, &${p}_shared[1], 2); @fault")]),
    (NullDeref, &[("use", "unsigned char *at = memchr(heap, $absent, $size);\nmemset(at, 1, 4); @fault")]),
    (NullDeref, &[("use", "unsigned char *at = memchr(heap, $absent, $size);\n*at = 1; @fault")]),
    (NullDeref, &[("use", "${p}_move(NULL, local, 3);"), ("move", "memmove(to, from, n); @fault")]),
    (UseAfterFree, &[("end", "sum += memcmp(heap, local, 2) != 0; @fault")]),
    (UseAfterFree, &[("end", "sum += ${p}_crc(heap, 3);"), ("crc", "crc = crc * 33 ^ *p++; @fault")]),
    (UseAfterFree, &[("end", "memset(heap + 1, 0, 1); @fault")]),
    (DoubleFree, &[("end", "free(heap); @fault")]),
    (InvalidFree, &[("use", "unsigned char *at = memchr(heap, $marker, $size);\nfree(at); @fault")]),
    (InvalidFree, &[("use", "free(${p}_shared); @fault")]),
    (Leak, &[("heap", "unsigned char *heap = malloc($size); @alloc"), ("release", "heap = local; @fault")]),
    (Leak, &[("heap", "unsigned char *heap = calloc($size, 1); @alloc"), ("release", "")]),
    (ReadonlyWrite, &[("use", "memset((void *)from, 0, 2); @fault")]),
    (ReadonlyWrite, &[("use", "unsigned char *q = (unsigned char *)from;\nq[$shift] ^= 1; @fault")]),
    (
        ReadonlyWrite,
        &[
            ("use", "${p}_move((unsigned char *)\"constant\", local, 4);"),
            ("move", "memmove(to, from, n); @fault"),
        ],
    ),
    (WildDeref, &[("use", "unsigned char *at;\nmemset(&at, 0x33, sizeof at);\nsum += *at; @fault")]),
    (WildDeref, &[("use", "memcpy((void *)(uintptr_t)0x7f0000abc000, local, 4); @fault")]),
    (AssertionFailure, &[("use", "assert(memchr(heap, $absent, $size) != NULL); @fault")]),
    (
        AssertionFailure,
        &[(
            "use",
            "memcpy(local, from, sizeof local);\nlocal[$shift]++;\nassert(memcmp(local, from, sizeof local) == 0); @fault",
        )],
    ),
    (
        DivisionByZero,
        &[(
            "use",
            "int zeros = 0;\nfor (int i = 0; i < $size; i++)\n    zeros += heap[i] == $absent;\nsum += (long)$size / zeros; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "const unsigned char *view = from;\nif (sum == 0) {\n    unsigned char temp[$size];\n    memcpy(temp, from, $size);\n    view = temp;\n}\nsum += view[$size - 1]; @fault",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "void *where = NULL;\n{\n    uint32_t word = 1;\n    where = &word;\n}\nmemset(where, 0, 4); @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    static const unsigned char ${p}_from[$size] = {$init};
    unsigned char ${p}_shared[$size];

    static unsigned ${p}_crc(const unsigned char *p, int n)
    {
        unsigned crc = $seed;
        while (n-- > 0) {
            $crc
        }
        return crc % 9973;
    }

    static void ${p}_move(unsigned char *to, const unsigned char *from, size_t n)
    {
        $move
    }

    static long ${p}_run(void)
    {
        const unsigned char *from = ${p}_from;
        unsigned char local[$size] = {0};
        long sum = 0;
        $heap

        memcpy(heap, from, $size);
        heap[$shift] = $marker;
        memset(${p}_shared, $fill, sizeof ${p}_shared);
        $use
        memmove(heap + $shift, heap, $size - $shift);
        ${p}_move(local, heap, $size / 2);
        printf("${p} %u %u\n", ${p}_crc(local, $size), ${p}_crc(heap, $size));
        $ops
        $release
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let size = rng.range(8, 24);
    let init: Vec<String> = (0..size).map(|_| format!("{}", rng.range(1, 200))).collect();
    let mut holes = Holes::new(&[
        ("crc", "crc = crc * 33 ^ *p++;"),
        ("move", ""),
        ("heap", ""),
        ("use", ""),
        ("ops", ""),
        ("release", "free(heap);"),
        ("end", ""),
    ]);
    let heap = [
        "unsigned char *heap = malloc($size);",
        "unsigned char *heap = calloc($size, 1);",
        "void *raw = malloc($size);\nunsigned char *heap = raw;",
    ];
    holes.set("heap", rng.text(&heap));
    let moves = [
        "memmove(to, from, n);",
        "if (to < from)\n    while (n--)\n        *to++ = *from++;\nelse\n    while (n--)\n        to[n] = from[n];",
        "while (n) {\n    --n;\n    to[n] = from[n];\n}",
    ];
    holes.set("move", rng.text(&moves));
    let ops = [
        "sum += memcmp(heap, from, $size) > 0 ? 3 : 4;",
        "const unsigned char *hit = memchr(heap, $marker, $size);\nprintf(\"${p} hit %ld\\n\", hit ? (long)(hit - heap) : -1L);",
        "uint32_t word;\nmemcpy(&word, from + 1, sizeof word);\nprintf(\"${p} word %u\\n\", word);",
        "for (int i = 0, j = $size - 1; i < j; i++, j--) {\n    unsigned char t = heap[i];\n    heap[i] = heap[j];\n    heap[j] = t;\n}\nsum += heap[1];",
        "char signed_one = (char)from[2];\nsum += signed_one < 0 ? 1 : signed_one;",
    ];
    let count = rng.range(1, 4);
    holes.set("ops", choose_operations(rng, &ops, count));
    let values = values! {
        size = size,
        init = init.join(", "),
        seed = rng.range(1, 5000),
        shift = rng.range(1, 4),
        marker = 250,
        absent = 251,
        fill = rng.range(0, 255),
    };
    site.part(holes, TEMPLATE, values)
}
