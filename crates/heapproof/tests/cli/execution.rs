//! One complete execution is a proof where nothing in it depends on a choice, and only there.

use crate::support::Desk;

const HEADER: &str = "\
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
struct node { struct node *next; int value; };
static int hash(const void *p) { unsigned long n = (unsigned long)p; return (n >> 4) % 64; }
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
static int text(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsprintf(to, format, list);
  va_end(list);
  return n;
}
int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
";

/// Programs without any choice: the answer is `safe`, by the execution.
const DETERMINED: &[(&str, &str)] = &[
    ("numbers", "int a = 0; for (int i = 0; i < 10; i++) a += i; return a;"),
    (
        "a tree",
        "struct node *l = 0; for (int i = 0; i < 5; i++) { struct node *n = malloc(sizeof *n); n->next = l; n->value = i; l = n; } \
                while (l) { struct node *n = l->next; free(l); l = n; } return 0;",
    ),
    (
        "order inside an array",
        "int a[4] = {1, 2, 3, 4}, s = 0; for (int *p = a; p < a + 4; p++) s += *p; return s;",
    ),
    ("difference", "char *s = strdup(\"abc\"); char *e = strchr(s, 'c'); int n = e - s; free(s); return n;"),
    (
        "live blocks are apart",
        "char *p = malloc(4), *q = malloc(4); int e = p == q; free(p); free(q); return e;",
    ),
    ("null", "char *p = malloc(4); if (!p) return 1; free(p); return p == NULL;"),
    ("alignment of malloc", "char *p = malloc(4); int r = (uintptr_t)p & 7; free(p); return r;"),
    ("a tag in a pointer", "int x = 3; uintptr_t p = (uintptr_t)&x | 1; return *(int *)(p & ~(uintptr_t)1);"),
    ("uninitialised bytes that are only copied", "struct node a, b; a.next = 0; b = a; return b.next == 0;"),
    ("output", "printf(\"%d %s\\n\", 1, \"x\"); puts(\"y\"); return 0;"),
    ("sign of a comparison", "return strcmp(\"a\", \"b\") < 0;"),
    ("recursion", "return depth(50);"),
    ("text in memory", "char b[20]; int n = snprintf(b, sizeof b, \"%d-%s\", 17, \"x\"); return b[n - 1];"),
    (
        "floating point in memory",
        "char b[40]; snprintf(b, sizeof b, \"%.17g %5.1f %e\", 0.1, 0.25, 1e300); return b[19];",
    ),
    ("a list of arguments without floats", "char b[40]; return text(b, \"%d-%s\", 17, \"x\");"),
    ("digits of a long double", "return strtold(\"0.1\", 0) == 0.1L;"),
    ("numbers in a text", "int a; double d; return sscanf(\"12 0.5\", \"%d %lf\", &a, &d) == 2 && d == 0.5;"),
    ("errno of a number that is too large", "errno = 0; strtod(\"1e400\", 0); return errno == ERANGE;"),
    ("errno of a number", "errno = 0; strtol(\"12\", 0, 10); return errno;"),
    ("one literal", "const char *p = \"one\", *q = p; return p == q;"),
    ("literals that differ", "const char *p = \"one\", *q = \"two\"; return p == q;"),
    ("exit", "int *p = malloc(4); *p = 1; exit(0);"),
    (
        "a freed block and one that lived with it",
        "char *p = malloc(4), *q = malloc(4); free(p); int e = p == q; free(q); return e;",
    ),
    (
        "two freed blocks that lived together",
        "char *p = malloc(4), *q = malloc(4); free(p); free(q); return p == q;",
    ),
];

