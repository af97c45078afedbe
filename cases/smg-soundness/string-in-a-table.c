// case: smg-soundness/string-in-a-table
// models: bytes that end with a NUL are used as an array of pointers, one of which is written over it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 23

#include <stdlib.h>
#include <string.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
    unsigned long j = __VERIFIER_nondet_ulong(), length = 0;
    if (n > 1000)
        return 0;
    char **table = malloc(n * sizeof *table);
    if (i < n * sizeof *table && j < n) {
        ((char *)table)[i] = '\0';
        table[j] = (char *)~0ul;
        length = strlen((char *)table);
    }
    free(table);
    return length > 3;
}
