// case: confirm/leak-then-null
// models: after a leak an execution goes on: the null pointer that comes with it is told as well
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 24
// also: leak line 25

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *find(char *s, int c)
{
    while (*s != '\0' && *s != (char)c)
        s++;
    return *s == c ? s : NULL;
}

int main(void)
{
    char *text = malloc(1);
    text[0] = '\0';
    return *find(text, __VERIFIER_nondet_int());
}
