// case: smg-soundness/string-at-an-unknown-place
// models: a string of unknown length is copied to an unknown place of a block, which does not begin with it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 27

#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char word[6], copy[6];
    for (int i = 0; i < 5; i++)
        word[i] = __VERIFIER_nondet_char();
    word[5] = '\0';
    unsigned at = __VERIFIER_nondet_uint();
    if (at > 10)
        return 0;
    char *line = malloc(20);
    memset(line, 'x', 20);
    strcpy(line + at, word);
    /* at + strlen(word) characters */
    strcpy(copy, line);
    free(line);
    return copy[0];
}
