// case: wrong/member-of-a-temporary-in-a-loop
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 12
struct S { int a[6]; };
struct S get(int k) { struct S s = {{k}}; return s; }
int main(void) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    if (i > 0)
      sum += *p;
    p = get(i).a;
  }
  return sum;
}
