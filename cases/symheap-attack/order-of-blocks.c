// case: symheap-attack/order-of-blocks
// models: which of two blocks lies first is not known
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 17

#include <stdlib.h>
int main(void)
{
    int zero = 0, *null = &zero;
    char *p = malloc(1), *q = malloc(1);
    if ((unsigned long)q < (unsigned long)p)
        null = 0;
    free(p);
    free(q);
    return *null;
}
