// case: libc/scanf-nan-bug1
// models: glibc takes only nan (n == 3)
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>
#include <stdio.h>
int main(void) {
    float v;
    int n = -7;
    sscanf("nan(12)", "%f%n", &v, &n);
    assert(n == 7);
    return 0;
}
