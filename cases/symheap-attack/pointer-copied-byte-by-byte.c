// case: symheap-attack/pointer-copied-byte-by-byte
// models: bytes of a pointer, put together again
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
int main(void)
{
    char *p = malloc(8), *q;
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
    for (int i = 7; i >= 0; i--)
        to[i] = from[i];
    q[7] = 1;
    p[7] += 1;
    free(q);
    return 0;
}
