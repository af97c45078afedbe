// a number of 128 bits does not fit 64
/*@ requires alloc(q);
    modifies {q, q + 1};
    ensures q[1] == 0 || q[1] == -1; */
void bad(long *q, long a, long b) { *(__int128 *)q = (__int128)a * b; }
