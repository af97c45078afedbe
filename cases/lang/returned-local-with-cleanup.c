// case: lang/returned-local-with-cleanup
// models: `return` copies a structure before the function of the attribute `cleanup` sees the local
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
struct large { long n[4]; };
struct small { short a, b; };
static void wipe(struct large *l) { l->n[2] = -1; }
static void wipe_small(struct small *s) { s->b = -1; }
static struct large make(int k)
{
    __attribute__((cleanup(wipe))) struct large l = { { 1, 2, 3, 4 } };
    if (k)
        return l;
    __attribute__((cleanup(wipe_small))) struct small s = { 5, 6 };
    l.n[3] = s.b;
    return l;
}
static struct small make_small(void)
{
    __attribute__((cleanup(wipe_small))) struct small s = { 5, 6 };
    return s;
}
int main(void)
{
    assert(make(1).n[2] == 3);
    assert(make(0).n[2] == 3 && make(0).n[3] == 6);
    assert(make_small().b == 6);
    return 0;
}
