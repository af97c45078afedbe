// case: libc/realloc-stale
// models: a pointer into a block is used after realloc
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 25

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int room = 2, used = 0;
    int *values = malloc(room * sizeof *values);
    int *first = values;
    while (__VERIFIER_nondet_int()) {
        if (used == room) {
            room *= 2;
            values = realloc(values, room * sizeof *values);
        }
        values[used++] = room;
    }
    if (used > 0)
        used = *first;
    free(values);
    return 0;
}
