// nothing satisfies what is required
/*@ requires n > 0 && n < 0;
    ensures \result == 1; */
int bad(int n) { return 0; }
