// case: symheap-attack/jump-over-a-free
// models: longjmp leaves a function that would have freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 14

#include <setjmp.h>
#include <stdlib.h>
static jmp_buf there;
static void work(void)
{
    char *p = malloc(3);
    longjmp(there, 1);
    free(p);
}
int main(void)
{
    if (setjmp(there) == 0)
        work();
    return 0;
}
