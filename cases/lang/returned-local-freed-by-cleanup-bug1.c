// case: lang/returned-local-freed-by-cleanup-bug1
// models: `return` copies a small structure before the function of the attribute `cleanup` changes it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 21
#include <stdlib.h>
struct box { int *p; };
static void drop(struct box *b) { free(b->p); b->p = 0; }
static struct box make(int k)
{
    if (k) {
        __attribute__((cleanup(drop))) struct box b = { malloc(sizeof(int)) };
        return b;
    }
    return (struct box){ 0 };
}
int main(void)
{
    struct box b = make(1);
    free(b.p);
    return 0;
}
