// case: libc/argv-below-argc
// target: lp64
// property: memsafety
// verdict: safe
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      return 1;
  return 0;
}
