// case: smg-soundness/constant-of-another-file
// models: what was learnt about a constant whose value is not known belongs to the configuration
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 18

extern int __VERIFIER_nondet_int(void);

extern const int limit;

int main(void) {
  int number;
  if (limit > 5)
    number = __VERIFIER_nondet_int();
  else
    number = __VERIFIER_nondet_int();
  if (limit > 5) number = *(int *)0;
  return number;
}
