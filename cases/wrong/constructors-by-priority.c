// case: wrong/constructors-by-priority
// target: lp64
// property: memsafety
// verdict: safe
int *p, x;
__attribute__((constructor(202))) static void b(void) { *p = 7; }
__attribute__((constructor(101))) static void a(void) { p = &x; }
__attribute__((constructor)) static void c(void) { p = 0; }
int main(void) { return x == 7 && !p ? 0 : *p; }
