// case: symheap-attack/freed-in-a-branch
// models: freed in one branch, used in another
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 19

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *p = malloc(1);
    int x = __VERIFIER_nondet_int(), done = 0;
    if (x & 64) {
        free(p);
        done = 1;
    }
    if ((x & 96) == 96)
        *p = 1;
    if (!done)
        free(p);
    return 0;
}
