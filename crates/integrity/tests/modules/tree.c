// Two node types, one of them with a nested structure and an array of links.
#include <stdlib.h>

struct leaf { int value; struct leaf *next; };
struct pair { struct leaf *first, *second; };
struct tree { struct pair leaves; struct tree *child[2]; void *data; };

int ok_nested(struct tree *t)
{
    if (t == NULL || t->leaves.second == NULL)
        return 0;
    return t->leaves.second->value;
}

void ok_swap(struct tree *t)
{
    if (t != NULL) {
        struct tree *left = t->child[0];
        t->child[0] = t->child[1];
        t->child[1] = left;
    }
}

struct tree *ok_rotate(struct tree *t)
{
    struct tree *root;
    if (t == NULL || t->child[0] == NULL)
        return t;
    root = t->child[0];
    t->child[0] = root->child[1];
    root->child[1] = t;
    return root;
}

struct tree *bad_rotate(struct tree *t)
{
    struct tree *root;
    if (t == NULL)
        return t;
    root = t->child[0];
    t->child[0] = root->child[1];
    root->child[1] = t;
    return root;
}

void bad_type(struct tree *t)
{
    if (t != NULL)
        t->child[0] = (struct tree *)t->leaves.first;
}

void bad_index(struct tree *t, int i)
{
    if (t != NULL)
        t->child[i] = NULL;
}

int bad_data(struct tree *t)
{
    return t != NULL && ((struct leaf *)t->data)->value;
}

static void set_second(struct pair *p, struct leaf *l)
{
    p->second = l;
}

/* The link that is changed lies in a nested structure of another type. */
struct leaf *bad_stale(struct tree *t, struct leaf *l)
{
    if (t == NULL)
        return NULL;
    set_second(&t->leaves, (struct leaf *)t);
    return t->leaves.second;
}

int ok_depth(const struct tree *t)
{
    int a, b;
    if (t == NULL)
        return 0;
    a = ok_depth(t->child[0]);
    b = ok_depth(t->child[1]);
    return 1 + (a > b ? a : b);
}

struct tree *ok_find(struct tree *t, int way)
{
    while (t != NULL && t->child[0] != NULL)
        t = way ? t->child[1] : t->child[0];
    return t;
}
