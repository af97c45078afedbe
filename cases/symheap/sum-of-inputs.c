// case: symheap/sum-of-inputs
// models: the sum of twenty inputs has to be a given number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 17

#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 20; i++)
        sum += __VERIFIER_nondet_uchar();
    int *p = sum == 5099 ? NULL : malloc(4);
    *p = 1;
    free(p);
    return 0;
}
