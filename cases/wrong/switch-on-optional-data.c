// case: wrong/switch-on-optional-data
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; int *d; };
int main(void) {
  struct n *l = 0;
  while (__VERIFIER_nondet_int()) {
    struct n *x = malloc(sizeof *x);
    x->next = l;
    x->d = __VERIFIER_nondet_int() ? malloc(4) : 0;
    l = x;
  }
  while (l) {
    struct n *x = l->next;
    switch ((unsigned long)l->d) {
    case 0: break;
    case 1: case 2: break;
    default: *l->d = 2;
    }
    free(l->d);
    free(l);
    l = x;
  }
  return 0;
}
