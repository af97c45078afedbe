// case: libc/memcpy-overlap
// models: memcpy within one array, areas that overlap for some lengths
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 16

#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char line[16] = "0123456789";
    unsigned n = __VERIFIER_nondet_uint() % 8;
    memcpy(line + 4, line, n);
    return 0;
}
