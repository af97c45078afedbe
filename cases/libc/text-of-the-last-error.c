// case: libc/text-of-the-last-error
// models: strerror of a number that is not known
// target: lp64
// property: memsafety
// verdict: safe

#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *file = fopen("input", "r");
    if (!file) {
        fprintf(stderr, "input: %s\n", strerror(errno));
        return 1;
    }
    fclose(file);
    return 0;
}
