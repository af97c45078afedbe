// case: symheap/length-field
// models: a length in the input that has to fit
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 19

#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char msg[20], copy[64];
    for (int i = 0; i < 20; i++)
        msg[i] = __VERIFIER_nondet_uchar();
    unsigned len = (unsigned)msg[2] << 8 | msg[3];
    if (msg[0] == 1 && msg[1] == 0x42 && len <= 17)
        memcpy(copy, msg + 4, len);
    return 0;
}
