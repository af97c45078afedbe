// case: strings/growing-text-bug
// models: characters appended to a string in a block that is doubled; the NUL moves along
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 22
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct text { char *chars; size_t length, room; };

static void append(struct text *t, char c) {
    if (t->length >= t->room) {
        size_t room = 2 * t->room;
        char *chars = realloc(t->chars, room);
        if (!chars) abort();
        t->chars = chars;
        t->room = room;
    }
    t->chars[t->length++] = c;
    t->chars[t->length] = 0;
}

int main(void) {
    struct text t = { malloc(8), 0, 8 };
    if (!t.chars) abort();
    t.chars[0] = 0;
    for (int i = 0; i < 300 && __VERIFIER_nondet_int(); i++) append(&t, (char)__VERIFIER_nondet_int());
    size_t seen = strlen(t.chars);
    free(t.chars);
    return seen > 0;
}
