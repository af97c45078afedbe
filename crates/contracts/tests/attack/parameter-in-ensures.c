// a parameter in ensures has its value at entry
/*@ ensures \result == n; */
int bad(int n) { n = n / 2 + 1; return n; }
