// case: content/dictionary
// models: a list of copied strings that is searched with strcmp
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct word {
    struct word *next;
    char *text;
    unsigned seen;
};

static struct word *words;

static struct word *find(const char *text)
{
    struct word *w;
    for (w = words; w != NULL; w = w->next)
        if (strcmp(w->text, text) == 0)
            break;
    return w;
}

static void count(const char *text)
{
    struct word *w = find(text);
    if (w == NULL) {
        size_t size = strlen(text) + 1;
        w = malloc(sizeof *w);
        if (w == NULL)
            abort();
        w->text = malloc(size);
        if (w->text == NULL)
            abort();
        memcpy(w->text, text, size);
        w->seen = 0;
        w->next = words;
        words = w;
    }
    w->seen++;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        count(argv[i]);
    while (words != NULL) {
        struct word *w = words;
        words = w->next;
        free(w->text);
        free(w);
    }
    return 0;
}
