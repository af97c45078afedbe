// case: symheap-attack/freed-and-new-address
// models: a new block may lie where a freed one was
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 19

#include <stdlib.h>
int main(void)
{
    int zero = 0, *null = &zero;
    char *p = malloc(1);
    unsigned long before = (unsigned long)p;
    free(p);
    char *q = malloc(1);
    if ((unsigned long)q == before)
        null = 0;
    free(q);
    return *null;
}
