// what a callee may change is changed in all its bytes
/*@ requires alloc(p);
    modifies {p}; */
void touch(int *p);
/*@ requires alloc(p);
    modifies {p};
    ensures ((char *)p)[1] == \old(((char *)p)[1]); */
void bad(int *p) { touch(p); }
/*@ requires alloc(p) && alloc(p + 1);
    modifies {p};
    ensures ((char *)p)[4] == \old(((char *)p)[4]); */
void good(int *p) { touch(p); }
