// case: smg-soundness/blocks-of-two-lists
// models: two segments whose nodes share one block each are merged: the blocks are not one
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 45

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int *block; };

static struct node *push(struct node *list, int *block) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->block = block;
  return node;
}

static struct node *build(void) {
  struct node *list = NULL;
  int *block = malloc(sizeof *block);
  list = push(push(push(list, block), block), block);
  while (__VERIFIER_nondet_int())
    list = push(list, block);
  return list;
}

int main(void) {
  struct node *first = build();
  struct node *second = build();
  struct node *last = first;
  while (last->next)
    last = last->next;
  last->next = second;
  second = NULL;
  last = NULL;
  while (__VERIFIER_nondet_int())
    ;
  int *block = first->block;
  while (first) {
    struct node *next = first->next;
    /* the block of the second list is held by its nodes only */
    free(first);
    first = next;
  }
  free(block);
  return 0;
}
