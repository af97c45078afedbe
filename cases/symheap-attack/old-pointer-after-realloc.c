// case: symheap-attack/old-pointer-after-realloc
// models: the old block is gone even if the new one is smaller
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 14

#include <stdlib.h>
int main(void)
{
    char *p = malloc(32);
    p[3] = 7;
    char *q = realloc(p, 16);
    p[3] = 8;
    free(q);
    return 0;
}
