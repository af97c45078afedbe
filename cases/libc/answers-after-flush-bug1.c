// case: libc/answers-after-flush-bug1
// models: fflush writes out all streams, which may fail
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

#include <stdio.h>

int main(void)
{
    int t[1] = {0};
    printf("x");
    int before = ferror(stdout) != 0;
    fflush(NULL);
    return t[before != (ferror(stdout) != 0)];
}
