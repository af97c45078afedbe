// the second byte of a number is not its first
/*@ requires alloc(p);
    modifies {p};
    ensures \result == 4; */
int bad(int *p) { *p = 0x0304; return ((char *)p)[1]; }
/*@ requires alloc(p);
    modifies {p};
    ensures \result == 3; */
int good(int *p) { *p = 0x0304; return ((char *)p)[1]; }
