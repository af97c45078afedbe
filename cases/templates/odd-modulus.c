// case: templates/odd-modulus
// models: keys are put into as many classes as an odd number says that grows; division stands in the way of a proof about memory
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct key {
    unsigned value;
    unsigned slot;
    struct key *next;
};

int main(void)
{
    struct key *keys = NULL;
    struct key *k;
    unsigned classes = 1;

    while (__VERIFIER_nondet_int()) {
        k = malloc(sizeof *k);
        if (k == NULL)
            abort();
        k->value = __VERIFIER_nondet_uint();
        k->slot = k->value % classes;
        k->next = keys;
        keys = k;
        if (__VERIFIER_nondet_int())
            classes = 2 * classes + 1;
    }
    while (keys != NULL) {
        k = keys->next;
        free(keys);
        keys = k;
    }
    return 0;
}
