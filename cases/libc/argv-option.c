// case: libc/argv-option
// models: characters of a string are there up to its NUL
// target: lp64
// property: memsafety
// verdict: safe
int main(int argc, char **argv) {
  char *first = argv[1];
  if (first && first[0] == '-' && first[1] == 'h' && first[2] == 0)
    return 1;
  return argc > 1 && argv[argc] != 0;
}
