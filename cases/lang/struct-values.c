// case: lang/struct-values
// models: structures passed and returned by value in every class of the calling convention: i64, two words, i24, floats in vectors, byval, sret
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <string.h>

struct small { char a, b, c; };
struct pair { int n; void *p; };
struct floats { float x, y, z; };
struct mixed { double d; long l; };
struct big { long words[5]; char tail; };
struct nested { struct pair in; struct small s; };
union word { int i; char c[4]; float f; };
struct empty { };

static struct small small(struct small s) { s.a++; s.c += s.b; return s; }
static struct pair pair(struct pair p, int k) { p.n *= k; return p; }
static struct floats floats(struct floats f) { return (struct floats){ f.z, f.y, f.x }; }
static struct mixed mixed(struct mixed m) { m.d /= 2; m.l = -m.l; return m; }
static struct big big(struct big b) { b.words[4] = b.words[0] + 1; b.tail = 'z'; return b; }
static struct nested nested(struct nested n) { n.in.n += n.s.b; return n; }
static union word word(union word w) { w.c[3] = 0; return w; }
static struct empty empty(struct empty e) { return e; }
static long many(int a, int b, int c, int d, int e, int f, struct pair p, struct big q, char last)
{
    return a + b + c + d + e + f + p.n + q.words[2] + last;
}

typedef struct big (*callback)(struct big);

int main(void)
{
    struct small s = small((struct small){ 1, 2, 3 });
    assert(s.a == 2 && s.b == 2 && s.c == 5);
    int target = 7;
    struct pair p = pair((struct pair){ 6, &target }, 7);
    assert(p.n == 42 && *(int *)p.p == 7);
    struct floats f = floats((struct floats){ 1.5f, 2.5f, -3.5f });
    assert(f.x == -3.5f && f.y == 2.5f && f.z == 1.5f);
    struct mixed m = mixed((struct mixed){ 5.0, 9 });
    assert(m.d == 2.5 && m.l == -9);
    struct big b = { { 10, 20, 30, 40, 50 }, 'a' };
    callback cb = big;
    struct big c = cb(b);
    assert(c.words[4] == 11 && c.tail == 'z' && b.words[4] == 50 && b.tail == 'a');
    struct nested n = nested((struct nested){ { 1, 0 }, { 4, 5, 6 } });
    assert(n.in.n == 6 && n.s.c == 6);
    union word w = { .i = 0x7F010203 };
    assert(word(w).i == 0x010203);
    struct empty e = { };
    e = empty(e);
    assert(many(1, 2, 3, 4, 5, 6, p, b, 7) == 21 + 42 + 30 + 7);
    struct big array[3];
    memset(array, 0, sizeof array);
    array[1] = b;
    array[2] = array[1];
    assert(array[2].words[3] == 40 && array[0].tail == 0);
    return 0;
}
