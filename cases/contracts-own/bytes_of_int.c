// case: contracts-own/bytes_of_int
// models: byte-level accesses
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

/*@ requires alloc(p);
    modifies {p};
    ensures *p == 0x01020304; */
void put(int *p)
{
    unsigned char *b = (unsigned char *)p;
    b[0] = 4;
    b[1] = 3;
    b[2] = 2;
    b[3] = 1;
}
