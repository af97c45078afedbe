// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
struct wide { long v; struct wide *kids[300]; };
long fine_wide(struct wide *w) { long n = 0; for (int i = 0; w && i < 300; i++) if (w->kids[i]) n += w->kids[i]->v; return n; }
struct wide *fine_wide_get(struct wide *w) { return w ? w->kids[7] : NULL; }
void bad_wide_past(struct wide *w) { if (w) w->kids[300] = NULL; }
struct plain { int a, b; };
struct held { union { long n; struct plain *p; } u; int is; struct held *next; };
long fine_union(struct held *h) { return h && h->is == 1 ? h->u.p->a : 0; }
long bad_union_number(struct held *h) { if (!h) return 0; h->u.n = 3; return h->u.p->a; }
struct flags { unsigned on : 1, mode : 3; struct flags *next; void *data; long *numbers; };
long fine_flags(struct flags *f) { return f && f->on ? f->mode : 0; }
long bad_flags(struct flags *f) { return f && f->mode == 2 ? f->next->mode : 0; }
long fine_data(struct flags *f) { return f && f->numbers ? f->numbers[0] : 0; }
long fine_half(struct flags *f) { return f ? *(int *)&f->data : 0; }
struct bytes { char name[24]; struct bytes *next; };
long fine_bytes(struct bytes *b) { return b && b->name[3] == 'x' && *(long *)(b->name + 8) == 5; }
long bad_bytes(struct bytes *b) { return b && b->name[3] == 1 ? b->next->name[0] : 0; }
