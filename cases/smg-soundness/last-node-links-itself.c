// case: smg-soundness/last-node-links-itself
// models: the end of a doubly linked list is a node that leads to itself
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 27

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  list->next = list;
  list->prev = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->prev = NULL;
    list->prev = node;
    list = node;
  }
  while (list->next != list) { list = list->next; free(list->prev); }
  free(list);
  free(list);
  return 0;
}
