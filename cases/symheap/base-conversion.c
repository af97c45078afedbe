// case: symheap/base-conversion
// models: six digits that make a number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 22

#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    unsigned n = 0;
    for (int i = 0; i < 6; i++) {
        char c = __VERIFIER_nondet_char();
        if (c < '0' || c > '9')
            return 0;
        n = n * 10 + (unsigned)(c - '0');
    }
    int cells[100];
    if (n >= 271828 && n <= 271928)
        cells[n - 271828] = 1;
    return 0;
}
