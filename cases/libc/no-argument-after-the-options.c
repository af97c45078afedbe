// case: libc/no-argument-after-the-options
// models: every call of getopt sets optarg anew
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stddef.h>

int main(void) {
  char *words[] = {"p", "-b", "x", NULL};
  while (getopt(3, words, "ab:") != -1)
    ;
  assert(optarg == NULL);
  return 0;
}
