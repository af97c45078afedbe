// case: symheap/checksum-xor
// models: twenty-four bytes with a checksum behind them
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 24

#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char packet[24];
    for (int i = 0; i < 24; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    unsigned char check = 0x5a;
    for (int i = 0; i < 23; i++)
        check = (unsigned char)((check << 1 | check >> 7) ^ packet[i]);
    if (check != packet[23])
        return 0;
    if (packet[0] != 'H' || packet[1] != 'P' || packet[2] != 0x7f)
        return 0;
    char *to = malloc(16);
    to[packet[3] & 31] = 1;
    free(to);
    return 0;
}
