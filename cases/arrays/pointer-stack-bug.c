// case: arrays/pointer-stack-bug
// models: the top stays when it is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 25
// also: double-free line 30
// also: use-after-free line 25

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { int value; };
int main(void)
{
    struct item *stack[64];
    int top = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (top < 64) {
                stack[top] = malloc(sizeof(struct item));
                stack[top]->value = top;
                top++;
            }
        } else if (top > 0) {
            free(stack[top - 1]);
        }
    }
    while (top > 0) {
        top--;
        free(stack[top]);
    }
    return 0;
}
