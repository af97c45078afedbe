// case: symheap-attack/memmove-drops-a-pointer
// models: pointers are moved over the only copy of another
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 13

#include <stdlib.h>
#include <string.h>
int main(void)
{
    void *a[3] = {malloc(1), malloc(2), malloc(3)};
    memmove(&a[0], &a[1], 2 * sizeof a[0]);
    free(a[0]);
    free(a[1]);
    return 0;
}
