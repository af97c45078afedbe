// case: libc/longest-int
// models: the longest int has eleven characters
// target: lp64
// property: memsafety
// verdict: safe

#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[12];
    sprintf(text, "%d", __VERIFIER_nondet_int());
    return text[0];
}
