// case: libc/text-of-the-last-error-bug1
// models: strerror of a number that is not known
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 17

#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[20];
    FILE *file = fopen("input", "r");
    if (!file) {
        strcpy(text, strerror(errno));
        return text[0];
    }
    fclose(file);
    return 0;
}
