// case: symheap-attack/null-bytes-in-a-pointer
// models: half of a pointer is set to zero
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15

#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(1), *q = p;
    memset((char *)&q + 4, 0, 4);
    if (q != p)
        p[1] = 0;
    free(p);
    return 0;
}
