// case: libc/answers-after-close-bug1
// models: what was closed is no terminal
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15

#include <unistd.h>

int main(void)
{
    int t[1] = {0};
    int before = isatty(1);
    close(1);
    return t[before != isatty(1)];
}
