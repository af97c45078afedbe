// case: symheap/leap-second
// models: a date that has to be a certain one
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 21

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int year = __VERIFIER_nondet_int(), month = __VERIFIER_nondet_int(), day = __VERIFIER_nondet_int();
    if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31)
        return 0;
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int *p = malloc(sizeof *p);
    *p = leap;
    if (leap && month == 2 && day == 29 && year > 1996 && year < 2004)
        free(p);
    int got = *p;
    free(p);
    return got;
}
