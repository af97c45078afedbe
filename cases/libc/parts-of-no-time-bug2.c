// case: libc/parts-of-no-time-bug2
// models: a failing ctime has already overwritten parts of the one struct tm (glibc)
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 16
#include <assert.h>
#include <limits.h>
#include <time.h>
int main(void) {
    time_t a = 0, big = LONG_MAX;
    struct tm *p = localtime(&a);
    if (!p) return 0;
    int s = p->tm_sec;
    if (ctime(&big) == NULL)
        assert(p->tm_sec == s);
    return 0;
}
