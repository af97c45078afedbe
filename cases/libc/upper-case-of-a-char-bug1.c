// case: libc/upper-case-of-a-char-bug1
// models: toupper of glibc gives 228 for -28
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
extern int toupper(int);
extern signed char __VERIFIER_nondet_schar(void);
int main(void) {
  int sign[2] = {0, 0}, c = __VERIFIER_nondet_schar();
  return c < -1 ? sign[toupper(c) < 0 ? 1 : 2] : 0;
}
