// case: symheap-attack/by-value-not-by-reference
// models: a callee changes its copy only
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 20

#include <stdlib.h>
struct pair { char *p, *q; };
static void drop(struct pair s)
{
    free(s.p);
    s.p = 0;
}
int main(void)
{
    struct pair s = {malloc(1), 0};
    drop(s);
    if (s.p)
        s.p[0] = 1;
    return 0;
}
