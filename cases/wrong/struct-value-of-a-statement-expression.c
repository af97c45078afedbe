// case: wrong/struct-value-of-a-statement-expression
// target: lp64
// property: memsafety
// verdict: safe
struct S { int a[5]; };
static struct S make(int k) { struct S s = {{k}}; return s; }
int main(void) {
  int b[4] = {0};
  struct S s = ({ struct S t = make(1); t.a[1] = 2; t; });
  int x = ({ make(3); }).a[0];
  return b[s.a[0] + s.a[1] == x ? 3 : 4];
}
