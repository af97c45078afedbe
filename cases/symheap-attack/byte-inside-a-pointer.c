// case: symheap-attack/byte-inside-a-pointer
// models: a byte at an unknown place of a structure hits its pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 19

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct mixed { char text[8]; char *p; };
int main(void)
{
    struct mixed s;
    s.p = malloc(2);
    char *before = s.p;
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= 8)
        ((unsigned char *)&s)[i] += 1;
    s.p[1] = 1;
    free(before);
    return 0;
}
