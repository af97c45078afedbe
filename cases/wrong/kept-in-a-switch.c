// case: wrong/kept-in-a-switch
// target: lp64
// property: memsafety
// verdict: safe
int x;
int main(void) {
  int n = 0, i = 3;
  switch (n) {
    int *p;
  case 0:
    p = &x;
    while (i--) {
      switch (i) {
      case 2: *p = 1; break;
      default: *p += 1;
      }
    }
  }
  return x - 3;
}
