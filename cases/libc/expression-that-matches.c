// case: libc/expression-that-matches
// models: regcomp, regexec and regfree
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <regex.h>
#include <stddef.h>

int main(void) {
  regex_t expression;
  regmatch_t parts[3];
  assert(regcomp(&expression, "([a-z]+)=([0-9]*)", REG_EXTENDED) == 0);
  assert(expression.re_nsub == 2);
  assert(regexec(&expression, "  key=42;", 3, parts, 0) == 0);
  assert(parts[1].rm_so == 2 && parts[1].rm_eo == 5 && parts[2].rm_so == 6 && parts[2].rm_eo == 8);
  assert(regexec(&expression, "=", 0, NULL, 0) == REG_NOMATCH);
  regfree(&expression);
  assert(regcomp(&expression, "(", REG_EXTENDED) == REG_EPAREN);
  return 0;
}
