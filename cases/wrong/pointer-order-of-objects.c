// case: wrong/pointer-order-of-objects
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

int x, y, z[1];
int main(void) { int k = &x < &y; int l = &x > &y; if (k && rare()) return z[1]; if (l && rare()) return z[2]; return 0; }
