// case: contracts-own/union_tag
// models: a union read through another member
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

union value {
    int number;
    unsigned short halves[2];
};

/*@ requires alloc(v);
    modifies {&v->number};
    ensures \result == 2 && v->halves[0] == 7; */
int split(union value *v)
{
    v->number = 2 * 65536 + 7;
    return v->halves[1];
}