/// Programs with a choice that is easily overlooked: engine `execution` must not decide them.
const CHOICES: &[(&str, &str)] = &[
    (
        "order of two blocks",
        "char *p = malloc(4), *q = malloc(4); int *n = 0; int r = p < q ? 0 : *n; free(p); free(q); return r;",
    ),
    ("order of two variables", "int a = 0, b = 0; int *p = &a, *q = &b; return p < q;"),
    ("a number", "char *p = malloc(4); uintptr_t n = (uintptr_t)p; free(p); return n > 4096 * 4096;"),
    ("a hash", "char *p = malloc(4); int h = hash(p); free(p); return h;"),
    ("bits above the alignment", "char *p = malloc(4); int r = (uintptr_t)p & 64; free(p); return r;"),
    (
        "page of an address",
        "char *p = malloc(4); uintptr_t n = ((uintptr_t)p & ~(uintptr_t)4095) - (uintptr_t)p; free(p); return n == 0;",
    ),
    (
        "a freed block and a new one",
        "char *p = malloc(4); free(p); char *q = malloc(4); int e = p == q; free(q); return e;",
    ),
    (
        "two freed blocks, one after the other",
        "char *p = malloc(4); free(p); char *q = malloc(4); free(q); return p == q;",
    ),
    ("realloc in place", "char *p = malloc(4); char *q = realloc(p, 8); int e = p == q; free(q); return e;"),
    (
        "variables of two rounds",
        "int *p = 0, e = 0; for (int i = 0; i < 2; i++) { int x = i; e += p == &x; p = &x; } return e;",
    ),
    ("right after an object", "int a = 0, b = 0; int *p = &a + 1, *q = &b; return p == q;"),
    ("equal literals", "const char *p = \"same\", *q = \"same\"; return p == q;"),
    ("printing an address", "int a; printf(\"%p\\n\", (void *)&a); return 0;"),
    ("address as text", "int a; char b[40]; return snprintf(b, sizeof b, \"%p\", (void *)&a);"),
    (
        "bytes of an address",
        "int a, *p = &a; unsigned char b[sizeof p]; memcpy(b, &p, sizeof p); return b[0];",
    ),
    ("comparing bytes of addresses", "int a, b, *p = &a, *q = &b; return memcmp(&p, &q, sizeof p) < 0;"),
    ("address as a float", "int a; double d = (double)(uintptr_t)&a; return d > 1e9;"),
    ("address as an int", "int a; return (int)(uintptr_t)&a;"),
    ("switch on an address", "int a; switch ((uintptr_t)&a) { case 4096: return 1; default: return 0; }"),
    ("time", "return time(0) == 0;"),
    ("process", "return getpid();"),
    ("random numbers", "return rand();"),
    ("the environment", "return getenv(\"HOME\") != 0;"),
    ("an uninitialised variable", "int x; return x;"),
    ("an uninitialised byte", "char *p = malloc(4); int r = p[1]; free(p); return r;"),
    ("an oversized shift", "int n = 40; return 1 << n;"),
    ("input", "return getchar();"),
    ("result of output", "return printf(\"x\") < 0;"),
    ("value of a comparison", "return strcmp(\"a\", \"c\");"),
    ("a float out of range", "double d = 1e30; return (int)d;"),
    ("equal literals in order", "const char *p = \"same\", *q = \"same\"; return p <= q;"),
    ("literals that may overlap", "const char *p = \"abc\", *q = \"bc\"; return p + 1 == q;"),
    ("sign of no number", "char b[90]; double z = 0; return sprintf(b, \"%f\", z / z);"),
    ("order of equal elements", "int a[4] = {1, 2, 1, 3}; qsort(a, 2, 2 * sizeof *a, order); return a[1];"),
    (
        "which element a search meets",
        "int k = 1, a[2] = {1, 1}; return *(int *)bsearch(&k, a, 2, sizeof *a, order);",
    ),
    ("errno after a root", "errno = 0; volatile double d = -1; d = sqrt(d); return errno;"),
    ("errno after output", "errno = 0; puts(\"x\"); return errno;"),
    ("errno after a number that is too small", "errno = 0; strtod(\"1e-320\", 0); return errno;"),
    ("a file", "FILE *f = fopen(\"x\", \"r\"); if (f) fclose(f); return 0;"),
];

fn desk(signature: &str, body: &str) -> Desk {
    Desk::with(format!("{HEADER}int main({signature}) {{\n{body}\n}}\n"))
}

#[test]
fn a_program_without_choices_is_decided_by_its_execution() {
    for (name, body) in DETERMINED {
        let output = desk("void", body).run("check a.c --engine execution");
        assert_eq!(output.status, Some(0), "{name}: {output:#?}");
    }
    let output = desk("void", "return 0;").run("check a.c --verbose");
    output.expect(0, &["(engine execution", "the program has one execution"]);
    // Parameters that nobody reads are no choice.
    desk("int argc, char **argv", "return 0;").run("check a.c --engine execution").expect(0, &["safe"]);
}

#[test]
fn whatever_may_be_otherwise_is_a_choice() {
    let is_open = |body: &str| {
        let output = desk("void", body).run("check a.c --engine execution");
        output.status == Some(3) && output.stdout.contains("more than one execution")
    };
    let decided: Vec<&str> =
        CHOICES.iter().filter(|(_, body)| !is_open(body)).map(|(name, _)| *name).collect();
    assert!(decided.is_empty(), "{decided:?}");
    desk("void", "double d; return sscanf(\"3e\", \"%lf\", &d);")
        .run("check a.c --engine execution")
        .expect(3, &["a number that breaks off"]);
    desk("int argc, char **argv", "return argc;").run("check a.c --engine execution").expect(3, &["argc"]);
    desk("void", "char *p = malloc(4); if (p) free(p); return 0;")
        .run("check a.c --engine execution --malloc-may-fail")
        .expect(3, &["more than one execution"]);
}

#[test]
fn errors_of_the_one_execution_are_found() {
    for (words, body) in [
        ("leak", "int *p = malloc(4); *p = 1; p = 0; return 0;"),
        ("leak", "int *p = malloc(4); *p = 1; return 0;"),
        ("use-after-free", "int *p = malloc(4); free(p); return *p;"),
        ("out-of-bounds-read", "int a[2] = {1, 2}, i = 2; return a[i];"),
    ] {
        desk("void", body)
            .run("check a.c --engine execution --leaks-at-exit error")
            .expect(1, &[words, "see it happen"]);
    }
}

#[test]
fn what_runs_around_main_belongs_to_the_execution() {
    let before = "#include <stdlib.h>\nstatic int *p;\n";
    let at_exit = "static void end(void) { free(p); }\nint main(void) { atexit(end); p = malloc(4); *p = 1; return 0; }\n";
    let desk = Desk::with(format!("{before}{at_exit}"));
    desk.run("check a.c --engine execution --property memcleanup").expect(0, &["safe"]);
    let twice = at_exit.replace("free(p);", "free(p); free(p);");
    let desk = Desk::with(format!("{before}{twice}"));
    desk.run("check a.c --engine execution").expect(1, &["double-free"]);
    let constructor = "__attribute__((constructor)) static void start(void) { p = malloc(4); free(p); }\n\
                       int main(void) { free(p); return 0; }\n";
    let desk = Desk::with(format!("{before}{constructor}"));
    let output = desk.run("check a.c");
    assert_ne!(output.status, Some(0), "{output:#?}");
}

#[test]
fn an_execution_that_does_not_end_proves_nothing() {
    desk("void", "for (;;) ; return 0;")
        .run("check a.c --engine execution --timeout 5")
        .expect(3, &["unknown:"]);
}
