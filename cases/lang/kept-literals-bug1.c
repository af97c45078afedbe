// case: lang/kept-literals-bug1
// models: the body of a loop is left before its condition is computed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 12
int main(void) {
  int *p;
  int n = 0;
  do {
    p = &(int){n++};
  } while (*p < 2);
  return 0;
}
