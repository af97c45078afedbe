// case: smg-soundness/elements-past-the-end
// models: an element of an array of unknown size is written on one way only, where it is there
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 26

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int count = __VERIFIER_nondet_int(), slot = __VERIFIER_nondet_int();
    if (count < 1 || count > 1000 || slot < 0 || slot >= count)
        return 0;
    long *numbers = calloc(count, sizeof *numbers);
    while (__VERIFIER_nondet_int())
        if (count > 3)
            numbers[3] = 5;
    while (__VERIFIER_nondet_int())
        ;
    void **owners = (void **)numbers;
    char *wrong = 0;
    owners[slot] = malloc(4);
    if (count < 4)
        *wrong = 1;
    free(owners[slot]);
    free(numbers);
    return 0;
}
