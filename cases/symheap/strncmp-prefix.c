// case: symheap/strncmp-prefix
// models: a command with an argument behind its name
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 20

#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char line[32];
    for (int i = 0; i < 31; i++)
        line[i] = __VERIFIER_nondet_char();
    line[31] = 0;
    char *table = malloc(10);
    if (strncmp(line, "SET ", 4) == 0 && line[4] >= '0' && line[4] <= '9' && line[5] == '0')
        table[(line[4] - '0') * 10 + (line[5] - '0')] = line[6];
    free(table);
    return 0;
}
