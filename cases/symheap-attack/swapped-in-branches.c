// case: symheap-attack/swapped-in-branches
// models: short branches one after the other, whose outcomes depend on each other
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x[3], a[2] = {0};
    for (int i = 0; i < 3; i++)
        x[i] = __VERIFIER_nondet_int();
    int t;
    if (x[0] > x[1]) { t = x[0]; x[0] = x[1]; x[1] = t; }
    if (x[1] > x[2]) { t = x[1]; x[1] = x[2]; x[2] = t; }
    return a[x[0] <= x[1] ? 0 : 2];
}
