// case: smg-soundness/fill-behind-the-least-size
// models: memset of unknown length on a block of unknown size also hits what lies behind the least size
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19

#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    char *block = malloc(n);
    if (n >= 8) { block[4] = 1; memset(block, 0, n); }
    if (n >= 8) assert(block[4] == 1);
    free(block);
    return 0;
}
