// case: lang/own-library-function
// models: a definition in the program counts, also for a function of the library without a declaration
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stddef.h>
int labs2(int);
void *malloc(size_t n)
{
    static _Alignas(16) char pool[64];
    static size_t used;
    char *at = pool + used;
    used += (n + 15) / 16 * 16;
    return used <= sizeof pool ? at : NULL;
}
static double fabs(double x) { return x < 0 ? -x : x; }
static int toupper(int c) { return c - 1; }
int main(void)
{
    char *a = malloc(3), *b = malloc(3);
    assert(b - a == 16);
    assert(fabs(-2.0) == 2.0 && toupper('b') == 'a');
    return 0;
}
