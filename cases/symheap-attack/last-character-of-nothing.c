// case: symheap-attack/last-character-of-nothing
// models: the last character of an empty text
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char b[6];
    for (int i = 0; i < 5; i++)
        b[i] = __VERIFIER_nondet_char();
    b[5] = 0;
    if (b[strlen(b) - 1] == '\n')
        return 1;
    return 0;
}
