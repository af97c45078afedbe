// ending a link is a change, even if the bytes stay the same
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires BS(NULL) && alloc(p) && *((char *)&p->next) == 0 && block(p, struct node.next) == NULL;
    modifies \nothing; */
void bad(struct node *p) { *((char *)&p->next) = 0; }
/*@ requires BS(NULL) && alloc(p) && *((char *)&p->next) == 0 && block(p, struct node.next) == NULL;
    modifies {&p->next}; */
void good(struct node *p) { *((char *)&p->next) = 0; }
