// case: libc/errno-of-a-root-bug1
// models: a root of a negative number sets errno
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 20

#include <errno.h>
#include <math.h>
#include <stddef.h>

int main(void)
{
    volatile double number = -1;
    int value = 0, *p = &value;
    errno = 0;
    number = sqrt(number);
    if (errno == EDOM)
        p = NULL;
    return *p;
}
