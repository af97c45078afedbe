// case: libc/strdup-leak
// models: a copy made by strdup is lost when the function returns early
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 20

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int count(const char *text)
{
    char *copy = strdup(text);
    int n = 0;
    for (char *p = copy; *p; p++)
        n += *p == 'a';
    if (__VERIFIER_nondet_int() == 17)
        copy = NULL;
    free(copy);
    return n;
}

int main(void)
{
    return count("banana") - 3;
}
