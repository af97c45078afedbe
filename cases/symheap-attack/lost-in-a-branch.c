// case: symheap-attack/lost-in-a-branch
// models: a short branch forgets the only pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 17

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *p = malloc(3);
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        x = 10;
    if (x == 7)
        p = 0;
    free(p);
    return x;
}
