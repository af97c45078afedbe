// case: symheap/strcmp-secret
// models: strcmp with a text
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 20

#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[24];
    for (int i = 0; i < 23; i++)
        text[i] = __VERIFIER_nondet_char();
    text[23] = 0;
    char *p = NULL;
    if (strcmp(text, "open sesame, at once!!") == 0)
        *p = 1;
    return 0;
}
