// case: smg-soundness/index-over-two-tables
// models: one structure has two tables of pointers, and an index may lie in either
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 30

extern int __VERIFIER_nondet_int(void);

int target;

struct record {
    long head;
    int *slots[16];
    long tail;
};

int main(void)
{
    struct record w;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (i < 0 || i > 7 || j < 9 || j > 15 || k < 0 || k > 15)
        return 0;
    w.slots[i] = &target;
    w.slots[j] = &target;
    w.slots[k] = &target;
    /* the second table is as good as the first */
    if (k > 7) {
        int *nothing = 0;
        return *nothing;
    }
    return 0;
}
