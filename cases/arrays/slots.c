// case: arrays/slots
// models: slots at any index that are empty or hold a block
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct session { int user; };
static struct session *slot[100];
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (i < 0 || i >= 100)
            continue;
        if (__VERIFIER_nondet_int()) {
            if (!slot[i]) {
                slot[i] = malloc(sizeof(struct session));
                slot[i]->user = i;
            }
        } else if (slot[i]) {
            free(slot[i]);
            slot[i] = NULL;
        }
    }
    for (int i = 0; i < 100; i++)
        free(slot[i]);
    return 0;
}
