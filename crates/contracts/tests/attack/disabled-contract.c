// a contract that is not compiled does not count
#ifdef NEVER
/*@ requires n == 1; */
#else
/*@ ensures \result == 1; */
#endif
int bad(int n) { return n; }
