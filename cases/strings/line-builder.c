// case: strings/line-builder
// models: a line that grows by one character at a time in a block that is doubled, and is always closed by a NUL
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct line {
    char *text;
    unsigned len, room;
};

static void put(struct line *l, char c)
{
    if (l->len + 1 == l->room) {
        unsigned room = l->room * 2;
        char *text = malloc(room);
        if (!text)
            abort();
        memcpy(text, l->text, l->len);
        free(l->text);
        l->text = text;
        l->room = room;
    }
    l->text[l->len++] = c;
    l->text[l->len] = 0;
}

static void cut(struct line *l, unsigned len)
{
    if (len < l->len) {
        l->len = len;
        l->text[len] = 0;
    }
}

int main(void)
{
    struct line l = { malloc(8), 0, 8 };
    if (!l.text)
        abort();
    l.text[0] = 0;
    int c;
    while ((c = __VERIFIER_nondet_int()) >= 0) {
        if (c == 8)
            cut(&l, (unsigned)__VERIFIER_nondet_int());
        else if (l.len < 60000)
            put(&l, (char)c);
    }
    l.text[l.len / 2] = '.';
    free(l.text);
    return 0;
}
