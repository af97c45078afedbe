// case: strings/printed-character-bug
// models: a character that is printed may be NUL, and the string is shorter than what was printed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[64];
    int letter = __VERIFIER_nondet_int(), number = __VERIFIER_nondet_int();
    snprintf(text, sizeof text, "%c%d", letter, number);
    text[strlen(text) - 1] = 0;
    return 0;
}
