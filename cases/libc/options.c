// case: libc/options
// models: an option with an argument sets optarg
// target: lp64
// property: memsafety
// verdict: safe
#include <getopt.h>
#include <string.h>
int main(int argc, char **argv) {
  static const struct option table[] = {{"size", required_argument, 0, 's'}, {0, 0, 0, 0}};
  int option;
  unsigned long length = 0;
  while ((option = getopt_long(argc, argv, "qs:", table, 0)) != -1)
    if (option == 's')
      length += strlen(optarg);
  return length > 9;
}
