// case: smg-soundness/freed-in-both-tables
// models: the same block at an index of the first half and at one of the second half of an array, both freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 31

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct record {
    long head;
    int *slots[16];
    int *tail;
};

int main(void)
{
    struct record w;
    w.head = 0;
    w.tail = NULL;
    for (int k = 0; k < 16; k++)
        w.slots[k] = NULL;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 7 || j < 8 || j > 15)
        return 0;
    w.slots[i] = malloc(4);
    w.slots[j] = w.slots[i];
    for (int k = 0; k < 16; k++)
        free(w.slots[k]);
    return 0;
}
