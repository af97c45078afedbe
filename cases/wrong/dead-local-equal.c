// case: wrong/dead-local-equal
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

int z[1];
static unsigned long f(void) { int x; return (unsigned long)&x; }
int main(void) { if (f() == f() && rare()) return z[1]; return 0; }
