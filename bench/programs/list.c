/* A list of 200 nodes is built, reversed, sorted by insertion and freed, again and again. */
#include <stdlib.h>

struct node {
    unsigned key;
    struct node *next;
};

static struct node *build(unsigned length, unsigned seed)
{
    struct node *list = NULL;

    while (length-- > 0) {
        struct node *node = malloc(sizeof *node);

        if (node == NULL)
            abort();
        seed = seed * 1103515245u + 12345u;
        node->key = seed >> 16;
        node->next = list;
        list = node;
    }
    return list;
}

static struct node *reverse(struct node *list)
{
    struct node *result = NULL;

    while (list != NULL) {
        struct node *next = list->next;

        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static struct node *sort(struct node *list)
{
    struct node *sorted = NULL;

    while (list != NULL) {
        struct node *node = list, **place = &sorted;

        list = list->next;
        while (*place != NULL && (*place)->key < node->key)
            place = &(*place)->next;
        node->next = *place;
        *place = node;
    }
    return sorted;
}

int main(void)
{
    unsigned total = 0;

    for (unsigned round = 0; round < 300; round++) {
        struct node *list = sort(reverse(build(200, round)));

        while (list != NULL) {
            struct node *next = list->next;

            total = total * 31 + list->key;
            free(list);
            list = next;
        }
    }
    return total == 0;
}
