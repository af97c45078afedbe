// case: libc/parts-that-are-written-bug1
// models: writev reads each of its areas
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13

#include <sys/uio.h>

int main(void)
{
    struct iovec parts[2] = {{"ab", 2}, {"cd", 9}};
    return writev(1, parts, 2) < 0;
}
