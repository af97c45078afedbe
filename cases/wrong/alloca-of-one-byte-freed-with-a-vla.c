// case: wrong/alloca-of-one-byte-freed-with-a-vla
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 15
int main(void) {
  int n = 2;
  char *p;
  {
    int v[n];
    v[0] = 0;
    p = __builtin_alloca(1);
    *p = v[0];
  }
  return *p;
}
