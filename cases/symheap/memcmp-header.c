// case: symheap/memcmp-header
// models: memcmp with the header of a file
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 20

#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char *file = malloc(20);
    for (int i = 0; i < 20; i++)
        file[i] = __VERIFIER_nondet_uchar();
    static const unsigned char png[8] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };
    if (memcmp(file, png, 8) == 0)
        free(file);
    int last = file[19];
    free(file);
    return last;
}
