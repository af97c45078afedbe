//! Programs that show deliberate faults.

/// Unsafe programs for faults that no case shows.
pub const EXTRA: [(&str, &str); 20] = [
    (
        "before an aligned address",
        "#include <stdlib.h>
        #include <stdint.h>
        int main(void) {
            char *block = malloc(256);
            char *aligned = (char *)(((uintptr_t)block + 71) & ~(uintptr_t)63);
            aligned[-64] = 1;
            free(block);
            return 0;
        }",
    ),
    (
        "a byte before an aligned block",
        "#include <stdlib.h>
        #include <stdint.h>
        int main(void) {
            char *block = malloc(256);
            char *aligned = (char *)(((uintptr_t)block + 71) & ~(uintptr_t)63);
            aligned[-17] = 1;
            free(block);
            return 0;
        }",
    ),
    (
        "quotients of neighbours",
        "unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
            char table[3];
            unsigned n = __VERIFIER_nondet_uint();
            if (n > 47) return 0;
            table[n / 16] = 1;
            table[(n + 1) / 16] = 1;
            return 0;
        }",
    ),
    (
        "last entry of a table",
        "unsigned __VERIFIER_nondet_uint(void);
        int one, two;
        int main(void) {
            int *table[3] = { &one, &two, 0 };
            unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
            if (i > n || n > 2) return 0;
            return *table[i];
        }",
    ),
    (
        "one byte behind the end",
        "#include <stdlib.h>
        int main(void) {
            char *block = malloc(4);
            block[4] = 1;
            free(block);
            return 0;
        }",
    ),
    (
        "block freed twice",
        "#include <stdlib.h>
        char *block;
        int main(void) {
            block = malloc(4);
            free(block);
            free(block);
            return 0;
        }",
    ),
    (
        "memory used again",
        "#include <stdlib.h>
        int main(void) {
            char *old = malloc(4);
            free(old);
            char *new = malloc(4);
            if (old == new) *(int *)0 = 1;
            free(new);
            return 0;
        }",
    ),
    (
        "copy of a part never written",
        "#include <assert.h>
        struct pair { int first, second; };
        int main(void) {
            struct pair from, to;
            from.first = 0;
            to = from;
            assert(((char *)&to)[4] == 0);
            return 0;
        }",
    ),
    (
        "a string without its end",
        "#include <stdlib.h>
        #include <string.h>
        int main(int argc, char **argv) {
            char *text = strdup(argv[0]);
            size_t length = strlen(text);
            text[length] = 'x';
            size_t again = strlen(text);
            free(text);
            return again != length;
        }",
    ),
    (
        "one of many in a crowd",
        "#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        #define C(i) case i: x = i; break;
        #define TEN(i) C(i) C(i + 1) C(i + 2) C(i + 3) C(i + 4) C(i + 5) C(i + 6) C(i + 7) C(i + 8) C(i + 9)
        int main(void) {
            int x;
            switch (__VERIFIER_nondet_int()) {
            TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50)
            default: x = -1;
            }
            assert(x != 30);
            return 0;
        }",
    ),
    (
        "a list as long as another one",
        "#include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        static struct node *put(struct node *list) {
            struct node *node = malloc(sizeof *node);
            node->next = list;
            return node;
        }
        static struct node *drop(struct node *list) {
            while (list) {
                struct node *next = list->next;
                free(list);
                list = next;
            }
            return list;
        }
        int main(void) {
            struct node *a = 0, *b = 0;
            while (__VERIFIER_nondet_int()) {
                a = put(a);
                b = put(b);
            }
            a = drop(a);
            if (b) *(int *)0 = 1;
            return 0;
        }",
    ),
    (
        "a list whose nodes break their bounds",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int lo, hi; struct node *next; };
        struct list { struct node *next; } *head;
        static struct node *put(void) {
            struct node *node = malloc(sizeof *node);
            node->lo = __VERIFIER_nondet_int();
            node->hi = __VERIFIER_nondet_int();
            node->next = head->next;
            head->next = node;
            return node;
        }
        int main(void) {
            head = malloc(sizeof *head);
            head->next = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *node = put();
                if (node->lo > node->hi) abort();
            }
            while (__VERIFIER_nondet_int())
                put();
            for (struct node *node = head->next; node; node = node->next)
                assert(node->lo <= node->hi);
            return 0;
        }",
    ),
    (
        "blocks of a lost array",
        "#include <stdlib.h>
        unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint();
            if (n < 10 || n > 100) return 0;
            char **all = calloc(n, sizeof *all);
            for (unsigned i = 0; i < n; i++)
                all[i] = malloc(1);
            free(all);
            return 0;
        }",
    ),
    (
        "a copy of a block with an array",
        "#include <assert.h>
        #include <stdlib.h>
        unsigned __VERIFIER_nondet_uint(void);
        struct slots { char *at[8]; };
        int main(void) {
            unsigned i = __VERIFIER_nondet_uint();
            if (i > 7) return 0;
            struct slots *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
            char *block = malloc(1);
            a->at[i] = block;
            *b = *a;
            b->at[i] = 0;
            assert(a->at[i] == 0);
            free(block);
            free(a);
            free(b);
            return 0;
        }",
    ),
    (
        "a list in no order",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int key; struct node *next; };
        int main(void) {
            struct node *list = 0;
            int any = __VERIFIER_nondet_int();
            while (__VERIFIER_nondet_int()) {
                struct node *node = malloc(sizeof *node);
                node->key = __VERIFIER_nondet_int();
                
                node->next = list;
                list = node;
            }
            while (list) {
                struct node *next = list->next;
                if (next) assert(list->key <= next->key);
                free(list);
                list = next;
            }
            return 0;
        }",
    ),
    (
        "a list in the opposite order",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int key; struct node *next; };
        int main(void) {
            struct node *list = 0;
            int any = __VERIFIER_nondet_int();
            while (__VERIFIER_nondet_int()) {
                struct node *node = malloc(sizeof *node);
                node->key = __VERIFIER_nondet_int();
                if (list && list->key < node->key) abort();
                node->next = list;
                list = node;
            }
            while (list) {
                struct node *next = list->next;
                if (next) assert(list->key >= next->key);
                free(list);
                list = next;
            }
            return 0;
        }",
    ),
    (
        "a list that may be in order",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int key; struct node *next; };
        struct list { struct node *next; } *head;
        int main(void) {
            int any = __VERIFIER_nondet_int();
            head = malloc(sizeof *head);
            head->next = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *node = malloc(sizeof *node);
                node->key = __VERIFIER_nondet_int();
                node->next = head->next;
                if (!any && node->next && node->next->key < node->key) abort();
                head->next = node;
            }
            for (struct node *node = head->next; node; node = node->next)
                if (node->next) assert(node->key <= node->next->key);
            return 0;
        }",
    ),
    (
        "a list that is in order no more",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int key; struct node *next; };
        struct list { struct node *next; } *head;
        static struct node *put(void) {
            struct node *node = malloc(sizeof *node);
            node->key = __VERIFIER_nondet_int();
            node->next = head->next;
            head->next = node;
            return node;
        }
        int main(void) {
            head = malloc(sizeof *head);
            head->next = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *node = put();
                if (node->next && node->next->key < node->key) abort();
            }
            while (__VERIFIER_nondet_int())
                put();
            for (struct node *node = head->next; node; node = node->next)
                if (node->next) assert(node->key <= node->next->key);
            return 0;
        }",
    ),
    (
        "a block that is on no list any more",
        "#include <stdlib.h>
        #include <stddef.h>
        int __VERIFIER_nondet_int(void);
        struct ring { struct ring *next, *prev; };
        struct task { struct ring all; struct ring timer; int state; };
        static struct ring all = { &all, &all }, timers = { &timers, &timers };
        static void add(struct ring *head, struct ring *r) {
            r->next = head->next; r->prev = head; head->next->prev = r; head->next = r;
        }
        static void del(struct ring *r) { r->prev->next = r->next; r->next->prev = r->prev; }
        static struct task *of_timer(struct ring *r) {
            struct task *t = (struct task *)((char *)r - offsetof(struct task, timer));
            t->state = 1;
            return t;
        }
        int main(void) {
            while (__VERIFIER_nondet_int()) {
                struct task *t = malloc(sizeof *t);
                add(&all, &t->all);
                add(&timers, &t->timer);
            }
            while (timers.next != &timers) {
                struct task *t = of_timer(timers.next);
                del(&t->timer);
                del(&t->all);
                if (__VERIFIER_nondet_int()) free(t);
            }
            return 0;
        }",
    ),
    // The block is lost from one list, but not from the other: it is there still.
    (
        "a block that is on one list still",
        "#include <assert.h>
        #include <stddef.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct link { struct link *next; };
        struct task { struct link all; int state; struct link timer; };
        static struct link *all, *timers;
        int main(void) {
            struct task *t = malloc(sizeof *t);
            t->all.next = t->timer.next = 0;
            all = &t->all;
            timers = &t->timer;
            while (__VERIFIER_nondet_int()) {}
            all = 0;
            while (__VERIFIER_nondet_int()) {}
            t = (struct task *)((char *)timers - offsetof(struct task, timer));
            t->state = 1;
            assert(0);
            return 0;
        }",
    ),
];
