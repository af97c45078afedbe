// case: symheap-attack/address-is-aligned
// models: malloc gives multiples of 16
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
int main(void)
{
    int zero = 0, *null = &zero;
    char *p = malloc(1);
    if ((unsigned long)p & 7)
        null = 0;
    free(p);
    return *null;
}
