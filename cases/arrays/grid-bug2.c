// case: arrays/grid-bug2
// models: a table of rows times columns in one block, filled by both indices
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 17
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), cols = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 100 || cols < 1 || cols > 100) return 0;
    int *grid = malloc((size_t)rows * cols * sizeof *grid);
    if (!grid) abort();
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            grid[j * cols + i] = i + j;
        }
    }
    free(grid);
    return 0;
}
