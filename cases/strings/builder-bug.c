// case: strings/builder-bug
// models: text is added to a buffer that doubles
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 21
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);

struct text { char *at; size_t len, cap; };

static void add(struct text *t, char c) {
    if (t->len >= t->cap + 1) {
        t->cap = 2 * t->cap;
        t->at = realloc(t->at, t->cap);
        if (!t->at) abort();
    }
    t->at[t->len] = c;
    t->len++;
    t->at[t->len] = 0;
}

int main(void) {
    struct text t = { malloc(8), 0, 8 };
    if (!t.at) abort();
    t.at[0] = 0;
    for (int i = 0; i < 100000 && __VERIFIER_nondet_int(); i++)
        add(&t, 'z');
    free(t.at);
    return 0;
}
