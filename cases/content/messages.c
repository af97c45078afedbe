// case: content/messages
// models: nodes with a flexible array, each of its own size
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct message {
    struct message *next;
    size_t length;
    char body[];
};

static struct message *receive(struct message *next)
{
    size_t length = (unsigned)__VERIFIER_nondet_int() % 512;
    struct message *m = malloc(sizeof *m + length + 1);
    if (m == NULL)
        abort();
    m->next = next;
    m->length = length;
    for (size_t i = 0; i < length; i++)
        m->body[i] = __VERIFIER_nondet_char();
    m->body[length] = '\0';
    return m;
}

static unsigned spaces(const struct message *m)
{
    unsigned count = 0;
    for (size_t i = 0; i <= m->length; i++)
        if (m->body[i] == ' ')
            count++;
    return count;
}

int main(void)
{
    struct message *inbox = NULL;
    unsigned total = 0;

    while (__VERIFIER_nondet_int())
        inbox = receive(inbox);
    for (struct message *m = inbox; m != NULL; m = m->next)
        total += spaces(m);
    while (inbox != NULL) {
        struct message *m = inbox;
        inbox = m->next;
        free(m);
    }
    return total > 100;
}
