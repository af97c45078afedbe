// case: templates-soundness/bytes-of-elements
// models: elements seen as bytes
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 21
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[100];
    memset(a, 0, sizeof a);
    ((unsigned char *)a)[(unsigned)__VERIFIER_nondet_int() % 400] = 1;
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum |= a[i];
    assert(sum == 0);
}
