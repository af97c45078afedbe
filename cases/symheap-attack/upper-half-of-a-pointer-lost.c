// case: symheap-attack/upper-half-of-a-pointer-lost
// models: a pointer in 32 bits is no pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15

#include <stdlib.h>
int main(void)
{
    char *p = malloc(8);
    unsigned low = (unsigned)(unsigned long)p;
    char *q = (char *)(unsigned long)low;
    if (q != p)
        p[8] = 1;
    free(p);
    return 0;
}
