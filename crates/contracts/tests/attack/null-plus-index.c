// the number of a null pointer plus something wraps
/*@ requires i == 9223372036854775807;
    ensures \result == 0; */
long bad(long i) { char *p = 0; p += i; p += i; p += 2; return (long)p == 0 ? 1 : 0; }
