// case: smg/tags-apart
// models: a list of ones, then twos, then a three; the walk ends at the three without asking for null
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int tag; struct node *next; };

static struct node *push(struct node *list, int tag) {
  struct node *node = malloc(sizeof *node);
  node->tag = tag;
  node->next = list;
  return node;
}

int main(void) {
  struct node *list = push(NULL, 3);
  while (__VERIFIER_nondet_int())
    list = push(list, 2);
  while (__VERIFIER_nondet_int())
    list = push(list, 1);
  struct node *at = list;
  while (at->tag == 1)
    at = at->next;
  while (at->tag == 2)
    at = at->next;
  at->tag = 0;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
