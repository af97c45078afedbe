// case: wrong/error-function-not-called
// target: lp64
// property: unreach-call
// verdict: safe
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5 && x < 5)
    reach_error();
  return 0;
}
