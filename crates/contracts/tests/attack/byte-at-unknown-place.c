// a byte may lie in a number
/*@ requires alloc(p) && alloc(c);
    modifies {c};
    ensures *p == \old(*p); */
void bad(int *p, char *c) { *c = 1; }
/*@ requires alloc(p) && alloc(c) && Obj(p) != Obj(c);
    modifies {c};
    ensures *p == \old(*p); */
void good(int *p, char *c) { *c = 1; }
