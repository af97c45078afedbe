// case: libc/literal-write
// models: a string literal is changed through strtok-like code
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 14

#include <string.h>

static char *cut(char *text, char at)
{
    char *place = strchr(text, at);
    if (place)
        *place = 0;
    return text;
}

int main(void)
{
    char writable[] = "key=value";
    char *literal = "key=value";
    cut(writable, '=');
    cut(literal, ';');
    return cut(literal, '=') == 0;
}
