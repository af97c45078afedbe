// case: symheap/hash-of-word
// models: a hash of four letters
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 22

#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    unsigned h = 5381;
    for (int i = 0; i < 4; i++) {
        char c = __VERIFIER_nondet_char();
        if (c < 'a' || c > 'z')
            return 0;
        h = h * 33 + (unsigned)c;
    }
    char *p = malloc(8);
    if (h == 2090756197u)               /* "test" */
        p = NULL;
    free(p);
    return 0;
}
