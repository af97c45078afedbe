// case: symheap-attack/address-as-a-number
// models: the sixth bit of an address is not known
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 16

#include <stdlib.h>
int main(void)
{
    int zero = 0, *null = &zero;
    char *p = malloc(1);
    if ((unsigned long)p & 32)
        null = 0;
    free(p);
    return *null;
}
