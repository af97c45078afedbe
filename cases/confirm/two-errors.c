// case: confirm/two-errors
// models: two errors that no execution shows together
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 19
// also: double-free line 22

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int key = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    *p = 0;
    if (key == 123456789) {
        free(p);
        *p = 1;
    } else if (key / 1000 == 654321) {
        free(p);
        free(p);
    } else {
        free(p);
    }
    return 0;
}
