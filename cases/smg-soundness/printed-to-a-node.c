// case: smg-soundness/printed-to-a-node
// models: `snprintf` decides whether it prints at all before it looks at the node of a list that it prints to
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 41

#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

struct node {
    char name[16];
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    do {
        struct node *new = malloc(sizeof *new);
        new->name[0] = '\0';
        new->next = list;
        list = new;
    } while (__VERIFIER_nondet_int());
    struct node *at = list;
    while (at->next && __VERIFIER_nondet_int())
        at = at->next;
    at = at->next;
    unsigned long room = __VERIFIER_nondet_ulong();
    if (room > 16)
        room = 16;
    int number, *p = NULL;
    if (at) {
        snprintf(at->name, room, "abc");
        if (room)
            p = &number;
        /* without room nothing was printed */
        *p = 1;
    }
    while (list) {
        at = list->next;
        free(list);
        list = at;
    }
    return 0;
}
