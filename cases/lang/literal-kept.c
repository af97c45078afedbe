// case: lang/literal-kept
// models: addresses of one string literal are equal, and so are those of the name of a function
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
static const char *greeting(void) {
  return "hello";
}
int main(void) {
  const char *first = greeting();
  const char *second = greeting();
  assert(first == second);
  const char *name = __func__;
  assert(name == __func__);
  return 0;
}
