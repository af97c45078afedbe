// case: libc/scanf-saturated
// models: the correct twin of sscanf-negative-saturation
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    unsigned x;
    sscanf("-18446744073709551616", "%u", &x);
    assert(x == 0xffffffffu);
    return 0;
}
