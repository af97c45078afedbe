// Nodes for the modules that attack the engine.
#include <stdlib.h>
#include <string.h>
struct node { long v; struct node *next; };
struct two { long v; struct two *a; struct two *b; };
struct other { struct other *o; long x; long y; };
struct packed { struct packed *p; long x; int lo : 3; int hi : 4; };
static inline struct node *make(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = 0; n->next = NULL; return n; }
