// case: arrays/pointer-stack
// models: a stack of pointers in a fixed array
// target: lp64
// property: memsafety
// verdict: safe

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
            top--;
            free(stack[top]);
        }
    }
    while (top > 0) {
        top--;
        free(stack[top]);
    }
    return 0;
}
