// case: arrays/grid-behind-pointer
// models: a structure with rows and columns and a table; transposed and multiplied
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct matrix { int rows, cols; double *data; };

static struct matrix *create(int rows, int cols) {
    struct matrix *m = malloc(sizeof *m);
    if (!m) abort();
    m->rows = rows;
    m->cols = cols;
    m->data = calloc((size_t)rows * cols, sizeof *m->data);
    if (!m->data) abort();
    return m;
}

static void destroy(struct matrix *m) {
    free(m->data);
    free(m);
}

static struct matrix *transposed(const struct matrix *m) {
    struct matrix *t = create(m->cols, m->rows);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            t->data[j * t->cols + i] = m->data[i * m->cols + j];
    return t;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 30 || k < 1 || k > 30) return 0;
    struct matrix *m = create(n, k);
    struct matrix *t = transposed(m);
    t->data[n * k - 1] = 1;
    destroy(m);
    destroy(t);
    return 0;
}
