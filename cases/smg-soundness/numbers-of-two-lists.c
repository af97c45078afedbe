// case: smg-soundness/numbers-of-two-lists
// models: two segments whose nodes share one number each are merged: the numbers are not one
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 45

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

static struct node *push(struct node *list, int data) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->data = data;
  return node;
}

static struct node *build(int data) {
  struct node *list = NULL;
  list = push(push(push(list, data), data), data);
  while (__VERIFIER_nondet_int())
    list = push(list, data);
  return list;
}

int main(void) {
  struct node *first = build(__VERIFIER_nondet_int());
  struct node *second = build(__VERIFIER_nondet_int());
  struct node *last = first;
  while (last->next)
    last = last->next;
  last->next = second;
  second = NULL;
  last = NULL;
  while (__VERIFIER_nondet_int())
    ;
  int data = first->data;
  while (first) {
    struct node *next = first->next;
    /* holds in each of the two lists, but not in both together */
    assert(first->data == data);
    free(first);
    first = next;
  }
  return 0;
}
