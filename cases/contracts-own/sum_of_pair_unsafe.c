// case: contracts-own/sum_of_pair_unsafe
// models: numbers of two widths; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: contract line 15
#include <stddef.h>

struct pair {
    unsigned char low;
    unsigned char high;
};

/*@ requires alloc(p);
    ensures \result == p->low + 256 * p->high; */
int value(struct pair *p)
{
    return p->low + 255 * p->high;
}
