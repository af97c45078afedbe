// case: wrong/compound-literal-block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 6
int main(void) { int *p; { p = (int[]){1, 2}; } return *p; }
