// case: libc/snprintf-fits
// models: snprintf never writes more than it may
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[8];
    int n = snprintf(text, sizeof text, "<%d>", __VERIFIER_nondet_int());
    assert(n >= 3 && strlen(text) < sizeof text && text[0] == '<');
    return 0;
}
