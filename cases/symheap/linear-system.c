// case: symheap/linear-system
// models: three equations with three unknowns
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 18

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000 || y < -1000 || y > 1000 || z < -1000 || z > 1000)
        return 0;
    int *p = NULL;
    if (3 * x + 2 * y - z == 1 && 2 * x - 2 * y + 4 * z == -2 && -2 * x + y - 2 * z == 0)
        *p = 1;
    return 0;
}
