// case: wrong/kept-in-a-block-jumped-into
// target: lp64
// property: memsafety
// verdict: safe
int x;
int main(void) {
  int i = 0;
  goto in;
  {
    int *p;
in:
    p = &x;
again:
    *p = i;
    if (i++ < 3)
      goto again;
  }
  return x - 3;
}
