// case: strings/printed-character
// models: a character that is printed may be NUL, but a letter is not
// target: lp64
// property: memsafety
// verdict: safe

#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[64];
    int letter = __VERIFIER_nondet_int(), number = __VERIFIER_nondet_int();
    if (letter < 97 || letter > 122)
        return 0;
    snprintf(text, sizeof text, "%d%c", number, letter);
    text[strlen(text) - 1] = 0;
    return 0;
}
