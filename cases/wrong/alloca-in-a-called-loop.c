// case: wrong/alloca-in-a-called-loop
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
static int f(int n) {
  char *last = 0, *p = 0;
  int z[1] = {0};
  while (n--) {
    last = p;
    p = __builtin_alloca(1);
    *p = n;
  }
  return last == p ? 0 : z[*last];
}
int main(void) { return f(2); }
