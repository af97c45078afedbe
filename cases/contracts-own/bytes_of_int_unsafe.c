// case: contracts-own/bytes_of_int_unsafe
// models: byte-level accesses; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: contract line 11
#include <stddef.h>

/*@ requires alloc(p);
    modifies {p};
    ensures *p == 0x01020304; */
void put(int *p)
{
    unsigned char *b = (unsigned char *)p;
    b[0] = 4;
    b[1] = 2;
    b[2] = 2;
    b[3] = 1;
}
