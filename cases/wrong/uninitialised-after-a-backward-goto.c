// case: wrong/uninitialised-after-a-backward-goto
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 13
int x;
int main(void) {
  int i = 0;
again: ;
  int *p;
  if (i == 0)
    p = &x;
  *p = 1;
  if (i++ < 1)
    goto again;
  return 0;
}
