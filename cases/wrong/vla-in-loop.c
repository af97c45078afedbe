// case: wrong/vla-in-loop
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 12
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

int main(void) { int *p = 0; for (int i = 1; i < 4; i++) { int v[i]; v[0] = 0; if (p && rare()) return *p; p = v; } return 0; }
