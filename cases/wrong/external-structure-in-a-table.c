// case: wrong/external-structure-in-a-table
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 10
struct S { int n; int a[]; };
extern struct S s;
struct S *table[2] = {0, &s};
int main(void) {
  table[1]->a[7000000] = 1;
  return 0;
}
