// case: contracts-own/ring_buffer_unsafe
// models: a ring buffer in an array; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: contract line 18
#include <stddef.h>

struct ring {
    unsigned head;
    unsigned count;
    int slots[8];
};

/*@ requires alloc(r) && r->head < 8 && r->count < 8;
    modifies union({&r->count}, array(&r->slots[0], 8));
    ensures r->count == \old(r->count) + 1;
    ensures r->slots[(\old(r->head) + \old(r->count)) % 8] == value;
*/
void put(struct ring *r, int value)
{
    r->slots[(r->head + r->count) % 4] = value;
    r->count = r->count + 1;
}
