// case: libc/errno-of-a-text-bug1
// models: a number in a text is too large, and errno says so
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 19

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

int main(void)
{
    int value = 0, *p = &value;
    errno = 0;
    strtod("1e400", NULL);
    if (errno == ERANGE)
        p = NULL;
    return *p;
}
