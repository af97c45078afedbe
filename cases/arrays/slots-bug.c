// case: arrays/slots-bug
// models: a slot keeps the block that is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 25
// also: double-free line 29

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
        }
    }
    for (int i = 0; i < 100; i++)
        free(slot[i]);
    return 0;
}
