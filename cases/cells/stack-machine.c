// case: cells/stack-machine
// models: a stack that begins anywhere
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
static int stack[32];
int main(void)
{
    unsigned top = __VERIFIER_nondet_uint() % 24;
    int a[8] = {0};
    stack[top++] = 2;
    stack[top++] = 3;
    stack[top++] = 1;
    int x = stack[--top], y = stack[--top];
    stack[top++] = x + y;
    y = stack[--top];
    x = stack[--top];
    return a[x + y];
}
