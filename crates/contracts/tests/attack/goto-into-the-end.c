// goto skips statements
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == 1; */
void bad(struct node *p, int c) {
    if (c) goto end;
    p->data = 1;
end:
    return;
}
