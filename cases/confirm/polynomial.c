// case: confirm/polynomial
// models: the keys of a list as the digits of a number that is one value in four billion
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 28

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; unsigned key; };

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *new = malloc(sizeof *new);
        new->key = __VERIFIER_nondet_int();
        new->next = list;
        list = new;
    }
    unsigned sum = 0;
    for (struct node *p = list; p; p = p->next)
        sum = sum * 31 + p->key;
    int table[10] = {0};
    if (sum == 777777 && list->key < 1000)
        if (list->key != 3)
            table[list->key & 15] = 1;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return table[0];
}
