// case: templates/odd-modulus-bug
// models: keys are put into classes whose number may shrink to zero
// target: lp64
// property: assertions
// verdict: unsafe
// error: division-by-zero line 29
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
        else if (__VERIFIER_nondet_int())
            classes = classes / 2;
    }
    while (keys != NULL) {
        k = keys->next;
        free(keys);
        keys = k;
    }
    return 0;
}
