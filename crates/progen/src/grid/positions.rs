//! The positions that a value of any type can be in, as texts of C.
//!
//! `$T` is the type, `$P` the type that `va_arg` asks for, `$f` a name of the point's own, `make(p, k)` sets `*p` to the value
//! number `k`, `see(p)` mixes `*p` into `h`, and `$0`, `$1`, `$2` are constant initialisers. What follows `$after` stands after the function of
//! the point. The body is executed for k = 1, 2 and 3.

use super::types::{Shape, Type};

/// Which types can be in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// All.
    Any,
    /// Those that can be assigned.
    Value,
    /// Values that can be compared with `!`.
    Scalar,
    /// Scalars with atomic operations of at most eight bytes.
    Atomic,
    /// Numbers.
    Arithmetic,
    /// Complex numbers, vectors and ordinary numbers.
    Number,
    /// Types without pointers.
    Countable,
    /// Types whose bytes say nothing but their scalars.
    PlainBytes,
}

impl For {
    pub fn includes(self, t: &Type) -> bool {
        match self {
            For::Any => true,
            For::Value => t.shape != Shape::Array,
            For::Scalar => matches!(t.shape, Shape::Arithmetic | Shape::Pointer),
            For::Atomic => {
                let wide = t.name.contains("128") || t.name.contains("bits") || t.name.contains("ldouble");
                matches!(t.shape, Shape::Arithmetic | Shape::Pointer) && !wide
            }
            For::Arithmetic => t.shape == Shape::Arithmetic,
            For::Number => matches!(t.shape, Shape::Arithmetic | Shape::Compound),
            For::Countable => t.alternatives.iter().flatten().all(|leaf| !leaf.points()),
            For::PlainBytes => t.plain_bytes,
        }
    }
}

/// A position: declarations beside the function of the point, its body, and what stands in the other file.
pub struct Position {
    pub name: &'static str,
    pub which: For,
    pub outside: &'static str,
    pub body: &'static str,
    pub other_file: &'static str,
}

const fn at(name: &'static str, which: For, outside: &'static str, body: &'static str) -> Position {
    Position { name, which, outside, body, other_file: "" }
}

const fn across(
    name: &'static str,
    which: For,
    outside: &'static str,
    body: &'static str,
    other_file: &'static str,
) -> Position {
    Position { name, which, outside, body, other_file }
}

use For::{Any, Arithmetic, Atomic, Countable, Number, PlainBytes, Scalar, Value};

