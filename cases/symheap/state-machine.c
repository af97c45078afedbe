// case: symheap/state-machine
// models: a protocol of five messages in the right order
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 24

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *session = NULL;
    int state = 0;
    for (int i = 0; i < 6; i++) {
        int message = __VERIFIER_nondet_int();
        if (state == 0 && message == 1001)
            state = 1, session = malloc(8);
        else if (state == 1 && message == 2417)
            state = 2;
        else if (state == 2 && message == -77)
            state = 3, free(session);
        else if (state == 3 && message == 31337) {
            free(session);
            return 0;
        } else
            break;
    }
    if (state == 1 || state == 2)
        free(session);
    return 0;
}
