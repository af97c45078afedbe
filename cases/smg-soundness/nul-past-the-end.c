// case: smg-soundness/nul-past-the-end
// models: a block of unknown size from calloc has no NUL left where it is one byte long
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 23

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static void *table[1000];

int main(void) {
    int size = __VERIFIER_nondet_int(), slot = __VERIFIER_nondet_int();
    if (size < 1 || size > 1000 || slot < 0 || slot > 999)
        return 0;
    table[slot] = malloc(4);
    char *text = calloc(size, 1);
    while (__VERIFIER_nondet_int())
        text[0] = 'a';
    int length = strlen(text);
    free(text);
    free(table[slot]);
    table[slot] = 0;
    return length > 3;
}
