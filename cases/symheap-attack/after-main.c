// case: symheap-attack/after-main
// models: a function given to atexit runs after main
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 12

#include <stdlib.h>
static char *p;
static void late(void)
{
    free(p);
}
int main(void)
{
    p = malloc(1);
    atexit(late);
    free(p);
    return 0;
}
