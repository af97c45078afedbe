// case: symheap/checksum-crc8
// models: a cyclic redundancy check over six bytes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 31

#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char crc8(const unsigned char *data, int n)
{
    unsigned char crc = 0;
    for (int i = 0; i < n; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x07) : (unsigned char)(crc << 1);
    }
    return crc;
}

int main(void)
{
    unsigned char frame[6];
    for (int i = 0; i < 6; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    if (frame[0] != 0xa5 || frame[1] != 4)
        return 0;
    int *p = NULL;
    if (crc8(frame, 6) == 0x3c)
        return *p;
    return 0;
}
