// case: wrong/compound-literal-call
// target: lp64
// property: memsafety
// verdict: safe
struct S { int a, b; };
static int f(struct S *s) { return s->a; }
int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(&(struct S){i, 2}); return s - 3; }
