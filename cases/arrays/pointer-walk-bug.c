// case: arrays/pointer-walk-bug
// models: the walk that frees begins late
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 21

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char *word[50];
    char **end = word + 50;
    for (char **p = word; p < end; p++)
        *p = malloc(4);
    for (char **p = word; p < end; p++)
        (*p)[3] = 0;
    for (char **p = word + 1; p < end; p++)
        free(*p);
    return 0;
}
