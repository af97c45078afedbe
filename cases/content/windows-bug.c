// case: content/windows-bug
// models: every record of a list is a window lo <= hi into one array; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 53
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct window {
    struct window *next;
    int lo;
    int hi;
};

static struct window *window_new(struct window *next, int lo, int hi)
{
    struct window *w = malloc(sizeof *w);
    if (w == NULL)
        abort();
    w->lo = lo;
    w->hi = hi;
    w->next = next;
    return w;
}

int main(void)
{
    int size = __VERIFIER_nondet_int();
    int *data;
    struct window *list = NULL;

    if (size < 1 || size > 1000)
        return 0;
    data = calloc(size, sizeof *data);
    if (data == NULL)
        abort();
    while (__VERIFIER_nondet_int()) {
        int lo = __VERIFIER_nondet_int();
        int hi = __VERIFIER_nondet_int();
        if (lo >= 0 && lo <= hi && hi <= size)
            list = window_new(list, lo, hi);
    }
    /* every window loses its first element, if it has one */
    for (struct window *w = list; w != NULL; w = w->next)
        if (w->lo < w->hi)
            w->hi++;
    while (list != NULL) {
        struct window *w = list;
        list = w->next;
        for (int i = w->lo; i < w->hi; i++)
            data[i]++;
        free(w);
    }
    free(data);
    return 0;
}
