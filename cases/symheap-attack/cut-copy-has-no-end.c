// case: symheap-attack/cut-copy-has-no-end
// models: strncpy does not end a long text
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char from[8], to[4];
    for (int i = 0; i < 7; i++)
        from[i] = __VERIFIER_nondet_char();
    from[7] = 0;
    strncpy(to, from, 4);
    return (int)strlen(to);
}
