// case: arrays/known-rows
// models: a known number of rows of unknown length
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

#define ROWS 6
int main(void) {
    int cols = __VERIFIER_nondet_int();
    if (cols < 1 || cols > 1000) return 0;
    short *grid = malloc(ROWS * cols * sizeof *grid);
    if (!grid) abort();
    for (int tries = 0; tries < 100; tries++) {
        int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
        if (i < 0 || i >= ROWS || j < 0 || j >= cols) continue;
        grid[i * cols + j] = 1;
    }
    free(grid);
    return 0;
}
