// case: libc/rest-of-a-sleep-bug1
// models: nanosleep that succeeds does not write the remaining time
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
#define _GNU_SOURCE
#include <time.h>
int main(void) {
    struct timespec q = {0, 1}, r = {0, -7};
    int a[3] = {0, 0, 0};
    if (nanosleep(&q, &r) == 0)
        return a[r.tv_nsec < 0 ? 5 : 0];
    return 0;
}
