// case: libc/scanf-saturated-bug1
// models: a negative number out of range saturates to ULONG_MAX as by strtoul
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 12
#include <assert.h>
#include <stdio.h>
int main(void) {
    unsigned x;
    sscanf("-18446744073709551616", "%u", &x);
    assert(x == 1);
    return 0;
}
