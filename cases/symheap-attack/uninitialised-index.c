// case: symheap-attack/uninitialised-index
// models: an index that was never set
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13

#include <stdlib.h>
int main(void)
{
    unsigned char *p = malloc(8);
    unsigned char i = p[3] & 15;
    p[i] = 1;
    free(p);
    return 0;
}
