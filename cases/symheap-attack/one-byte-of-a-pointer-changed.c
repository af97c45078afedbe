// case: symheap-attack/one-byte-of-a-pointer-changed
// models: bytes of a pointer, one of them an input
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    char *p = malloc(8), *q = p;
    ((unsigned char *)&q)[0] ^= __VERIFIER_nondet_uchar();
    *q = 1;
    free(p);
    return 0;
}
