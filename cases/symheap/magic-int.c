// case: symheap/magic-int
// models: one number of 2^32 leads to the error
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 17

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 7;
    if (__VERIFIER_nondet_int() == 0x5ca1ab1e) {
        int *q = NULL;
        *q = *p;
    }
    free(p);
    return 0;
}
