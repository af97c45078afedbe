// case: libc/owner-of-a-descriptor-bug1
// models: F_GETOWN gives a negative number for a process group
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 15
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int p[2];
    if (pipe(p)) return 0;
    fcntl(p[0], F_SETOWN, -getpid());
    assert(fcntl(p[0], F_GETOWN) >= -1);
    return 0;
}
