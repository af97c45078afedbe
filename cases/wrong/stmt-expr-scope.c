// case: wrong/stmt-expr-scope
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 6
int main(void) { int *p = ({ int x = 1; &x; }); return *p; }
