// case: wrong/assume-long
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

extern void __VERIFIER_assume(long);
int a[2];
int main(void) { long x = 1L << 32; __VERIFIER_assume(x); return rare() ? a[2] : 0; }
