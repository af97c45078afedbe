// case: wrong/compound-literal-substatement
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 6
int main(int c, char **v) { int *p = 0; if (c) p = (int[]){1}; return *p; }
