// one byte of a number changes it
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && p->data == 5;
    modifies {&p->data};
    ensures p->data == 5; */
void bad(struct node *p) { ((char *)&p->data)[2] = 1; }
/*@ requires alloc(p) && p->data == 5;
    modifies {&p->data};
    ensures p->data == 5 + 65536; */
void good(struct node *p) { ((char *)&p->data)[2] = 1; }
