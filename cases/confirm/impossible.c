// case: confirm/impossible
// models: the suspected error needs a number that is both odd and a multiple of six
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    *p = 0;
    if (x % 6 == 0 && x % 2 == 1)
        free(p);
    free(p);
    return 0;
}
