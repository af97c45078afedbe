// case: symheap-attack/copy-of-negative-length
// models: a distance that is negative is a huge length
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    char a[8] = {0}, b[8];
    char *from = a + __VERIFIER_nondet_uint() % 8, *to = a + __VERIFIER_nondet_uint() % 8;
    memcpy(b, a, to - from);
    return 0;
}
