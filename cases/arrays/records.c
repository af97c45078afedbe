// case: arrays/records
// models: an array of records each with an owned string
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct record { int id; char *name; };
int main(void)
{
    unsigned n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    struct record *all = malloc((n + 1) * sizeof *all);
    for (unsigned i = 0; i < n + 1; i++) {
        all[i].id = i;
        all[i].name = malloc(8);
        all[i].name[0] = 'x';
    }
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k <= n)
        all[k].name[7] = 'y';
    for (unsigned i = 0; i < n + 1; i++)
        free(all[i].name);
    free(all);
    return 0;
}
