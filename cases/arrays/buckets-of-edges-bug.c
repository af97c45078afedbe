// case: arrays/buckets-of-edges-bug
// models: adjacency lists whose table is not set to null
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 36

#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct edge { struct edge *next; unsigned to; };
struct graph { struct edge **out; unsigned nodes; };

static unsigned node_of(const struct graph *g, unsigned number)
{
    return number % g->nodes;
}

static struct edge *edges(const struct graph *g, unsigned number)
{
    return g->out[node_of(g, number)];
}

static void connect(struct graph *g, unsigned from, unsigned to)
{
    struct edge *e = malloc(sizeof *e);
    e->to = node_of(g, to);
    e->next = edges(g, from);
    g->out[node_of(g, from)] = e;
}

static unsigned degree(const struct graph *g, unsigned node)
{
    unsigned n = 0;
    for (struct edge *e = edges(g, node); e; e = e->next)
        n++;
    return n;
}

int main(void)
{
    struct graph g = { NULL, __VERIFIER_nondet_uint() };
    if (g.nodes < 2 || g.nodes > 100000)
        return 0;
    g.out = malloc(g.nodes * sizeof *g.out);
    while (__VERIFIER_nondet_uint()) {
        unsigned from = __VERIFIER_nondet_uint(), to = __VERIFIER_nondet_uint();
        if (degree(&g, from) < 100)
            connect(&g, from, to);
    }
    for (unsigned i = 0; i < g.nodes; i++)
        while (g.out[i]) {
            struct edge *e = g.out[i];
            g.out[i] = e->next;
            free(e);
        }
    free(g.out);
    return 0;
}
