// case: lang/converted-parameters
// models: parameters that the compiler converts, or puts together of parts, when a function is entered
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
typedef int v2 __attribute__((vector_size(8)));
typedef char v4 __attribute__((vector_size(4)));
typedef float f4 __attribute__((vector_size(16)));
enum colour { RED, GREEN };
struct bits { unsigned a : 3, b : 5; };
struct three { char c[3]; };
struct mixed { float f; int i; };
struct twice { double x, y; };
struct late { long n; char c; };
union either { int i; float f; };
static int of_bool(bool a, _Bool b) { return a * 2 + b; }
static int of_bits(_BitInt(7) a, unsigned _BitInt(3) b, _BitInt(100) c) { return (int)a * 100 + (int)b * 10 + (int)c; }
static int of_wide(__int128 a, unsigned __int128 b) { return (int)(a >> 64) + (int)b; }
static int of_vector(v2 a, v4 b, f4 c) { return a[1] + b[3] + (int)c[2]; }
static int of_old(a, b, c, d, e) char a; short b; float c; unsigned char d; bool e; { return a + b + (int)c + d + e; }
static int of_struct(struct three a, struct mixed b, struct twice c, struct late d) { return a.c[2] + b.i + (int)b.f + (int)c.y + d.c; }
static int of_small(struct bits a, union either b, enum colour c) { return a.b + b.i + c; }
static int of_complex(float _Complex a, double _Complex b) { return (int)(__imag__ a + __real__ b); }
static int of_long(long double x, bool last) { return last ? (int)x : -1; }
static int changed(bool b, char c, short s)
{
    bool *p = &b;
    *p = !*p;
    c++;
    s = (short)(s + c);
    return b ? s : -s;
}
static bool kept;
static void keep(bool b) { for (int i = 0; i < 3; i++) { kept = b; if (i == 1) b = !b; } }
static int choose(bool b)
{
    switch (b) {
    case true: return 7;
    default: return 8;
    }
}
static int jumped(int n, bool again)
{
top:
    n++;
    if (again) {
        again = false;
        goto top;
    }
    return n;
}
int main(void)
{
    int (*volatile by)(bool, bool) = of_bool;
    assert(of_bool(1, 0) == 2 && of_bool(0, 7) == 1 && by(5, 6) == 3);
    assert(of_bits(-3, 5, 2) == -248);
    assert(of_wide((__int128)9 << 64, 4) == 13);
    assert(of_vector((v2){1, 2}, (v4){1, 2, 3, 4}, (f4){1, 2, 3, 4}) == 9);
    assert(of_old((char)1, (short)-2, 3.5f, (unsigned char)255, (bool)1) == 258);
    assert(of_struct((struct three){"ab\3"}, (struct mixed){2.5f, 3}, (struct twice){1, 4}, (struct late){9, 5}) == 17);
    assert(of_small((struct bits){1, 17}, (union either){4}, GREEN) == 22);
    assert(of_complex(3.0f + 2.0if, 5.0) == 7);
    assert(of_long(2.5L, 1) == 2 && of_long(2.5L, 0) == -1);
    assert(changed(0, 4, 6) == 11);
    keep(1);
    assert(kept == 0);
    assert(choose(1) == 7 && choose(0) == 8);
    assert(jumped(0, 1) == 2 && jumped(0, 0) == 1);
    return 0;
}
