// case: lang/returned-locals
// models: what a function returns is a copy of the local that `return` names
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>
struct one { char c; };
struct small { int a, b; };
struct pair { char *p, *q; };
struct large { long a[6]; };
union either { long n; char c[40]; };
struct bits { unsigned low : 3, high : 29; };
struct nested { struct small s[2]; struct { double d; } in; };
static struct large *seen;
static struct one f_one(int k) { while (1) { struct one x = { (char)k }; return x; } }
static struct small f_small(int k)
{
    for (int i = 0;; i++) {
        struct small s = { i, k };
        if (i == 3)
            return s;
    }
}
static struct large f_large(int k)
{
    switch (k) {
    case 0: {
        struct large l = { { 1, 2, 3, 4, 5, 6 } };
        return l;
    }
    default: {
        struct large l = { { 6 } };
        seen = &l;
        if (k == 2) {
            struct large m = *seen;
            m.a[5] = k;
            return m;
        }
        seen->a[1] = 9;
        return l;
    }
    }
}
static union either f_union(void) { union either e; { union either x; memset(&x, 1, sizeof x); e = x; } return e; }
static struct bits f_bits(int k) { if (k) { struct bits b = { 5, 77 }; return b; } struct bits b = { 1, 2 }; return b; }
static struct nested f_nested(struct nested n) { { struct nested m = n; m.s[1].b++; if (m.s[1].b > 1) return m; } return n; }
static double _Complex f_complex(int k) { if (k) { double _Complex c = k; return c; } return 0; }
static struct pair f_pair(const char *t)
{
    struct pair r = { 0, 0 };
    if (t) {
        struct pair s = { malloc(8), 0 };
        strcpy(s.p, t);
        s.q = s.p + 1;
        return s;
    }
    return r;
}
static void undo(int *k) { *k = -1; }
static struct small f_cleanup(void)
{
    struct small s = { 1, 2 };
    int local __attribute__((cleanup(undo))) = 4;
    s.b = local;
    return s;
}
static struct large own;
static struct large f_own(void) { struct large l = own; l.a[0]++; own.a[0] += 100; return l; }
static struct large f_recursive(int n)
{
    struct large l = { { n } };
    if (n > 0) {
        struct large m = f_recursive(n - 1);
        m.a[0] += l.a[0];
        return m;
    }
    return l;
}
int main(void)
{
    int *no = 0;
    if (f_one(3).c != 3 || f_small(9).b != 9 || f_small(9).a != 3)
        *no = 1;
    if (f_large(0).a[5] != 6 || f_large(1).a[1] != 9 || f_large(2).a[5] != 2)
        *no = 2;
    if (f_union().c[39] != 1 || f_bits(0).high != 2 || f_bits(1).high != 77)
        *no = 3;
    struct nested n = { { { 1, 2 }, { 3, 4 } }, { 5 } };
    n = f_nested(f_nested(n));
    if (n.s[1].b != 6 || n.in.d != 5)
        *no = 4;
    if (__real__ f_complex(6) != 6)
        *no = 5;
    struct pair p = f_pair("abc"), q = f_pair(0);
    if (*p.q != 'b' || q.p)
        *no = 6;
    free(p.p);
    if (f_cleanup().b != 4)
        *no = 7;
    own = f_own();
    if (own.a[0] != 1)
        *no = 8;
    if (f_recursive(4).a[0] != 10)
        *no = 9;
    return 0;
}
