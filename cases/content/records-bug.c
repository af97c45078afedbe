// case: content/records-bug
// models: a file becomes a folder once, and its content is never freed
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: leak line 84
// also: leak line 71
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next, *prev;
};

enum { FILE_RECORD = 1, FOLDER_RECORD = 2 };

struct record {
    int kind;
    struct link all;
    char *content;          /* of files */
    struct record *parent;  /* of folders: none, or a record that nobody owns */
};

#define record_of(l) ((struct record *)((char *)(l) - offsetof(struct record, all)))

static void add(struct link *head, struct link *node)
{
    node->next = head->next;
    node->prev = head;
    head->next->prev = node;
    head->next = node;
}

static void del(struct link *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
}

int main(void)
{
    struct link all = { &all, &all };
    struct record root = { FOLDER_RECORD, { NULL, NULL }, NULL, NULL };
    int files = 0;

    while (__VERIFIER_nondet_int()) {
        struct record *r = malloc(sizeof *r);
        if (r == NULL)
            abort();
        if (__VERIFIER_nondet_int()) {
            r->kind = FILE_RECORD;
            r->content = malloc(64);
            if (r->content == NULL)
                abort();
            r->content[63] = 0;
        } else {
            r->kind = FOLDER_RECORD;
            r->parent = &root;
        }
        add(&all, &r->all);
    }
    /* some leave the list early */
    for (struct link *l = all.next; l != &all;) {
        struct record *r = record_of(l);
        l = l->next;
        if (r->kind == FOLDER_RECORD && __VERIFIER_nondet_int()) {
            files += r->parent->kind;
            del(&r->all);
            free(r);
        } else if (r->kind == FILE_RECORD && files == 4) {
            r->kind = FOLDER_RECORD;
            r->parent = &root;
        } else if (r->kind == FILE_RECORD) {
            files += r->content[63];
        }
    }
    while (all.next != &all) {
        struct record *r = record_of(all.next);
        del(&r->all);
        if (r->kind == FILE_RECORD)
            free(r->content);
        free(r);
    }
    return files;
}
