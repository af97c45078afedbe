// numbers wrap
/*@ ensures \result > n; */
int bad(int n) { return (int)((unsigned)n + 1u); }
/*@ requires n < 1000;
    ensures \result > n; */
int good(int n) { return (int)((unsigned)n + 1u); }
