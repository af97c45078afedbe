// case: wrong/const-array-and-structure
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: readonly-write line 7
struct S { int a[2]; int *p; };
static void put(int *p) { *p = 3; }
int main(void) {
  int x = 0;
  for (int i = 0; i < 3; i++) {
    const struct S s = {{i, x}, &x};
    *s.p = i;
    if (i == 2)
      put((int *)&s.a[1]);
  }
  return 0;
}
