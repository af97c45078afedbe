// case: lang/kept-literals-bug3
// models: what the clauses of `for` make ends with the loop
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 14
int main(void) {
  int s = 0;
  int *p = 0;
  for (int *q = (int[]){1, 2, 0}; *q; q++) {
    s += *q;
    p = q;
  }
  return *p - 2;
}
