// case: arrays/grid-of-any-cell-bug
// models: the index of a cell is computed before its row and column are compared
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 18
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), cols = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 64 || cols < 1 || cols > 64) return 0;
    int *grid = calloc(rows * cols, sizeof *grid);
    if (!grid) abort();
    int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (y < 0 || y > 1000 || x < 0 || x > 1000) abort();
    int cell = y * cols + x;
    if (y <= rows && x < cols) grid[cell]++;
    free(grid);
    return 0;
}
