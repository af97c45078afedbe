// case: wrong/error-function-with-a-body
// target: ilp32
// property: unreach-call
// verdict: unsafe
// error: assertion-failure line 10
extern void abort(void);
void __VERIFIER_error(void) { abort(); }
static void check(int c) {
  if (!c)
    __VERIFIER_error();
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void (*f)(int) = check;
  f(__VERIFIER_nondet_int() != 4711);
  return 0;
}
