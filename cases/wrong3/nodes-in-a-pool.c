// case: wrong3/nodes-in-a-pool
// target: lp64
// property: data-structure
// verdict: safe
struct node { long v; struct node *next; };
static struct node nodes[8];
static struct node *get(int i) { return &nodes[i]; }
static void put(struct node *n, long v) { if (n) n->v = v; }
int main(void) { for (int i = 0; i < 8; i++) put(get(i), i); return 0; }
