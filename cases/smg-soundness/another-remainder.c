// case: smg-soundness/another-remainder
// models: one way through a function computes a remainder that the caller computes again, the other one gives any number and computes another remainder
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 43

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static unsigned given;
static void *table[1000];

static unsigned remainder_of(unsigned number, unsigned size) { return number % size; }

static void choose(unsigned number, unsigned size, unsigned other, unsigned divisor) {
    if (__VERIFIER_nondet_int()) {
        given = other % divisor;
    } else {
        remainder_of(number, size);
        unsigned any = __VERIFIER_nondet_int();
        if (any >= divisor || any > other || any > 5)
            abort();
        given = any;
    }
}

int main(void) {
    unsigned number = __VERIFIER_nondet_int(), size = __VERIFIER_nondet_int();
    unsigned other = __VERIFIER_nondet_int(), divisor = __VERIFIER_nondet_int();
    if (size < 4 || size > 1000 || divisor < 1 || divisor > 1000)
        return 0;
    if (other > 2000000000 || number > 2000000000)
        return 0;
    unsigned slot = number % size;
    table[slot] = malloc(4);
    if (slot != 3 || number < 3)
        abort();
    choose(number, size, other, divisor);
    char *wrong = 0;
    if (given != other % divisor)
        *wrong = 1;
    free(table[slot]);
    table[slot] = 0;
    return (number + size) % 5;
}
