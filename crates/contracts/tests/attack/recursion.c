// recursion uses the contract, which has to hold
/*@ requires n >= 0;
    ensures \result == 0; */
int bad(int n) { if (n == 0) return 1; return bad(n - 1); }
/*@ requires n >= 0;
    ensures \result == 0; */
int good(int n) { if (n == 0) return 0; return good(n - 1); }
