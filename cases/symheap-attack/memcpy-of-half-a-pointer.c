// case: symheap-attack/memcpy-of-half-a-pointer
// models: a pointer made of the halves of two
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15

#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(8), *q = malloc(8), *r = p;
    memcpy(&r, &q, 4);
    if (r != p && r != q)
        p[8] = 1;
    free(p);
    free(q);
    return 0;
}
