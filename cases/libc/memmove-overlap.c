// case: libc/memmove-overlap
// models: memmove within one array: any overlap is allowed
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char line[16] = "0123456789";
    unsigned n = __VERIFIER_nondet_uint() % 8;
    memmove(line + 4, line, n);
    assert(n < 6 || line[9] == '5');
    assert(line[0] == '0' && line[12] == 0);
    return 0;
}
