// an array of n elements ends before n
/*@ requires n > 0 && n < 1000 && \forall int *x \in array(a, n); alloc(x);
    modifies array(a, n + 1); */
void bad(int *a, int n) { a[n] = 1; }
