// case: templates-soundness/constructor
// models: code that runs before main
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int flag;
__attribute__((constructor)) static void early(void) { flag = 1; }
int main(void)
{
    assert(flag == 0);
}
