// case: symheap-attack/alloca-outlives-its-function
// models: memory of alloca after the return
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 19

#include <alloca.h>
static int *get(int n)
{
    int *p = alloca(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    return p;
}
int main(void)
{
    int *p = get(3);
    return p[2];
}
