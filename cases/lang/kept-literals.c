// case: lang/kept-literals
// models: addresses of compound literals are kept inside their blocks
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
struct s {
  int a[3];
  struct s *n;
};
#define LIST(x) (&(struct s){.a = {x}})
static int get(struct s *p) {
  return p->a[0];
}
int main(void) {
  int total = 0;
  for (struct s *p = &(struct s){.a = {1}}, *q = p; q; q = q->n)
    total += get(q);
  for (int i = 0; i < 3; i++) {
    int *v = (struct s){.a = {i, 2}}.a;
    total += v[1];
  }
  while (get(LIST(total)) < 12)
    total++;
  switch (total) {
  case 12: {
    char *c = (char[]){"abc"};
    total += c[0] == 'a';
  }
  }
  struct s *kept = LIST(5);
  kept->n = LIST(6);
  if (total > 3) {
    int *z = &(int){3};
    total += *z;
  } else
    total += *&(int){4};
  int k = ({
    int *y = (int[]){1, 2};
    y[1];
  });
  do {
    int *y = &(int){k};
    k -= *y;
  } while (k > 0);
  goto in;
  {
    int *j;
  in:
    j = &(int){9};
    total += *j;
  }
  assert(kept->n->a[0] == 6 && get(kept) == 5 && total == 25);
  return 0;
}
