// case: libc/argv-option-bug1
// models: characters of a string are there up to its NUL
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 9
int main(int argc, char **argv) {
  char *first = argv[1];
  if (first && first[1] == 'h' && first[2] == 0)
    return 1;
  return argc > 1 && argv[argc] != 0;
}
