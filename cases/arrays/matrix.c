// case: arrays/matrix
// models: rows and columns of one block
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 1000) return 0;
    int (*m)[4] = malloc(rows * sizeof *m);
    if (!m) abort();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i + j;
    free(m);
    return 0;
}
