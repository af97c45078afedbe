// case: lang/initialised-members
// models: members that an initialiser says, or leaves out, have their values in spite of padding around them
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
struct record {
  char kind;
  int count;
  short flags;
  const char *name;
};
int main(void) {
  struct record table[3] = {{'a', 1, 2, "one"}, {'b', 3}, {.name = "three"}};
  assert(table[0].kind == 'a' && table[0].count == 1 && table[0].flags == 2 && table[0].name[0] == 'o');
  assert(table[1].kind == 'b' && table[1].count == 3 && table[1].flags == 0 && !table[1].name);
  assert(table[2].kind == 0 && table[2].count == 0 && table[2].name[1] == 'h');
  return 0;
}
