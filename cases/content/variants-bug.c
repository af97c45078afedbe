// case: content/variants-bug
// models: the tag of a node says text once although the union holds a number again
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: invalid-free line 64
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum tag { NUMBER, TEXT, PAIR };

struct pair {
    char *first;
    char *second;
};

struct item {
    struct item *next;
    enum tag tag;
    union {
        long number;
        char *text;
        struct pair *pair;
    } u;
};

static void *get(size_t size)
{
    void *block = malloc(size);
    if (block == NULL)
        abort();
    return block;
}

static struct item *make(enum tag tag)
{
    struct item *item = get(sizeof *item);
    item->tag = tag;
    switch (tag) {
    case NUMBER:
        item->u.number = __VERIFIER_nondet_int();
        break;
    case TEXT:
        item->u.text = get(4);
        strcpy(item->u.text, "abc");
        break;
    case PAIR:
        item->u.pair = get(sizeof *item->u.pair);
        item->u.pair->first = get(1);
        item->u.pair->second = get(1);
        break;
    }
    return item;
}

static void clear(struct item *item)
{
    switch (item->tag) {
    case NUMBER:
        break;
    case TEXT:
        free(item->u.text);
        break;
    case PAIR:
        free(item->u.pair->first);
        free(item->u.pair->second);
        free(item->u.pair);
        break;
    }
}

int main(void)
{
    struct item *list = NULL;
    long sum = 0;

    while (__VERIFIER_nondet_int()) {
        int choice = __VERIFIER_nondet_int();
        struct item *item = make(choice < 0 ? NUMBER : choice == 0 ? TEXT : PAIR);
        item->next = list;
        list = item;
    }
    for (struct item *i = list; i != NULL; i = i->next) {
        if (i->tag == TEXT && __VERIFIER_nondet_int()) {
            /* from now on a number */
            long first = i->u.text[0];
            clear(i);
            i->tag = NUMBER;
            i->u.number = first;
            if (first == 'a' && __VERIFIER_nondet_int())
                i->tag = TEXT;
        }
        if (i->tag == NUMBER)
            sum ^= i->u.number;
    }
    while (list != NULL) {
        struct item *next = list->next;
        clear(list);
        free(list);
        list = next;
    }
    return sum != 0;
}
