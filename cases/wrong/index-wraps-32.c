// case: wrong/index-wraps-32
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

int z[4];
int main(void) { unsigned i = 0x40000004u; if (rare()) return z[i]; return z[i - 1]; }
