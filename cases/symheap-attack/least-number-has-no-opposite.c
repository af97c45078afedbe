// case: symheap-attack/least-number-has-no-opposite
// models: abs of the least number is negative
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[7] = {0};
    return a[abs(__VERIFIER_nondet_int()) % 7];
}
