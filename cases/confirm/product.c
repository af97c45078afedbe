// case: confirm/product
// models: two inputs whose product frees a block too early
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 20

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    *p = 0;
    if (x > 1000 && y > 1000 && x < 3000 && y < 3000 && x * y == 1513500)
        free(p);
    if (x % 7919 == 17)
        y = 0;
    free(p);
    return y == 0;
}
