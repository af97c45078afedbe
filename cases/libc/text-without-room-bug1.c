// case: libc/text-without-room-bug1
// models: glibc gives EINVAL for an unknown number, also where there is no room
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>
#include <errno.h>
#include <stddef.h>
extern int __xpg_strerror_r(int, char *, size_t);
int main(void) {
    char b[4];
    assert(__xpg_strerror_r(9999, b, 0) == ERANGE);
    return 0;
}
