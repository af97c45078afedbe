// case: lang/kept-literals-bug2
// models: a statement below `if` is a block, without braces too
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 11
int main(int argc, char **argv) {
  int *p = 0;
  if (argc < 100)
    p = (int[]){1, 2, 3};
  return p ? p[1] - 2 : 0;
}
