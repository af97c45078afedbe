//! Strings: the functions of string.h, own scanners, words split and joined on the heap.

use super::{Holes, Part, Scenario, Site, Variation, choose_operations, values};
use crate::fault::Fault::*;

pub const SCENARIO: Scenario = Scenario { name: "text", variations: FAULTS, emit };

const FAULTS: &[Variation] = &[
    (OutOfBoundsWrite, &[("use", "char small[$len];\nstrcpy(small, line); @fault\nsum += small[0];")]),
    (OutOfBoundsWrite, &[("use", "char *small = malloc(strlen(line));\nstrcpy(small, line); @fault")]),
    (
        OutOfBoundsWrite,
        &[(
            "use",
            "char pair[$len + 3];\nstrcpy(pair, line);\nstrcat(pair, \"+++\"); @fault\nsum += pair[0];",
        )],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "char field[8];\nstrncpy(field, line, sizeof field + 1); @fault\nsum += field[0];")],
    ),
    (
        OutOfBoundsWrite,
        &[("use", "line[$len + 1] = '.'; @fault"), ("line", "char line[] = \"$text\";"), ("drop_line", "")],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("join", "char *all = malloc(total);"),
            ("append", "size_t n = strlen(*w);\nmemcpy(end, *w, n);\nend += n;"),
            ("last", "*end = '\\0'; @fault"),
        ],
    ),
    (
        OutOfBoundsWrite,
        &[
            ("use", "for (char *c = line + $len;; --c)\n    *c = '-'; @fault"),
            ("line", "char *line = strdup(\"$text\");"),
            ("drop_line", "free(line);"),
        ],
    ),
    (OutOfBoundsRead, &[("use", "char raw[4] = {'a', 'b', 'c', 'd'};\nsum += (long)strlen(raw); @fault")]),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "char *raw = malloc($len);\nmemcpy(raw, line, $len);\nprintf(\"%d\\n\", strcmp(raw, line) > 0); @fault",
        )],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "char *raw = memcpy(malloc($len), line, $len);\nchar *again = strdup(raw); @fault\nfree(again);",
        )],
    ),
    (
        OutOfBoundsRead,
        &[(
            "use",
            "char field[4], out[8];\nstrncpy(field, line, sizeof field);\nstrcpy(out, field); @fault\nsum += out[0];",
        )],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "for (const char *c = line; *c != '#'; c++) @fault\n    sum += *c;"),
            ("line", "char line[] = \"$text\";"),
            ("drop_line", ""),
        ],
    ),
    (
        OutOfBoundsRead,
        &[
            ("use", "const char *c = line;\ndo\n    sum += *c; @fault\nwhile (c++ <= line + $len);"),
            ("line", "char *line = strdup(\"$text\");"),
            ("drop_line", "free(line);"),
        ],
    ),
    (OverlappingCopy, &[("use", "strcpy(line + 1, line + 3); @fault")]),
    (OverlappingCopy, &[("use", "strcpy(line, line + 2); @fault")]),
    (
        OverlappingCopy,
        &[("use", "char *c = strchr(line, ' ');\nif (c)\n    memcpy(c - 1, c, strlen(c) + 1); @fault")],
    ),
    (OverlappingCopy, &[("use", "strncpy(line, line + 1, 3); @fault")]),
    (ReadonlyWrite, &[("use", "char *fixed = \"$text\";\n*strchr(fixed, ' ') = '_'; @fault")]),
    (ReadonlyWrite, &[("use", "char *fixed = (char *)${p}_words[1];\nstrcpy(fixed, \"x\"); @fault")]),
    (
        ReadonlyWrite,
        &[("use", "${p}_upper((char *)\"lower case\");"), ("upper", "*s = (char)(*s - 'a' + 'A'); @fault")],
    ),
    (ReadonlyWrite, &[("use", "((char *)${p}_title)[2] = '!'; @fault")]),
    (NullDeref, &[("use", "*strchr(line, '#') = ' '; @fault")]),
    (
        NullDeref,
        &[("use", "const char *tail = strstr(line, \"$missing\");\nsum += (long)strlen(tail); @fault")],
    ),
    (
        NullDeref,
        &[("use", "const char *none = NULL;\nchar out[4];\nstrcpy(out, none); @fault\nsum += out[0];")],
    ),
    (NullDeref, &[("use", "for (const char *const *w = ${p}_words;; w++)\n    sum += **w; @fault")]),
    (NullDeref, &[("use", "sum += strrchr(line, '#')[1]; @fault")]),
    (UseAfterFree, &[("end", "printf(\"%s\\n\", all); @fault")]),
    (UseAfterFree, &[("end", "sum += *strrchr(all, 'a'); @fault")]),
    (
        UseAfterFree,
        &[(
            "use",
            "char *first = strdup(line), *second = strchr(first, ' ');\nfree(first);\nsum += second[1]; @fault",
        )],
    ),
    (
        DoubleFree,
        &[("use", "char *copy = strdup(line);\nfor (int i = 0; i < 2; i++)\n    free(copy); @fault")],
    ),
    (DoubleFree, &[("end", "char *again = all;\nfree(again); @fault")]),
    (InvalidFree, &[("use", "char *copy = strdup(line);\ncopy = strchr(copy, ' ');\nfree(copy); @fault")]),
    (InvalidFree, &[("use", "char *fixed = (char *)${p}_words[0];\nfree(fixed); @fault")]),
    (
        InvalidFree,
        &[("use", "char *stepped = strdup(line);\nwhile (*stepped)\n    ++stepped;\nfree(stepped); @fault")],
    ),
    (Leak, &[("use", "char *copy = strdup(line); @alloc\nsum += *copy;")]),
    (Leak, &[("join", "char *all = malloc(total + 1); @alloc"), ("drop", "all = \"none\"; @fault")]),
    (
        Leak,
        &[(
            "use",
            "for (int i = 0; i < 2; i++) {\n    char *copy = strcpy(malloc($len + 1), line); @alloc\n    sum += strcmp(copy, line);\n    if (i == 0)\n        free(copy);\n}",
        )],
    ),
    (
        UseAfterScope,
        &[(
            "use",
            "const char *name = ${p}_title;\n{\n    char inner[12];\n    strcpy(inner, \"inner\");\n    name = strchr(inner, 'n');\n}\nsum += (long)strlen(name); @fault",
        )],
    ),
    (
        UseAfterScope,
        &[
            ("use", "sum += *${p}_label(3); @fault"),
            ("label", "char text[8] = \"label\";\nchar *volatile at = text + n;\nreturn at;"),
        ],
    ),
    (
        WildDeref,
        &[(
            "use",
            "const char *far = (const char *)(uintptr_t)0x7f0000ff0010;\nsum += (long)strlen(far); @fault",
        )],
    ),
    (
        WildDeref,
        &[(
            "use",
            "union { char bytes[8]; const char *text; } mix = {.bytes = \"smashed\"};\nsum += *mix.text; @fault",
        )],
    ),
    (AssertionFailure, &[("use", "assert(strcmp(line, ${p}_title) == 0); @fault")]),
    (AssertionFailure, &[("use", "for (const char *c = line; *c; c++)\n    assert(*c != ' '); @fault")]),
    (
        DivisionByZero,
        &[(
            "use",
            "int marks = 0;\nfor (const char *c = line; (c = strchr(c, '#')); c++)\n    marks++;\nsum += $len / marks; @fault",
        )],
    ),
];

