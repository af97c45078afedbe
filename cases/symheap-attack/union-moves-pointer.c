// case: symheap-attack/union-moves-pointer
// models: an address in a union is moved as a number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
union both { char *p; unsigned long n; };
int main(void)
{
    union both u;
    u.p = malloc(4);
    char *first = u.p;
    if (__VERIFIER_nondet_int() == 77)
        u.n += 4;
    *u.p = 1;
    free(first);
    return 0;
}
