// case: symheap-attack/unaligned-numbers
// models: numbers at unaligned unknown places overlap
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 19

#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[2] = {0};
    unsigned char b[8] = {0};
    unsigned i = __VERIFIER_nondet_uint(), x = 0x11223344, y;
    if (i > 4)
        return 0;
    memcpy(b + i, &x, 4);
    memcpy(&y, b + 2, 4);
    return a[y == 0x00112233 ? 2 : 0];
}
