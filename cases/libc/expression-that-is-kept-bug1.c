// case: libc/expression-that-is-kept-bug1
// models: what regcomp makes is freed by regfree
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 15
#include <regex.h>
#include <stddef.h>

int main(void) {
  regex_t expression;
  if (regcomp(&expression, "a[bc]*d", 0) != 0)
    return 1;
  return regexec(&expression, "xabcd", 0, NULL, 0);
}
