// case: smg-soundness/recursion-three-deep
// models: a recursion leaks only in its fourth frame
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 19

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void descend(int depth, int limit)
{
    char *block = malloc(4);
    if (depth < limit)
        descend(depth + 1, limit);
    if (depth != 3)
        free(block);
}

int main(void)
{
    descend(0, __VERIFIER_nondet_int());
    return 0;
}