const TEMPLATE: &str = r#"
    static const char *const ${p}_words[] = {$words, NULL};
    static const char ${p}_title[] = "$title";

    static int ${p}_upper(char *s)
    {
        int changed = 0;
        for (; *s; s++)
            if (*s >= 'a' && *s <= 'z') {
                $upper
                changed++;
            }
        return changed;
    }

    static const char *${p}_label(int n)
    {
        $label
    }

    static char *${p}_join(void)
    {
        size_t total = 0;
        for (int i = 0; ${p}_words[i]; i++)
            total += strlen(${p}_words[i]);
        $join
        char *end = all;
        for (const char *const *w = ${p}_words; *w; w++) {
            $append
        }
        $last
        return all;
    }

    static long ${p}_run(void)
    {
        long sum = 0;
        $line
        $use
        char *all = ${p}_join();
        printf("%s %s %s\n", line, all, ${p}_label($pick));
        $ops
        sum += ${p}_upper(line) + (long)strlen(all);
        printf("%s %ld\n", line, sum);
        $drop_line
        $drop
        $end
        return sum;
    }
"#;

fn emit(site: &mut Site) -> Part {
    let rng = &mut *site.rng;
    let words: Vec<String> = (0..rng.range(3, 5))
        .map(|_| rng.range(3, 7) as usize)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|len| rng.word(len))
        .collect();
    let text = words[..3].join(" ");
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let mut holes = Holes::new(&[
        ("upper", "*s = (char)(*s - 'a' + 'A');"),
        ("label", ""),
        ("join", "char *all = malloc(total + 1);"),
        ("append", ""),
        ("last", "*end = '\\0';"),
        ("line", ""),
        ("use", ""),
        ("ops", ""),
        ("drop_line", ""),
        ("drop", "free(all);"),
        ("end", ""),
    ]);
    let label = [
        "static const char *const names[] = {\"zero\", \"one\", [2] = \"two\"};\nreturn names[n % 3];",
        "switch (n) {\ncase 0:\n    return \"none\";\ncase 1:\n    return &\"single\"[2];\ndefault:\n    return &\"many\"[n > 2];\n}",
    ];
    holes.set("label", rng.text(&label));
    let append = [
        "strcpy(end, *w);\nend += strlen(end);",
        "size_t n = strlen(*w);\nmemcpy(end, *w, n);\nend += n;",
        "for (const char *c = *w; *c;)\n    *end++ = *c++;",
    ];
    holes.set("append", rng.text(&append));
    let line: [(&str, &str); 4] = [
        ("char line[] = \"$text\";", ""),
        ("char line[40] = \"$text\";", ""),
        ("char *line = strdup(\"$text\");", "free(line);"),
        ("char *line = malloc(sizeof \"$text\");\nstrcpy(line, \"$text\");", "free(line);"),
    ];
    let (make, release) = *rng.pick(&line);
    holes.set("line", make);
    holes.set("drop_line", release);
    let ops = [
        "sum += strcmp(line, all) < 0;\nsum += strncmp(line, all, 2) == 0 ? 10 : 20;",
        "const char *gap = strrchr(line, ' ');\nprintf(\"${p} gap %d\\n\", (int)(gap - line));",
        "char *found = strstr(all, ${p}_words[1]);\nif (found)\n    sum += found - all;",
        "char field[10];\nstrncpy(field, line, sizeof field);\nfield[sizeof field - 1] = 0;\nprintf(\"[%s]\\n\", field);",
        "char both[64] = \"\";\nstrcat(strcat(both, ${p}_title), all);\nprintf(\"%c%c\\n\", both[0], both[strlen(both) - 1]);",
        "char *copy = strdup(all), *r = copy + strlen(copy);\nfor (char *l = copy; l < r; l++) {\n    char t = *l;\n    *l = *--r;\n    *r = t;\n}\nputs(copy);\nfree(copy);",
    ];
    let count = rng.range(2, 5);
    let mut ops = choose_operations(rng, &ops, count);
    // Replaces the blanks that others look for, so it comes last.
    if rng.percent(60) {
        ops.push_str("for (char *c = line; (c = strchr(c, ' ')) != NULL; *c++ = '_')\n    sum++;\n");
    }
    holes.set("ops", ops);
    let values = values! {
        words = quoted.join(", "),
        title = rng.word(6),
        len = text.len(),
        text = text,
        missing = "#none",
        pick = rng.below(4),
    };
    site.part(holes, TEMPLATE, values)
}
