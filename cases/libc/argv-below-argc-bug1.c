// case: libc/argv-below-argc-bug1
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 8
int main(int argc, char **argv) {
  for (int i = 1; i <= argc; i++)
    if (argv[i][0] == '-')
      return 1;
  return 0;
}
