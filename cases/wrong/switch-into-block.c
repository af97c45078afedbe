// case: wrong/switch-into-block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 6
int main(void) { int n = 1, *q = 0; switch (n) { case 0: { int x; q = &x; case 1: x = 3; q = &x; break; } } return *q; }
