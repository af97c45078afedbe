// a char is narrower than the int
/*@ ensures \result == n; */
int bad(int n) { char c = (char)n; return c; }
