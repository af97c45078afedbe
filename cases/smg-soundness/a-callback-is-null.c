// case: smg-soundness/a-callback-is-null
// models: a node without a callback among nodes with different ones
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 42

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int (*call)(int); };

static int twice(int x) { return x + x; }
static int half(int x) { return x / 2; }

static struct node *push(struct node *list, int (*call)(int)) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->call = call;
  return node;
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      list = push(list, twice);
      break;
    case 1:
      list = push(list, half);
      break;
    case 2:
      list = push(list, NULL);
      break;
    }
  }
  while (list) {
    struct node *next = list->next;
    if (list->call != twice)
      list->call(1);
    free(list);
    list = next;
  }
  return 0;
}
