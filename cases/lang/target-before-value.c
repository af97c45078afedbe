// case: lang/target-before-value
// models: an assignment whose right side changes what its target is computed of: both orders are fine
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
struct table { int *data; int used, size; unsigned flag : 4; };
static struct table t;
static struct table *now = &t;
static int i;
static int step(void) { i = (i + 1) % 4; return i; }
static int grow(void)
{
    if (t.used == t.size) {
        int *more = malloc((t.size + 4) * sizeof *more);
        for (int k = 0; k < t.size; k++)
            more[k] = t.data[k];
        t.size += 4;
        int *old = t.data;
        t.data = more;
        if (old != more)
            free(old);
    }
    return t.used++;
}
static struct table other;
static int swap(void) { now = now == &t ? &other : &t; return 3; }
int main(void)
{
    int a[4] = { 0 };
    for (int k = 0; k < 9; k++)
        a[i] = step();
    a[i] += step();
    a[step()] = 7;
    for (int k = 0; k < 9; k++) {
        int at = grow();
        t.data[at] = k;
    }
    now->used = swap();
    now->flag = swap();
    now->used += swap();
    free(t.data);
    return 0;
}
