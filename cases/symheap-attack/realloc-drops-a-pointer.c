// case: symheap-attack/realloc-drops-a-pointer
// models: a smaller block no longer holds the second pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 14

#include <stdlib.h>
int main(void)
{
    void **p = malloc(2 * sizeof *p);
    p[0] = malloc(1);
    p[1] = malloc(1);
    p = realloc(p, sizeof *p);
    free(p[0]);
    free(p);
    return 0;
}
