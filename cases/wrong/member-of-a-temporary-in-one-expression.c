// case: wrong/member-of-a-temporary-in-one-expression
// target: lp64
// property: memsafety
// verdict: safe
struct S { int a[4]; int n; };
struct S get(int k) { struct S s = {{k, k, k, k}, k}; return s; }
static int first(const int *p) { return *p; }
int g[3];
int main(void) {
  int *p, sum = 0;
  for (int i = 0; i < 2; i++)
    sum += first(get(i).a);
  sum += (p = get(1).a, *p);
  if (get(0).a[sum - 2] == 0)
    sum--;
  while (get(sum).a[0] > 1)
    sum--;
  return g[sum];
}
