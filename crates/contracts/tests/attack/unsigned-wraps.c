// unsigned numbers wrap below zero
/*@ ensures \result < n; */
unsigned bad(unsigned n) { return n - 1; }
/*@ requires n > 0;
    ensures \result < n; */
unsigned good(unsigned n) { return n - 1; }
