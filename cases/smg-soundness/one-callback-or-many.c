// case: smg-soundness/one-callback-or-many
// models: nodes that share one callback do not cover nodes with a callback each
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 47

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int (*call)(int); };

static int twice(int x) { return x + x; }
static int half(int x) { return x / 2; }

static int (*pick(void))(int) {
  return __VERIFIER_nondet_int() ? twice : half;
}

static struct node *push(struct node *list, int (*call)(int)) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->call = call;
  return node;
}

int main(void) {
  struct node *list = NULL;
  if (!__VERIFIER_nondet_int()) {
    int (*call)(int) = pick();
    list = push(push(push(list, call), call), call);
    while (__VERIFIER_nondet_int())
      list = push(list, call);
  } else {
    list = push(push(push(list, pick()), pick()), pick());
    while (__VERIFIER_nondet_int())
      list = push(list, pick());
  }
  while (__VERIFIER_nondet_int())
    ;
  int (*call)(int) = list->call;
  while (list) {
    struct node *next = list->next;
    /* the other branch gave different callbacks */
    assert(list->call == call);
    free(list);
    list = next;
  }
  return 0;
}
