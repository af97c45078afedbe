// case: symheap-attack/sorted-in-branches
// models: three numbers sorted by three short branches
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x[3], a[2] = {0};
    for (int i = 0; i < 3; i++)
        x[i] = __VERIFIER_nondet_int();
    int t;
    if (x[0] > x[1]) { t = x[0]; x[0] = x[1]; x[1] = t; }
    if (x[1] > x[2]) { t = x[1]; x[1] = x[2]; x[2] = t; }
    if (x[0] > x[1]) { t = x[0]; x[0] = x[1]; x[1] = t; }
    return a[x[0] <= x[1] && x[1] <= x[2] ? 0 : 2];
}
