// case: libc/free-interior
// models: a pointer that was moved is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: invalid-free line 21

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *text = malloc(8);
    memset(text, ' ', 7);
    text[7] = 0;
    text[__VERIFIER_nondet_int() & 3] = 'x';
    while (*text == ' ')
        text++;
    free(text);
    return 0;
}
