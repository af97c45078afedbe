// a contract that does not hold makes its callers undecided
int bad(int n);
/*@ requires n >= 0;
    ensures \result == 0; */
int odd(int n) { if (n == 0) return 1; return bad(n - 1); }
/*@ requires n >= 0;
    ensures \result == 0; */
int bad(int n) { if (n == 0) return 0; return odd(n - 1); }
