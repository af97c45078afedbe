// case: symheap-attack/text-without-an-end
// models: four characters that are not zero
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15

#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char b[4];
    for (int i = 0; i < 4; i++)
        b[i] = __VERIFIER_nondet_char();
    return (int)strlen(b);
}
