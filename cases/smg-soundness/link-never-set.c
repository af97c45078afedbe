// case: smg-soundness/link-never-set
// models: a node without its link joined with a list
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 24

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void) {
  struct node *list = NULL;
  if (__VERIFIER_nondet_int()) {
    while (__VERIFIER_nondet_int()) { struct node *node = malloc(sizeof *node); node->next = list; list = node; }
  } else {
    list = malloc(sizeof *list);
  }
  while (__VERIFIER_nondet_int())
    ;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
