// case: symheap/magic-two-halves
// models: two inputs are the halves of a number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned long high = __VERIFIER_nondet_uint(), low = __VERIFIER_nondet_uint();
    unsigned long key = high << 32 | low;
    char buf[16] = {0};
    unsigned long at = key ^ 0xdeadbeefcafebabeul;
    if (at <= 16)
        buf[at] = 1;
    return buf[3];
}
