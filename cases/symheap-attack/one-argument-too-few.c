// case: symheap-attack/one-argument-too-few
// models: a variadic function reads more than it was given
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

#include <stdarg.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int sum(unsigned n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    while (n--)
        s += va_arg(list, int);
    va_end(list);
    return s;
}
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    return n < 4 ? sum(n, 1, 2) : 0;
}
