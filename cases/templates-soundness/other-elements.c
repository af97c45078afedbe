// case: templates-soundness/other-elements
// models: a loop that leaves one element of an array out
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 21
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int table[100];
int main(void)
{
    int bad = 0;
    for (int i = 0; i < 99; i++)
        table[i] = 1;
    for (int i = 0; i < 100; i++)
        bad |= table[i] != 1;
    assert(!bad || __VERIFIER_nondet_int() == 0);
}
