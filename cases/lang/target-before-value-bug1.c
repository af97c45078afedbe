// case: lang/target-before-value-bug1
// models: the target of an assignment may be computed before the right side: through a global pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 26
#include <stdlib.h>
struct node { struct node *next; int n; };
static struct node *head;
static int pop(void)
{
    struct node *old = head;
    int n = old->n;
    head = old->next;
    free(old);
    return n;
}
int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->n = i;
        head = n;
    }
    head->n = pop();
    pop();
    return 0;
}
