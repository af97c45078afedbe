// case: libc/option-without-its-argument
// models: optind stays in the command line where an argument is missing
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stddef.h>

int main(void) {
  char *words[] = {"p", "-a", NULL};
  opterr = 0;
  while (getopt(2, words, "a:") != -1)
    ;
  assert(optind == 2);
  return 0;
}
