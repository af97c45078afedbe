// case: symheap-attack/overlap-of-a-copy
// models: structures that overlap by one element
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 14

#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[8] = {0};
    unsigned n = __VERIFIER_nondet_uint() % 5;
    memcpy(a, a + 3, n * sizeof(int));
    return a[0];
}
