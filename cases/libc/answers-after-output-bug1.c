// case: libc/answers-after-output-bug1
// models: output to a stream may fail, and ferror says so afterwards
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15

#include <stdio.h>

int main(void)
{
    int t[1] = {0};
    int before = ferror(stderr) != 0;
    perror("x");
    return t[before != (ferror(stderr) != 0)];
}
