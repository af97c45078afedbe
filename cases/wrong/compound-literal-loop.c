// case: wrong/compound-literal-loop
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 6
int main(void) { int *p = 0, s = 0; for (int i = 0; i < 2; i++) { if (p) s += *p; p = (int[]){i}; } return s; }
