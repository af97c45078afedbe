//! Programs that show deliberate faults. Where nothing else is said, memory safety and assertions are asked about.

/// Unsafe programs for faults that no case shows.
pub const EXTRA: [(&str, &str); 36] = [
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
    // The block is lost from one list, but not from the other: it is there still. Leaks are not asked about.
    (
        "a block that is on one list still",
        "// property: assertions
        #include <assert.h>
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
    // The block of the second node is too small for the size that the node has.
    (
        "a block that is smaller than its node says",
        "#include <stdlib.h>
        unsigned __VERIFIER_nondet_uint(void);
        struct node { unsigned long size; char *text; struct node *next; };
        struct list { struct node *next; } *head;
        static void put(unsigned long size, unsigned long real) {
            struct node *node = malloc(sizeof *node);
            node->size = size;
            node->text = malloc(real);
            node->next = head->next;
            head->next = node;
        }
        int main(void) {
            unsigned long size = __VERIFIER_nondet_uint(), less = __VERIFIER_nondet_uint();
            if (less >= size - 1 || size > 1000 || size < 10 || less == 0) return 0;
            head = malloc(sizeof *head);
            head->next = 0;
            put(size - 1, less);
            put(size, size);
            while (__VERIFIER_nondet_uint()) {}
            for (struct node *node = head->next; node; node = node->next)
                node->text[node->size - 1] = 1;
            return 0;
        }",
    ),
    // A cursor leaves a tree that may be empty: nothing says that there is a node.
    (
        "a tree that may be empty",
        "#include <assert.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { struct node *left, *right; };
        static struct node *make(void) {
            if (__VERIFIER_nondet_int()) return 0;
            struct node *node = malloc(sizeof *node);
            node->left = make();
            node->right = make();
            return node;
        }
        struct node *root;
        int main(void) {
            root = make();
            struct node *at = root;
            while (__VERIFIER_nondet_int()) {
                if (!at) break;
                at = __VERIFIER_nondet_int() ? at->left : at->right;
            }
            while (__VERIFIER_nondet_int()) {}
            assert(root);
            return 0;
        }",
    ),
    // The path from the root to a cursor may go on at either child.
    (
        "a cursor at the second child",
        "#include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { struct node *left, *right; };
        static struct node *make(void) {
            if (__VERIFIER_nondet_int()) return 0;
            struct node *node = malloc(sizeof *node);
            node->left = make();
            node->right = make();
            return node;
        }
        struct node *root;
        int main(void) {
            root = make();
            struct node *at = root;
            while (at && __VERIFIER_nondet_int())
                at = __VERIFIER_nondet_int() ? at->left : at->right;
            if (at && root != at && root->right == at) *(int *)0 = 1;
            return 0;
        }",
    ),
    // Two kinds of nodes are alike except for where their blocks begin: 16 bytes before a node there may be none.
    (
        "lists of blocks that begin elsewhere",
        "#include <stdint.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        struct node *list;
        static void near(void) {
            char *raw = malloc(256);
            struct node *node = (struct node *)(((uintptr_t)raw + 71) & ~(uintptr_t)63);
            node->next = list;
            list = node;
        }
        static void far(void) {
            char *raw = malloc(240);
            struct node *node = (struct node *)((char *)(((uintptr_t)raw + 127) & ~(uintptr_t)63) - 64);
            node->next = list;
            list = node;
        }
        int main(void) {
            if (__VERIFIER_nondet_int()) {
                do near(); while (__VERIFIER_nondet_int());
            } else {
                do far(); while (__VERIFIER_nondet_int());
            }
            for (struct node *node = list; node; node = node->next)
                ((char *)node)[-16] = 1;
            return 0;
        }",
    ),
    // The remainders of one number by two others are two numbers.
    (
        "remainders of two divisions",
        "unsigned __VERIFIER_nondet_uint(void);
        int one;
        int main(void) {
            int *table[8] = { 0 };
            unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
            if (n < 1 || n > 8 || m < 1 || m > 8) return 0;
            table[x % n] = &one;
            return *table[x % m];
        }",
    ),
    // On one branch the index is not the remainder that is computed again later.
    (
        "the remainder of one of two numbers",
        "unsigned __VERIFIER_nondet_uint(void);
        int one;
        int main(void) {
            int *table[8] = { 0 };
            unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), i;
            if (n < 1 || n > 8) return 0;
            if (__VERIFIER_nondet_uint()) i = y % n;
            else i = x % n;
            table[i] = &one;
            return *table[x % n];
        }",
    ),
    // On one branch the index is a quotient. There are so many configurations that both branches are joined.
    (
        "a remainder or a quotient",
        "unsigned __VERIFIER_nondet_uint(void);
        #define C(i) case i: k = i; break;
        #define TEN(i) C(i) C(i + 1) C(i + 2) C(i + 3) C(i + 4) C(i + 5) C(i + 6) C(i + 7) C(i + 8) C(i + 9)
        int one;
        int main(void) {
            int *table[8] = { 0 };
            unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), i;
            int k;
            if (x > 7 || n < 1 || n > 8) return 0;
            if (__VERIFIER_nondet_uint()) i = x % n;
            else i = x / n;
            switch (__VERIFIER_nondet_uint()) {
            TEN(0) TEN(10)
            default: k = -1;
            }
            if (k > 90) return 1;
            table[i] = &one;
            return *table[x % n];
        }",
    ),
    // After the loop the number is no longer the product that it was before.
    (
        "a number that was a product",
        "#include <stdlib.h>
        unsigned long __VERIFIER_nondet_ulong(void);
        int main(void) {
            unsigned long other = __VERIFIER_nondet_ulong();
            unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
            if (a < 1 || a > 100 || b < 1 || b > 100 || other < 1 || other > 10000) return 0;
            unsigned long size = a * b, last = size;
            while (__VERIFIER_nondet_ulong())
                last = other;
            char *block = malloc(a * b);
            block[last - 1] = 1;
            free(block);
            return size == 0;
        }",
    ),
    // Nothing may be moved to the first element, which is null still.
    (
        "nothing is moved",
        "#include <stdlib.h>
        #include <string.h>
        unsigned __VERIFIER_nondet_uint(void);
        int one;
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
            if (n < 10 || n > 100 || m >= n) return 0;
            int **all = calloc(n, sizeof *all);
            for (unsigned i = 1; i < n; i++)
                all[i] = &one;
            memmove(all, all + 1, m * sizeof *all);
            int found = *all[0];
            free(all);
            return found;
        }",
    ),
    // The function sees one of the two lists on which the block is, and finds the block by it.
    (
        "a call with one of two lists",
        "#include <stddef.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct link { struct link *next; };
        struct task { struct link all; int state; struct link timer; };
        static struct link *timers;
        static void wake(void) {
            struct task *t = (struct task *)((char *)timers - offsetof(struct task, timer));
            t->state = 1;
            *(int *)0 = 1;
        }
        int main(void) {
            struct task *t = malloc(sizeof *t);
            struct link *all = malloc(sizeof *all);
            all->next = &t->all;
            timers = &t->timer;
            while (__VERIFIER_nondet_int()) {}
            wake();
            return all->next == 0;
        }",
    ),
    // With a block all of its links are gone.
    (
        "the link of a freed block",
        "#include <stddef.h>
        #include <stdlib.h>
        struct link { struct link *next; };
        struct task { struct link all; int state; struct link timer; };
        int main(void) {
            struct task *t = malloc(sizeof *t);
            struct link *timer = &t->timer;
            t = (struct task *)((char *)timer - offsetof(struct task, timer));
            t->state = 1;
            free(t);
            timer->next = 0;
            return 0;
        }",
    ),
    // The string goes on over the link, which is written then.
    (
        "a string over a link",
        "#include <assert.h>
        #include <stddef.h>
        #include <stdlib.h>
        #include <string.h>
        long __VERIFIER_nondet_long(void);
        struct link { struct link *next; };
        struct task { struct link all; long name; struct link timer; long end; };
        int main(void) {
            struct task *t = malloc(sizeof *t);
            struct link *timer = &t->timer;
            t = (struct task *)((char *)timer - offsetof(struct task, timer));
            t->all.next = 0;
            t->name = __VERIFIER_nondet_long();
            timer->next = timer;
            t->end = 0;
            size_t before = strlen((char *)&t->name);
            timer->next = 0;
            size_t after = strlen((char *)&t->name);
            free(t);
            assert(before == after);
            return 0;
        }",
    ),
    // The element at the index may be lost with the end of the array.
    (
        "an array becomes smaller",
        "#include <stdlib.h>
        unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), less = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
            if (n < 10 || n > 100 || less < 10 || less > 100 || i >= n) return 0;
            char **all = calloc(n, sizeof *all);
            all[i] = malloc(1);
            all = realloc(all, less * sizeof *all);
            if (i < less) free(all[i]);
            free(all);
            return 0;
        }",
    ),
    // Only some of the blocks are on the second list. The first one there may be any of three.
    (
        "one of many blocks that are on both lists",
        "#include <stddef.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct ring { struct ring *next, *prev; };
        struct task { struct ring all; int state; struct ring timer; };
        static struct ring all = { &all, &all }, timers = { &timers, &timers };
        static void add(struct ring *head, struct ring *r) {
            r->next = head->next; r->prev = head; head->next->prev = r; head->next = r;
        }
        int main(void) {
            while (__VERIFIER_nondet_int()) {
                struct task *t = malloc(sizeof *t);
                add(&all, &t->all);
                if (__VERIFIER_nondet_int()) add(&timers, &t->timer);
            }
            if (timers.next == &timers) return 0;
            struct task *t = (struct task *)((char *)timers.next - offsetof(struct task, timer));
            t->state = 1;
            if (&t->all != all.next && all.next->next->next != &all) *(int *)0 = 1;
            return 0;
        }",
    ),
    // The numbers come in one order on one branch, and in the other order on the other.
    (
        "a list in one of two orders",
        "#include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        struct node { int tag; struct node *next; };
        struct list { struct node *next; } *head;
        static void put(int tag) {
            struct node *node = malloc(sizeof *node);
            node->tag = tag;
            node->next = head->next;
            head->next = node;
        }
        int main(void) {
            head = malloc(sizeof *head);
            head->next = 0;
            if (__VERIFIER_nondet_int()) {
                do put(2); while (__VERIFIER_nondet_int());
                do put(1); while (__VERIFIER_nondet_int());
            } else {
                do put(1); while (__VERIFIER_nondet_int());
                do put(2); while (__VERIFIER_nondet_int());
            }
            while (__VERIFIER_nondet_int()) {}
            int seen = 0;
            for (struct node *node = head->next; node; node = node->next) {
                if (node->tag == 2) seen = 1;
                else if (seen) *(int *)0 = 1;
            }
            return 0;
        }",
    ),
    // The multiple of a large number wraps, and is less than the number.
    (
        "a multiple that wraps",
        "#include <assert.h>
        unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
            unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
            if (a > 1000000000 || b > 1000000000 || a < b) return 0;
            unsigned product = a * 16;
            assert(product >= b);
            return 0;
        }",
    ),
];