/// All positions, always in the same order.
pub const POSITIONS: &[Position] = &[
    at("local", Any, "", "$T x; make(&x, k); see(&x);"),
    at(
        "layout",
        Any,
        "struct $f_s { char c; $T v; char d; };",
        "h = mix(h, sizeof($T)); h = mix(h, _Alignof($T)); h = mix(h, __builtin_offsetof(struct $f_s, v)); h = mix(h, __builtin_offsetof(struct $f_s, d)); h = mix(h, sizeof(struct $f_s));",
    ),
    at(
        "bytes",
        PlainBytes,
        "",
        "$T x; memset(&x, 0, sizeof x); make(&x, k); for (size_type i = 0; i < sizeof x; i++) h = mix(h, ((unsigned char *)&x)[i]);",
    ),
    at(
        "bytes of ones",
        PlainBytes,
        "",
        "unsigned char b[sizeof($T) + 1]; $T x; memset(&x, 0xff, sizeof x); make(&x, k); memcpy(b, &x, sizeof x); for (size_type i = 0; i < sizeof x; i++) h = mix(h, b[i]);",
    ),
    at("global", Any, "static $T $f_v;", "make(&$f_v, k); see(&$f_v);"),
    at(
        "global initialised",
        Any,
        "static $T $f_v = $1; const $T $f_c = $2;",
        "k = 1; see(&$f_v); k = 2; see(&$f_c); k = 5;",
    ),
    at(
        "static local",
        Any,
        "static u64 $f_g(unsigned k, int set) { static $T v = $1; u64 h = 0; if (set) make(&v, k); see(&v); return h; }",
        "if (k == 1) h = mix(h, $f_g(1, 0)); $f_g(k, 1); h = mix(h, $f_g(k, 0));",
    ),
    at("thread local", Any, "static _Thread_local $T $f_v;", "make(&$f_v, k); see(&$f_v);"),
    at("initialised local", Any, "", "{ unsigned k = 1; $T x = $1; const $T y = $1; see(&x); see(&y); }"),
    at(
        "initialised array",
        Any,
        "",
        "{ $T x[3] = { [1] = $2, [0] = $1 }; k = 1; see(&x[0]); k = 2; see(&x[1]); make(&x[2], k); see(&x[2]); k = 5; }",
    ),
    at(
        "initialised in a structure",
        Any,
        "struct $f_s { char c; $T v; short d; };",
        "{ struct $f_s s = { .d = 7, .v = $2 }; k = 2; see(&s.v); h = mix(h, s.d + s.c); k = 5; }",
    ),
    at(
        "static structure initialised",
        Any,
        "static struct $f_s { char c; $T v[2]; short d; } $f_t[2] = { { 3, { $1, $2 }, 4 } };",
        "{ k = 1; see(&$f_t[0].v[0]); k = 2; see(&$f_t[0].v[1]); h = mix(h, $f_t[0].c + $f_t[0].d + $f_t[1].d); k = 5; }",
    ),
    at(
        "zero",
        Any,
        "static $T $f_z;",
        "$T x = $0; $T y = $1; memset(&y, 0, sizeof y); h = mix(h, memcmp(&y, &$f_z, sizeof y) == 0); (void)x;",
    ),
    at(
        "zeros read",
        Countable,
        "static $T $f_z; static struct { char c; $T v[2]; } $f_s[2] = { { 1 } };",
        "k = 6; $T x = $0, y[2] = { $0 }; struct { int n; $T v; } s = { 1 }; see(&x); see(&y[0]); see(&y[1]); see(&s.v); see(&$f_z); see(&$f_s[0].v[1]); see(&$f_s[1].v[0]); $T *p = calloc(1, sizeof *p + 1); see(p); free(p);",
    ),
    at("inner block", Any, "", "if (k & 3) { $T x; make(&x, k); { $T y; make(&y, k); see(&x); see(&y); } }"),
    at("loop", Any, "", "for (int i = 0; i < 3; i++) { $T x; make(&x, k); see(&x); if (i == 1) continue; }"),
    at("loop by goto", Any, "", "int i = 0; again:; $T x; make(&x, k); see(&x); if (++i < 3) goto again;"),
    at(
        "switch",
        Any,
        "",
        "switch (k) { $T x; case 1: make(&x, k); see(&x); break; case 2: make(&x, k); default: make(&x, k); see(&x); }",
    ),
    at(
        "variable in a for",
        Value,
        "",
        "$T x; make(&x, k); int i = 0; for ($T y = x; i < 2; i++) { see(&y); }",
    ),
    at("register", Value, "", "register $T x; $T y; make(&y, k); x = y; $T z = x; see(&z);"),
    at("volatile", Value, "", "volatile $T x; $T y; make(&y, k); x = y; $T z = x; see(&z);"),
    at(
        "volatile global",
        Value,
        "static volatile $T $f_v;",
        "$T y; make(&y, k); $f_v = y; $T z = $f_v; see(&z);",
    ),
    at(
        "atomic",
        Atomic,
        "static _Atomic $T $f_v;",
        "$T y; make(&y, k); $f_v = y; _Atomic $T x = $f_v; $T z = x; see(&z);",
    ),
    at(
        "parameter",
        Value,
        "static u64 $f_g($T a, unsigned k) { u64 h = 0; see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "parameter after integers",
        Value,
        "static u64 $f_g(int a, long b, char c, short d, unsigned k, $T v, _Bool e, $T w, int f) { u64 h = a + b + c + d + e + f; see(&v); see(&w); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(1, 2, 3, 4, k, x, 1, x, 7));",
    ),
    at(
        "parameter after registers",
        Value,
        "static u64 $f_g(int a, int b, int c, int d, int e, int f, int g, unsigned k, $T v, double y, $T w) { u64 h = a + b + c + d + e + f + g; h = mix(h, (s64)y); see(&v); see(&w); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(1, 2, 3, 4, 5, 6, 7, k, x, 2.5, x));",
    ),
    at(
        "parameter after doubles",
        Value,
        "static u64 $f_g(double a, double b, double c, double d, double e, float f, double g, $T v, double i, $T w, unsigned k) { u64 h = (u64)(a + b + c + d + e + f + g + i); see(&v); see(&w); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(1, 2, 3, 4, 5, 6, 7, x, 8, x, k));",
    ),
    at(
        "parameters, three",
        Value,
        "static u64 $f_g($T a, $T b, unsigned k, $T c) { u64 h = 0; see(&a); see(&b); see(&c); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, x, k, x));",
    ),
    at(
        "parameter unused",
        Value,
        "static int $f_g($T a, int b, $T c) { return b; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, 3, x));",
    ),
    at(
        "parameter read later",
        Value,
        "static u64 $f_g(int n, $T a, unsigned k) { u64 h = 0; if (n) { $T b = a; see(&b); } else { see(&a); } return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(k & 1, x, k));",
    ),
    at(
        "parameter changed",
        Value,
        "static u64 $f_g($T a, unsigned k) { u64 h = 0; k++; make(&a, k); see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k)); see(&x);",
    ),
    at(
        "parameter assigned",
        Value,
        "static u64 $f_g($T a, $T b, unsigned k) { u64 h = 0; a = b; see(&a); return h; }",
        "$T x, y; make(&x, k); k++; make(&y, k); h = mix(h, $f_g(x, y, k)); k--;",
    ),
    at(
        "parameter const",
        Value,
        "static u64 $f_g(const $T a, unsigned k) { u64 h = 0; see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "parameter register",
        Value,
        "static u64 $f_g(register $T a, unsigned k) { u64 h = 0; $T b = a; see(&b); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "parameter volatile",
        Value,
        "static u64 $f_g(volatile $T a, unsigned k) { u64 h = 0; $T b = a; see(&b); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "parameter of an inline function",
        Value,
        "static inline __attribute__((always_inline)) $T $f_g($T a) { return a; }",
        "$T x; make(&x, k); $T y = $f_g(x); see(&y);",
    ),
    at(
        "parameter, old style",
        Value,
        "static u64 $f_g(a, k) $T a; unsigned k; { u64 h = 0; see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "parameters, old style",
        Value,
        "static u64 $f_g(n, a, y, b, k) int n; $T a, b; unsigned k; float y; { u64 h = n + (int)y; see(&a); see(&b); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(3, x, 2.5f, x, k));",
    ),
    at(
        "parameter, no prototype",
        Value,
        "static u64 $f_g(); $after static u64 $f_g(a, k) $T a; unsigned k; { u64 h = 0; see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
    ),
    at(
        "result, no prototype",
        Value,
        "static $T $f_g(); $after static $T $f_g(k, y) unsigned k; float y; { $T x; make(&x, k); if (y == 2.0f) return x; make(&x, k + 1); return x; }",
        "$T x = $f_g(k, 2.0f); see(&x);",
    ),
    at(
        "result",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k); return x; }",
        "$T x = $f_g(k); see(&x);",
    ),
    at(
        "result assigned",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k); return x; }",
        "$T x; x = $f_g(k); see(&x); x = $f_g(k); see(&x);",
    ),
    at(
        "result of an inner block",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k + 1); if (k & 1) { $T y; make(&y, k); return y; } make(&x, k); return x; }",
        "$T x = $f_g(k); see(&x);",
    ),
    at(
        "result of a loop",
        Value,
        "static $T $f_g(unsigned k) { for (int i = 0; ; i++) { $T y; make(&y, k); if (i == 2) return y; } }",
        "$T x = $f_g(k); see(&x);",
    ),
    at(
        "result of a parameter",
        Value,
        "static $T $f_g($T a, $T b, int c) { if (c) return a; else return b; }",
        "$T x, y; make(&x, k); y = x; $T z = $f_g(x, y, k & 1); see(&z);",
    ),
    at(
        "result of a global",
        Value,
        "static $T $f_v; static $T $f_g(void) { return $f_v; }",
        "make(&$f_v, k); $T z = $f_g(); see(&z);",
    ),
    at(
        "result through a pointer",
        Value,
        "static $T $f_g($T *p) { return *p; }",
        "$T x; make(&x, k); $T z = $f_g(&x); see(&z);",
    ),
    at(
        "result onto its argument",
        Value,
        "static $T $f_g($T a) { return a; }",
        "$T x; make(&x, k); x = $f_g(x); see(&x);",
    ),
    at(
        "result dropped",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k); return x; }",
        "$f_g(k); (void)$f_g(k); h = mix(h, k);",
    ),
    at(
        "result passed on",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k); return x; } static u64 $f_u($T a, $T b, unsigned k) { u64 h = 0; see(&a); see(&b); return h; } static $T $f_w(unsigned k) { return $f_g(k); }",
        "h = mix(h, $f_u($f_g(k), $f_w(k), k));",
    ),
    at(
        "result into a member",
        Value,
        "static $T $f_g(unsigned k) { $T x; make(&x, k); return x; } struct $f_s { char c; $T v[2]; };",
        "struct $f_s s; s.c = 1; s.v[1] = $f_g(k); s.v[0] = s.v[1]; see(&s.v[0]); see(&s.v[1]); struct $f_s t = { 2, { $f_g(k), $f_g(k) } }; see(&t.v[1]);",
    ),
    at(
        "result by comma",
        Value,
        "static $T $f_g(unsigned k) { $T x; return make(&x, k), x; }",
        "$T x = (k, $f_g(k)); see(&x);",
    ),
    at(
        "result by condition",
        Value,
        "static $T $f_g(unsigned k) { $T x, y; make(&x, k); make(&y, k); return k & 1 ? x : y; }",
        "$T x = k & 2 ? $f_g(k) : $f_g(k); see(&x);",
    ),
    at(
        "recursion",
        Value,
        "static $T $f_g($T a, int n) { $T b = a; if (n == 0) return b; return $f_g(b, n - 1); }",
        "$T x; make(&x, k); $T z = $f_g(x, 4); see(&z);",
    ),
    at(
        "variadic",
        Value,
        "static u64 $f_g(unsigned k, ...) { u64 h = 0; __builtin_va_list l; __builtin_va_start(l, k); $T a = __builtin_va_arg(l, $P); __builtin_va_end(l); see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(k, x));",
    ),
    at(
        "variadic, several",
        Value,
        "static u64 $f_g(unsigned k, ...) { u64 h = 0; __builtin_va_list l, m; __builtin_va_start(l, k); h += __builtin_va_arg(l, int); $T a = __builtin_va_arg(l, $P); h += (u64)__builtin_va_arg(l, double); __builtin_va_copy(m, l); for (int i = 0; i < 4; i++) { $T b = __builtin_va_arg(l, $P); see(&b); } h += __builtin_va_arg(l, int); $T c = __builtin_va_arg(m, $P); see(&c); __builtin_va_end(m); __builtin_va_end(l); see(&a); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(k, 3, x, 2.5, x, x, x, x, 9));",
    ),
    at(
        "variadic, late",
        Value,
        "static u64 $f_g(unsigned k, int n, ...) { u64 h = 0; __builtin_va_list l; __builtin_va_start(l, n); for (int i = 0; i < n; i++) { h += __builtin_va_arg(l, int); h += (u64)__builtin_va_arg(l, double); h += *__builtin_va_arg(l, char *); } $T a = __builtin_va_arg(l, $P); h += __builtin_va_arg(l, long); $T b = __builtin_va_arg(l, $P); __builtin_va_end(l); see(&a); see(&b); return h; }",
        "$T x; make(&x, k); char c = 5; h = mix(h, $f_g(k, 3, 1, 2.0, &c, 4, 5.0, &c, 7, 8.0, &c, x, 11L, x));",
    ),
    at(
        "variadic, list passed on",
        Value,
        "static u64 $f_u(unsigned k, __builtin_va_list l) { u64 h = 0; $T a = __builtin_va_arg(l, $P); see(&a); return h; } static u64 $f_g(unsigned k, ...) { __builtin_va_list l; __builtin_va_start(l, k); (void)__builtin_va_arg(l, $P); u64 h = $f_u(k, l); __builtin_va_end(l); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(k, x, x));",
    ),
    at(
        "variadic, named before",
        Value,
        "static u64 $f_g($T v, unsigned k, ...) { u64 h = 0; __builtin_va_list l; __builtin_va_start(l, k); h += __builtin_va_arg(l, int); h += (u64)__builtin_va_arg(l, long double); h += __builtin_va_arg(l, int); __builtin_va_end(l); see(&v); return h; }",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k, 4, 5.0L, 6));",
    ),
    at(
        "member",
        Any,
        "struct $f_s { char c; $T v; char d; };",
        "struct $f_s s; s.c = 1; s.d = 2; make(&s.v, k); struct $f_s t = s; h = mix(h, t.c + t.d); see(&t.v);",
    ),
    at(
        "member by value",
        Any,
        "struct $f_s { $T v; char d; }; static struct $f_s $f_g(struct $f_s s) { return s; }",
        "struct $f_s s; s.d = 2; make(&s.v, k); struct $f_s t = $f_g(s); h = mix(h, t.d); see(&t.v);",
    ),
    at(
        "members by value",
        Any,
        "struct $f_s { float c; $T v[2]; }; static u64 $f_g(int n, struct $f_s s, unsigned k) { u64 h = n + (int)s.c; see(&s.v[0]); see(&s.v[1]); return h; }",
        "struct $f_s s; s.c = 2; make(&s.v[0], k); make(&s.v[1], k); h = mix(h, $f_g(1, s, k));",
    ),
    at(
        "member of a result",
        Any,
        "struct $f_s { char d; $T v; }; static struct $f_s $f_g(unsigned k) { struct $f_s s; s.d = 3; make(&s.v, k); return s; }",
        "struct $f_s *p = (struct $f_s[1]){ $f_g(k) }; see(&p->v); h = mix(h, $f_g(k).d);",
    ),
    at(
        "member of a packed structure",
        Value,
        "struct PACKED $f_s { char c; $T v; char d; };",
        "struct $f_s s; $T x; make(&x, k); s.c = 1; s.d = 2; s.v = x; struct $f_s t = s; $T y = t.v; h = mix(h, t.c + t.d); see(&y);",
    ),
    at(
        "member of a union",
        Any,
        "union $f_u { char c[sizeof($T) + 5]; $T v; };",
        "union $f_u a, b; make(&a.v, k); b = a; see(&b.v); memcpy(a.c, &b.v, sizeof($T)); see(&a.v);",
    ),
    at(
        "union by value",
        Any,
        "union $f_u { $T v; char c; }; static union $f_u $f_g(union $f_u a) { union $f_u b = a; return b; }",
        "union $f_u a; make(&a.v, k); union $f_u b = $f_g(a); see(&b.v);",
    ),
    at(
        "flexible array",
        Any,
        "struct $f_s { char n; $T v[]; };",
        "struct $f_s *p = malloc(sizeof *p + 3 * sizeof($T)); p->n = 2; for (int i = 0; i < 3; i++) make(&p->v[i], k); see(&p->v[(int)p->n]); free(p);",
    ),
    at(
        "flexible array initialised",
        Any,
        "static struct { int n; $T v[]; } $f_s = { 2, { $1, $2 } };",
        "k = 1; see(&$f_s.v[0]); k = 2; see(&$f_s.v[1]); k = 5; h = mix(h, $f_s.n);",
    ),
    at(
        "element",
        Any,
        "",
        "$T a[3]; for (int i = 0; i < 3; i++) make(&a[i], k); $T *p = a; see(&p[2]); see(p + 1); see(&*a); h = mix(h, (char *)&a[2] - (char *)p);",
    ),
    at(
        "element of a matrix",
        Any,
        "",
        "$T a[2][3]; for (int i = 0; i < 6; i++) make(&a[i / 3][i % 3], k); $T (*p)[3] = a; see(&p[1][2]); see(*p);",
    ),
    at(
        "element of a variable array",
        Any,
        "",
        "int n = (int)k + 1; $T a[n]; for (int i = 0; i < n; i++) make(&a[i], k); see(&a[n - 1]); h = mix(h, sizeof a / (sizeof a[0] ? sizeof a[0] : 1));",
    ),
    at(
        "array parameter",
        Any,
        "static u64 $f_g($T a[2], unsigned k) { u64 h = 0; see(&a[1]); a++; see(a); return h; }",
        "$T a[2]; make(&a[0], k); make(&a[1], k); h = mix(h, $f_g(a, k));",
    ),
    at(
        "variable array parameter",
        Any,
        "static u64 $f_g(int n, $T a[n][2], unsigned k) { u64 h = 0; see(&a[n - 1][1]); return h; }",
        "$T a[2][2]; make(&a[1][1], k); h = mix(h, $f_g(2, a, k));",
    ),
    at("compound literal", Any, "", "{ unsigned k = 1; see(&($T) $1); $T *p = &($T) $1; see(p); }"),
    at(
        "compound literal passed",
        Value,
        "static u64 $f_g($T a, const $T *p, unsigned k) { u64 h = 0; see(&a); see(p); return h; }",
        "h = mix(h, $f_g(($T) $1, &($T) $1, 1));",
    ),
    at(
        "compound literal returned",
        Value,
        "static $T $f_g(void) { return ($T) $2; }",
        "{ unsigned k = 2; $T x = $f_g(); see(&x); }",
    ),
    at(
        "compound literal in a loop",
        Value,
        "",
        "$T x; make(&x, k); for (int i = 0; i < 2; i++) { $T *p = ($T[2]){ x, x }; see(p + 1); }",
    ),
    at(
        "static compound literal",
        Any,
        "static $T *$f_p = &($T) $1;",
        "k = 1; see($f_p); make($f_p, 3); k = 3; see($f_p); k = 5;",
    ),
    at("pointer", Any, "", "$T x; $T *p = &x, **q = &p; make(*q, k); see(p); void *v = *q; see(($T *)v);"),
    at("assignment", Value, "", "$T x, y, z; make(&x, k); z = y = x; see(&z); see(&y); x = x; see(&x);"),
    at(
        "assignment through pointers",
        Value,
        "",
        "$T x, y; $T *p = &x, *q = &y; make(p, k); *q = *p; see(q); *p = *q; see(&x);",
    ),
    at(
        "assignment of elements",
        Value,
        "",
        "$T a[3]; int i = 0; make(&a[0], k); a[1] = a[0]; a[2] = a[i + 1]; see(&a[2]); $T t = a[0]; a[0] = a[2]; a[2] = t; see(&a[0]);",
    ),
    at(
        "initialiser of variables",
        Value,
        "",
        "$T x; make(&x, k); $T y = x, a[2] = { x, y }; struct { int n; $T v; } s = { 1, x }; see(&y); see(&a[1]); see(&s.v);",
    ),
    at(
        "condition",
        Value,
        "",
        "$T x, y; make(&x, k); make(&y, k + 1); $T z = (k & 1) ? x : y; $T w = k > 5 ? y : k > 4 ? y : x; see(&w); if (k & 1) see(&z); z = k & 1 ? y : x; if (!(k & 1)) see(&z);",
    ),
    at("comma", Value, "", "$T x, y; make(&x, k); y = (h++, x); see(&y); $T z = (y = x, y); see(&z);"),
    at(
        "statement expression",
        Value,
        "",
        "$T x = ({ $T y; make(&y, k); y; }); see(&x); $T z; z = ({ $T y = x; ({ $T w = y; w; }); }); see(&z);",
    ),
    at("typeof", Value, "", "$T x; make(&x, k); __typeof__(x) y = x; __auto_type z = y; see(&z);"),
    at(
        "memcpy",
        Any,
        "",
        "$T x, y; char b[sizeof($T) + 1]; make(&x, k); memcpy(b + 1, &x, sizeof x); memcpy(&y, b + 1, sizeof y); see(&y);",
    ),
    at(
        "memmove",
        Any,
        "",
        "$T a[3]; make(&a[0], k); make(&a[1], k); memmove(&a[1], &a[0], 2 * sizeof($T)); see(&a[2]); see(&a[1]);",
    ),
    at(
        "copied by bytes",
        Any,
        "",
        "$T x, y; make(&x, k); for (size_type i = 0; i < sizeof x; i++) ((char *)&y)[i] = ((char *)&x)[i]; see(&y);",
    ),
    at("copied by builtin", Any, "", "$T x, y; make(&x, k); __builtin_memcpy(&y, &x, sizeof x); see(&y);"),
    at("heap", Any, "", "$T *p = malloc(sizeof *p + 1); make(p, k); see(p); free(p);"),
    at(
        "heap array",
        Any,
        "",
        "$T *p = calloc(2, sizeof *p + 1); make(p + 1, k); p = realloc(p, 5 * sizeof *p + 1); see(p + 1); make(p + 4, k); see(p + 4); free(p);",
    ),
    at("alloca", Any, "", "$T *p = __builtin_alloca(2 * sizeof *p + 1); make(p + 1, k); see(p + 1);"),
    at(
        "pointer to function",
        Value,
        "static u64 $f_g($T a, unsigned k) { u64 h = 0; see(&a); return h; }",
        "$T x; u64 (*f)($T, unsigned) = k & 1 ? $f_g : &$f_g; make(&x, k); h = mix(h, f(x, k)); h = mix(h, (*f)(x, k));",
    ),
    at(
        "result of a pointer to function",
        Value,
        "static $T $f_a(unsigned k) { $T x; make(&x, k); return x; } static $T $f_b(unsigned k) { $T x; make(&x, k + 1); return x; }",
        "$T (*f[2])(unsigned) = { $f_a, $f_b }; $T x = f[0](k); see(&x); x = f[1](k); k++; see(&x); k--;",
    ),
    at(
        "pointer to function in a structure",
        Value,
        "struct $f_o { $T (*get)(const struct $f_o *, $T); $T v; }; static $T $f_g(const struct $f_o *o, $T d) { return o->v; }",
        "struct $f_o o = { $f_g }; make(&o.v, k); $T x = o.get(&o, o.v); see(&x);",
    ),
    at(
        "pointer to old style function",
        Value,
        "static u64 $f_g(a, k) $T a; unsigned k; { u64 h = 0; see(&a); return h; }",
        "$T x; u64 (*f)() = $f_g; make(&x, k); h = mix(h, f(x, k));",
    ),
    across(
        "parameter across files",
        Value,
        "u64 $f_g(int n, $T a, unsigned k);",
        "$T x; make(&x, k); h = mix(h, $f_g(2, x, k));",
        "u64 $f_g(int n, $T a, unsigned k) { u64 h = n; see(&a); return h; }",
    ),
    across(
        "result across files",
        Value,
        "$T $f_g(unsigned k);",
        "$T x = $f_g(k); see(&x);",
        "$T $f_g(unsigned k) { if (k) { $T x; make(&x, k); return x; } $T y; make(&y, 1); return y; }",
    ),
    across(
        "global across files",
        Any,
        "extern $T $f_v, $f_w[]; extern const $T $f_c;",
        "if (k == 1) { see(&$f_v); see(&$f_w[0]); see(&$f_c); } make(&$f_v, k); see(&$f_v); make(&$f_w[1], k); see(&$f_w[1]);",
        "$T $f_v = $1, $f_w[2] = { $1 }; const $T $f_c = $1;",
    ),
    across("tentative across files", Any, "$T $f_v;", "make(&$f_v, k); see(&$f_v);", "extern $T $f_v;"),
    across(
        "variadic across files",
        Value,
        "u64 $f_g(unsigned k, ...);",
        "$T x; make(&x, k); h = mix(h, $f_g(k, 2.5, x, 3, x));",
        "u64 $f_g(unsigned k, ...) { u64 h = 0; __builtin_va_list l; __builtin_va_start(l, k); h += (u64)__builtin_va_arg(l, double); $T a = __builtin_va_arg(l, $P); h += __builtin_va_arg(l, int); $T b = __builtin_va_arg(l, $P); __builtin_va_end(l); see(&a); see(&b); return h; }",
    ),
    across(
        "old style across files",
        Value,
        "u64 $f_g();",
        "$T x; make(&x, k); h = mix(h, $f_g(x, k));",
        "u64 $f_g(a, k) $T a; unsigned k; { u64 h = 0; see(&a); return h; }",
    ),
    across(
        "pointer to function across files",
        Value,
        "$T (*$f_g(void))($T);",
        "$T x; make(&x, k); $T y = $f_g()(x); see(&y);",
        "static $T $f_same($T a) { return a; } $T (*$f_g(void))($T) { return $f_same; }",
    ),
    at(
        "not",
        Scalar,
        "",
        "$T x; make(&x, k); h = mix(h, !x); h = mix(h, !!x); if (x) h = mix(h, 7); if (!x) h = mix(h, 8); h = mix(h, x && k); h = mix(h, x || k > 9); h = mix(h, x ? 3 : 4); _Bool b = x; h = mix(h, b); while (x) { h = mix(h, 1); break; } for (; x; ) { h = mix(h, 2); break; } do { h = mix(h, 5); if (h & 1) break; } while (0 && x);",
    ),
    at(
        "compared",
        Scalar,
        "",
        "$T x, y; make(&x, k); make(&y, k); h = mix(h, x == y); h = mix(h, x != y); y = x; h = mix(h, x == y); h = mix(h, x ? x == y : 2); $T z = x ?: y; see(&z);",
    ),
    at(
        "ordered",
        Arithmetic,
        "",
        "$T x, y; make(&x, k); make(&y, k + 1); h = mix(h, x < y); h = mix(h, x <= y); h = mix(h, x > y); h = mix(h, x >= x); h = mix(h, x < 0); h = mix(h, x > 1); h = mix(h, 0 < x);",
    ),
    at(
        "increment",
        Arithmetic,
        "static $T $f_v; static struct { char c; $T v; } $f_s;",
        "$T x = 0, y; y = x++; see(&y); see(&x); y = --x; see(&y); y = ++x; see(&y); y = x--; see(&x); see(&y); $f_v = 0; $f_s.v = 0; $f_v++; see(&$f_v); ++$f_s.v; see(&$f_s.v); $f_s.v--; $T *p = &x; (*p)++; see(p); volatile $T w = 0; w++; x = w; see(&x);",
    ),
    at(
        "condition with another type",
        Arithmetic,
        "",
        "$T x; make(&x, k); h = mix(h, (u64)(s64)(k & 1 ? x : 1)); h = mix(h, (u64)(s64)(k & 1 ? (signed char)-1 : x)); h = mix(h, sizeof(k ? x : 1)); h = mix(h, sizeof(+x)); h = mix(h, sizeof(x + 1.0f));",
    ),
    at(
        "arithmetic of its own",
        Number,
        "",
        "$T x, y, z; make(&x, k); make(&y, k); z = x; z = z - y; see(&z); z = x * (z + z) + z; see(&z); z = -z; see(&z); z = +z; see(&z);",
    ),
];
