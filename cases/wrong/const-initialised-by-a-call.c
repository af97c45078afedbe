// case: wrong/const-initialised-by-a-call
// target: lp64
// property: memsafety
// verdict: safe
#include <string.h>
struct S { int a[8]; };
static struct S make(int k) { struct S s; memset(&s, k, sizeof s); return s; }
static int get(const struct S *s, const int *k) { return s->a[*k]; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    const struct S s = make(i), t = i ? make(1) : s;
    const int k = 1, v[3] = {1, 2, sum};
    const char *const text = "x";
    sum += get(&s, &k) + get(&t, v) + (text[0] == 'x');
  }
  return sum == 0;
}
