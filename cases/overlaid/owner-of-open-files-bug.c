// case: overlaid/owner-of-open-files-bug
// models: files in the list of their directory and on a ring of open ones; the directories are gone before their open files are closed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 42

#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next, *prev; };

struct directory {
    struct link siblings;
    struct link files;
};

struct file {
    struct link in_directory;
    struct link open;
    long size;
};

#define container(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static struct link root, opened;

static void init(struct link *l) { l->next = l->prev = l; }

static void append(struct link *head, struct link *l)
{
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}

static void take(struct link *l)
{
    l->next->prev = l->prev;
    l->prev->next = l->next;
}

static void make_directory(void)
{
    struct directory *d = malloc(sizeof *d);
    init(&d->files);
    append(&root, &d->siblings);
}

static void make_file(struct directory *d)
{
    struct file *f = calloc(1, sizeof *f);
    append(&d->files, &f->in_directory);
    append(&opened, &f->open);
}

/* the oldest file is closed and removed, in whatever directory it is */
static void close_oldest(void)
{
    if (opened.next == &opened)
        return;
    struct file *f = container(opened.next, struct file, open);
    take(&f->open);
    take(&f->in_directory);
    free(f);
}

int main(void)
{
    init(&root);
    init(&opened);
    while (__VERIFIER_nondet_int()) {
        make_directory();
        for (struct link *l = root.next; l != &root; l = l->next)
            if (__VERIFIER_nondet_int())
                make_file((struct directory *)l);
        if (__VERIFIER_nondet_int())
            close_oldest();
    }
    while (root.next != &root) {
        struct directory *d = (struct directory *)root.next;
        take(&d->siblings);
        free(d);
    }
    while (opened.next != &opened)
        close_oldest();
    return 0;
}
