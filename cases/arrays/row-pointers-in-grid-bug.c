// case: arrays/row-pointers-in-grid-bug
// models: a pointer to each row of a table in one block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 17
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    size_t rows = (size_t)__VERIFIER_nondet_int(), cols = (size_t)__VERIFIER_nondet_int();
    if (rows > 200 || cols > 200 || rows == 0 || cols == 0) return 0;
    char *pixels = malloc(rows * cols);
    if (!pixels) abort();
    for (size_t y = 0; y <= rows; y++) {
        char *row = pixels + y * cols;
        for (size_t x = 0; x < cols; x++) row[x] = (char)x;
    }
    free(pixels);
    return 0;
}
