// case: wrong/temporary-handed-on
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
struct S { char *p; long a, b, c; };
static struct S mk(void) { struct S s; s.p = malloc(4); s.a = s.b = s.c = 0; return s; }
static struct S same(struct S s) { return s; }
static void drop(struct S s) { free(s.p); }
int main(void) {
  for (int i = 0; i < 3; i++)
    drop(same(same(mk())));
  struct S s = same(mk());
  free(s.p);
  return 0;
}
