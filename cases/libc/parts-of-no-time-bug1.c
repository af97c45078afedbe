// case: libc/parts-of-no-time-bug1
// models: a failing gmtime has already overwritten parts of the one struct tm (glibc)
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 16
#include <assert.h>
#include <limits.h>
#include <time.h>
int main(void) {
    time_t a = 0, big = LONG_MAX;
    struct tm *p = gmtime(&a);
    if (!p) return 0;
    int h = p->tm_hour, m = p->tm_min, s = p->tm_sec;
    if (gmtime(&big) == NULL)
        assert(p->tm_hour == h && p->tm_min == m && p->tm_sec == s);
    return 0;
}
