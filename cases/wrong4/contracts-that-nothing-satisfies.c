// case: wrong4/contracts-that-nothing-satisfies
// target: lp64
// property: contracts
// verdict: unknown
// function: bad1 unknown
// function: ok1 safe
// function: ok2 safe
// function: bad2 unknown
// function: bad3 unknown
// function: bad4 unknown
// function: bad5 unknown
// function: ok3 safe
// function: bad6 unknown
// function: ok4 safe
// function: bad7 unknown
// function: bad8 unknown
/* contracts that nothing satisfies, with neighbours that something does: bad_* must not be safe */
/*@ requires x * x == 7; ensures \result == 17; */
int bad1(int x) { return 3; }
/*@ requires x * x == 49; ensures \result == 3; */
int ok1(int x) { return 3; }
/*@ requires 1000 < x && x < 5000 && x % 7 == 3; ensures \result > 1000; */
int ok2(int x) { return x; }
/*@ ensures \result * \result == 7; */
int proto(int x);
/*@ ensures \result == 5; */
int bad2(int x) { proto(x); return 4; }
/*@ ensures \result == 1 && \result == 2; */
int proto2(int x);
/*@ ensures \result == 5; */
int bad3(int x) { proto2(x); return 4; }
/*@ ensures \result > x && \result < 5; */
int proto3(int x);
/*@ ensures \result == 5; */
int bad4(int x) { proto3(10); return 4; }
/*@ requires alloc(p) && *p * *p == 7; ensures \result == 17; */
int bad5(int *p) { return 3; }
/*@ requires alloc(p) && *p * *p == 4; ensures \result == 3; */
int ok3(int *p) { return 3; }
/*@ requires x * x + y * y == 3; ensures \result == 17; */
int bad6(int x, int y) { return 3; }
/*@ ensures \result == x + 1 || x == 2147483647; */
int proto4(int x);
/*@ requires x < 100; ensures \result == x + 1; */
int ok4(int x) { return proto4(x); }
/*@ requires (unsigned char)x == 300; ensures \result == 17; */
int bad7(int x) { return 3; }
/*@ requires x * x * x == x + 5; ensures \result == 17; */
int bad8(int x) { return 3; }
