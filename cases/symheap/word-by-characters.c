// case: symheap/word-by-characters
// models: a word of eight letters, one comparison after the other
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 21

#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    const char *word = "password";
    char *p = malloc(4);
    int right = 0;
    for (int i = 0; i < 8; i++)
        if (__VERIFIER_nondet_char() == word[i])
            right++;
    if (right == 8)
        free(p);
    free(p);
    return 0;
}
