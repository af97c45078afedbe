// case: trees/expression
// models: expression tree: built, evaluated and freed by recursion; nodes with no, one and two children
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
enum kind { NUM, ADD, MUL, NEG };
struct expr { enum kind kind; int value; struct expr *a, *b; };
static struct expr *make(enum kind kind, int value, struct expr *a, struct expr *b) {
    struct expr *e = malloc(sizeof *e);
    if (!e) abort();
    e->kind = kind; e->value = value; e->a = a; e->b = b;
    return e;
}
static struct expr *parse(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0: { struct expr *l = parse(); return make(ADD, 0, l, parse()); }
    case 1: { struct expr *l = parse(); return make(MUL, 0, l, parse()); }
    case 2: return make(NEG, 0, parse(), NULL);
    default: return make(NUM, __VERIFIER_nondet_int(), NULL, NULL);
    }
}
static unsigned eval(const struct expr *e) {
    if (!e) return 0;
    switch (e->kind) {
    case ADD: return eval(e->a) + eval(e->b);
    case MUL: return eval(e->a) * eval(e->b);
    case NEG: return -eval(e->a);
    default: return e->value;
    }
}
static void drop(struct expr *e) {
    if (!e) return;
    drop(e->a);
    drop(e->b);
    free(e);
}
int main(void) {
    struct expr *e = parse();
    eval(e);
    drop(e);
    return 0;
}
