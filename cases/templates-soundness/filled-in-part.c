// case: templates-soundness/filled-in-part
// models: memset of a part of an array
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
    char a[200];
    memset(a, 1, sizeof a);
    memset(a + 10, 0, 5);
    int zeros = 0;
    for (int i = 0; i < 200; i++)
        zeros += a[i] == 0;
    assert(zeros == 0 || __VERIFIER_nondet_int() == 0);
}
