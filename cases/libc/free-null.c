// case: libc/free-null
// models: free of a null pointer and of nothing else
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = NULL;
    if (__VERIFIER_nondet_int())
        p = malloc(1);
    free(p);
    free(NULL);
    return 0;
}
