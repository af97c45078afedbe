// what holds of all members of an empty array says nothing
/*@ requires n >= 0 && \forall int *x \in array(a, n); alloc(x);
    modifies {a}; */
void bad(int *a, int n) { a[0] = 1; }
/*@ requires n > 0 && n < 1000 && \forall int *x \in array(a, n); alloc(x);
    modifies {a}; */
void good(int *a, int n) { a[0] = 1; }
