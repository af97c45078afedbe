// case: contracts-own/sum_of_pair
// models: numbers of two widths
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

struct pair {
    unsigned char low;
    unsigned char high;
};

/*@ requires alloc(p);
    ensures \result == p->low + 256 * p->high; */
int value(struct pair *p)
{
    return p->low + 256 * p->high;
}
