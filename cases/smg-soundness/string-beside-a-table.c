// case: smg-soundness/string-beside-a-table
// models: the first NUL of a structure lies behind an array of pointers until one of these is null
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 35

#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

struct record {
    char name[8];
    char *slots[8];
    char tail[8];
};

int main(void)
{
    unsigned long i = __VERIFIER_nondet_ulong(), j = __VERIFIER_nondet_ulong();
    unsigned long k = __VERIFIER_nondet_ulong();
    if (i >= 8 || j >= 8 || k >= 8)
        return 0;
    struct record *r = malloc(sizeof *r);
    memset(r, 'a', sizeof *r);
    r->tail[0] = '\0';
    r->slots[j] = (char *)~0ul;
    char any = r->name[k];
    unsigned long before = strlen((char *)r);
    r->slots[i] = NULL;
    unsigned long after = strlen((char *)r);
    free(r);
    assert(before == after);
    return any;
}
