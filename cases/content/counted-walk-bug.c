// case: content/counted-walk-bug
// models: a list of n nodes, walked by a loop that counts to n; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 37
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct point {
    int x, y;
    struct point *next;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct point *path = NULL;
    struct point *p;
    long area = 0;

    if (n < 1 || n > 10000)
        return 0;
    for (int i = 0; i < n; i++) {
        p = malloc(sizeof *p);
        if (p == NULL)
            abort();
        p->x = i;
        p->y = 2 * i;
        p->next = path;
        path = p;
    }
    /* every edge has two ends, so there is one edge less than points */
    p = path;
    for (int i = 0; i < n; i++) {
        area += p->next->x - p->x;
        p = p->next;
    }
    for (int i = 0; i < n; i++) {
        p = path;
        path = p->next;
        free(p);
    }
    return area < 0;
}
