// case: symheap-attack/encrypted-pointer
// models: a pointer is kept only as a number that was mixed with a key
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    unsigned long key = __VERIFIER_nondet_ulong();
    unsigned long kept = (unsigned long)malloc(4) ^ key;
    char *p = (char *)(kept ^ key);
    p[3] = 1;
    free(p);
    return 0;
}
