// case: libc/longest-int-bug1
// models: the longest int has eleven characters
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[11];
    sprintf(text, "%d", __VERIFIER_nondet_int());
    return text[0];
}
