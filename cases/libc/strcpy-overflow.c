// case: libc/strcpy-overflow
// models: strcpy into a block that has no room for the 0 at the end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    char *p = malloc(strlen(text));
    strcpy(p, text);
    return p;
}

int main(void)
{
    char *p = copy("heap");
    free(p);
    return 0;
}
