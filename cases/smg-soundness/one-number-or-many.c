// case: smg-soundness/one-number-or-many
// models: nodes that share one number do not cover nodes with a number each
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 41

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

int main(void) {
  struct node *list = NULL;
  if (!__VERIFIER_nondet_int()) {
    int data = __VERIFIER_nondet_int();
    list = push(push(push(list, data), data), data);
    while (__VERIFIER_nondet_int())
      list = push(list, data);
  } else {
    list = push(list, __VERIFIER_nondet_int());
    list = push(push(list, __VERIFIER_nondet_int()), __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
      list = push(list, __VERIFIER_nondet_int());
  }
  while (__VERIFIER_nondet_int())
    ;
  int data = list->data;
  while (list) {
    struct node *next = list->next;
    /* the other branch gave different numbers */
    assert(list->data == data);
    free(list);
    list = next;
  }
  return 0;
}
