// case: templates-soundness/element-overwritten
// models: an element that is written again through another index
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 22
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    a[(unsigned)__VERIFIER_nondet_int() % 100] = -1;
    int bad = 0;
    for (int i = 0; i < 100; i++)
        bad |= a[i] < 0;
    assert(!bad);
}
