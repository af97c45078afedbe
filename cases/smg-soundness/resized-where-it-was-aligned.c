// case: smg-soundness/resized-where-it-was-aligned
// models: a block that is seen from an aligned address is resized where that is its beginning
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 20

#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *raw = malloc(400);
    char *p = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    if (p == raw) {
        int x = 1;
        *(int **)p = &x;
        *(int **)(p + 64) = NULL;
        char *q = realloc(p, 400);
        int y = **(int **)(q + 64);
        free(q);
        return y;
    }
    free(raw);
    return 0;
}
