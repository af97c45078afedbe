// case: libc/two-names-of-an-option
// models: a short form of two names that mean the same is clear
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stddef.h>

static struct option options[] = {{"color", 0, NULL, 'c'}, {"colour", 0, NULL, 'c'}, {NULL, 0, NULL, 0}};
int main(void) {
  char *words[] = {"p", "--col", NULL};
  assert(getopt_long(2, words, "", options, NULL) == 'c');
  return 0;
}
