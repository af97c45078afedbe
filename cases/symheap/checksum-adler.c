// case: symheap/checksum-adler
// models: a checksum of two sums over twenty bytes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 21

#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned a = 1, b = 0;
    for (int i = 0; i < 20; i++) {
        a += __VERIFIER_nondet_uchar();
        b += a;
    }
    int *p = malloc(sizeof *p);
    if (a == 2021 && b == 19190)
        free(p);
    *p = 3;
    free(p);
    return 0;
}
