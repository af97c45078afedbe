// case: libc/long-option-without-its-argument
// models: optopt is the value of a long option that lacks its argument
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stddef.h>

static struct option options[] = {{"file", 1, NULL, 'f'}, {NULL, 0, NULL, 0}};
int main(void) {
  char *words[] = {"p", "--file", NULL};
  opterr = 0;
  assert(getopt_long(2, words, "f:", options, NULL) == '?' && optopt == 'f');
  return 0;
}
